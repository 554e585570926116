//! How a trial step answers to impulses on its rows.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use crate::common::{chain, stepper};
use cosimo_dynamics::rules::{EndWeights, PositionUpdate, Prediction};
use cosimo_dynamics::{
    Coordinates, LinearRow, LinearRows, LinearSystem, Multistep, RowMap, StatePoint, StepFormula, StepRule,
    Stepper, Theta,
};
use nalgebra::{DMatrix, dmatrix};
use proptest::prelude::*;

const H: f64 = 5e-3;

/// The implicit Euler rule with end collocation and position constraints, to test what only such rules use.
#[derive(Debug, Clone, Copy)]
struct BackwardEuler;

impl StepRule for BackwardEuler {
    fn name(&self) -> &'static str {
        "backward-euler"
    }
    fn formula(&self, h: f64) -> StepFormula {
        let end = EndWeights { velocity: h, position: h * h };
        StepFormula::at_end(h, end, PositionUpdate::Acceleration)
    }
    fn predict(&mut self, h: f64, start: StatePoint<'_>, _coordinates: &Coordinates, out: &mut Prediction) {
        out.coast(h, start);
    }
}

/// Largest difference between the inverse mass at the impulses `x` and central differences of the end velocities,
/// over the largest entry.
fn inverse_mass_error(stepper: &mut Stepper, x: &[f64]) -> f64 {
    stepper.begin(H, &vec![0.0; x.len()]).unwrap();
    let mut rates = |x: &[f64]| {
        stepper.evaluate(x);
        stepper.end_velocities().to_vec()
    };
    let size = 1e-4;
    let differences = DMatrix::from_fn(x.len(), x.len(), |i, k| {
        let mut side = |sign: f64| {
            let mut x = x.to_vec();
            x[k] += sign * size;
            rates(&x)[i]
        };
        (side(1.0) - side(-1.0)) / (2.0 * size)
    });
    stepper.evaluate(x);
    (stepper.inverse_mass() - &differences).amax() / differences.amax()
}

/// A circular guide around the origin: the distance from it, a row that turns with the motion of a linear system.
#[derive(Debug, Clone, Copy)]
struct Distance;

impl RowMap for Distance {
    fn rows(&self) -> usize {
        1
    }
    fn is_constant(&self) -> bool {
        false
    }
    fn positions(&self, _t: f64, q: &[f64], out: &mut [f64]) {
        out[0] = q[0].hypot(q[1]);
    }
    fn velocities(&self, _t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        out[0] = (q[0] * v[0] + q[1] * v[1]) / q[0].hypot(q[1]);
    }
    fn jacobian(&self, _t: f64, q: &[f64], first: usize, out: &mut DMatrix<f64>) {
        let r = q[0].hypot(q[1]);
        (out[(first, 0)], out[(first, 1)]) = (q[0] / r, q[1] / r);
    }
    fn velocity_gradient(&self, _t: f64, q: &[f64], v: &[f64], first: usize, out: &mut DMatrix<f64>) {
        let r = q[0].hypot(q[1]);
        let rate = (q[0] * v[0] + q[1] * v[1]) / r;
        for j in 0..2 {
            out[(first, j)] = (v[j] - rate * q[j] / r) / r;
        }
    }
}

#[test]
fn inverse_mass_of_a_linear_system_with_turning_rows_is_the_derivative() {
    let disc = LinearSystem::new(dmatrix![2.0, 0.0; 0.0, 3.0]).unwrap();
    let mut stepper = stepper(disc, Theta::default(), Distance, (&[1.0, 0.5], &[-3.0, 8.0]));
    // Loads keep the direction of the load-free motion, so that only the curvature of the row is left.
    let error = inverse_mass_error(&mut stepper, &[0.0]);
    assert!(error < 1e-3, "{error:e}");
}

