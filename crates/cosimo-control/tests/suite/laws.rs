//! Continuous laws against closed forms.

use cosimo_control::{ControlError, ControllerBuilder, Limiter, Pid, StateSpace, TransferFunction};
use cosimo_subsystem::{Signal, Subsystem};
use nalgebra::dmatrix;

use crate::{outputs, step};

#[test]
fn a_pid_control_is_the_sum_of_its_parts() {
    let (kp, ki, kd, filter) = (2.0, 5.0, 0.3, 0.05);
    let mut pid =
        ControllerBuilder::new("pid", Pid::new(kp, ki).with_derivative(kd, filter)).build().unwrap();
    let (h, error) = (0.1, |t: f64| 1.0 - 0.4 * t);
    for k in 0..10 {
        let t = f64::from(k) * h;
        step(&mut pid, t, h, &[Signal::held(t, 1.0), Signal::linear(t, 0.4 * t, 0.4)]);
    }
    // T e_f' = e − e_f from zero: e_f = e + 0.4 T − (1 + 0.4 T) exp(−t / T).
    let filtered = error(1.0) + 0.4 * filter - (1.0 + 0.4 * filter) * (-1.0 / filter).exp();
    let exact = kp * error(1.0) + ki * (1.0 - 0.2) + kd * (error(1.0) - filtered) / filter;
    let found = outputs(&pid, &[1.0, 0.4])[0];
    assert!((found - exact).abs() < 1e-12, "{found} {exact}");
}

#[test]
fn the_integral_does_not_wind_up() {
    let mut pid = ControllerBuilder::new("pid", Pid::new(1.0, 10.0).within([-1.0, 2.0])).build().unwrap();
    let (h, held) = (0.01, |t, e| [Signal::held(t, e), Signal::held(t, 0.0)]);
    for k in 0..1000 {
        let t = f64::from(k) * h;
        step(&mut pid, t, h, &held(t, 1.0));
        assert!(outputs(&pid, &[1.0, 0.0])[0] <= 2.0);
    }
    // The integral has gone as far as the limit asks for and no farther: the output leaves it at once.
    assert!((outputs(&pid, &[0.5, 0.0])[0] - 1.5).abs() < 1e-12);
    assert_eq!(outputs(&pid, &[-9.0, 0.0]), [-1.0]);
}

#[test]
fn a_transfer_function_answers_a_step_by_its_closed_form() {
    // ω² / (s² + 2 D ω s + ω²).
    let (omega, damping) = (20.0_f64, 0.25_f64);
    let law = TransferFunction {
        numerator: vec![omega * omega],
        denominator: vec![1.0, 2.0 * damping * omega, omega * omega],
    };
    let mut plant = ControllerBuilder::new("plant", law).build().unwrap();
    assert!(plant.description().outputs[0].feed_through.is_empty());
    // Steps of any size are exact.
    let mut t = 0.0;
    for size in [0.01, 0.05, 0.2, 0.003, 0.01] {
        step(&mut plant, t, size, &[Signal::held(t, 1.0)]);
        t += size;
    }
    let decay = (1.0 - damping * damping).sqrt();
    let phase = omega * decay * t;
    let exact = 1.0 - (-damping * omega * t).exp() * (phase.cos() + damping / decay * phase.sin());
    let found = outputs(&plant, &[1.0])[0];
    assert!((found - exact).abs() < 1e-13, "{found} {exact}");
}

#[test]
fn a_rate_is_bounded() {
    let law = Limiter::new([-1.0, 1.0]).with_rate(2.0, 0.0);
    let mut limiter = ControllerBuilder::new("limiter", law).build().unwrap();
    for (k, expected) in [0.2, 0.4, 0.6, 0.8, 1.0, 1.0].into_iter().enumerate() {
        let t = 0.1 * k as f64;
        step(&mut limiter, t, 0.1, &[Signal::held(t, 5.0)]);
        assert!((outputs(&limiter, &[5.0])[0] - expected).abs() < 1e-12);
    }
}

#[test]
fn what_is_wrong_is_refused_with_its_reason() {
    let improper = TransferFunction { numerator: vec![1.0, 0.0, 0.0], denominator: vec![1.0, 1.0] };
    let error = ControllerBuilder::new("d", improper).build().unwrap_err();
    assert_eq!(error, ControlError::NotProper { numerator: 2, denominator: 1 });
    assert!(error.to_string().contains("differentiate"), "{error}");
    let error =
        ControllerBuilder::new("pid", Pid::new(1.0, 0.0).with_derivative(1.0, 0.0)).build().unwrap_err();
    assert!(matches!(error, ControlError::OutOfRange { parameter: "filter", .. }), "{error}");
    let error = ControllerBuilder::new("pid", Pid::new(1.0, 0.0).within([1.0, -1.0])).build().unwrap_err();
    assert!(matches!(error, ControlError::OutOfRange { parameter: "lower", .. }), "{error}");
    let mut wrong = StateSpace::gain(dmatrix![1.0]);
    wrong.c = dmatrix![1.0, 2.0];
    let error = ControllerBuilder::new("gain", wrong).build().unwrap_err();
    assert!(matches!(error, ControlError::Size { parameter: "c", .. }), "{error}");
    let error =
        ControllerBuilder::new("gain", Pid::new(1.0, 0.0)).with_default("input", 0.0).build().unwrap_err();
    assert!(error.to_string().contains("setpoint, measurement"), "{error}");
}
