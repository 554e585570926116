//! Every decorator keeps the contract, with the capabilities it offers.

mod models;

use cosimo_black_box::{DifferencedCompliance, Refresh};
use cosimo_subsystem::conformance::{Check, Conformance, Hidden, TwoMasses};
use models::{pendulum, secret_chain};

const LEARNS: &str = "updates learn from every evaluation";
const FROZEN: &str = "the compliance is frozen from step to step";
const DAMPED: &str = "the damped compliance is not known";

#[test]
fn differenced_affine_subsystems_keep_the_whole_contract() {
    let make = || DifferencedCompliance::new(secret_chain(4), Refresh::Columns);
    Conformance::new(make).check().assert_passed();
    let make = || DifferencedCompliance::new(secret_chain(2).without_weights(), Refresh::Columns);
    Conformance::new(make).check().assert_passed();
    let damped = || {
        let inner = Hidden::new(TwoMasses::default()).without_compliance();
        DifferencedCompliance::new(inner, Refresh::Columns)
    };
    Conformance::new(damped).skip(Check::InsideImpulses, DAMPED).check().assert_passed();
}

#[test]
fn a_differenced_nonlinear_subsystem_keeps_the_contract() {
    let make = || DifferencedCompliance::new(Hidden::new(pendulum()).without_compliance(), Refresh::Columns);
    Conformance::new(make)
        .ledger_tolerance(1e-4)
        .skip(Check::Compliance, FROZEN)
        .skip(Check::Jump, FROZEN)
        .skip(Check::Shift, FROZEN)
        .check()
        .assert_passed();
}

#[test]
fn a_quasi_newton_compliance_keeps_the_rest_of_the_contract() {
    let make = || DifferencedCompliance::new(secret_chain(4), Refresh::QuasiNewton);
    Conformance::new(make)
        .skip(Check::Evaluate, LEARNS)
        .skip(Check::Discard, LEARNS)
        .skip(Check::Compliance, LEARNS)
        .skip(Check::Revision, LEARNS)
        .check()
        .assert_passed();
}

#[test]
fn subsystems_without_impulses_refuse_them_still() {
    let make = || DifferencedCompliance::new(secret_chain(3).without_impulses(), Refresh::Columns);
    Conformance::new(make).check().assert_passed();
}
