//! Elements that a user defines: of three bodies, with a state of their own, with inertia.

use super::hold;
use cosimo_dynamics::{ConstrainedSystem, Motion};
use cosimo_multibody::modes::{Equilibrium, Turning, modes};
use cosimo_multibody::spatial::{
    Body, Element, ElementKind, ElementQuantity, Force, ForceKind, Frame, JointKind, Loads, Marker, Nodes,
    Part, RigidBody, SpatialInertia, SpatialModel, SpatialModelError, SpatialSystem, TangentBlocks,
};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Method};
use nalgebra::{Complex, Matrix3, Matrix6, Vector3};

/// Draws the middle of three bodies to the mean of the others: `V = k/2 |x₁ − (x₀ + x₂)/2|²`.
#[derive(Debug, Clone)]
struct Bow {
    stiffness: f64,
}

impl Bow {
    const SHARES: [f64; 3] = [-0.5, 1.0, -0.5];

    fn displacement(nodes: &Nodes<'_>) -> Vector3<f64> {
        (0..3).map(|k| nodes.pose(k).position * Self::SHARES[k]).sum()
    }
}

impl ElementKind for Bow {
    fn place(&self, _owner: &str, _markers: &[Marker]) -> Result<Box<dyn Element>, SpatialModelError> {
        Ok(Box::new(self.clone()))
    }
}

impl Element for Bow {
    fn add_forces(&self, _t: f64, nodes: &Nodes<'_>, out: &mut Loads<'_>) {
        let force = Self::displacement(nodes) * self.stiffness;
        (0..3).for_each(|k| out.add(k, &(force * Self::SHARES[k]), &Vector3::zeros()));
    }

    fn add_tangents(&self, _t: f64, _nodes: &Nodes<'_>, out: &mut TangentBlocks<'_>) {
        for (i, j) in (0..9).map(|k| (k / 3, k % 3)) {
            let mut block = Matrix6::zeros();
            let value = self.stiffness * Self::SHARES[i] * Self::SHARES[j];
            block.fixed_view_mut::<3, 3>(0, 0).fill_diagonal(value);
            out.stiffness(Part::Node(i), Part::Node(j), block.as_slice());
        }
    }

    fn potential(&self, nodes: &Nodes<'_>) -> f64 {
        0.5 * self.stiffness * Self::displacement(nodes).norm_squared()
    }

    fn quantities(&self) -> Vec<ElementQuantity> {
        vec![ElementQuantity { name: "way".to_owned(), unit: "m" }]
    }

    fn observe(&self, _t: f64, nodes: &Nodes<'_>, out: &mut [f64]) {
        out[0] = Self::displacement(nodes).norm();
    }
}

fn ball(name: &str) -> Body {
    Body::new(name, RigidBody::new(2.0, Matrix3::identity()).unwrap())
}

fn bow() -> SpatialSystem {
    let model = SpatialModel::new().with_body(ball("a")).with_body(ball("b").with_position([1.0, 0.5, 0.0]));
    let nodes = vec![Frame::on("a", [0.0; 3]), Frame::on("b", [0.0; 3]), Frame::ground([2.0, 0.0, 0.0])];
    model.with_element("bow", nodes, Bow { stiffness: 8.0 }).build().unwrap()
}

#[test]
fn elements_of_three_bodies_move_by_their_energy() {
    let system = bow();
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let [stiffness, damping] = crate::differences::tangent_mismatch(&system, (0.0, &q, &v));
    assert!(stiffness < 1e-9 && damping < 1e-9);
    let mut shown = [0.0_f64];
    system.observe_elements(Motion { t: 0.0, q: &q, v: &v }, &mut shown);
    assert_eq!(system.element_quantities()[0].0, "bow");
    // The ground has its pose at the origin: the element sees bodies, not frames.
    assert!((shown[0] - 1.25_f64.sqrt()).abs() < 1e-15);
    let rule = Method::GeneralizedAlpha { spectral_radius: 1.0 };
    let mut solver = DaeSolver::new(system, rule, DaeSettings::default(), (0.0, q, v)).unwrap();
    let start = solver.energy().total();
    solver.advance_to(3.0, 1e-3).unwrap();
    assert!((solver.energy().total() / start - 1.0).abs() < 1e-5);
}

/// A thrust along `x` that follows an order of one with the lag `τ`: `ẋ = (1 − x)/τ`.
#[derive(Debug, Clone)]
struct Thrust {
    lag: f64,
}

impl ElementKind for Thrust {
    fn initial_states(&self) -> Vec<f64> {
        vec![0.0]
    }

    fn place(&self, _owner: &str, _markers: &[Marker]) -> Result<Box<dyn Element>, SpatialModelError> {
        Ok(Box::new(self.clone()))
    }
}

impl Element for Thrust {
    fn add_forces(&self, _t: f64, nodes: &Nodes<'_>, out: &mut Loads<'_>) {
        let x = nodes.states()[0];
        out.add(0, &Vector3::new(-x, 0.0, 0.0), &Vector3::zeros());
        out.add_states(&[-(1.0 - x) / self.lag]);
    }

