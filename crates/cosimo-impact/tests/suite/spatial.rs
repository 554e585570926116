//! Rigid bodies in space: orientations, ball joints, points that hit a floor.

use cosimo_dynamics::{ConstrainedSystem, Level, Motion};
use cosimo_impact::{
    Activation, ContactBlock, ContactLayout, ContactSink, Contacts, NonsmoothStepper, Scheme,
};
use cosimo_mechanics::ContactLaw;
use cosimo_multibody::spatial::{Body, Frame, Joint, JointKind, RigidBody, SpatialModel, SpatialSystem};
use nalgebra::{Matrix3, Quaternion, UnitQuaternion, Vector3};

use crate::common::{pva, pvv, schemes};

/// Points of bodies over the plane `z = 0`.
struct Points {
    arms: Vec<(usize, Vector3<f64>)>,
    layout: ContactLayout,
}

impl Points {
    fn new(arms: Vec<(usize, Vector3<f64>)>, restitution: f64) -> Self {
        let law = ContactLaw::with_friction(restitution, 0.0);
        let block = |(body, _): &(usize, Vector3<f64>)| ContactBlock { touches: vec![*body], law };
        Self { layout: ContactLayout::new(1, arms.iter().map(block).collect()), arms }
    }
}

fn turn(q: &[f64], body: usize) -> UnitQuaternion<f64> {
    let q = &q[7 * body + 3..];
    UnitQuaternion::new_unchecked(Quaternion::new(q[0], q[1], q[2], q[3]))
}

fn spin(v: &[f64], body: usize) -> Vector3<f64> {
    Vector3::from_column_slice(&v[6 * body + 3..6 * body + 6])
}

impl Contacts for Points {
    fn layout(&self) -> &ContactLayout {
        &self.layout
    }

    fn gaps(&self, _t: f64, q: &[f64], out: &mut [f64]) {
        for (out, (body, arm)) in out.iter_mut().zip(&self.arms) {
            *out = q[7 * body + 2] + (turn(q, *body) * arm).z;
        }
    }

    fn rates(&self, Motion { q, v, .. }: Motion<'_>, out: &mut [f64]) {
        for (out, (body, arm)) in out.iter_mut().zip(&self.arms) {
            *out = v[6 * body + 2] + (turn(q, *body) * spin(v, *body).cross(arm)).z;
        }
    }

    fn jacobian(&self, _t: f64, q: &[f64], sink: &mut dyn ContactSink) {
        for (contact, (body, arm)) in self.arms.iter().enumerate() {
            let lever = arm.cross(&(turn(q, *body).inverse() * Vector3::z()));
            sink.jacobian(contact, *body, &[0.0, 0.0, 1.0, lever.x, lever.y, lever.z]);
        }
    }

    fn curvature(&self, Motion { q, v, .. }: Motion<'_>, out: &mut [f64]) {
        for (out, (body, arm)) in out.iter_mut().zip(&self.arms) {
            let w = spin(v, *body);
            *out = (turn(q, *body) * w.cross(&w.cross(arm))).z;
        }
    }
}

fn start<C: Contacts>(
    model: SpatialModel,
    contacts: C,
    scheme: Scheme,
) -> NonsmoothStepper<SpatialSystem, C> {
    let system = model.build().unwrap();
    let (q, v) = (system.initial_position(), system.initial_velocity());
    NonsmoothStepper::new(system, contacts, scheme, (0.0, q, v)).unwrap()
}

/// Free symmetric top: `Λ(t) = exp(t L/I₁) Λ₀ exp(t (1 − I₃/I₁) w₃ e₃)`.
#[test]
fn turning_body_has_the_order_of_the_rule() {
    let (across, along) = (2.0, 0.7);
    let spin = Vector3::new(1.5, -0.4, 6.0);
    let body = RigidBody::new(1.0, Matrix3::from_diagonal(&Vector3::new(across, across, along))).unwrap();
    let exact = |t: f64| {
        let momentum = Vector3::new(across * spin.x, across * spin.y, along * spin.z);
        let own = Vector3::z() * (t * (1.0 - along / across) * spin.z);
        UnitQuaternion::from_scaled_axis(momentum * (t / across)) * UnitQuaternion::from_scaled_axis(own)
    };
    for (name, scheme) in schemes() {
        let error = |steps: usize| {
            let top = Body::new("top", body.clone()).with_velocity([0.0; 3], spin);
            let mut stepper = start(SpatialModel::new().with_body(top), Points::new(vec![], 0.0), scheme);
            stepper.advance_to(1.0, 1.0 / steps as f64).unwrap();
            turn(&stepper.state().q, 0).angle_to(&exact(1.0))
        };
        let errors = [error(400), error(800)];
        // The dissipative variant takes gyroscopic forces at the mean velocity.
        let expected = if name == "theta = 1" { 1.0 } else { 2.0 };
        let order = (errors[0] / errors[1]).log2();
        assert!((order - expected).abs() < 0.15 && errors[1] < 0.1, "{name}: {errors:?}");
    }
}

