//! What each joint lets free, how starts and mistakes are reported, and what a saved state holds.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::sync::Arc;

use crate::mechanisms::{Z, chain, diagonal, hinges, start};
use cosimo_dynamics::{ConstrainedSystem, Level, Motion};
use cosimo_mechanics::TimeFunction;
use cosimo_multibody::spatial::{
    Body, Force, ForceKind, Frame, Joint, JointKind, PenaltyLaw, RigidBody, SpatialModel, SpatialSystem,
};
use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, Formulation, Method};
use nalgebra::{UnitQuaternion, Vector3};

const RULE: Method = Method::GeneralizedAlpha { spectral_radius: 0.8 };

fn body(name: &str) -> Body {
    Body::new(name, RigidBody::new(2.0, diagonal(0.1, 0.2, 0.25)).unwrap())
}

/// Two bodies, each turned and with an offset centre of mass, whose joint stands at a point with `z` somewhere.
fn pair(kind: JointKind) -> (SpatialSystem, Vector3<f64>, [Vector3<f64>; 3]) {
    let turns =
        [Vector3::new(0.4, -0.7, 0.2), Vector3::new(-1.1, 0.3, 0.9)].map(UnitQuaternion::from_scaled_axis);
    let (point, z) = ([0.3, -0.2, 0.9], [0.6, 0.0, 0.8]);
    let first = body("first")
        .with_position([1.0, 0.2, 0.1])
        .with_orientation(turns[0])
        .with_centre_of_mass([0.1, 0.2, -0.1]);
    let second = body("second")
        .with_position([-0.5, 0.4, 2.0])
        .with_orientation(turns[1])
        .with_centre_of_mass([0.0, -0.3, 0.2]);
    let model = SpatialModel::new().with_body(first).with_body(second);
    let frame = model.frame_at(None, point, z).orientation;
    let axes = [Vector3::x(), Vector3::y(), Vector3::z()].map(|axis| frame * axis);
    let model = model.with_joint_at("joint", kind, [Some("first"), Some("second")], (point, z));
    (model.build().unwrap(), point.into(), axes)
}

/// Largest violation of the rates when the second body moves against the first like a rigid body through the joint's point:
/// with this velocity there and this angular velocity, in world axes, while both move together in some other way.
fn violation(system: &SpatialSystem, point: Vector3<f64>, velocity: Vector3<f64>, spin: Vector3<f64>) -> f64 {
    let q = system.initial_position();
    let common = (Vector3::new(0.3, 0.1, -0.7), Vector3::new(1.0, -2.0, 0.5));
    let mut v = vec![0.0; 12];
    for (i, (own, turn)) in [(Vector3::zeros(), Vector3::zeros()), (velocity, spin)].into_iter().enumerate() {
        let state = system.body_state(i, &q, &v).unwrap();
        let turn = common.1 + turn;
        let at_centre = common.0 + own + turn.cross(&(state.position - point));
        let in_body = state.orientation.inverse() * turn;
        v[6 * i..6 * i + 3].copy_from_slice(at_centre.as_slice());
        v[6 * i + 3..6 * i + 6].copy_from_slice(in_body.as_slice());
    }
    let mut rates = vec![0.0; system.structure().rows()];
    system.constraints(Level::Velocity, Motion { t: 0.0, q: &q, v: &v }, &[], &mut rates);
    rates.iter().fold(0.0, |m: f64, rate| m.max(rate.abs()))
}

