//! The courses of inputs between communication points.

use cosimo_master::{Assembly, Connection, Master, MasterConfig};
use cosimo_subsystem::{Hold, Signal};

use super::assemble;
use super::probe::{Courses, probe};
use crate::models::bouncing_mass;

fn square(t: f64) -> f64 {
    1.0 + t * t
}

/// The courses of an input that is fed by `1 + t²`, over these steps (s).
fn courses(hold: Hold, steps: &[f64]) -> Vec<Signal> {
    let (source, _) = probe("source", Hold::Held, square);
    let (sink, seen) = probe("sink", hold, |_| 0.0);
    let mut master =
        assemble(vec![source, sink], &[("source.y", "sink.u")], MasterConfig::default()).unwrap();
    seen.lock().unwrap().clear();
    for h in steps {
        master.step(*h).unwrap();
    }
    seen.lock().unwrap().clone()
}

#[test]
fn held_inputs_keep_the_value_of_the_communication_point() {
    for (signal, t) in courses(Hold::Held, &[0.1, 0.1, 0.2]).iter().zip([0.0, 0.1, 0.2]) {
        assert!((signal.time - t).abs() < 1e-15);
        assert_eq!((signal.value(t + 0.05), signal.rate(t)), (signal.value(t), 0.0));
        assert!((signal.value(t) - square(t)).abs() < 1e-15);
    }
}

#[test]
fn linear_inputs_go_on_as_over_the_step_before_whatever_its_size() {
    let found = courses(Hold::Linear, &[0.1, 0.3, 0.05, 0.2]);
    assert_eq!(found.len(), 4);
    let times = [0.0, 0.1, 0.4, 0.45];
    assert_eq!(found[0], Signal::held(0.0, 1.0));
    for k in 1..4 {
        let slope = (square(times[k]) - square(times[k - 1])) / (times[k] - times[k - 1]);
        assert!((found[k].value(times[k]) - square(times[k])).abs() < 1e-14);
        assert!((found[k].rate(times[k] + 0.01) - slope).abs() < 1e-12, "step {k}");
    }
}

#[test]
fn smooth_inputs_have_no_corners_and_follow_to_second_order() {
    let lag = |h: f64| {
        let count = (1.0 / h).round() as usize;
        let found = courses(Hold::Smooth, &vec![h; count]);
        for (before, after) in found.iter().zip(&found[1..]) {
            let t = after.time;
            assert!((before.value(t) - after.value(t)).abs() < 1e-13, "value at {t} s");
            assert!((before.rate(t) - after.rate(t)).abs() < 1e-11, "rate at {t} s");
        }
        let last = found.last().unwrap();
        (last.value(1.0) - square(1.0)).abs()
    };
    let (coarse, fine) = (lag(0.05), lag(0.025));
    assert!((coarse / fine - 4.0).abs() < 0.1, "{coarse:e} {fine:e}");
}

#[test]
fn a_jump_of_velocities_in_the_step_before_restarts_the_extrapolation() {
    let (source, _) = probe("source", Hold::Held, square);
    let (sink, seen) = probe("sink", Hold::Linear, |_| 0.0);
    let subsystems = vec![source, bouncing_mass("ball", 1.0, 0.0185), sink];
    let connections = vec![Connection::new("source.y", "sink.u")];
    let assembly = Assembly { subsystems, connections, ..Assembly::default() };
    let mut master = Master::assemble(assembly, MasterConfig::default(), 0.0).unwrap();
    seen.lock().unwrap().clear();
    let mut first_impact = None;
    for k in 0..12 {
        let speed = master.subsystems()[1].rows().velocities[0];
        master.step(0.01).unwrap();
        if speed < 0.0 && master.subsystems()[1].rows().velocities[0] > 0.0 {
            first_impact.get_or_insert(k);
        }
    }
    let (impact, found) = (first_impact.unwrap(), seen.lock().unwrap().clone());
    assert!(impact > 2);
    for (k, signal) in found.iter().enumerate().take(impact + 3).skip(1) {
        let is_held = signal.rate(signal.time) == 0.0;
        assert_eq!(is_held, k == impact + 1, "step {k}, impact in step {impact}");
    }
}

#[test]
fn signals_change_once_a_macro_step() {
    // A ball that bounces in nearly every step: its steps are taken in parts.
    let (source, _) = probe("source", Hold::Held, square);
    let (sink, seen): (_, Courses) = probe("sink", Hold::Linear, |_| 0.0);
    let subsystems = vec![source, bouncing_mass("ball", 1.0, 0.001), sink];
    let connections = vec![Connection::new("source.y", "sink.u")];
    let assembly = Assembly { subsystems, connections, ..Assembly::default() };
    let mut master = Master::assemble(assembly, MasterConfig::default(), 0.0).unwrap();
    seen.lock().unwrap().clear();
    for _ in 0..50 {
        master.step(0.02).unwrap();
    }
    assert_eq!(seen.lock().unwrap().len(), 50);
}
