//! Subsystems in threads of their own give the same bits as in the thread of the master, in every example.

use cosimo::master::Outcome;
use coupling_tests::{Run, models};

/// Examples whose first impact comes after more than 1500 steps.
const LATE: [&str; 2] = ["elastic-bar/model.toml", "oscillator/model.toml"];

/// Examples without impacts.
const SMOOTH: &[&str] = &[
    "andrews/model.toml",
    "bouc-wen-isolator/model.toml",
    "double-pendulum/model.toml",
    "droop-stop-nonlinear/penalty.toml",
    "falling-drag/model.toml",
    "four-bar/model.toml",
    "heavy-top/model.toml",
    "slider-crank-stop/compliant.toml",
    "sliding-block/model.toml",
    "stick-slip-belt/model.toml",
];

/// Runs a model both ways until after its first impact; whether it had one.
fn assert_same_bits(model: &str, overrides: &[&str]) -> bool {
    let threads = [overrides, &["master.execution=threads"]].concat();
    let steps = if LATE.contains(&model) { 6000 } else { 1500 };
    let [here, there] =
        [overrides, &threads].map(|overrides| Run::of(&Run::first_steps(model, overrides, steps)));
    assert!(here.has_bits_of(&there), "{model} {overrides:?}");
    let (a, b) = (&here.report, &there.report);
    assert_eq!(
        (&a.outcome, a.steps, a.interface_solves, a.master_iterations),
        (&b.outcome, b.steps, b.interface_solves, b.master_iterations)
    );
    assert_eq!(
        (a.energy, a.contraction, a.impacts),
        (b.energy, b.contraction, b.impacts),
        "{model} {overrides:?}"
    );
    assert_eq!(a.outcome, Outcome::Completed, "{model} {overrides:?}");
    assert!(a.steps > 0, "{model}");
    a.impacts > 0
}

#[test]
fn every_example_has_the_same_bits_in_threads() {
    let models = models();
    assert!(models.len() >= 10, "{models:?}");
    let without = models.into_iter().filter(|model| !assert_same_bits(model, &[]));
    assert_eq!(without.collect::<Vec<_>>(), SMOOTH);
}

#[test]
fn iterations_have_the_same_bits_in_threads() {
    let thesis = [
        "time.end=0.12",
        "master.scheme=gauss-seidel",
        "master.discretisation=position",
        "interface.joint.law=tikhonov",
        "interface.joint.constant=5e-9",
        "subsystem.rod.solver=multistep",
    ];
    assert_same_bits("droop-stop/model.toml", &thesis);
    assert_same_bits(
        "droop-stop-nonlinear/model.toml",
        &["subsystem.node.mass=100", "master.tolerance=1e-12"],
    );
    assert_same_bits("oscillator/model.toml", &["master.scheme=gauss-seidel", "time.end=0.9"]);
}

#[test]
fn different_runs_have_different_bits() {
    // The comparison itself: a step of another size must be seen.
    let [a, b] = ["1e-3", "1.0000000001e-3"]
        .map(|h| Run::example("oscillator/model.toml", &["time.end=0.5", &format!("time.step={h}")]));
    assert!(a.has_bits_of(&a) && !a.has_bits_of(&b));
}
