//! Joints close as they are meant: axes parallel, frames equal, angles at their law, from guesses however far off.
#![expect(clippy::unwrap_used, reason = "tests")]

use cosimo_dynamics::{ConstrainedSystem, Level, Motion};
use cosimo_mechanics::TimeFunction;
use cosimo_multibody::spatial::{Body, Frame, Joint, JointKind, RigidBody, SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeSettings, DaeSolver, Method};
use nalgebra::{Matrix3, UnitQuaternion, Vector3};
use std::f64::consts::PI;

fn body(turn: [f64; 3]) -> Body {
    let properties = RigidBody::new(2.0, Matrix3::from_diagonal(&Vector3::new(0.3, 0.5, 0.6))).unwrap();
    Body::new("a", properties).with_orientation(UnitQuaternion::from_scaled_axis(turn.into()))
}

/// A body turned by a rotation vector, joined to the ground by frames whose axes are those of the world and of the body.
fn joined(kind: JointKind, turn: [f64; 3]) -> SpatialSystem {
    let joint = Joint::new("joint", kind, Frame::ground([0.0; 3]), Frame::on("a", [0.0; 3]));
    SpatialModel::new().with_body(body(turn)).with_joint(joint).build().unwrap()
}

/// A wheel with a prescribed angle about an axis that a hinge holds.
fn driven(motion: f64, turn: f64) -> SpatialSystem {
    let joint = |name: &str, kind| Joint::new(name, kind, Frame::ground([0.0; 3]), Frame::on("a", [0.0; 3]));
    SpatialModel::new()
        .with_body(body([0.0, 0.0, turn]))
        .with_joint(joint("hinge", JointKind::Revolute))
        .with_joint(joint("motor", JointKind::Angle(TimeFunction::Constant(motion))))
        .build()
        .unwrap()
}

fn closed(system: SpatialSystem) -> DaeSolver<SpatialSystem> {
    let (q, v) = (system.initial_position(), system.initial_velocity());
    let rule = Method::GeneralizedAlpha { spectral_radius: 0.8 };
    let mut solver = DaeSolver::new(system, rule, DaeSettings::default(), (0.0, q, v)).unwrap();
    assert!(solver.violation(Level::Position) < 1e-12);
    solver
}

fn orientation(solver: &DaeSolver<SpatialSystem>) -> UnitQuaternion<f64> {
    let state = solver.state();
    solver.system().body_state(0, &state.q, &state.v).unwrap().orientation
}

/// The violation (rad) of the only joint that is violated, or of none.
fn angle_off(system: &SpatialSystem) -> f64 {
    let (q, v) = (system.initial_position(), system.initial_velocity());
    system
        .violations(Motion { t: 0.0, q: &q, v: &v }, 0.0)
        .iter()
        .map(|violation| violation.angle)
        .fold(0.0, f64::max)
}

/// The angle but for whole turns, in [−π, π].
fn wrapped(angle: f64) -> f64 {
    angle - 2.0 * PI * (angle / (2.0 * PI)).round()
}

#[test]
fn angles_are_those_of_the_law_but_for_whole_turns() {
    for step in -20..=20 {
        let motion = 0.9 * f64::from(step);
        for turn in [0.0, 1.3, -2.9] {
            let system = driven(motion, turn);
            assert!(
                (angle_off(&system) - wrapped(motion - turn).abs()).abs() < 1e-14,
                "{motion} from {turn}"
            );
            let found = orientation(&closed(system)).scaled_axis();
            assert!(wrapped(found.z - motion).abs() < 1e-12, "{found} instead of {motion}");
            assert!(found.xy().norm() < 1e-12, "{found}");
        }
    }
}

/// Exactly opposite and exactly square are no worse than others.
#[test]
fn opposite_and_square_starts_are_told_and_closed() {
    for motion in [PI, -PI, 0.5 * PI, -0.5 * PI, 3.0 * PI] {
        let system = driven(motion, 0.0);
        assert!((angle_off(&system) - wrapped(motion).abs()).abs() < 1e-12, "{motion}");
        let found = orientation(&closed(system)).scaled_axis().z;
        assert!(wrapped(found - motion).abs() < 1e-12, "{found} instead of {motion}");
    }
}

#[test]
fn frames_and_axes_end_as_they_are_meant() {
    let turns = [0.4, 1.0, 0.5 * PI, 2.0, 2.5, 3.0, PI];
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6, -0.8, 0.0], [0.48, 0.6, 0.64]];
    for (axis, turn) in axes.iter().flat_map(|axis| turns.map(|turn| (Vector3::from(*axis), turn))) {
        let start = axis * turn;
        for kind in [JointKind::Fixed, JointKind::Prismatic] {
            let system = joined(kind, start.into());
            assert!((angle_off(&system) - turn).abs() < 1e-14, "{start}");
            let left = orientation(&closed(system)).angle();
            assert!(left < 1e-12, "{start}: {left}");
        }
        for kind in [JointKind::Revolute, JointKind::Cylindrical, JointKind::Planar] {
            let system = joined(kind, start.into());
            let z = UnitQuaternion::from_scaled_axis(start) * Vector3::z();
            let exact = Vector3::z().cross(&z).norm().atan2(z.z);
            assert!((angle_off(&system) - exact).abs() < 1e-14, "{start}");
            let z = orientation(&closed(system)) * Vector3::z();
            assert!((z - Vector3::z()).norm() < 1e-12, "{start}: {z}");
        }
    }
}