/// Two rods on ball joints fall from the horizontal, out of their plane by a spin, and hit the floor with their tips.
fn rods(scheme: Scheme) -> NonsmoothStepper<SpatialSystem, Points> {
    let mut model = SpatialModel::new().with_gravity([0.0, 0.0, -10.0]);
    let inertia = Matrix3::from_diagonal(&Vector3::new(0.01, 1.0 / 12.0, 1.0 / 12.0));
    for k in 0..2 {
        let body = Body::new(format!("rod {k}"), RigidBody::new(1.0, inertia).unwrap());
        let middle = 0.5 + k as f64;
        model = model.with_body(
            body.with_position([middle, 0.0, 1.2]).with_velocity([0.0, 0.3 * middle, 0.0], [0.0, 0.0, 0.3]),
        );
    }
    let ends = [Frame::ground([0.0, 0.0, 1.2]), Frame::on("rod 0", [-0.5, 0.0, 0.0])];
    let [first, second] = ends;
    model = model.with_joint(Joint::new("hook", JointKind::Spherical, first, second));
    let ends = [Frame::on("rod 0", [0.5, 0.0, 0.0]), Frame::on("rod 1", [-0.5, 0.0, 0.0])];
    let [first, second] = ends;
    model = model.with_joint(Joint::new("knee", JointKind::Spherical, first, second));
    let tips = vec![(0, Vector3::new(0.5, 0.0, 0.0)), (1, Vector3::new(0.5, 0.0, 0.0))];
    start(model, Points::new(tips, 0.5), scheme)
}

/// Largest residual of joints and depth of contacts (m), up to 4 s.
fn worst(scheme: Scheme) -> f64 {
    let mut stepper = rods(scheme);
    let (mut worst, mut rows, mut gaps) = (0.0_f64, [0.0; 6], [0.0; 2]);
    let tips = Points::new(vec![(0, Vector3::x() * 0.5), (1, Vector3::x() * 0.5)], 0.5);
    let mut impacts = 0;
    for _ in 0..4000 {
        stepper.step(1e-3).unwrap();
        let state = stepper.state();
        stepper.system().constraints(Level::Position, state.motion(), &state.a, &mut rows);
        tips.gaps(state.time, &state.q, &mut gaps);
        let own = rows.iter().map(|row| row.abs()).chain(gaps.iter().map(|gap| -gap));
        worst = own.fold(worst, f64::max);
        impacts += stepper.contacts().impulses.iter().filter(|impulse| **impulse > 0.0).count();
    }
    assert!(impacts > 3, "{impacts}");
    worst
}

#[test]
fn joints_and_gaps_hold_to_round_off_where_positions_are_imposed() {
    let projected = Scheme::ProjectedMoreauJean { theta: 0.5, activation: Activation::default() };
    for (name, scheme) in [("pvv", pvv(0.9)), ("pva", pva(0.9)), ("projected", projected)] {
        let found = worst(scheme);
        assert!(found < 1e-11, "{name}: {found:e}");
    }
    // The plain rule drifts.
    let plain = worst(Scheme::moreau_jean(0.5));
    assert!(plain > 1e-5, "{plain:e}");
}

/// With impacts of both tips before and after.
#[test]
fn steps_without_friction_allocate_nothing() {
    for (name, scheme) in schemes() {
        let mut stepper = rods(scheme);
        let mut run = |steps: usize| {
            let mut impulse = 0.0;
            for _ in 0..steps {
                stepper.step(1e-3).unwrap();
                impulse += stepper.contacts().impulses.iter().sum::<f64>();
            }
            assert!(impulse > 0.1, "{name}: {impulse}");
        };
        // By then a contact that opens has been met by another, which PVA and PVV solve for by a law of their own.
        let first = allocation_counter::measure(|| run(4500));
        assert!(first.count_total > 0, "the counter counts");
        let later = allocation_counter::measure(|| run(1500));
        assert_eq!(later.count_total, 0, "{name}");
    }
}

#[test]
fn all_schemes_agree_after_an_impact() {
    let tip = |scheme| {
        let mut stepper = rods(scheme);
        let mut impulse = 0.0;
        for _ in 0..6500 {
            stepper.step(1e-4).unwrap();
            impulse += stepper.contacts().impulses.iter().sum::<f64>();
        }
        assert!(impulse > 0.1, "{impulse}");
        Vector3::from_column_slice(&stepper.state().q[7..10])
    };
    let expected = tip(pva(1.0));
    for (name, scheme) in schemes() {
        let apart = (tip(scheme) - expected).norm();
        assert!(apart < 2e-3, "{name}: {apart}");
    }
}
