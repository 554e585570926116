//! Order of convergence and agreement with the mechanical rules.

use cosimo_subsystem::{MacroStep, Signal, StepLoads, Subsystem};

use crate::conformance::{oscillator, rules};

/// State of the hardening oscillator at 0.2 s under a force and a signal, by `count` steps.
fn end(rule: Box<dyn cosimo_dynamics::StepRule>, count: u32) -> [f64; 2] {
    let mut subsystem = oscillator(5e4, rule);
    let h = 0.2 / f64::from(count);
    let force = |t: f64| 20.0 * (30.0 * t).cos();
    let mut loads = StepLoads::zeros(1);
    for k in 0..count {
        let time = f64::from(k) * h;
        let [start, end] = [time, time + h].map(|t| 3.0 * (12.0 * t).sin());
        let rates = [time, time + h].map(|t| 36.0 * (12.0 * t).cos());
        subsystem.set_inputs(&[Signal::smooth(time, h, [start, rates[0]], [end, rates[1]])]).unwrap();
        let response = subsystem.begin(MacroStep { time, size: h }, &[force(time)]).unwrap();
        loads.impulses[0] = response.weights.end * force(time + h) + response.weights.start * force(time);
        subsystem.commit(&loads).unwrap();
    }
    let states = subsystem.states();
    [states[0], states[1]]
}

#[test]
fn the_order_is_that_of_the_rule() {
    let fine = end(Box::new(cosimo_dynamics::Theta::default()), 51_200);
    for (name, rule) in rules() {
        let error = |count| {
            let found = end(rule(), count);
            (found[0] - fine[0]).hypot((found[1] - fine[1]) / 20.0)
        };
        let (coarse, halved) = (error(400), error(800));
        let order = (coarse / halved).log2();
        let expected = if name == "theta 0.7" { 1.0 } else { 2.0 };
        assert!((order - expected).abs() < 0.06, "{name}: {order}");
        assert!(halved < if expected > 1.5 { 2e-5 } else { 4e-3 }, "{name}: {halved:e}");
    }
}
