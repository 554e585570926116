//! The rules of the contract.

use cosimo_black_box::{DifferencedInverseMass, Explicit, Refresh};
use cosimo_dynamics::Multistep;
use cosimo_dynamics::{StepRule, Theta};
use cosimo_fmi::unit::{PortOptions, Start, UnitOptions};
use cosimo_subsystem::conformance::{Check, Conformance};

use crate::{VERSIONS, open, oscillator_options};

#[test]
fn a_unit_in_model_exchange_keeps_the_contract_under_every_rule() {
    for version in VERSIONS {
        let rules: [fn() -> Box<dyn StepRule>; 2] =
            [|| Box::new(Theta::default()), || Box::new(Multistep::new(0.6).unwrap())];
        for rule in rules {
            let Some(_) = open("oscillator_half", version, &[]) else { return };
            let make = || {
                let mut fmu = open("oscillator_half", version, &[]).unwrap();
                fmu.model_exchange("half", rule(), &oscillator_options(), Start::default()).unwrap()
            };
            Conformance::new(make).step(1e-3).steps(20).check().assert_passed();
        }
    }
}

#[test]
fn a_unit_in_co_simulation_keeps_the_contract() {
    for version in VERSIONS {
        let Some(_) = open("oscillator_half", version, &[]) else { return };
        let make = || {
            let mut fmu = open("oscillator_half", version, &[]).unwrap();
            fmu.co_simulation("half", &oscillator_options(), Start::default()).unwrap()
        };
        Conformance::new(make).step(1e-3).steps(20).check().assert_passed();
        let differenced = || DifferencedInverseMass::new(make(), Refresh::Columns);
        Conformance::new(differenced).step(1e-3).steps(20).check().assert_passed();
    }
}

#[test]
fn a_unit_that_cannot_go_back_keeps_the_contract_where_it_is_coupled_explicitly() {
    for version in VERSIONS {
        let defines = [("NO_STATE", "1")];
        let Some(_) = open("oscillator_half", version, &defines) else { return };
        let make = || {
            let mut fmu = open("oscillator_half", version, &defines).unwrap();
            Explicit::new(fmu.co_simulation("half", &oscillator_options(), Start::default()).unwrap())
        };
        let report = Conformance::new(make)
            .step(1e-3)
            .steps(20)
            .skip(Check::Commit, "the motion is extrapolated before the step is taken")
            .skip(Check::Statistics, "the evaluations are those of the decorator")
            .check();
        report.assert_passed();
    }
}

#[test]
fn a_unit_with_a_load_port_keeps_the_contract_in_both_faces() {
    let one = |name: &str| vec![name.to_owned()];
    let port = PortOptions {
        name: "end".into(),
        position: one("x1"),
        velocity: one("v1"),
        force: one("f"),
        ..PortOptions::default()
    };
    let options = UnitOptions { ports: vec![port], ..UnitOptions::default() };
    for version in VERSIONS {
        let Some(_) = open("spring_half", version, &[]) else { return };
        let fmu = || open("spring_half", version, &[]).unwrap();
        let exchanged =
            || fmu().model_exchange("end", Box::new(Theta::default()), &options, Start::default()).unwrap();
        Conformance::new(exchanged).step(1e-3).steps(20).check().assert_passed();
        let simulated = || fmu().co_simulation("end", &options, Start::default()).unwrap();
        Conformance::new(simulated).step(1e-3).steps(20).check().assert_passed();
    }
}