/// The six motions along and about the joint's axes, and which of them each joint lets free.
#[test]
fn joints_let_free_what_their_names_say() {
    let (yes, no) = (true, false);
    // Ways along x, y, z; turns about x, y, z. The axes of a universal joint are the first z and the second x.
    let table = [
        (JointKind::Fixed, [no, no, no, no, no, no]),
        (JointKind::Revolute, [no, no, no, no, no, yes]),
        (JointKind::Spherical, [no, no, no, yes, yes, yes]),
        (JointKind::Prismatic, [no, no, yes, no, no, no]),
        (JointKind::Cylindrical, [no, no, yes, no, no, yes]),
        (JointKind::Universal, [no, no, no, yes, no, yes]),
        (JointKind::Planar, [yes, yes, no, no, no, yes]),
    ];
    for (kind, free) in table {
        let (system, point, axes) = pair(kind.clone());
        for (k, is_free) in free.into_iter().enumerate() {
            let motion = |own: bool| if own { axes[k % 3] } else { Vector3::zeros() };
            let found = violation(&system, point, motion(k < 3), motion(k >= 3));
            assert_eq!(found < 1e-12, is_free, "{kind:?}, motion {k}: {found}");
        }
        let rows = 6 - free.iter().filter(|is_free| **is_free).count();
        assert_eq!(system.structure().rows(), rows);
        let state = [0.0; 0];
        let mut residual = vec![0.0; rows];
        let q = system.initial_position();
        system.constraints(Level::Position, Motion { t: 0.0, q: &q, v: &state }, &[], &mut residual);
        assert!(residual.iter().all(|x| x.abs() < 1e-14), "{kind:?} {residual:?}");
    }
}

fn rejection(model: SpatialModel) -> String {
    let system = model.build().unwrap();
    let (q, v) = (system.initial_position(), system.initial_velocity());
    DaeSolver::new(system, RULE, DaeSettings::default(), (0.0, q, v)).unwrap_err().to_string()
}

#[test]
fn overconstrained_mechanisms_name_the_joint() {
    let fixed = || {
        SpatialModel::new().with_body(body("block")).with_joint_at(
            "weld",
            JointKind::Fixed,
            [None, Some("block")],
            ([0.0; 3], Z),
        )
    };
    // Fixed twice at the same place: redundant, and reported.
    let twice = fixed().with_joint_at("glue", JointKind::Fixed, [None, Some("block")], ([0.0; 3], Z));
    let solver = start(twice, RULE, DaeSettings::default());
    assert!(solver.redundant_rows().iter().all(|row| row.constraint == "glue"));
    assert_eq!(solver.redundant_rows().len(), 6);
    // Fixed at two places.
    let away =
        Joint::new("glue", JointKind::Fixed, Frame::ground([0.1, 0.0, 0.0]), Frame::on("block", [0.0; 3]));
    let found = rejection(fixed().with_joint(away));
    assert!(found.starts_with("`glue` contradicts the other constraints: its position is"), "{found}");
    // Driven although it is fixed: the position fits, the velocity does not.
    let law = TimeFunction::Harmonic { mean: 0.0, amplitude: 0.1, frequency: 6.0, phase: 0.0 };
    let driven =
        fixed().with_joint_at("drive", JointKind::Displacement(law), [None, Some("block")], ([0.0; 3], Z));
    let found = rejection(driven);
    assert!(found.starts_with("`drive` contradicts the other constraints: its velocity is"), "{found}");
    // The drive begins to move later.
    let late = TimeFunction::Function(Arc::new(|t| [t * t * t, 3.0 * t * t, 6.0 * t]));
    let late =
        fixed().with_joint_at("drive", JointKind::Displacement(late), [None, Some("block")], ([0.0; 3], Z));
    let mut solver = start(late, RULE, DaeSettings::default());
    let outcome = solver.advance_to(1.0, 1e-2);
    assert!(
        matches!(&outcome, Err(DaeError::NotRedundant { constraint, .. }) if constraint == "drive"),
        "{outcome:?}"
    );
}

