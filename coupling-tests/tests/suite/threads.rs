//! Subsystems in threads of their own give the same bits as in the thread of the master, in every example.

use cosimo::master::Outcome;
use coupling_tests::{Run, models};

fn assert_same_bits(model: &str, overrides: &[&str]) {
    let here = Run::of(&Run::model(model, overrides));
    let there = Run::of(&Run::model(model, &[overrides, &["master.execution=threads"]].concat()));
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
}

#[test]
fn every_example_has_the_same_bits_in_threads() {
    let models = models();
    assert!(models.len() >= 10, "{models:?}");
    for model in models {
        assert_same_bits(&model, &[]);
    }
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
