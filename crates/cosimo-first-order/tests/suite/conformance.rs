//! The contract, under every rule.

use cosimo_dynamics::{GeneralizedAlpha, Multistep};
use cosimo_dynamics::{StepRule, Theta};
use cosimo_first_order::{FirstOrderSubsystem, Point};
use cosimo_subsystem::Stepped;
use cosimo_subsystem::conformance::Conformance;
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};

use crate::systems::{Ball, Oscillator, Support, ball_map, oscillator_map, support_map};

/// Makes a rule.
type MakeRule = Box<dyn Fn() -> Box<dyn StepRule>>;

/// Those of them that are of order one.
pub(crate) const OF_ORDER_ONE: [&str; 3] = ["theta 0.7", "backward differentiation 1", "newmark 0.8"];

pub(crate) fn rules() -> Vec<(&'static str, MakeRule)> {
    vec![
        ("theta 0.5", Box::new(|| Box::new(Theta::new(0.5).unwrap()))),
        ("theta 0.7", Box::new(|| Box::new(Theta::new(0.7).unwrap()))),
        ("multistep 0.6", Box::new(|| Box::new(Multistep::new(0.6).unwrap()))),
        (
            "backward differentiation 1",
            Box::new(|| Box::new(Multistep::backward_differentiation(1).unwrap())),
        ),
        ("generalized-alpha 0.8", Box::new(|| Box::new(GeneralizedAlpha::new(0.8).unwrap()))),
        ("hht -0.1", Box::new(|| Box::new(GeneralizedAlpha::hht(-0.1).unwrap()))),
        ("newmark 0.8", Box::new(|| Box::new(GeneralizedAlpha::newmark(0.8).unwrap()))),
    ]
}

pub(crate) fn oscillator(
    hardening: f64,
    rule: Box<dyn StepRule>,
) -> Stepped<FirstOrderSubsystem<Oscillator>> {
    let system = Oscillator { hardening, ..Oscillator::default() };
    let start = Point { time: 0.0, states: &[0.05, -0.3], inputs: &[0.0; 2] };
    FirstOrderSubsystem::new("oscillator", system, rule, oscillator_map(), start).unwrap()
}

#[test]
fn an_oscillator_keeps_the_contract_under_every_rule() {
    for (_, rule) in rules() {
        for hardening in [0.0, 5e4] {
            let report = Conformance::new(|| oscillator(hardening, rule())).step(1e-3).steps(30).check();
            report.assert_passed();
        }
    }
}

#[test]
fn a_support_keeps_the_contract_under_every_rule() {
    for (_, rule) in rules() {
        let start = Point { time: 0.0, states: &[0.0], inputs: &[0.0; 2] };
        let make = || FirstOrderSubsystem::new("support", Support, rule(), support_map(), start).unwrap();
        let report = Conformance::new(make).step(1e-3).steps(30).check();
        report.assert_passed();
    }
}

#[test]
fn a_bouncing_ball_keeps_the_contract_while_it_bounces() {
    for (_, rule) in rules() {
        let start = Point { time: 0.0, states: &[0.01, -0.5], inputs: &[0.0] };
        let make = || FirstOrderSubsystem::new("ball", Ball::default(), rule(), ball_map(), start).unwrap();
        let report = Conformance::new(make).step(1e-3).steps(30).check();
        report.assert_passed();
    }
}

#[test]
fn no_call_allocates_after_the_first_steps() {
    for (name, rule) in rules() {
        let mut subsystem = oscillator(0.0, rule());
        let loads = StepLoads::zeros(1);
        let mut take = |k: u32| {
            let step = MacroStep { time: f64::from(k) * 1e-3, size: 1e-3 };
            subsystem.begin(step, &[0.0]).unwrap();
            subsystem.evaluate(&[1e-3]).unwrap();
            subsystem.evaluate_rows(&[1e-3]).unwrap();
            subsystem.commit(&loads).unwrap();
        };
        (0..4).for_each(&mut take);
        let info = allocation_counter::measure(|| (4..20).for_each(&mut take));
        assert_eq!(info.count_total, 0, "{name}");
    }
}

#[test]
fn rules_that_need_points_before_their_start_are_refused() {
    for rule in [Multistep::backward_differentiation(2).unwrap(), Multistep::adaptive(5).unwrap()] {
        let start = Point { time: 0.0, states: &[0.0], inputs: &[0.0; 2] };
        let refused = FirstOrderSubsystem::new("support", Support, Box::new(rule), support_map(), start);
        let text = refused.map(|_| ()).unwrap_err().to_string();
        assert!(text.contains("support") && text.contains("points before its start"), "{text}");
    }
}
