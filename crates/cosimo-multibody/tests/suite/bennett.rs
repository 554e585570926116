//! The linkage of Bennett, a closed loop of four revolutes in space that moves although 20 rows hold 18 coordinates: three of
//! them are redundant, and on a turn others than at the start.
//!
//! G. T. Bennett, *A New Mechanism*, Engineering 76, 1903: bars of lengths `a`, `b`, `a`, `b` with twists `α`, `β`, `α`, `β`,
//! `a/sin α = b/sin β`, and angles with `tan(θ₁/2) tan(θ₂/2) = sin((β+α)/2)/sin((β−α)/2)`, `θ₃ = −θ₁`, `θ₄ = −θ₂`.
#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests")]

use crate::mechanisms::{diagonal, start};
use cosimo_dynamics::{ConstrainedSystem, Level, Motion};
use cosimo_multibody::spatial::{Body, JointKind, RigidBody, SpatialModel, SpatialSystem};
use cosimo_smooth::dae::{DaeError, DaeSettings, DaeSolver, DaeState, Formulation, Method, TangentPolicy};
use nalgebra::{Isometry3, Translation3, UnitQuaternion, Vector3};

const ALPHA: f64 = 0.6;
const BETA: f64 = 1.1;
/// First angle at the start (rad).
const START: f64 = 0.7;
const RULE: Method = Method::GeneralizedAlpha { spectral_radius: 0.8 };

/// Places of the four joints, their axes along z, where the first angle is `theta` (rad).
fn joints(theta: f64) -> [Isometry3<f64>; 4] {
    let ratio = (0.5 * (BETA + ALPHA)).sin() / (0.5 * (BETA - ALPHA)).sin();
    let second = 2.0 * (ratio / (0.5 * theta).tan()).atan();
    let lengths = [1.0, BETA.sin() / ALPHA.sin()];
    let mut places = [Isometry3::identity(); 4];
    for (k, angle) in [theta, second, -theta].into_iter().enumerate() {
        let turn = UnitQuaternion::from_scaled_axis(Vector3::z() * angle);
        let twist = UnitQuaternion::from_scaled_axis(Vector3::x() * [ALPHA, BETA][k % 2]);
        let bar = Isometry3::from_parts(Translation3::new(lengths[k % 2], 0.0, 0.0), twist);
        places[k + 1] = places[k] * turn * bar;
    }
    places
}

/// Three bars at about 3 rad/s and the ground, with gravity across the first axis.
fn bennett(theta: f64) -> SpatialModel {
    let places = joints(theta);
    let mut model = SpatialModel::new().with_gravity([0.0, -3.0, 0.0]);
    for k in 0..3 {
        let [from, to] = [places[k], places[k + 1]].map(|place| place.translation.vector);
        let properties = RigidBody::new(1.0 + 0.2 * k as f64, diagonal(0.1, 0.15, 0.12)).unwrap();
        let centre = 0.5 * (from + to);
        let spin = if k == 0 { Vector3::z() * 20.0 } else { Vector3::zeros() };
        let body = Body::new(format!("bar {k}"), properties).with_position(centre);
        model = model.with_body(body.with_velocity(spin.cross(&centre), spin));
    }
    for (k, place) in places.iter().enumerate() {
        let name = |bar: Option<usize>| bar.filter(|k| *k < 3).map(|k| format!("bar {k}"));
        let [first, second] = [name(k.checked_sub(1)), name(Some(k))];
        let at = (place.translation.vector, (place.rotation * Vector3::z()));
        let bodies = [first.as_deref(), second.as_deref()];
        model = model.with_joint_at(format!("joint {k}"), JointKind::Revolute, bodies, at);
    }
    model
}

fn settings(formulation: Formulation, tangent: TangentPolicy) -> DaeSettings {
    DaeSettings { formulation, tangent, tolerance: 1e-12, ..DaeSettings::default() }
}

/// What a run shows: largest residuals of all rows, those left out included; the largest change of the energy as a share of
/// the kinetic energy; turns of the first bar; and how often others were left out.
#[derive(Debug, Default)]
struct Seen {
    residual: f64,
    rate: f64,
    energy: f64,
    turns: f64,
    exchanges: usize,
}

fn run(method: Method, formulation: Formulation, h: f64) -> (DaeSolver<SpatialSystem>, Seen) {
    let mut solver = start(bennett(START), method, settings(formulation, TangentPolicy::Modified));
    let energy = |solver: &DaeSolver<SpatialSystem>| solver.energy().kinetic + solver.energy().potential;
    let (first, kinetic) = (energy(&solver), solver.energy().kinetic);
    let mut seen = Seen::default();
    let mut rows = solver.redundant_rows();
    for step in 1..=(4.0 / h).round() as usize {
        solver.step(h).unwrap_or_else(|error| panic!("{method:?} {formulation:?} {step}: {error}"));
        assert_eq!(solver.redundant_rows().len(), 3);
        seen.turns += h * solver.state().v[5] / std::f64::consts::TAU;
        seen.residual = seen.residual.max(solver.violation(Level::Position));
        seen.rate = seen.rate.max(solver.violation(Level::Velocity));
        seen.energy = seen.energy.max((energy(&solver) - first).abs() / kinetic);
        if rows != solver.redundant_rows() {
            rows = solver.redundant_rows();
            seen.exchanges += 1;
        }
    }
    (solver, seen)
}

/// Distance of the third bar from where the angle of the first puts it (m).
fn misplaced(solver: &DaeSolver<SpatialSystem>) -> f64 {
    let q = &solver.state().q;
    let places = joints(START + 2.0 * q[6].atan2(q[3]));
    let centre = 0.5 * (places[2].translation.vector + places[3].translation.vector);
    (centre - Vector3::from_column_slice(&q[14..17])).norm()
}

