//! Andrews' squeezing mechanism against the reference of the literature.
#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use crate::mechanisms::{andrews, start};
use cosimo_multibody::spatial::SpatialSystem;
use cosimo_smooth::dae::{DaeSettings, DaeSolver, ErrorControl, Formulation, Method};

/// Time, the seven coordinates and their rates, accelerations.
fn table() -> Vec<Vec<f64>> {
    let mut reader = csv::Reader::from_path("tests/reference/andrews.csv").unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

/// Largest difference of the bodies' angles from a row of the reference, whole turns apart.
fn difference(solver: &DaeSolver<SpatialSystem>, row: &[f64]) -> f64 {
    andrews::largest_difference(&solver.state().q, andrews::angles(row[1..8].try_into().unwrap()))
}

fn solver(method: Method, formulation: Formulation) -> DaeSolver<SpatialSystem> {
    start(andrews::model(), method, DaeSettings { formulation, tolerance: 1e-13, ..DaeSettings::default() })
}

/// Largest error of the angles (rad) at every 2.5 ms until 30 ms.
fn error(method: Method, formulation: Formulation, h: f64) -> f64 {
    let mut solver = solver(method, formulation);
    table().iter().fold(0.0, |error: f64, row| {
        solver.advance_to(row[0], h).unwrap();
        error.max(difference(&solver, row))
    })
}

#[test]
fn the_start_is_that_of_the_reference() {
    let solver = solver(Method::ImplicitEuler, Formulation::Position);
    assert_eq!(solver.redundant_rows().len(), 9, "{:?}", solver.redundant_rows());
    let row = &table()[0];
    assert!(difference(&solver, row) < 1e-12);
    let a = &solver.state().a;
    let [beta, theta] = [row[15], row[16]];
    assert!((a[5] - beta).abs() < 1e-7 && (a[11] - beta - theta).abs() < 1e-7, "{} {}", a[5], a[11]);
}

#[test]
fn positions_are_those_of_the_reference() {
    for (method, h) in [(Method::Bdf { order: 5 }, 5e-6), (Method::Bdf { order: 4 }, 2.5e-6)] {
        for formulation in [Formulation::Position, Formulation::PositionVelocity] {
            let found = error(method, formulation, h);
            assert!(found < 2e-8, "{method:?} {formulation:?} {h}: {found:e}");
        }
    }
}

/// Order and step by the error: what is left falls with the tolerance, down to the accuracy of the reference.
#[test]
fn the_error_follows_the_tolerance() {
    let run = |formulation, tolerance: f64| {
        let mut solver = solver(Method::AdaptiveBdf { largest_order: 5 }, formulation);
        let mut control = ErrorControl::new(tolerance).unwrap();
        let mut error = 0.0_f64;
        for row in &table()[1..] {
            solver.advance_within(row[0], &mut control).unwrap();
            error = error.max(difference(&solver, row));
        }
        (error, solver.effort().0)
    };
    for formulation in [Formulation::PositionVelocity, Formulation::PositionVelocityAcceleration] {
        let mut before = (f64::INFINITY, 0);
        for tolerance in [1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11] {
            let (error, steps) = run(formulation, tolerance);
            assert!(error < 400.0 * tolerance, "{formulation:?} {tolerance:e}: {error:e}");
            assert!(error < 0.5 * before.0 && steps > before.1, "{formulation:?} {tolerance:e}: {error:e}");
            before = (error, steps);
        }
        assert!(before.0 < 5e-9 && before.1 < 2500, "{formulation:?}: {before:?}");
    }
}
