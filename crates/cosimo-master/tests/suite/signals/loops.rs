//! Loops of feed-through against closed forms.

use cosimo_control::{ControllerBuilder, Limiter, Pid};
use cosimo_master::{MasterConfig, SetupError, SignalError, SignalLoops, StepError};
use cosimo_subsystem::Hold;

use super::{assemble, controller, gain};

/// The output of a subsystem at the present communication point.
fn output(master: &cosimo_master::Master, name: &str) -> f64 {
    master.signal(name).unwrap()
}

#[test]
fn a_loop_of_gains_is_solved_to_its_tolerance() {
    // a = 2 r + 0.5 b, b = −3 a with r = 3: a = 6 / 2.5.
    let source = ControllerBuilder::new("r", Pid::new(1.0, 0.0)).with_default("setpoint", 3.0);
    let source = source.with_default("measurement", 0.0).build().unwrap();
    let subsystems = vec![Box::new(source) as Box<_>, gain("a", &[2.0, 0.5]), gain("b", &[-3.0])];
    let connections = [("r.output", "a.input_0"), ("b.output", "a.input_1"), ("a.output", "b.input")];
    let mut master = assemble(subsystems, &connections, MasterConfig::default()).unwrap();
    assert_eq!(master.signal_loops(), ["`b.output`, `a.output`"]);
    for _ in 0..10 {
        let (a, b) = (output(&master, "a.output"), output(&master, "b.output"));
        assert!((a - 2.4).abs() < 1e-9 * 7.2 && (b + 7.2).abs() < 1e-9 * 7.2, "{a} {b}");
        master.step(0.1).unwrap();
    }
}

#[test]
fn loops_with_several_cuts_and_a_derivative_part_have_their_closed_form() {
    // u = PD(1, y) with kd / T = 3, kp = 2; y = 0.5 u + 0.25 z; z = −y + 0.1 z.
    let pd = ControllerBuilder::new("pd", Pid::new(2.0, 0.0).with_derivative(0.3, 0.1))
        .with_default("setpoint", 1.0)
        .with_hold(Hold::Held)
        .build()
        .unwrap();
    let subsystems = vec![Box::new(pd) as Box<_>, gain("y", &[0.5, 0.25]), gain("z", &[-1.0, 0.1])];
    let connections = [
        ("pd.output", "y.input_0"),
        ("z.output", "y.input_1"),
        ("y.output", "z.input_0"),
        ("z.output", "z.input_1"),
        ("y.output", "pd.measurement"),
    ];
    let master = assemble(subsystems, &connections, MasterConfig::default()).unwrap();
    // u = 5 (1 − y), z = −y / 0.9.
    let y = 2.5 / (1.0 + 2.5 + 0.25 / 0.9);
    for (name, exact) in [("pd.output", 5.0 * (1.0 - y)), ("y.output", y), ("z.output", -y / 0.9)] {
        let found = output(&master, name);
        assert!((found - exact).abs() < 1e-9 * 5.0, "{name}: {found} {exact}");
    }
}

#[test]
fn a_limiter_in_the_loop_meets_its_corner() {
    // e = 10 − 4 y, y = clamp(e): at the limit 1.5, and without it at 2.
    for (limit, exact) in [(1.5, 1.5), (30.0, 2.0)] {
        let source =
            ControllerBuilder::new("e", Pid::new(1.0, 0.0)).with_default("setpoint", 10.0).build().unwrap();
        let limiter = controller("limiter", Limiter::new([-limit, limit]), Hold::Held);
        let subsystems = vec![Box::new(source) as Box<_>, gain("four", &[4.0]), limiter];
        let connections = [
            ("e.output", "limiter.input"),
            ("limiter.output", "four.input"),
            ("four.output", "e.measurement"),
        ];
        let mut master = assemble(subsystems, &connections, MasterConfig::default()).unwrap();
        master.step(0.1).unwrap();
        let y = output(&master, "limiter.output");
        assert!((y - exact).abs() < 1e-8, "{y} {exact}");
    }
}

#[test]
fn a_loop_that_is_forbidden_or_has_no_solution_is_named() {
    let connections = [("a.output", "b.input"), ("b.output", "a.input")];
    let forbid = MasterConfig { signal_loops: SignalLoops::Forbid, ..MasterConfig::default() };
    let error = assemble(vec![gain("a", &[2.0]), gain("b", &[0.25])], &connections, forbid).unwrap_err();
    assert!(matches!(&error, SetupError::Signals(SignalError::Loop { .. })), "{error}");
    let text = error.to_string();
    assert!(text.contains("`a.output`") && text.contains("`b.output`") && text.contains("solve"), "{text}");

    // y = y + 1: a sampled source starts to differ from zero in the second step.
    let integrator = Pid::new(0.0, 1.0);
    let source = ControllerBuilder::new("ramp", integrator)
        .with_default("setpoint", 1.0)
        .with_default("measurement", 0.0)
        .build()
        .unwrap();
    let subsystems = vec![Box::new(source) as Box<_>, gain("a", &[1.0, 1.0])];
    let connections = [("a.output", "a.input_0"), ("ramp.output", "a.input_1")];
    let mut master = assemble(subsystems, &connections, MasterConfig::default()).unwrap();
    let error = master.step(0.1).unwrap_err();
    assert!(
        matches!(&error, StepError::Signals { source: SignalError::LoopNotSolved { .. }, .. }),
        "{error}"
    );
    let mut text = error.to_string();
    text.push_str(&std::error::Error::source(&error).unwrap().to_string());
    assert!(text.contains("`a.output`") && text.contains("gain is one"), "{text}");
}
