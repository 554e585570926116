//! The short table at the end of a run.

use cosimo_master::{
    CallSeconds, CouplingMode, InterfaceReport, MasterSeconds, Outcome, RecordingSeconds, RunReport,
    SubsystemReport,
};
use cosimo_mechanics::EnergyBalance;
use cosimo_results::SummaryTable;
use cosimo_subsystem::Statistics;

fn subsystem(name: &str, seconds: f64, newton_iterations: u64) -> SubsystemReport {
    let statistics = Statistics {
        steps: 2000,
        evaluations: 4413,
        newton_iterations,
        rollbacks: 2,
        factorizations: 3,
        refreshes: 0,
    };
    SubsystemReport {
        name: name.into(),
        coupling: CouplingMode::Exact,
        seconds: CallSeconds { begin: 0.25 * seconds, commit: 0.75 * seconds, ..CallSeconds::default() },
        statistics,
        energy_numerical: 0.0,
    }
}

fn interface(name: &str, iterations: u64, energy_monitor: f64) -> InterfaceReport {
    InterfaceReport {
        name: name.into(),
        iterations,
        most_iterations: 4,
        largest_residual: 9.9e-10,
        energy_monitor,
        energy_most: 1e-17,
        energy_dissipated: 0.25,
        energy_exceeded: u64::from(name == "link") * 7,
        load_contraction: (name == "link").then_some(0.023),
    }
}

fn report() -> RunReport {
    RunReport {
        outcome: Outcome::Completed,
        end_time: 2.0_f64.next_up(),
        steps: 2000,
        interface_solves: 2000,
        master_iterations: 2413,
        most_iterations: 4,
        contraction: None,
        failed_steps: 0,
        solved_at_once: 0,
        unsolved_steps: 0,
        largest_contact_residual: 0.0,
        step_sizes: Default::default(),
        impacts: 14,
        contact_steps: 202,
        impact_gains: Vec::new(),
        energy: EnergyBalance {
            start: 10.01,
            end: 6.41,
            contact: -3.6,
            external: 0.0,
            dissipated: 0.0,
            interfaces: 1.3e-16,
            subsystems: -2.1e-14,
            monitor_sum: -2.087e-14,
        },
        warnings: Vec::new(),
        subsystems: vec![
            subsystem("lower", 0.0123, 12),
            subsystem("upper, with a name that is much too long", 0.0223, 0),
        ],
        interfaces: vec![interface("link", 2000, 0.0), interface("spring", 2413, 1.3e-16)],
        master: MasterSeconds {
            coupling: 0.008,
            contacts: 0.0031,
            other: 0.0001,
            ..MasterSeconds::default()
        },
        recording: RecordingSeconds { results: 0.0041, checkpoints: 0.0 },
        wall_seconds: 0.0534,
    }
}

#[test]
fn the_table_shows_counts_energies_and_times() {
    let report = report();
    let table = SummaryTable::new(&report).with_title(Some("Two masses")).to_string();
    let expected = [
        "Two masses",
        "completed at t = 2 s",
        "steps                          2000   in 0.0534 s, 37453 steps per second",
        "interface solves per step     1.000",
        "master iterations per step    1.206   at most 4",
        "failed steps                      0",
        "impacts                          14   202 steps with a contact under load",
        "energy",
        "  at the start            +1.00100e1    J",
        "  contacts                -3.60000e0    J",
        "  external work           +0.00000e0    J",
        "  damping                 +0.00000e0    J",
        "  created at interfaces   +1.30000e-16  J",
        "  created in subsystems   -2.10000e-14  J",
        "  at the end              +6.41000e0    J",
        "  energy monitor, sum     -2.08700e-14  J",
        "interface                 iterations   residual         created         damped",
        "  spring                       1.206    9.9e-10   +1.3000e-16 J   -2.5000e-1 J",
        "  link                         1.000    9.9e-10     +0.0000e0 J   -2.5000e-1 J",
        "    its loads contract by 0.0230 a pass without tangents",
        "    created more than allowed 7 times",
        "time of the processor        0.0499 s          evaluations rollbacks  factorised",
        "  upper, with…ch too long    0.0223 s  44.7 %        4413         2           3",
        "    commit 33.5 %, begin 11.2 %",
        "  lower                      0.0123 s  24.6 %        4413         2           3",
        "    commit 18.5 %, begin 6.2 %",
        "  master                     0.0112 s  22.4 %",
        "    coupling 16.0 %, contacts 6.2 %",
        "  recording                  0.0041 s   8.2 %",
    ];
    assert_eq!(table.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn the_table_fits_a_terminal() {
    let mut report = report();
    report.subsystems =
        (0..100).map(|k| subsystem(&format!("member_{k}"), 1e-4 * f64::from(k), 1_000_000_000)).collect();
    report.interfaces =
        (0..100).map(|k| interface(&format!("joint_{k}"), 1_000_000_000 + k, -1e-300)).collect();
    report.steps = 1_000_000_000;
    let table = SummaryTable::new(&report).to_string();
    assert!(table.lines().all(|line| line.chars().count() <= 80), "{table}");
    assert!(table.lines().count() < 42, "{table}");
    assert!(table.contains("  93 others, at most"), "{table}");
    assert!(table.contains("  89 other subsystems"), "{table}");
}

#[test]
fn a_run_that_ended_early_says_why() {
    let mut report = report();
    report.outcome = Outcome::Failed("`spring` did not converge".into());
    assert!(
        SummaryTable::new(&report).to_string().starts_with("failed at t = 2 s: `spring` did not converge\n")
    );
    report.outcome = Outcome::Stopped;
    let table = SummaryTable::new(&report).with_reason(Some("interrupted with Ctrl-C")).to_string();
    assert!(table.starts_with("stopped at t = 2 s: interrupted with Ctrl-C\n"));
}

#[test]
fn an_empty_run_divides_by_nothing() {
    let mut report = report();
    (report.steps, report.wall_seconds, report.end_time) = (0, 0.0, f64::NAN);
    report.subsystems.clear();
    assert!(SummaryTable::new(&report).to_string().contains("steps                             0   in 0 s"));
}

#[test]
fn a_coupling_that_is_not_exact_is_told() {
    let mut report = report();
    report.subsystems[0].coupling = CouplingMode::Explicit;
    let table = SummaryTable::new(&report).to_string();
    assert!(table.contains("\n    coupled explicit\n"), "{table}");
    assert_eq!(table.matches("coupled").count(), 1, "{table}");
}

#[test]
fn long_names_are_told_apart() {
    let mut report = report();
    let name = |k: u32| format!("{}{k}{}", "a".repeat(20), "b".repeat(20));
    report.subsystems = (0..2).map(|k| subsystem(&name(k), 1.0, 0)).collect();
    report.interfaces = (2..4).map(|k| interface(&name(k), 1, 0.0)).collect();
    let table = SummaryTable::new(&report).to_string();
    let shown = |k: u32| table.matches(&format!("aaaa{k}bb")).count();
    assert_eq!([0, 1, 2, 3].map(shown), [1; 4], "{table}");
}
