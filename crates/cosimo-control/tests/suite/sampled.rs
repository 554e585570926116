//! Sampled laws: when samples are taken, and what they give.

use cosimo_control::{Controller, ControllerBuilder, Pid};
use cosimo_subsystem::{MacroStep, Signal, Subsystem};

use crate::{outputs, step};

fn pi(period: f64) -> Controller {
    ControllerBuilder::new("pi", Pid::new(1.0, 10.0)).with_period(period).build().unwrap()
}

#[test]
fn samples_follow_the_recursion_and_are_held() {
    let (period, h) = (0.1, 0.025);
    let mut control = pi(period);
    let mut integral = 0.0;
    for k in 0..400 {
        let t = f64::from(k) * h;
        let error = (3.0 * t).cos();
        if k % 4 == 0 {
            // The output of a sample shows at once, with the input of its instant.
            let sample = error + integral;
            assert!((outputs(&control, &[error, 0.0])[0] - sample).abs() < 1e-12, "at {t} s");
            integral += 10.0 * period * error;
            step(&mut control, t, h, &[Signal::linear(t, error, 1e3), Signal::held(t, 0.0)]);
            assert!((outputs(&control, &[77.0, 0.0])[0] - sample).abs() < 1e-12, "it is held after {t} s");
        } else {
            step(&mut control, t, h, &[Signal::held(t, 99.0), Signal::held(t, 0.0)]);
        }
    }
}

#[test]
fn sample_instants_are_not_accumulated() {
    // A million periods of 0.1 s, which is no binary fraction, in steps of the same size: one sample a step.
    let mut control = ControllerBuilder::new("pi", Pid::new(0.0, 1.0)).with_period(0.1).build().unwrap();
    for k in 0..1_000_000 {
        let t = f64::from(k) * 0.1;
        step(&mut control, t, 0.1, &[Signal::held(t, 1.0), Signal::held(t, 0.0)]);
    }
    // A sample is due here again: it shows the integral of a million samples.
    assert!((outputs(&control, &[0.0, 0.0])[0] - 1e5).abs() < 1e-5);
}

#[test]
fn a_step_of_too_many_samples_is_refused() {
    let mut control = pi(1e-12);
    let error = control.begin(MacroStep { time: 0.0, size: 1e-3 }, &[]).unwrap_err();
    assert!(error.to_string().contains("its period of 1e-12 s takes 1.0e9 samples"), "{error}");
}

#[test]
fn samples_inside_a_step_take_the_course_of_the_input() {
    let mut control = ControllerBuilder::new("p", Pid::new(2.0, 0.0)).with_period(0.4).build().unwrap();
    step(&mut control, 0.0, 1.0, &[Signal::linear(0.0, 1.0, 1.0), Signal::held(0.0, 0.0)]);
    // Samples at 0, 0.4 and 0.8 s; the last one holds.
    assert!((outputs(&control, &[0.0, 0.0])[0] - 2.0 * 1.8).abs() < 1e-12);
}
