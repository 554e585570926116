//! A sphere in the plane that slides until it rolls, and a block that slides until it sticks: closed forms.

use cosimo_dynamics::{
    ConstrainedSystem, CoordinateBlock, Coordinates, Level, MatrixSink, Motion, Structure,
};
use cosimo_impact::{
    ContactBlock, ContactLayout, ContactSink, Contacts, ImpactError, NonsmoothStepper, Scheme,
};
use cosimo_mechanics::{ContactLaw, Energy};

use crate::common::{pva, pvv, schemes};

const GRAVITY: f64 = 9.81;
const FRICTION: f64 = 0.3;
const RADIUS: f64 = 0.2;

/// 1 kg with coordinates `x, y, θ` in the plane, gravity along `−y`, and a force along `x`.
struct Body {
    inertia: f64,
    push: f64,
    structure: Structure,
}

impl Body {
    fn new(inertia: f64, push: f64) -> Self {
        Self { inertia, push, structure: Structure::new(Coordinates::new([CoordinateBlock::Flat(3)])) }
    }
}

impl ConstrainedSystem for Body {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn balance(&self, _motion: Motion<'_>, a: &[f64], _mu: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[a[0] - self.push, a[1] + GRAVITY, self.inertia * a[2]]);
    }

    fn mass_product(&self, _q: &[f64], x: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&[x[0], x[1], self.inertia * x[2]]);
    }

    fn add_reactions(&self, _t: f64, _q: &[f64], _mu: &[f64], _out: &mut [f64]) {}

    fn constraints(&self, _level: Level, _motion: Motion<'_>, _a: &[f64], _out: &mut [f64]) {}

    fn tangents(&self, motion: Motion<'_>, _a: &[f64], _mu: &[f64], sink: &mut dyn MatrixSink) {
        self.masses(motion.q, sink);
    }

    fn masses(&self, _q: &[f64], sink: &mut dyn MatrixSink) {
        sink.mass(0, &[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, self.inertia]);
    }

    fn jacobian(&self, _t: f64, _q: &[f64], _sink: &mut dyn MatrixSink) {}

    fn rate_gradient(&self, _motion: Motion<'_>, _sink: &mut dyn MatrixSink) {}

    fn energy(&self, Motion { q, v, .. }: Motion<'_>) -> Energy {
        let kinetic = 0.5 * (v[0] * v[0] + v[1] * v[1] + self.inertia * v[2] * v[2]);
        Energy { kinetic, potential: GRAVITY * q[1] - self.push * q[0] }
    }
}

/// The floor `y = 0` under the lowest point, `arm` below the centre.
struct Floor {
    arm: f64,
    layout: ContactLayout,
}

impl Floor {
    fn new(arm: f64, restitution: f64) -> Self {
        let law = ContactLaw::with_friction(restitution, FRICTION);
        Self { arm, layout: ContactLayout::new(2, vec![ContactBlock { touches: vec![0], law }]) }
    }
}

impl Contacts for Floor {
    fn layout(&self) -> &ContactLayout {
        &self.layout
    }

    fn gaps(&self, _t: f64, q: &[f64], out: &mut [f64]) {
        out[0] = q[1];
    }

    fn rates(&self, Motion { v, .. }: Motion<'_>, out: &mut [f64]) {
        out.copy_from_slice(&[v[1], v[0] + self.arm * v[2]]);
    }

    fn jacobian(&self, _t: f64, _q: &[f64], sink: &mut dyn ContactSink) {
        sink.jacobian(0, 0, &[0.0, 1.0, 1.0, 0.0, 0.0, self.arm]);
    }
}

/// Two feet of a block, 0.3 m to both sides of its centre and 0.2 m below it.
struct Pair(ContactLayout);

impl Pair {
    fn new() -> Self {
        let law = ContactLaw::with_friction(0.0, FRICTION);
        let foot = || ContactBlock { touches: vec![0], law };
        Self(ContactLayout::new(2, vec![foot(), foot()]))
    }

    /// Jacobian of a foot by rows.
    fn rows(foot: usize) -> [[f64; 3]; 2] {
        let side = if foot == 0 { -0.3 } else { 0.3 };
        [[0.0, 1.0, side], [1.0, 0.0, 0.2]]
    }
}

impl Contacts for Pair {
    fn layout(&self) -> &ContactLayout {
        &self.0
    }

    fn gaps(&self, _t: f64, q: &[f64], out: &mut [f64]) {
        for (foot, gap) in out.iter_mut().enumerate() {
            *gap = q[1] + Self::rows(foot)[0][2] * q[2];
        }
    }

    fn rates(&self, Motion { v, .. }: Motion<'_>, out: &mut [f64]) {
        for (k, rate) in out.iter_mut().enumerate() {
            *rate = Self::rows(k / 2)[k % 2].iter().zip(v).map(|(row, v)| row * v).sum();
        }
    }

    fn jacobian(&self, _t: f64, _q: &[f64], sink: &mut dyn ContactSink) {
        for foot in 0..2 {
            let [normal, slip] = Self::rows(foot);
            let columns: Vec<f64> = (0..3).flat_map(|j| [normal[j], slip[j]]).collect();
            sink.jacobian(foot, 0, &columns);
        }
    }
}

fn with_friction() -> Vec<(&'static str, Scheme)> {
    let mut all = schemes();
    all.retain(|(name, _)| *name != "schatzman-paoli");
    all.push(("half-implicit", Scheme::half_implicit_euler(f64::INFINITY)));
    all
}

/// Sliding ends at `v = 5/7 v₀` for every friction; from then on the sphere rolls.
#[test]
fn sliding_sphere_comes_to_roll() {
    let inertia = 0.4 * RADIUS * RADIUS;
    for (name, scheme) in with_friction() {
        let start = (0.0, vec![0.0; 3], vec![2.0, 0.0, 0.0]);
        let mut stepper =
            NonsmoothStepper::new(Body::new(inertia, 0.0), Floor::new(RADIUS, 0.0), scheme, start).unwrap();
        let sliding = 2.0 * 2.0 / (7.0 * FRICTION * GRAVITY);
        stepper.advance_to(0.5 * sliding, 1e-3).unwrap();
        let slowed = 2.0 - FRICTION * GRAVITY * 0.5 * sliding;
        assert!((stepper.state().v[0] - slowed).abs() < 1e-2, "{name}: {:?}", stepper.state().v);
        stepper.advance_to(0.4, 1e-3).unwrap();
        let v = &stepper.state().v;
        assert!((v[0] - 10.0 / 7.0).abs() < 2e-3, "{name}: {v:?}");
        assert!((v[0] + RADIUS * v[2]).abs() < 1e-6, "{name}: {v:?}");
    }
}

/// A contact that slides stays closed: friction that was associated would throw the sphere up at `μ ‖U_T‖`.
#[test]
fn sliding_keeps_the_contact_closed() {
    let start = (0.0, vec![0.0; 3], vec![2.0, 0.0, -12.0]);
    let (sphere, floor) = (Body::new(0.4 * RADIUS * RADIUS, 0.0), Floor::new(RADIUS, 0.0));
    let mut stepper = NonsmoothStepper::new(sphere, floor, Scheme::half_implicit_euler(0.01), start).unwrap();
    for _ in 0..500 {
        stepper.step(1e-3).unwrap();
        assert!(stepper.state().q[1].abs() < 1e-12, "{:?}", stepper.state());
    }
}

/// A contact problem that its limit of iterations leaves unsolved ends the step by name.
#[test]
fn the_limit_of_iterations_counts() {
    let after = |limit: u32| {
        let scheme = Scheme::HalfImplicitEuler {
            distance: 0.01,
            correction_speed: 0.1,
            contact_tolerance: 1e-12,
            contact_iterations: Some(limit),
        };
        let start = (0.0, vec![0.0; 3], vec![2.0, 0.0, 0.0]);
        let block = Body::new(1.0, 0.0);
        NonsmoothStepper::new(block, Pair::new(), scheme, start).unwrap().step(1e-3).map(|_| ())
    };
    assert!(matches!(after(1), Err(ImpactError::Contacts { contacts: 2, .. })), "{:?}", after(1));
    after(1000).unwrap();
}

/// A block stops after `v₀²/(2 μ g)` and sticks, also when pushed with less than `μ m g`.
#[test]
fn sliding_block_stops_and_sticks() {
    let displacement = 4.0 / (2.0 * FRICTION * GRAVITY);
    for (name, scheme) in with_friction() {
        let mut works = 0.0;
        let start = (0.0, vec![0.0; 3], vec![2.0, 0.0, 0.0]);
        let mut stepper =
            NonsmoothStepper::new(Body::new(1.0, 0.0), Floor::new(0.0, 0.0), scheme, start).unwrap();
        for _ in 0..1000 {
            works += stepper.step(1e-3).unwrap().balance.friction;
        }
        assert!((stepper.state().q[0] - displacement).abs() < 4e-3, "{name}: {:?}", stepper.state().q);
        assert!(stepper.state().v[0].abs() < 1e-8, "{name}: {:?}", stepper.state().v);
        assert!((works + 2.0).abs() < 5e-3, "{name}: {works}");
        let push = 0.9 * FRICTION * GRAVITY;
        let start = (0.0, vec![0.0; 3], vec![0.0; 3]);
        let mut stepper =
            NonsmoothStepper::new(Body::new(1.0, push), Floor::new(0.0, 0.0), scheme, start).unwrap();
        stepper.advance_to(1.0, 1e-3).unwrap();
        assert!(stepper.state().q[0].abs() < 1e-3, "{name}: {:?}", stepper.state().q);
    }
}

/// A sphere thrown at the floor keeps `e` of its normal speed and loses up to `μ (1 + e)` of it along the floor.
#[test]
fn oblique_impact_is_that_of_coulomb_and_newton() {
    let inertia = 0.4 * RADIUS * RADIUS;
    for (name, scheme) in with_friction() {
        if name == "half-implicit" {
            continue;
        }
        let start = (0.0, vec![0.0, 0.01, 0.0], vec![3.0, -1.0, 0.0]);
        let mut stepper =
            NonsmoothStepper::new(Body::new(inertia, 0.0), Floor::new(RADIUS, 0.5), scheme, start).unwrap();
        stepper.advance_to(0.02, 1e-4).unwrap();
        let v = &stepper.state().v;
        let after = 0.5 * (1.0 + 2.0 * GRAVITY * 0.01_f64).sqrt();
        assert!((v[1] - after).abs() < 0.11, "{name}: {v:?}");
        let slid = 3.0 - FRICTION * 1.5 * (1.0 + 2.0 * GRAVITY * 0.01_f64).sqrt();
        assert!((v[0] - slid).abs() < 5e-3, "{name}: {v:?}, {slid}");
    }
}

#[test]
fn schemes_without_friction_refuse_it() {
    let start = (0.0, vec![0.0; 3], vec![0.0; 3]);
    let scheme = Scheme::SchatzmanPaoli { theta: 0.0 };
    let error = NonsmoothStepper::new(Body::new(1.0, 0.0), Floor::new(0.0, 0.0), scheme, start).map(|_| ());
    assert!(matches!(error, Err(ImpactError::Unsupported { what: "friction", .. })));
}

/// Friction of the two generalized-α methods is that of impulses: both find the same motion.
#[test]
fn pvv_and_pva_slide_alike() {
    let run = |scheme| {
        let start = (0.0, vec![0.0; 3], vec![2.0, 0.0, 0.0]);
        let mut stepper =
            NonsmoothStepper::new(Body::new(1.0, 0.0), Floor::new(0.0, 0.0), scheme, start).unwrap();
        stepper.advance_to(0.3, 1e-3).unwrap();
        stepper.state().v[0]
    };
    assert!((run(pvv(0.8)) - run(pva(0.8))).abs() < 1e-6);
}
