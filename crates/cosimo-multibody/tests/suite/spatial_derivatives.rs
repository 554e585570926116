//! Every derivative of spatial systems against central finite differences at random states.
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "helpers of tests")]

use std::sync::Arc;

use crate::differences::{Dense, balance, by_numbers, by_position, mismatch, slope};
use cosimo_dynamics::{ConstrainedSystem, Level, Motion};
use cosimo_mechanics::TimeFunction;
use cosimo_multibody::spatial::{
    BasicConstraint, Body, BodyFunction, BodyLoad, Force, ForceKind, Frame, Geometry, Joint, JointKind,
    PenaltyLaw, RigidBody, ScalarFunction, SpatialModel, SpatialSystem,
};
use nalgebra::{DMatrix, DVector, Matrix3, Matrix6, UnitQuaternion, Vector3};
use proptest::collection::vec;
use proptest::prelude::*;

fn frame(body: Option<&str>, p: &[f64]) -> Frame {
    let point = [p[0], p[1], p[2]];
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(p[3], p[4], p[5]));
    body.map_or_else(|| Frame::ground(point), |name| Frame::on(name, point)).with_orientation(turn)
}

/// Every joint, between bodies and to the ground.
fn joints(p: &[f64]) -> Vec<Joint> {
    let motion = TimeFunction::Harmonic { mean: 2.0, amplitude: 0.3, frequency: 4.4, phase: 0.2 };
    let turning = TimeFunction::Function(Arc::new(|t| [0.4 + 2.0 * t + t * t, 2.0 + 2.0 * t, 2.0]));
    let speed = TimeFunction::through(vec![-1.0, 0.0, 1.5], vec![0.3, -0.4, 2.0]).unwrap();
    let displacement = TimeFunction::with_speed(speed, 0.1, 0.0, 1.0).unwrap();
    let (a, b, s) =
        (Vector3::new(p[0], 1.0, p[2]), Vector3::new(1.0, p[4], 0.3), Vector3::new(p[1], p[2], p[3]));
    let custom = vec![
        BasicConstraint::fixed(Geometry::Dot2 { a, arms: [s, b] }, 0.3),
        BasicConstraint::fixed(Geometry::Coordinate { c: b, arms: [a, s] }, -0.1),
        BasicConstraint::fixed(Geometry::Angle { x: Vector3::x(), y: Vector3::y(), b: Vector3::x() }, 0.2),
    ];
    let kinds = vec![
        (JointKind::Fixed, Some("a"), Some("b")),
        (JointKind::Revolute, None, Some("a")),
        (JointKind::Spherical, Some("b"), None),
        (JointKind::Prismatic, Some("b"), Some("c")),
        (JointKind::Cylindrical, Some("c"), Some("a")),
        (JointKind::Universal, Some("a"), Some("c")),
        (JointKind::Planar, None, Some("c")),
        (JointKind::Distance(motion.clone()), Some("a"), Some("b")),
        (JointKind::Angle(turning), Some("a"), Some("c")),
        (JointKind::Displacement(motion.clone()), Some("b"), Some("c")),
        (JointKind::Custom(custom), Some("a"), Some("b")),
        (JointKind::DotProduct(motion), Some("b"), Some("a")),
        (JointKind::Coordinate { direction: [1.0, p[0], 0.3], motion: displacement }, Some("c"), Some("b")),
    ];
    let place = |(i, (kind, first, second)): (usize, (JointKind, Option<&str>, Option<&str>))| {
        Joint::new(format!("{i}"), kind, frame(first, &p[i..]), frame(second, &p[i + 6..]))
    };
    kinds.into_iter().enumerate().map(place).collect()
}