/// Bars on parallel hinges at x = 0 and x = 1, tied by a rod between their tips, which drives the second as the first.
fn parallelogram(laws: [(&str, TimeFunction); 2]) -> SpatialModel {
    let mut model = SpatialModel::new().with_body(body("rod").with_position([0.5, 1.0, 0.0]));
    for (k, name) in ["left", "right"].into_iter().enumerate() {
        let x = k as f64;
        model = model
            .with_body(body(name).with_position([x, 0.5, 0.0]))
            .with_joint_at(
                format!("foot {name}"),
                JointKind::Revolute,
                [None, Some(name)],
                ([x, 0.0, 0.0], Z),
            )
            .with_joint_at(
                format!("tip {name}"),
                JointKind::Revolute,
                [Some(name), Some("rod")],
                ([x, 1.0, 0.0], Z),
            );
    }
    laws.into_iter().zip(["left", "right"]).fold(model, |model, ((name, law), bar)| {
        model.with_joint_at(name, JointKind::Angle(law), [None, Some(bar)], ([0.0; 3], Z))
    })
}

fn harmonic(frequency: f64) -> TimeFunction {
    TimeFunction::Harmonic { mean: -0.3, amplitude: 0.3, frequency, phase: std::f64::consts::FRAC_PI_2 }
}

#[test]
fn motions_that_contradict_each_other_are_found_before_the_run() {
    let fits = start(
        parallelogram([("crank", harmonic(5.0)), ("rocker", harmonic(5.0))]),
        RULE,
        DaeSettings::default(),
    );
    assert!(fits.redundant_rows().iter().any(|row| row.constraint == "rocker"));
    fits.check_motions(3.0).unwrap();
    let differs = start(
        parallelogram([("crank", harmonic(5.0)), ("rocker", harmonic(7.0))]),
        RULE,
        DaeSettings::default(),
    );
    let error = differs.check_motions(3.0).unwrap_err();
    let DaeError::Motions { constraint, others, time, .. } = &error else { panic!("{error}") };
    assert_eq!((constraint.as_str(), others.as_str()), ("rocker", "`crank`"));
    assert!(*time < 0.1, "{error}");
    // One that is held where another moves, later.
    let pause = TimeFunction::through(vec![0.0, 2.0, 2.5], vec![0.0, 0.0, 0.5]).unwrap();
    let late = TimeFunction::Function(Arc::new(move |t| if t < 2.0 { [0.0; 3] } else { pause.at(t) }));
    let held = start(
        parallelogram([("crank", late), ("rocker", TimeFunction::Constant(0.0))]),
        RULE,
        DaeSettings::default(),
    );
    held.check_motions(1.9).unwrap();
    let error = held.check_motions(3.0).unwrap_err();
    assert!(matches!(&error, DaeError::Motions { constraint, .. } if constraint == "rocker"), "{error}");
    assert!(error.to_string().contains("`rocker` and `crank` prescribe contradict each other"), "{error}");
}

