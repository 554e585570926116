//! The eight-legged walker: a multibody system with 24 rows joined to nodes.
#![expect(clippy::unwrap_used, reason = "the walker is in the report")]

mod feet;
mod linkage;

use cosimo::subsystem::Statistics;
use coupling_tests::Run;

/// Work of the multibody system in a run that ends at this time (s), and the macro steps.
fn work(model: &str, end: f64) -> (Statistics, u64) {
    let run = Run::example(model, &[&format!("time.end={end}"), "record.every=1000"]);
    let walker = run.report.subsystems.iter().find(|subsystem| subsystem.name == "w").unwrap();
    (walker.statistics, run.report.steps)
}

/// The work of steps between two times (s): what the start takes is in both.
fn work_between(model: &str, [start, end]: [f64; 2]) -> (Statistics, f64) {
    let ((before, first), (after, last)) = (work(model, start), work(model, end));
    (after.since(before), (last - first) as f64)
}

/// One factorisation a step serves the free motion, the answer of all rows, the loads of the feet, and the gaps that are closed
/// at its end; the inverse mass is found once. Feet come down in these steps: parts of a step count as steps.
#[test]
fn ports_are_answered_from_one_factorisation_a_step() {
    let (free, steps) = work_between("walker/no-ports.toml", [0.01, 0.05]);
    assert_eq!(free.factorizations as f64, steps);
    assert_eq!(free.refreshes, 0);

    let (joined, steps) = work_between("walker/model.toml", [0.01, 0.05]);
    let a_step = |count: u64| count as f64 / steps;
    assert!(a_step(joined.factorizations) <= 1.1, "{joined:?}");
    assert!(a_step(joined.refreshes) <= 1.1, "{joined:?}");
    assert!(a_step(joined.evaluations) <= 3.2, "{joined:?}");
    let of_free = free.newton_iterations as f64 / steps;
    assert!(a_step(joined.newton_iterations) <= 3.0 * of_free, "{joined:?}, {free:?}");
}