/// Every force.
fn forces(p: &[f64]) -> Vec<Force> {
    let matrix = |seed: usize, size: f64| {
        let root = Matrix6::from_fn(|i, j| p[(seed + 6 * i + j) % p.len()]);
        Box::new(root * root.transpose() * size)
    };
    let law = PenaltyLaw::Hertz { stiffness: 50.0, exponent: 1.5 };
    let pull = ScalarFunction(Arc::new(|t, s, r| [t + s * s + 0.3 * s * r, 2.0 * s + 0.3 * r, 0.3 * s]));
    let drag = BodyFunction(Arc::new(|t, pose, twist| {
        let v = twist.velocity;
        [-v * v.norm() + pose.position * t, pose.rotation * twist.spin.cross(&Vector3::new(0.2, t, 1.0))]
    }));
    let load = |follows, is_moment| BodyLoad {
        direction: Vector3::new(0.6, 0.0, -0.8),
        follows,
        is_moment,
        size: TimeFunction::linear(5.0, 3.0),
    };
    let kinds = vec![
        (
            ForceKind::Spring { stiffness: 30.0, damping: 4.0, free_length: 0.7, preload: 1.0 },
            Some("a"),
            Some("b"),
        ),
        (ForceKind::TorsionSpring { stiffness: 7.0, damping: 2.0, free_angle: 0.4 }, Some("c"), Some("a")),
        (ForceKind::Bushing { stiffness: matrix(0, 20.0), damping: matrix(3, 2.0) }, Some("b"), Some("c")),
        // Radii of several metres: penetrations are deep, away from the kink. The laws are those of `contact_derivatives`.
        (ForceKind::SpherePlane { radius: 12.0, law }, None, Some("a")),
        (ForceKind::SphereSphere { radii: [9.0, 8.0], law }, Some("c"), Some("b")),
        (ForceKind::Stop { limit: -5.0, is_upper: true, law }, Some("a"), Some("b")),
        (ForceKind::AlongLine(pull.clone()), None, Some("b")),
        (ForceKind::AboutAxis(pull), Some("b"), Some("a")),
        (ForceKind::OnBody(drag), None, Some("c")),
        (ForceKind::LinearActuator(TimeFunction::linear(3.0, 2.0)), Some("c"), Some("b")),
        (ForceKind::RotaryActuator(TimeFunction::linear(-2.0, 1.0)), Some("b"), Some("c")),
        (ForceKind::Load(load(false, false)), None, Some("a")),
        (ForceKind::Load(load(true, false)), None, Some("b")),
        (ForceKind::Load(load(false, true)), None, Some("c")),
        (ForceKind::Load(load(true, true)), None, Some("a")),
    ];
    let place = |(i, (kind, first, second)): (usize, (ForceKind, Option<&str>, Option<&str>))| {
        let k = i % 9;
        Force::new(format!("{i}"), kind, frame(first, &p[k + 3..]), frame(second, &p[k + 9..]))
    };
    kinds.into_iter().enumerate().map(place).collect()
}

/// Three bodies far from each other with all joints or all forces.
fn system(p: &[f64], has_joints: bool) -> (SpatialSystem, Vec<f64>) {
    let inertia = Matrix3::new(2.0, 0.2, -0.1, 0.2, 3.0, 0.3, -0.1, 0.3, 4.0);
    let mut model = SpatialModel::new().with_gravity([p[0], p[1], -9.81]);
    for (i, (name, offset)) in [("a", 2.0), ("b", -3.0), ("c", 6.0)].into_iter().enumerate() {
        let p = &p[5 * i..];
        let turn = UnitQuaternion::from_scaled_axis(Vector3::new(p[0], p[1], p[2]) * 2.0);
        let body = Body::new(name, RigidBody::new(1.5 + p[4], inertia * (1.0 + p[3])).unwrap());
        let body = body.with_position([offset, p[3], p[4]]).with_orientation(turn);
        model = model.with_body(body.with_centre_of_mass([p[2], p[3], 0.1]));
    }
    let model = if has_joints {
        joints(p).into_iter().fold(model, SpatialModel::with_joint)
    } else {
        forces(p).into_iter().fold(model, SpatialModel::with_force)
    };
    let system = model.build().expect("valid data");
    let q = system.initial_position();
    (system, q)
}

