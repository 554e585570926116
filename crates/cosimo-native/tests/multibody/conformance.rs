//! Every system, with every method and formulation, keeps the contract.

use cosimo_native::MultibodyBuilder;
use cosimo_smooth::dae::{Formulation, Method};
use cosimo_subsystem::conformance::Conformance;

use crate::models::{chain, four_bar, free_body, pendulum, sprung};

const FORMULATIONS: [Formulation; 3] =
    [Formulation::Position, Formulation::PositionVelocity, Formulation::PositionVelocityAcceleration];

const METHODS: [Method; 5] = [
    Method::Multistep { spectral_radius: 0.6 },
    Method::GeneralizedAlpha { spectral_radius: 0.8 },
    Method::Hht { alpha: -0.1 },
    Method::Newmark { gamma: 0.5 },
    Method::ImplicitEuler,
];

/// Runs the suite with all methods and formulations; `ledger` is the energy that a rule may create or dissipate, relative to
/// the energy exchanged, `load` the size of the loads (N, N m) and `change` that of trial impulses (m/s, rad/s).
fn check(make: fn() -> MultibodyBuilder, (load, change): (f64, f64), ledger: f64) {
    let mut failures = String::new();
    for method in METHODS {
        for formulation in FORMULATIONS {
            let make = || make().with_method(method).with_formulation(formulation).build().unwrap();
            let ledger = if method == Method::ImplicitEuler { 1.0 } else { ledger };
            let suite = Conformance::new(make).step(1e-3).steps(20).ledger_tolerance(ledger);
            let report = suite.loads(move |row, time| load * (row as f64 + 300.0 * time).cos());
            let report = report.velocity_change(change).check();
            if !report.has_passed() {
                failures += &format!("{method:?}, {formulation:?}: {report}\n");
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn pendulum_conforms() {
    check(pendulum, (1.0, 0.1), 1e-2);
}

#[test]
fn four_bar_with_redundant_rows_conforms() {
    check(four_bar, (1.0, 0.1), 1e-2);
}

#[test]
fn free_body_conforms() {
    check(free_body, (1.0, 0.1), 1e-2);
}

#[test]
fn chain_conforms() {
    check(|| chain(4), (1e-3, 0.01), 1e-2);
}

#[test]
fn chain_of_sparse_matrices_conforms() {
    check(|| chain(8), (1e-3, 0.01), 1e-2);
}

#[test]
fn all_forces_conform() {
    check(sprung, (1.0, 0.1), 1e-2);
}