    fn add_tangents(&self, _t: f64, _nodes: &Nodes<'_>, out: &mut TangentBlocks<'_>) {
        out.damping(Part::Node(0), Part::States, &[-1.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        out.damping(Part::States, Part::States, &[1.0 / self.lag]);
    }
}

#[test]
fn states_of_elements_follow_their_equations() {
    let lag = 0.4;
    let model = SpatialModel::new().with_body(ball("a"));
    let system =
        model.with_element("thrust", vec![Frame::on("a", [0.0; 3])], Thrust { lag }).build().unwrap();
    let errors = [0.02, 0.01].map(|h| {
        let system = SpatialModel::new().with_body(ball("a"));
        let nodes = vec![Frame::on("a", [0.0; 3])];
        let system = system.with_element("thrust", nodes, Thrust { lag }).build().unwrap();
        let (q, v) = (system.initial_position(), system.initial_velocity());
        let rule = Method::Multistep { spectral_radius: 0.8 };
        let mut solver = DaeSolver::new(system, rule, DaeSettings::default(), (0.0, q, v)).unwrap();
        solver.advance_to(1.0, h).unwrap();
        let v = &solver.state().v;
        let decay = (-1.0_f64 / lag).exp();
        // v̇ = x/m, x = 1 − exp(−t/τ).
        [v[6] - (1.0 - decay), v[0] - 0.5 * (1.0 - lag * (1.0 - decay))]
    });
    assert_eq!(system.structure().velocities(), 7);
    for k in 0..2 {
        let order = (errors[0][k] / errors[1][k]).log2();
        assert!((order - 2.0).abs() < 0.2, "{errors:?}");
        assert!(errors[1][k].abs() < 1e-4);
    }
}

/// On a spring: the thrust pushes by one, and its lag is an eigenvalue beside those of the bodies.
#[test]
fn states_of_elements_have_an_equilibrium_and_a_mode() {
    let (lag, stiffness) = (0.4, 8.0);
    let matrix = |size: f64| Box::new(Matrix6::identity() * size);
    let bushing = ForceKind::Bushing { stiffness: matrix(stiffness), damping: matrix(0.0) };
    let [ground, own] = [Frame::ground([0.0; 3]), Frame::on("a", [0.0; 3])];
    let model =
        SpatialModel::new().with_body(ball("a")).with_force(Force::new("bushing", bushing, ground, own));
    let nodes = vec![Frame::on("a", [0.0; 3])];
    let system = model.with_element("thrust", nodes, Thrust { lag }).build().unwrap();
    let found = Equilibrium::find(&system, 0.0, &system.initial_position(), Turning::REST).unwrap();
    assert!((found.v[6] - 1.0).abs() < 1e-14 && (found.q[0] - 1.0 / stiffness).abs() < 1e-14);
    let modes = modes(&system, &found, (20, 3.0)).unwrap();
    assert_eq!(modes.len(), 7);
    // √(8/2) of the ways, 1/τ of the thrust, √8 of the turns.
    let [displacement, turn] = [2.0, 8.0_f64.sqrt()].map(|pitch| Complex::new(0.0, pitch));
    let expected =
        [displacement, displacement, displacement, Complex::new(-1.0 / lag, 0.0), turn, turn, turn];
    for (mode, expected) in modes.iter().zip(expected) {
        assert!((mode.eigenvalue - expected).norm() < 1e-7, "{:?}", mode.eigenvalue);
    }
}

/// A weight that an element hangs on a body.
#[derive(Debug)]
struct Weight;

impl ElementKind for Weight {
    fn inertia(&self, _node: usize) -> SpatialInertia {
        let about = Matrix3::from_diagonal(&Vector3::new(0.1, 0.2, 0.25));
        SpatialInertia::about_centre(1.5, &Vector3::new(0.1, 0.0, -0.2), &about)
    }

    fn place(&self, _owner: &str, _markers: &[Marker]) -> Result<Box<dyn Element>, SpatialModelError> {
        Ok(Box::new(Bow { stiffness: 0.0 }))
    }
}

/// A pendulum with a weight of an element swings as one with a body that is joined to it.
#[test]
fn inertia_of_elements_is_that_of_a_body_joined() {
    let pendulum = || {
        let model = SpatialModel::new().with_gravity([0.0, 0.0, -9.81]);
        let model = model.with_body(ball("bob").with_position([0.5, 0.0, -1.0]));
        hold(model, JointKind::Spherical, ("bob", [0.0; 3]), [0.0, 0.0, 1.0])
    };
    let place = Frame::on("bob", [0.3, 0.4, -0.2]).with_axis([1.0, 1.0, 0.0]);
    let turn = place.orientation;
    let nodes = vec![place.clone(), Frame::ground([0.0; 3]), Frame::ground([0.0; 3])];
    let ours = pendulum().with_element("weight", nodes, Weight).build().unwrap();
    let own = Weight.inertia(0);
    let body = Body::new("weight", RigidBody::new(own.mass, own.central()).unwrap());
    let at = Vector3::new(0.5, 0.0, -1.0) + Vector3::new(0.3, 0.4, -0.2);
    let body = body.with_centre_of_mass(own.centre()).with_position(at).with_orientation(turn);
    let joint =
        cosimo_multibody::spatial::Joint::new("weld", JointKind::Fixed, place, Frame::on("weight", [0.0; 3]));
    let theirs = pendulum().with_body(body).with_joint(joint).build().unwrap();
    let end = |system: SpatialSystem| {
        let centre = system.bodies()[0].centre_of_mass;
        let (q, v) = (system.initial_position(), system.initial_velocity());
        let rule = Method::GeneralizedAlpha { spectral_radius: 0.9 };
        let mut solver = DaeSolver::new(system, rule, DaeSettings::default(), (0.0, q, v)).unwrap();
        solver.advance_to(1.0, 5e-4).unwrap();
        let state = solver.system().body_state(0, &solver.state().q, &solver.state().v).unwrap();
        state.point(&-centre)
    };
    let (ours, theirs) = (end(ours), end(theirs));
    assert!((ours - theirs).norm() < 2e-5, "{ours} {theirs}");
}