/// A cross closes at the right angle that is near, whichever it is: the axes of a universal joint have no right way round.
#[test]
fn crosses_close_at_either_right_angle() {
    for degrees in [-175, -140, -40, -20, 0, 20, 40, 140, 175] {
        let turn = f64::from(degrees).to_radians();
        let system = joined(JointKind::Universal, [0.0, turn, 0.0]);
        let nearest = if turn.abs() < 0.5 * PI { 0.0 } else { PI };
        assert!((angle_off(&system) - (turn.abs() - nearest).abs()).abs() < 1e-14, "{degrees}°");
        assert_eq!(system.deviation(0.0, &system.initial_position()), Some((0, 0.0)));
        let found = orientation(&closed(system)).scaled_axis();
        assert!((found.y.abs() - nearest).abs() < 1e-12 && found.xz().norm() < 1e-9, "{degrees}°: {found}");
    }
}

/// A chain whose joints are all off by more than a quarter turn, and whose last motion is two turns and a half on.
#[test]
fn chains_close_from_one_end_to_the_other() {
    let names = ["a", "b", "c"];
    let mut model = SpatialModel::new();
    let frame = |body: Option<usize>, x: f64| match body {
        None => Frame::ground([0.0; 3]),
        Some(k) => Frame::on(names[k], [x, 0.0, 0.0]),
    };
    for (k, turn) in [[0.0, 2.4, 0.0], [2.0, 0.0, 1.0], [0.0, -1.0, 2.8]].into_iter().enumerate() {
        let mut own = body(turn).with_position([0.5 + k as f64, 0.0, 0.0]);
        names[k].clone_into(&mut own.name);
        let ends = || (frame(k.checked_sub(1), 0.5), frame(Some(k), -0.5));
        model = model
            .with_body(own)
            .with_joint(Joint::new(format!("hinge {k}"), JointKind::Revolute, ends().0, ends().1))
            .with_joint(Joint::new(
                format!("motor {k}"),
                JointKind::Angle(TimeFunction::Constant(5.0 * PI * k as f64 / 2.0)),
                ends().0,
                ends().1,
            ));
    }
    let solver = closed(model.build().unwrap());
    let state = solver.state();
    let mut angle = 0.0;
    for k in 0..3 {
        angle += 5.0 * PI * k as f64 / 2.0;
        let found = solver.system().body_state(k, &state.q, &state.v).unwrap().orientation;
        let exact = UnitQuaternion::from_scaled_axis(Vector3::z() * angle);
        assert!(found.angle_to(&exact) < 1e-7, "{k}: {found}");
    }
}

/// A loop without redundant rows, of two hinges, a ball and a cross, whose bodies are given where they belong, but turned.
#[test]
fn loops_close_with_parallel_axes() {
    let places = [("left", [0.0, 0.0, 0.5]), ("top", [0.5, 0.0, 1.0]), ("right", [1.0, 0.0, 0.5])];
    let joint = |name: &str, kind, first: Frame, second: Frame| {
        let along = |frame: Frame| frame.with_axis([0.0, 1.0, 0.0]);
        Joint::new(name, kind, along(first), along(second))
    };
    let (hinge, ball, cross) = (JointKind::Revolute, JointKind::Spherical, JointKind::Universal);
    for turns in [[2.0, -2.5, 2.8], [3.0, 3.0, 3.0], [-2.2, 0.3, 1.9]] {
        let mut model = SpatialModel::new();
        for ((name, place), turn) in places.into_iter().zip(turns) {
            let mut own = body([turn, 0.1, 0.0]).with_position(place);
            name.clone_into(&mut own.name);
            model = model.with_body(own);
        }
        let on = |body: &str, x, z| Frame::on(body, [x, 0.0, z]);
        let model = model
            .with_joint(joint("a", hinge.clone(), Frame::ground([0.0; 3]), on("left", 0.0, -0.5)))
            .with_joint(joint("b", ball.clone(), on("left", 0.0, 0.5), on("top", -0.5, 0.0)))
            .with_joint(joint("c", cross.clone(), on("top", 0.5, 0.0), on("right", 0.0, 0.5)))
            .with_joint(joint("d", hinge.clone(), Frame::ground([1.0, 0.0, 0.0]), on("right", 0.0, -0.5)));
        let solver = closed(model.build().unwrap());
        let state = solver.state();
        for bar in [0, 2] {
            let y = solver.system().body_state(bar, &state.q, &state.v).unwrap().orientation * Vector3::y();
            assert!((y - Vector3::y()).norm() < 1e-12, "{turns:?}: {y}");
        }
    }
}

/// A hinge with opposite axes between bodies that something else holds: its rows are satisfied, and it is refused all the same.
#[test]
fn joints_that_cannot_be_as_they_are_meant_are_refused_by_name() {
    let reverse = Frame::on("a", [0.0; 3]).with_axis([0.0, 0.0, -1.0]);
    let weld = Joint::new("weld", JointKind::Fixed, Frame::ground([0.0; 3]), Frame::on("a", [0.0; 3]));
    let system = SpatialModel::new()
        .with_body(body([0.0; 3]))
        .with_joint(weld)
        .with_joint(Joint::new("reverse", JointKind::Revolute, Frame::ground([0.0; 3]), reverse))
        .build()
        .unwrap();
    let (q, v) = (system.initial_position(), system.initial_velocity());
    assert!(
        system.largest_violations(
            Motion { t: 0.0, q: &q, v: &system.initial_velocity() },
            &system.initial_velocity()
        )[0] < 1e-15
    );
    let rule = Method::GeneralizedAlpha { spectral_radius: 0.8 };
    let error = DaeSolver::new(system, rule, DaeSettings::default(), (0.0, q, v)).unwrap_err().to_string();
    assert!(error.contains("`reverse` closes the wrong way round, turned by 3.142 rad"), "{error}");
}
