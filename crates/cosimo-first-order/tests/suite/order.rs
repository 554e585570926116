//! Order of convergence and agreement with the mechanical rules.

use cosimo_first_order::{FirstOrderSubsystem, FirstOrderSystem, Point, PortMap, SystemError, SystemSize};
use cosimo_subsystem::{MacroStep, Signal, StepLoads, Subsystem};

use crate::conformance::{OF_ORDER_ONE, oscillator, rules};

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
        let expected = if OF_ORDER_ONE.contains(&name) { 1.0 } else { 2.0 };
        assert!((order - expected).abs() < 0.06, "{name}: {order}");
        assert!(halved < if expected > 1.5 { 2e-5 } else { 4e-3 }, "{name}: {halved:e}");
    }
}

/// `ẋ = 0.04 − 3e7 x²`, whose second equilibrium is negative and repels.
struct Quadratic;

impl FirstOrderSystem for Quadratic {
    fn size(&self) -> SystemSize {
        SystemSize { states: 1, inputs: 0, outputs: 0, indicators: 0 }
    }

    fn nominals(&self) -> &[f64] {
        &[1e-2]
    }

    fn rates(&mut self, at: Point<'_>, rates: &mut [f64]) -> Result<(), SystemError> {
        rates[0] = 0.04 - 3e7 * at.states[0] * at.states[0];
        Ok(())
    }

    fn outputs(&mut self, _at: Point<'_>, _outputs: &mut [f64]) -> Result<(), SystemError> {
        Ok(())
    }
}

#[test]
fn a_stage_with_two_solutions_keeps_to_the_one_on_its_side() {
    let start = Point { time: 0.0, states: &[0.0], inputs: &[] };
    let rule = Box::new(cosimo_dynamics::Theta::new(1.0).unwrap());
    let mut subsystem = FirstOrderSubsystem::new("x", Quadratic, rule, PortMap::default(), start).unwrap();
    let h = 1e-2;
    for k in 0..20 {
        subsystem.begin(MacroStep { time: f64::from(k) * h, size: h }, &[]).unwrap();
        subsystem.commit(&StepLoads::zeros(0)).unwrap();
        let x = subsystem.states()[0];
        let at_rest = (0.04f64 / 3e7).sqrt();
        assert!((x - at_rest).abs() < 0.1 * at_rest, "step {k}: {x:e} instead of {at_rest:e}");
    }
}