/// Whether every angle is measured well inside its plane and away from its jump by a full turn, and bushings turn by less
/// than half a turn: differences are poor elsewhere.
fn angles_are_regular(system: &SpatialSystem, p: &[f64]) -> bool {
    let turn = |frame: &Frame| {
        let of_body =
            |name: &String| system.bodies().iter().find(|body| body.name == *name).unwrap().orientation;
        frame.body.as_ref().map_or_else(UnitQuaternion::identity, of_body) * frame.orientation
    };
    let is_regular = |first: &Frame, second: &Frame| {
        let b = turn(first).inverse() * (turn(second) * Vector3::x());
        let angle = b.y.atan2(b.x);
        b.z.abs() < 0.8 && angle < 3.0 && angle > 0.5 - std::f64::consts::PI
    };
    let is_angle = |kind: &ForceKind| {
        matches!(
            kind,
            ForceKind::TorsionSpring { .. }
                | ForceKind::Stop { .. }
                | ForceKind::AboutAxis(_)
                | ForceKind::RotaryActuator(_)
        )
    };
    let turns_little = |force: &Force| (turn(&force.first).inverse() * turn(&force.second)).angle() < 3.1;
    let is_bushing = |force: &&Force| matches!(force.kind, ForceKind::Bushing { .. });
    let plain = |name: &str| Frame::on(name, [0.0; 3]);
    is_regular(&plain("a"), &plain("b"))
        && forces(p).iter().filter(|force| is_angle(&force.kind)).all(|f| is_regular(&f.first, &f.second))
        && forces(p).iter().filter(is_bushing).all(turns_little)
}

fn constraints(system: &SpatialSystem, level: Level, t: f64, q: &[f64], v: &[f64], a: &[f64]) -> Vec<f64> {
    let mut out = vec![f64::NAN; system.structure().rows()];
    system.constraints(level, Motion { t, q, v }, a, &mut out);
    out
}