#[test]
fn all_joints_stay_closed_over_whole_turns() {
    let all = Formulation::PositionVelocityAcceleration;
    for (method, formulation, order) in [
        (RULE, Formulation::Position, 2.0),
        (RULE, Formulation::PositionVelocity, 2.0),
        (RULE, all, 2.0),
        (Method::Newmark { gamma: 0.5 }, all, 2.0),
        (Method::Multistep { spectral_radius: 0.6 }, Formulation::PositionVelocity, 2.0),
        (Method::Midpoint, Formulation::PositionVelocity, 2.0),
        (Method::Bdf { order: 4 }, all, 4.0),
    ] {
        let [coarse, fine] = [4e-3, 2e-3].map(|h| {
            let (solver, seen) = run(method, formulation, h);
            assert!(seen.turns > 3.5 && seen.exchanges > 3, "{seen:?}");
            assert!(seen.residual < 1e-12, "{method:?} {formulation:?} {seen:?}");
            assert!(formulation == Formulation::Position || seen.rate < 1e-9, "{seen:?}");
            assert!(misplaced(&solver) < 1e-12, "{:.1e}", misplaced(&solver));
            seen
        });
        let found = (coarse.energy / fine.energy).log2();
        assert!(found > order - 0.2 && fine.energy < 1e-4, "{method:?} {formulation:?} {coarse:?} {fine:?}");
    }
}

/// Where positions drift, rows left out drift many times as far: rows are not exchanged, and the run ends instead of going on
/// with joints that are open.
#[test]
fn formulations_that_drift_end_before_joints_open() {
    for (method, formulation) in [
        (RULE, Formulation::Velocity),
        (Method::Multistep { spectral_radius: 0.6 }, Formulation::Velocity),
        (Method::Hht { alpha: -0.1 }, Formulation::Acceleration),
        (RULE, Formulation::Baumgarte { alpha: 10.0, beta: 10.0 }),
    ] {
        let mut solver = start(bennett(START), method, settings(formulation, TangentPolicy::Modified));
        let mut open = 0.0_f64;
        let error = (0..4000).find_map(|_| {
            open = open.max(solver.violation(Level::Position));
            solver.step(1e-3).err()
        });
        let ends = matches!(error, Some(DaeError::NotRedundant { .. } | DaeError::NotConverged { .. }));
        assert!(ends && open < 0.1, "{method:?} {formulation:?}: {error:?}, {open} m");
    }
}

/// Rows left out have no reactions, and an exchange leaves the sum of all as it is.
#[test]
fn reactions_stay_where_rows_are_exchanged() {
    let h = 1e-4;
    let mut solver = start(bennett(START), RULE, settings(Formulation::default(), TangentPolicy::Modified));
    let (mut rows, mut exchanges) = (solver.redundant_rows(), 0);
    for _ in 0..20_000 {
        solver.step(h).unwrap();
        if rows == solver.redundant_rows() {
            continue;
        }
        (rows, exchanges) = (solver.redundant_rows(), exchanges + 1);
        let DaeState { time, q, v, a, mu } = solver.state();
        let mut balance = vec![0.0; v.len()];
        solver.system().balance(Motion { t: *time, q, v }, a, mu, &mut balance);
        let off = balance.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        for row in &rows {
            let joint: usize = row.constraint["joint ".len()..].parse().unwrap();
            assert_eq!(mu[5 * joint + row.row], 0.0, "{row:?}");
        }
        let largest = mu.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        assert!(off < 1e-10 * largest, "{off:.1e} of {largest:.1e}");
    }
    assert!(exchanges > 3, "{exchanges}");
}

/// The rows kept have a least singular value far below one at some positions: what Newton's matrix leaves out of the rows must
/// not be multiplied by it. With `∂φ̇/∂q` in the rows a step of 5 ms contracts by 0.9.
#[test]
fn few_corrections_solve_steps_everywhere_on_the_turn() {
    for tangent in [TangentPolicy::Full, TangentPolicy::Modified, TangentPolicy::Frozen] {
        for formulation in [Formulation::PositionVelocity, Formulation::PositionVelocityAcceleration] {
            let mut solver = start(bennett(START), RULE, settings(formulation, tangent));
            let most = (0..800).map(|_| solver.step(5e-3).unwrap().iterations).max();
            assert!(most < Some(15), "{tangent:?} {formulation:?}: {most:?}");
        }
    }
}

#[test]
fn a_restored_solver_exchanges_the_same_rows() {
    for tangent in [TangentPolicy::Modified, TangentPolicy::Frozen] {
        let begin = || start(bennett(START), RULE, settings(Formulation::default(), tangent));
        let mut solver = begin();
        let (mut saved, mut exchanges) = (Vec::new(), 0);
        let mut last = solver.redundant_rows();
        for step in 0..800 {
            if step % 40 == 0 {
                saved.push((step, solver.save()));
            }
            solver.step(5e-3).unwrap();
            if solver.redundant_rows() != last {
                last = solver.redundant_rows();
                exchanges += 1;
            }
        }
        assert!(exchanges > 1, "{exchanges}");
        for (step, saved) in saved {
            let mut other = begin();
            other.restore(&saved).unwrap();
            (step..800).for_each(|_| {
                other.step(5e-3).unwrap();
            });
            assert_eq!(other.save(), solver.save(), "{tangent:?} from step {step}");
            assert_eq!(other.redundant_rows(), last);
        }
    }
}
