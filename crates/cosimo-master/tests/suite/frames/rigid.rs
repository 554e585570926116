//! Rigid and Tikhonov joints of frames: two bodies are one.

use cosimo_master::{
    Acceleration, Impacts, InitialState, InterfaceLaw, Master, MasterConfig, Scheme, Tangent,
};
use cosimo_multibody::spatial::{BodyState, RigidBody};
use nalgebra::{Matrix3, Vector3};

use super::bodies::{Part, couple, offset, pair, state, totals, turned};
use super::reference::{composite, integrate};

const SPIN: Vector3<f64> = Vector3::new(3.0, 1.0, -2.0);
const VELOCITY: Vector3<f64> = Vector3::new(1.0, -0.5, 0.3);

fn run(parts: &[Part; 2], law: InterfaceLaw, (end, steps): (f64, usize)) -> Master {
    let mut master = couple(parts, "hub", (law, offset(parts)), MasterConfig::default());
    for _ in 0..steps {
        master.step(end / steps as f64).unwrap();
    }
    master
}

/// Distance of the points and angle between the frames, of a rigid joint.
fn gaps(parts: &[Part; 2], master: &Master) -> (f64, f64) {
    let [a, b] = ["a", "b"].map(|name| state(master, name));
    let rest = parts[1].start.orientation.inverse() * parts[0].start.orientation;
    let distance = (a.point(&parts[0].arm) - b.point(&parts[1].arm)).norm();
    (distance, (b.orientation.inverse() * a.orientation).angle_to(&rest))
}

/// Error of body a against the composite body: position (m) plus angle (rad).
fn error(parts: &[Part; 2], found: &BodyState, end: f64) -> f64 {
    let (body, start, arm) = composite(parts);
    let [one] = integrate(&[body], [start], |_| [(Vector3::zeros(), Vector3::zeros())], (end, 20_000));
    (found.position - one.point(&arm)).norm() + found.orientation.angle_to(&one.orientation)
}

#[test]
fn two_bodies_are_one_with_order_two() {
    let gravity = Vector3::new(0.5, 0.0, -9.81);
    let parts = pair(VELOCITY, SPIN).map(|part| Part { body: part.body.with_gravity(gravity), ..part });
    let at = |steps| error(&parts, &state(&run(&parts, InterfaceLaw::Rigid, (2.0, steps)), "a"), 2.0);
    let errors = [at(250), at(500), at(1000)];
    assert!(errors[2] < 2e-4, "{errors:?}");
    for pair in errors.windows(2) {
        assert!((pair[0] / pair[1] - 4.0).abs() < 0.2, "{errors:?}");
    }
}

/// Sweeps find the same motion: of a joint of frames they iterate the same rows, in the axes of the world.
#[test]
fn sweeps_find_the_motion_of_the_condensed_rows() {
    let parts = pair(VELOCITY, SPIN);
    let at = |scheme, acceleration| {
        let impacts = Impacts::PLAIN;
        let config =
            MasterConfig { scheme, acceleration, impacts, tolerance: 1e-11, ..MasterConfig::default() };
        let mut master = couple(&parts, "hub", (InterfaceLaw::Rigid, offset(&parts)), config);
        for _ in 0..200 {
            master.step(2e-3).unwrap();
        }
        state(&master, "a")
    };
    let expected = at(Scheme::Condensed, Acceleration::None);
    for scheme in [Scheme::GaussSeidel, Scheme::Jacobi] {
        let found = at(scheme, Acceleration::IqnIls { reuse: 8, filter: 1e-3 });
        let apart =
            (found.position - expected.position).norm() + found.orientation.angle_to(&expected.orientation);
        assert!(apart < 1e-8, "{scheme:?}: {apart:e}");
    }
}

/// Worst gaps on the way, and momentum, angular momentum and energy relative to their start at its end.
fn drifts(parts: &[Part; 2], (end, steps): (f64, usize)) -> ([f64; 2], [f64; 3]) {
    let mut master = couple(parts, "hub", (InterfaceLaw::Rigid, offset(parts)), MasterConfig::default());
    let (momentum, spin, energy) = totals(parts, parts.clone().map(|part| part.start));
    let mut worst = [0.0_f64; 2];
    for _ in 0..steps {
        master.step(end / steps as f64).unwrap();
        let found = gaps(parts, &master);
        worst = [worst[0].max(found.0), worst[1].max(found.1)];
    }
    let (p, l, e) = totals(parts, ["a", "b"].map(|name| state(&master, name)));
    let lost = [(p - momentum).norm() / momentum.norm(), (l - spin).norm() / spin.norm(), e / energy - 1.0];
    (worst, lost)
}