proptest! {
    #[test]
    fn constraint_derivatives_are_exact(
        p in vec(-0.7..0.7f64, 24), v in vec(-2.0..2.0f64, 18), a in vec(-2.0..2.0f64, 18), t in 0.0..1.0f64,
    ) {
        let (system, q) = system(&p, true);
        prop_assume!(angles_are_regular(&system, &p));
        let mut dense = Dense::new(&system);
        let motion = Motion { t, q: &q, v: &v };
        system.jacobian(t, &q, &mut dense);
        system.rate_gradient(motion, &mut dense);
        let phi = by_position(&system, &q, |q| constraints(&system, Level::Position, t, q, &v, &a));
        prop_assert!(mismatch(&dense.jacobian, &phi) < 1e-7);
        let gradient = by_position(&system, &q, |q| constraints(&system, Level::Velocity, t, q, &v, &a));
        prop_assert!(mismatch(&dense.rate_gradient, &gradient) < 1e-7);
        // Along the motion q ∘ exp(s v + s² a/2), with v + s a: rates in time of the levels below.
        let along = |level, s: f64| {
            let x: Vec<f64> = v.iter().zip(&a).map(|(v, a)| s * v + 0.5 * s * s * a).collect();
            let (mut moved, mut rate) = (q.clone(), vec![0.0; 18]);
            system.structure().coordinates().move_by(&q, &x, &mut moved);
            let x_rate: Vec<f64> = v.iter().zip(&a).map(|(v, a)| v + s * a).collect();
            system.structure().coordinates().velocity(&x, &x_rate, &mut rate);
            DVector::from_vec(constraints(&system, level, t + s, &moved, &rate, &a))
        };
        for (below, level) in [(Level::Position, Level::Velocity), (Level::Velocity, Level::Acceleration)] {
            let found = slope(|s| along(below, s));
            let stated = along(level, 0.0);
            prop_assert!((&stated - &found).amax() / (1.0 + found.amax()) < 1e-7, "{stated} {found}");
        }
    }

    #[test]
    fn reactions_and_their_stiffness_are_exact(
        p in vec(-0.7..0.7f64, 24), v in vec(-2.0..2.0f64, 18), mu in vec(-20.0..20.0f64, 40), t in 0.0..1.0f64,
    ) {
        let (system, q) = system(&p, true);
        prop_assume!(angles_are_regular(&system, &p));
        let (mu, a) = (&mu[..system.structure().rows()], vec![0.0; 18]);
        let mut dense = Dense::new(&system);
        system.tangents(Motion { t, q: &q, v: &v }, &a, mu, &mut dense);
        system.jacobian(t, &q, &mut dense);
        let found = by_position(&system, &q, |q| balance(&system, (t, q, &v), &a, mu));
        prop_assert!(mismatch(&dense.stiffness, &found) < 1e-7);
        let mut reactions = vec![0.0; 18];
        system.add_reactions(t, &q, mu, &mut reactions);
        let stated = dense.jacobian.tr_mul(&DVector::from_column_slice(mu));
        prop_assert!((DVector::from_vec(reactions) - stated).amax() < 1e-12);
    }

    #[test]
    fn force_derivatives_are_exact(
        p in vec(-0.7..0.7f64, 24), v in vec(-2.0..2.0f64, 18), a in vec(-2.0..2.0f64, 18), t in 0.0..1.0f64,
    ) {
        let (system, q) = system(&p, false);
        prop_assume!(angles_are_regular(&system, &p));
        let mut dense = Dense::new(&system);
        system.tangents(Motion { t, q: &q, v: &v }, &a, &[], &mut dense);
        let stiffness = by_position(&system, &q, |q| balance(&system, (t, q, &v), &a, &[]));
        prop_assert!(mismatch(&dense.stiffness, &stiffness) < 1e-6);
        let damping = by_numbers(&v, |v| balance(&system, (t, &q, v), &a, &[]));
        prop_assert!(mismatch(&dense.damping, &damping) < 1e-6);
        let mass = by_numbers(&a, |a| balance(&system, (t, &q, &v), a, &[]));
        prop_assert!(mismatch(&dense.mass, &mass) < 1e-8);
        let mut product = vec![0.0; 18];
        system.mass_product(&q, &a, &mut product);
        prop_assert!((&dense.mass * DVector::from_column_slice(&a) - DVector::from_vec(product)).amax() < 1e-12);
    }

    /// Forces of springs and bushings without damping are the negative gradient of the potential energy.
    #[test]
    fn elastic_forces_have_a_potential(p in vec(-0.7..0.7f64, 24)) {
        let (whole, q) = system(&p, false);
        prop_assume!(angles_are_regular(&whole, &p));
        let mut model = whole.bodies().iter().cloned().fold(SpatialModel::new(), SpatialModel::with_body);
        for mut force in forces(&p).into_iter().take(6) {
            match &mut force.kind {
                ForceKind::Spring { damping, .. } | ForceKind::TorsionSpring { damping, .. } => *damping = 0.0,
                ForceKind::Bushing { damping, .. } => damping.fill(0.0),
                _ => {}
            }
            model = model.with_force(force);
        }
        let system = model.with_gravity([1.0, 2.0, -9.81]).build().unwrap();
        let rest = vec![0.0; 18];
        let found = by_position(&system, &q, |q| {
            vec![system.energy(Motion { t: 0.0, q, v: &rest }).potential]
        });
        let stated = DMatrix::from_row_slice(1, 18, &balance(&system, (0.0, &q, &rest), &rest, &[]));
        prop_assert!(mismatch(&stated, &found) < 1e-7, "{stated} {found}");
    }
}