#[test]
fn circular_motion_held_by_a_turning_row_stays_on_the_circle() {
    let run = |h: f64| {
        let disc = LinearSystem::new(dmatrix![2.0, 0.0; 0.0, 2.0]).unwrap();
        let mut stepper = stepper(disc, Theta::default(), Distance, (&[1.0, 0.0], &[0.0, 3.0]));
        let steps = (1.0 / h).round() as usize;
        for _ in 0..steps {
            // The centripetal force m v²/r as an impulse.
            stepper.begin(h, &[0.0]).unwrap();
            let impulses = [-18.0 * h];
            stepper.evaluate(&impulses);
            stepper.commit(&impulses, None).unwrap();
        }
        let q = &stepper.state().q;
        (q[0] - 3.0_f64.cos()).hypot(q[1] - 3.0_f64.sin())
    };
    let steps = [4e-3, 2e-3, 1e-3];
    let errors = steps.map(run);
    let order = crate::common::observed_order(&steps, &errors);
    assert!((order - 2.0).abs() < 0.1 && errors[2] < 1e-4, "order {order}, errors {errors:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// The end of a linear trial step is affine in the impulses, for both collocations.
    #[test]
    fn evaluation_of_a_linear_system_is_free_response_plus_inverse_mass(
        q in prop::array::uniform4(-1.0..1.0), v in prop::array::uniform4(-5.0..5.0),
        x in prop::array::uniform2(-10.0..10.0), h in 1e-4..0.1, is_tied in any::<bool>(), is_end in any::<bool>(),
    ) {
        let tie = LinearRow { weights: vec![(1, 1.0), (2, -1.0)], offset: 0.0 };
        let masses = chain(4, (0.5, 300.0, 1.0));
        let masses = if is_tied { masses.with_constraint(tie) } else { masses };
        let ports = LinearRows(vec![LinearRow::coordinate(0), LinearRow::dense(&[0.0, 0.5, 0.0, -2.0], 0.3)]);
        let mut stepper = if is_end {
            stepper(masses, BackwardEuler, ports, (&q, &v))
        } else {
            stepper(masses, Theta::default(), ports, (&q, &v))
        };
        stepper.begin(h, &[0.0; 2]).unwrap();
        let free = (stepper.end_positions().to_vec(), stepper.end_velocities().to_vec());
        let (w, weight) = (stepper.inverse_mass().clone(), stepper.formula().position_weight());
        prop_assert!((&w - w.transpose()).amax() < 1e-12 * w.amax());
        stepper.evaluate(&x);
        for i in 0..2 {
            let answer = w[(i, 0)] * x[0] + w[(i, 1)] * x[1];
            let scale = 1e-12 * (1.0 + free.1[i].abs() + answer.abs());
            prop_assert!((stepper.end_velocities()[i] - free.1[i] - answer).abs() < scale);
            prop_assert!((stepper.end_positions()[i] - free.0[i] - weight * answer).abs() < scale);
        }
        let prefetched = (stepper.end_positions().to_vec(), stepper.end_velocities().to_vec());
        stepper.commit(&x, None).unwrap();
        prop_assert_eq!(stepper.start_positions(), prefetched.0);
        prop_assert_eq!(stepper.start_velocities(), prefetched.1);
        let mut residual = [0.0; 1];
        if is_tied && is_end {
            stepper.system().constraint(&stepper.state().q, &mut residual);
            prop_assert!(residual[0].abs() < 1e-12);
        }
    }
}

#[test]
fn commit_without_evaluation_answers_to_its_impulses() {
    let ports = || LinearRows(vec![LinearRow::coordinate(0), LinearRow::coordinate(2)]);
    let make = || stepper(chain(3, (1.0, 400.0, 0.5)), Theta::default(), ports(), (&[0.1; 3], &[0.5; 3]));
    let (mut direct, mut evaluated) = (make(), make());
    let x = [0.3, -0.2];
    direct.begin(H, &[0.0; 2]).unwrap();
    direct.commit(&x, None).unwrap();
    evaluated.begin(H, &[0.0; 2]).unwrap();
    evaluated.evaluate(&x);
    evaluated.commit(&x, None).unwrap();
    assert_eq!(direct.state(), evaluated.state());
}

#[test]
fn failed_step_is_reported_and_leaves_the_state() {
    let ports = LinearRows(vec![LinearRow::coordinate(0), LinearRow::coordinate(2)]);
    let mut stepper = stepper(chain(3, (1.0, 400.0, 0.5)), Theta::default(), ports, (&[0.1; 3], &[0.5; 3]));
    let before = crate::common::bits(&stepper);
    assert!(stepper.begin(H, &[0.0; 2]).is_ok());
    assert!(stepper.commit(&[f64::INFINITY, 0.0], None).is_err());
    assert_eq!(crate::common::bits(&stepper), before);
    assert!(stepper.begin(-H, &[0.0; 2]).is_err());
    stepper.begin(H, &[0.0; 2]).unwrap();
    stepper.commit(&[0.0; 2], None).unwrap();
    assert!(stepper.state().time > 0.0);
}

#[test]
fn system_without_a_unique_acceleration_is_refused() {
    let make = |system: LinearSystem| {
        let rows = (Box::new(cosimo_dynamics::NoRows), Box::new(cosimo_dynamics::NoRows));
        let rule = Box::new(Theta::default());
        Stepper::new(system, rule, (rows.0, rows.1), (0.0, vec![0.0; 2], vec![0.0; 2]))
    };
    let tie = || LinearRow { weights: vec![(0, 1.0), (1, -1.0)], offset: 0.0 };
    assert!(make(LinearSystem::new(dmatrix![1.0, 0.0; 0.0, 0.0]).unwrap()).is_err());
    assert!(make(LinearSystem::new(DMatrix::zeros(2, 2)).unwrap()).is_err());
    let twice =
        LinearSystem::new(DMatrix::identity(2, 2)).unwrap().with_constraint(tie()).with_constraint(tie());
    assert!(make(twice).is_err());
    // A massless coordinate that a constraint drives has an acceleration.
    let driven = LinearSystem::new(dmatrix![1.0, 0.0; 0.0, 0.0]).unwrap().with_constraint(tie());
    assert!(make(driven).is_ok());
}

#[test]
fn rules_that_need_points_before_their_start_are_refused() {
    let make = |rule: Multistep| {
        let system = LinearSystem::new(DMatrix::identity(1, 1)).unwrap();
        let rows = (Box::new(cosimo_dynamics::NoRows), Box::new(cosimo_dynamics::NoRows));
        Stepper::new(system, Box::new(rule), (rows.0, rows.1), (0.0, vec![0.0], vec![0.0]))
    };
    for rule in [Multistep::backward_differentiation(2).unwrap(), Multistep::adaptive(5).unwrap()] {
        assert!(matches!(make(rule), Err(cosimo_dynamics::SystemError::Rule { .. })));
    }
    assert!(make(Multistep::backward_differentiation(1).unwrap()).is_ok());
}