/// 60 turns: the orientations agree to round-off, the points to the fourth order of the step; momentum is exact, angular
/// momentum and energy are kept with order two at least.
#[test]
fn joint_stays_closed_over_many_turns() {
    let parts = pair(VELOCITY, SPIN);
    let (coarse, coarse_lost) = drifts(&parts, (100.0, 20_000));
    let (fine, fine_lost) = drifts(&parts, (100.0, 40_000));
    assert!(coarse[1] < 1e-13 && fine[1] < 1e-13, "{coarse:?} {fine:?}");
    assert!(coarse[0] < 1e-9 && fine[0] < coarse[0] / 12.0, "{coarse:?} {fine:?}");
    assert!(fine_lost[0] < 1e-12, "{fine_lost:?}");
    for k in 1..3 {
        assert!(coarse_lost[k].abs() < 2e-5 && fine_lost[k].abs() < coarse_lost[k].abs() / 3.5, "{k}");
    }
}

#[test]
fn gaps_are_round_off_where_the_step_resolves_the_rotation() {
    let (worst, _) = drifts(&pair(VELOCITY, SPIN), (2.0, 8_000));
    assert!(worst[0] < 1e-13 && worst[1] < 1e-13, "{worst:?}");
}

/// A Tikhonov joint opens by its constant times the load: here the centripetal force of a steady rotation.
#[test]
fn tikhonov_joint_opens_by_its_constant() {
    let inertia = Matrix3::from_diagonal(&Vector3::new(0.4, 0.4, 0.3));
    let part = |side: f64| Part {
        body: RigidBody::new(2.0, inertia).unwrap(),
        start: BodyState {
            position: Vector3::x() * side,
            velocity: Vector3::y() * (5.0 * side),
            angular_velocity: Vector3::z() * 5.0,
            ..BodyState::default()
        },
        arm: Vector3::x() * -side,
    };
    let parts = [part(-1.0), part(1.0)];
    let constant = 1e-7;
    let master = run(&parts, InterfaceLaw::Tikhonov { constant }, (2.0, 2000));
    let opened = gaps(&parts, &master).0;
    assert!((opened / (constant * 2.0 * 25.0) - 1.0).abs() < 0.01, "{opened:e}");
    let turned = state(&master, "a").orientation.angle_to(&turned(0.0, 0.0, 10.0));
    assert!(turned < 1e-4, "{turned}");
}

/// Frames apart at the start are refused, or moved together.
#[test]
fn frames_that_do_not_meet_are_refused_or_projected() {
    let mut parts = pair(VELOCITY, SPIN);
    let apart = offset(&parts);
    parts[1].start.position += Vector3::new(0.0, 0.01, 0.0);
    parts[1].start.orientation = turned(0.02, 0.0, -0.03) * parts[1].start.orientation;
    let config = MasterConfig { initial_state: InitialState::Project, ..MasterConfig::default() };
    let master = couple(&parts, "hub", (InterfaceLaw::Rigid, apart.clone()), config);
    let warning = &master.warnings()[0].text;
    assert!(warning.contains("`joint` by a gap of 2.") && warning.contains("e-2 m;"), "{warning}");
    assert!(warning.contains("`joint` by a gap of 3.") && warning.contains("e-2 rad;"), "{warning}");
    let [a, b] = ["a", "b"].map(|name| state(&master, name));
    assert!((a.point(&parts[0].arm) - b.point(&parts[1].arm)).norm() < 1e-8);
    let rest = turned(apart[3], apart[4], apart[5]);
    assert!((b.orientation.inverse() * a.orientation).angle_to(&rest) < 1e-8);
    assert!((a.angular_velocity_in_world() - b.angular_velocity_in_world()).norm() < 1e-8);
}

/// Frames, and tangents that are kept, go on from a saved state with the same bits.
#[test]
fn saved_states_go_on_with_the_same_bits() {
    let parts = pair(VELOCITY, SPIN);
    for tangent in [Tangent::Exact, Tangent::Frozen] {
        for law in [InterfaceLaw::Rigid, InterfaceLaw::spring(100.0, 0.3, 6)] {
            let config = MasterConfig { tangent, tolerance: 1e-6, ..MasterConfig::default() };
            let build = || couple(&parts, "hub", (law.clone(), offset(&parts)), config.clone());
            let steps = |master: &mut Master| (0..50).for_each(|_| assert!(master.step(1e-2).is_ok()));
            let mut straight = build();
            steps(&mut straight);
            let saved = straight.save().unwrap();
            steps(&mut straight);
            let mut other = build();
            other.restore(&saved).unwrap();
            steps(&mut other);
            for (a, b) in straight.subsystems().iter().zip(other.subsystems()) {
                assert_eq!(a.rows(), b.rows(), "{tangent:?} {law:?}");
            }
        }
    }
}