/// At its dead centre a slider-crank allows no speed of the slider, later it does: motions that fit are no contradiction,
/// although the dependency between them changes on the way.
#[test]
fn motions_that_fit_along_a_changing_dependency_are_kept() {
    // The slider x = cos θ + √(4 − sin² θ) of a crank of 1 m and a rod of 2 m, θ = 0.5 t².
    let slider = |t: f64, factor: f64| {
        let theta: f64 = 0.5 * factor * t * t;
        theta.cos() + (4.0 - theta.sin().powi(2)).sqrt()
    };
    let law = move |factor: f64| {
        let differences = move |t: f64| {
            let h = 1e-4;
            let [back, now, next] = [t - h, t, t + h].map(|t| slider(t, factor));
            [now, (next - back) / (2.0 * h), (next - 2.0 * now + back) / (h * h)]
        };
        TimeFunction::Function(Arc::new(differences))
    };
    let crank = TimeFunction::Function(Arc::new(|t: f64| [0.5 * t * t, t, 1.0]));
    let model = |factor: f64| {
        let along = Frame::ground([0.0; 3]).with_axis([1.0, 0.0, 0.0]);
        SpatialModel::new()
            .with_body(body("crank").with_position([0.5, 0.0, 0.0]))
            .with_body(body("rod").with_position([2.0, 0.0, 0.0]))
            .with_joint_at("main", JointKind::Revolute, [None, Some("crank")], ([0.0; 3], Z))
            .with_joint_at("pin", JointKind::Revolute, [Some("crank"), Some("rod")], ([1.0, 0.0, 0.0], Z))
            .with_joint_at(
                "slot",
                JointKind::Coordinate { direction: [0.0, 2.0, 0.0], motion: TimeFunction::Constant(0.0) },
                [None, Some("rod")],
                ([3.0, 0.0, 0.0], Z),
            )
            .with_joint_at("drive", JointKind::Angle(crank.clone()), [None, Some("crank")], ([0.0; 3], Z))
            .with_joint(Joint::new(
                "pull",
                JointKind::Displacement(law(factor)),
                along,
                Frame::on("rod", [1.0, 0.0, 0.0]),
            ))
    };
    let fits = start(model(1.0), RULE, DaeSettings::default());
    assert_eq!(fits.redundant_rows().iter().filter(|row| row.constraint == "pull").count(), 1);
    fits.check_motions(1.5).unwrap();
    let error = start(model(1.1), RULE, DaeSettings::default()).check_motions(1.5).unwrap_err();
    assert!(matches!(&error, DaeError::Motions { constraint, .. } if constraint == "pull"), "{error}");
}

#[test]
fn vectors_that_do_not_fit_are_named() {
    let solve = |q: Vec<f64>, v: Vec<f64>| {
        let system = SpatialModel::new().with_body(body("block")).build().unwrap();
        DaeSolver::new(system, RULE, DaeSettings::default(), (0.0, q, v)).unwrap_err().to_string()
    };
    assert_eq!(solve(vec![0.0; 6], vec![0.0; 6]), "the position has 6 numbers instead of 7");
    let q = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    assert_eq!(solve(q.clone(), vec![f64::NAN; 6]), "the velocity is not finite at t = 0 s");
    let system = SpatialModel::new().with_body(body("block")).build().unwrap();
    let steep = Method::GeneralizedAlpha { spectral_radius: 1.2 };
    let error = DaeSolver::new(system, steep, DaeSettings::default(), (0.0, q, vec![0.0; 6])).unwrap_err();
    assert_eq!(error.to_string(), "the spectral radius is 1.2, must be in [0, 1]");
}

/// A saved state holds the onsets of the contacts, velocity and depth: a restored contact goes on with the same bits.
#[test]
fn a_restored_system_repeats_the_same_bits() {
    let law = PenaltyLaw::Flores { stiffness: 1e6, exponent: 1.5, restitution: 0.7 };
    let ball = ForceKind::SpherePlane { radius: 0.05, law };
    let floor = Frame::ground([0.0, 0.0, -0.25]);
    let links = 6;
    let model = (0..links).fold(hinges(chain(links), links), |model, k| {
        let link = Frame::on(format!("{k}"), [0.0; 3]);
        model.with_force(Force::new(format!("floor {k}"), ball.clone(), floor.clone(), link))
    });
    for method in [RULE, Method::Multistep { spectral_radius: 0.6 }, Method::Bdf { order: 3 }] {
        let settings = DaeSettings { formulation: Formulation::Position, ..DaeSettings::default() };
        let mut solver = start(model.clone(), method, settings);
        // The last link meets the floor at about 0.17 s.
        solver.advance_to(0.2, 1e-4).unwrap();
        let saved = solver.save();
        solver.advance_to(0.25, 1e-4).unwrap();
        let end = solver.state().clone();
        let mut other = start(model.clone(), method, settings);
        other.restore(&saved).unwrap();
        other.advance_to(0.25, 1e-4).unwrap();
        assert_eq!(end, *other.state(), "{method:?}");
        assert!(
            saved[saved.len() - 2 * links..].iter().step_by(2).any(|speed| *speed > 0.1),
            "no contact: {saved:?}"
        );
    }
}
