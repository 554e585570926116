//! Macro steps chosen by their error: accuracy for the evaluations spent, and errors that fall with the tolerance.

use cosimo::master::RunReport;
use coupling_tests::{Run, Table, fitted_order};

const OSCILLATOR: &str = "oscillator/model.toml";

/// The oscillator with this spring (N/m) to time `end` (s), with steps of at most 16 ms; largest error of a position at
/// the end (m).
fn oscillator(stiffness: f64, end: f64, tolerance: f64, settings: &[&str]) -> (f64, Run) {
    let folder = if stiffness < 5e3 { "E1_oscillator_k1e3" } else { "E2_oscillator_k1e4" };
    let own = [
        format!("interface.spring.stiffness={stiffness:e}"),
        format!("time.end={end}"),
        "time.step=0.016".to_owned(),
        "master.step_control=error".to_owned(),
        format!("master.error_tolerance={tolerance:e}"),
    ];
    let all: Vec<&str> = own.iter().map(String::as_str).chain(settings.iter().copied()).collect();
    let run = Run::example(OSCILLATOR, &all);
    let reference = Table::reference(&format!("{folder}/reference.csv"));
    let k = reference.column("t").partition_point(|t| *t < end - 1e-9);
    let error = |name: &str, column: &str, offset: f64| {
        (run.at(name, end) - offset - reference.column(column)[k]).abs()
    };
    (error("lower.z", "lower", 0.2).max(error("upper.z", "upper", 0.7)), run)
}

/// Responses that the subsystems computed: begins and evaluations.
fn evaluations(report: &RunReport) -> u64 {
    report.subsystems.iter().map(|subsystem| subsystem.statistics.evaluations).sum()
}

#[test]
fn print() {
    for (k, end) in [(1e3, 0.9), (1e3, 0.7), (1e3, 1.3), (1e4, 0.9), (1e4, 0.7)] {
        for tolerance in [1e-5, 3e-6, 1e-6, 3e-7, 1e-7, 1e-8] {
            let (error, run) = oscillator(k, end, tolerance, &[]);
            let r = &run.report;
            println!("{k:e} {end} {tolerance:e}: {error:e} evals {} steps {} sizes {:?} fact {:?} energy {:?} impacts {}", evaluations(r), r.steps, r.step_sizes, r.subsystems.iter().map(|s| s.statistics.factorizations).collect::<Vec<_>>(), r.energy.monitor_sum, r.impacts);
        }
    }
}
