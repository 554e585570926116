//! Every law, continuous and sampled, keeps the contract.

use cosimo_control::{ControlLaw, ControllerBuilder, Limiter, Pid, StateSpace, TransferFunction};
use cosimo_subsystem::conformance::Conformance;
use nalgebra::dmatrix;

fn laws() -> Vec<(&'static str, ControlLaw)> {
    let oscillator = StateSpace {
        a: dmatrix![0.0, 1.0; -400.0, -4.0],
        b: dmatrix![0.0, 1.0; 2.0, 0.0],
        c: dmatrix![1.0, 0.0; 0.0, 1.0],
        d: dmatrix![0.0, 0.0; 0.5, 0.0],
        start: vec![0.1, -0.2],
    };
    vec![
        ("pid", Pid::new(2.0, 30.0).with_derivative(0.1, 5e-3).within([-1.5, 1.0]).into()),
        ("integrator", Pid::new(0.0, 3.0).into()),
        ("lead", TransferFunction { numerator: vec![0.5, 1.0], denominator: vec![0.01, 1.0] }.into()),
        ("state-space", oscillator.into()),
        ("gain", StateSpace::gain(dmatrix![1.0, -1.0]).into()),
        ("limiter", Limiter::new([-0.3, 0.4]).into()),
        ("rate-limiter", Limiter::new([-0.3, 0.4]).with_rate(20.0, 0.1).into()),
    ]
}

#[test]
fn every_law_keeps_the_contract() {
    for (name, law) in laws() {
        let continuous = || ControllerBuilder::new(name, law.clone()).build().unwrap();
        Conformance::new(continuous).check().assert_passed();
        // Samples at some communication points, and between them.
        for period in [3e-3, 0.7e-3] {
            let sampled = || ControllerBuilder::new(name, law.clone()).with_period(period).build().unwrap();
            Conformance::new(sampled).check().assert_passed();
        }
    }
}
