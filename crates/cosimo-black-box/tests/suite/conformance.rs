//! Every decorator keeps the contract, with the capabilities it offers.

use crate::models::{chain, pendulum, secret_chain};
use cosimo_black_box::{DifferencedInverseMass, Explicit, LoadHistory, Refresh, SubCycled};
use cosimo_subsystem::conformance::{Check, Conformance, Hidden, TwoMasses};

const LEARNS: &str = "updates learn from every evaluation";
const FROZEN: &str = "the inverse mass is frozen from step to step";
const DAMPED: &str = "the damped inverse mass is not known";

#[test]
fn differenced_affine_subsystems_keep_the_whole_contract() {
    let make = || DifferencedInverseMass::new(secret_chain(4), Refresh::Columns);
    Conformance::new(make).check().assert_passed();
    let make = || DifferencedInverseMass::new(secret_chain(2).without_weights(), Refresh::Columns);
    Conformance::new(make).check().assert_passed();
    let damped = || {
        let inner = Hidden::new(TwoMasses::default()).without_inverse_mass();
        DifferencedInverseMass::new(inner, Refresh::Columns)
    };
    Conformance::new(damped).skip(Check::InsideImpulses, DAMPED).check().assert_passed();
}

#[test]
fn a_differenced_nonlinear_subsystem_keeps_the_contract() {
    let make =
        || DifferencedInverseMass::new(Hidden::new(pendulum()).without_inverse_mass(), Refresh::Columns);
    Conformance::new(make)
        .ledger_tolerance(1e-4)
        .skip(Check::InverseMass, FROZEN)
        .skip(Check::Jump, FROZEN)
        .skip(Check::Shift, FROZEN)
        .check()
        .assert_passed();
}

#[test]
fn a_quasi_newton_inverse_mass_keeps_the_rest_of_the_contract() {
    let make = || DifferencedInverseMass::new(secret_chain(4), Refresh::QuasiNewton);
    Conformance::new(make)
        .skip(Check::Evaluate, LEARNS)
        .skip(Check::Discard, LEARNS)
        .skip(Check::InverseMass, LEARNS)
        .skip(Check::Revision, LEARNS)
        .check()
        .assert_passed();
}

#[test]
fn subsystems_without_impulses_refuse_them_still() {
    let make = || DifferencedInverseMass::new(secret_chain(3).without_impulses(), Refresh::Columns);
    Conformance::new(make).check().assert_passed();
}

#[test]
fn explicit_subsystems_keep_what_they_promise() {
    const EXTRAPOLATED: &str = "what is predicted is an extrapolation";
    const COUNTS: &str = "evaluations ask nobody";
    let opaque = || Explicit::new(secret_chain(3).without_roll_back().without_impulses());
    let saving = || Explicit::new(secret_chain(3));
    let check = |suite: Conformance<'_>| {
        suite.skip(Check::Commit, EXTRAPOLATED).skip(Check::Statistics, COUNTS).check().assert_passed();
    };
    check(Conformance::new(opaque));
    check(Conformance::new(saving));
}

#[test]
fn sub_cycled_subsystems_keep_the_contract() {
    for (history, ledger) in [(LoadHistory::Mean, 1e-9), (LoadHistory::Linear, 1e-2)] {
        for n in [1, 3] {
            let cycled = || SubCycled::new(chain(n), 5, vec![history; n]).unwrap();
            Conformance::new(cycled).ledger_tolerance(ledger).check().assert_passed();
            let whole = || DifferencedInverseMass::new(cycled(), Refresh::Columns);
            Conformance::new(whole).ledger_tolerance(ledger).check().assert_passed();
        }
    }
    let pendulum = || {
        DifferencedInverseMass::new(
            SubCycled::new(pendulum(), 4, vec![LoadHistory::Mean]).unwrap(),
            Refresh::Columns,
        )
    };
    Conformance::new(pendulum)
        .ledger_tolerance(1e-4)
        .skip(Check::InverseMass, FROZEN)
        .check()
        .assert_passed();
}
