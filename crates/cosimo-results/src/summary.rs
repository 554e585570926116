//! The run in numbers, as `summary.json`.

use cosimo_master::{
    CallSeconds, ImpactGain, InterfaceReport, MasterSeconds, Outcome, QuantityLabel, RecordingSeconds,
    RunReport, SubsystemReport, Warning,
};
use serde::Serialize;

/// How a run stands, as `summary.json` has it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ending {
    pub(crate) outcome: &'static str,
    pub(crate) reason: Option<String>,
}

impl Ending {
    /// Of a run that goes on, or whose process was killed.
    pub(crate) fn unfinished() -> Self {
        let reason = "the run goes on, or its process was ended from outside".to_owned();
        Self { outcome: "unfinished", reason: Some(reason) }
    }

    /// Of a run that ended.
    pub(crate) fn of(outcome: &Outcome) -> Self {
        match outcome {
            Outcome::Completed => Self { outcome: "completed", reason: None },
            Outcome::Stopped => {
                Self { outcome: "stopped", reason: Some("an observer asked the run to stop".to_owned()) }
            }
            Outcome::Failed(reason) => Self { outcome: "failed", reason: Some(reason.clone()) },
        }
    }
}

/// The content of `summary.json`. Numbers that are not finite become `null`.
#[derive(Debug, Serialize)]
pub(crate) struct Summary<'a> {
    title: Option<&'a str>,
    cosimo_version: &'static str,
    schema: Option<u32>,
    outcome: &'static str,
    reason: Option<&'a str>,
    end_time: f64,
    steps: u64,
    steps_per_second: f64,
    wall_seconds: f64,
    /// Of subsystems, master and recording together.
    processor_seconds: f64,
    master: Cost<'a, MasterSeconds>,
    recording: Cost<'a, RecordingSeconds>,
    interface_solves: u64,
    interface_solves_per_step: f64,
    master_iterations: u64,
    master_iterations_per_step: f64,
    most_iterations: u64,
    contraction: Option<f64>,
    failed_steps: u64,
    solved_at_once: u64,
    unsolved_steps: u64,
    largest_contact_residual: f64,
    refused_steps: u64,
    smallest_step: f64,
    largest_step: f64,
    impacts: u64,
    contact_steps: u64,
    /// Contacts whose impacts created energy, and how much.
    impact_gains: &'a [ImpactGain],
    energy_start: f64,
    energy_end: f64,
    energy_contact: f64,
    energy_external: f64,
    energy_dissipated: f64,
    energy_monitor_interfaces: f64,
    energy_monitor_subsystems: f64,
    energy_monitor_sum: f64,
    /// What was found odd, the first first.
    warnings: &'a [Warning],
    /// Names of the subsystems, the one that took most time first.
    slowest: Vec<&'a str>,
    subsystems: Vec<SubsystemEntry<'a>>,
    interfaces: Vec<InterfaceEntry<'a>>,
    quantities: Vec<QuantityEntry<'a>>,
}

/// Processor time of a part of a run.
#[derive(Debug, Serialize)]
struct Cost<'a, T> {
    seconds: f64,
    phases: &'a T,
}

#[derive(Debug, Serialize)]
struct SubsystemEntry<'a> {
    name: &'a str,
    coupling: &'static str,
    #[serde(flatten)]
    cost: Cost<'a, CallSeconds>,
    steps: u64,
    evaluations: u64,
    newton_iterations: u64,
    rollbacks: u64,
    factorizations: u64,
    refreshes: u64,
    energy_numerical: f64,
}

#[derive(Debug, Serialize)]
struct InterfaceEntry<'a> {
    name: &'a str,
    iterations: u64,
    most_iterations: u64,
    largest_residual: f64,
    energy_monitor: f64,
    energy_most: f64,
    energy_dissipated: f64,
    energy_exceeded: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    load_contraction: Option<f64>,
}

/// A column of `results.csv`.
#[derive(Debug, Serialize)]
struct QuantityEntry<'a> {
    name: String,
    unit: &'a str,
}

impl<'a> Summary<'a> {
    pub(crate) fn new(
        title: Option<&'a str>,
        schema: Option<u32>,
        ending: &'a Ending,
        report: &'a RunReport,
        quantities: impl Iterator<Item = &'a QuantityLabel>,
    ) -> Self {
        let energy = &report.energy;
        Self {
            title,
            cosimo_version: env!("CARGO_PKG_VERSION"),
            schema,
            outcome: ending.outcome,
            reason: ending.reason.as_deref(),
            end_time: report.end_time,
            steps: report.steps,
            steps_per_second: report.steps_per_second(),
            wall_seconds: report.wall_seconds,
            processor_seconds: report.processor_seconds(),
            master: Cost { seconds: report.master.total(), phases: &report.master },
            recording: Cost { seconds: report.recording.total(), phases: &report.recording },
            interface_solves: report.interface_solves,
            interface_solves_per_step: report.interface_solves_per_step(),
            master_iterations: report.master_iterations,
            master_iterations_per_step: report.master_iterations_per_step(),
            most_iterations: report.most_iterations,
            contraction: report.contraction,
            failed_steps: report.failed_steps,
            solved_at_once: report.solved_at_once,
            unsolved_steps: report.unsolved_steps,
            largest_contact_residual: report.largest_contact_residual,
            refused_steps: report.step_sizes.refused,
            smallest_step: report.step_sizes.smallest,
            largest_step: report.step_sizes.largest,
            impacts: report.impacts,
            contact_steps: report.contact_steps,
            impact_gains: &report.impact_gains,
            energy_start: energy.start,
            energy_end: energy.end,
            energy_contact: energy.contact,
            energy_external: energy.external,
            energy_dissipated: energy.dissipated,
            energy_monitor_interfaces: energy.interfaces,
            energy_monitor_subsystems: energy.subsystems,
            energy_monitor_sum: energy.monitor_sum,
            warnings: &report.warnings,
            slowest: report.slowest_subsystems().iter().map(|subsystem| subsystem.name.as_str()).collect(),
            subsystems: report.subsystems.iter().map(SubsystemEntry::new).collect(),
            interfaces: report.interfaces.iter().map(InterfaceEntry::new).collect(),
            quantities: quantities.map(QuantityEntry::new).collect(),
        }
    }
}

impl<'a> SubsystemEntry<'a> {
    fn new(report: &'a SubsystemReport) -> Self {
        let statistics = &report.statistics;
        Self {
            name: &report.name,
            coupling: report.coupling.name(),
            cost: Cost { seconds: report.seconds.total(), phases: &report.seconds },
            steps: statistics.steps,
            evaluations: statistics.evaluations,
            newton_iterations: statistics.newton_iterations,
            rollbacks: statistics.rollbacks,
            factorizations: statistics.factorizations,
            refreshes: statistics.refreshes,
            energy_numerical: report.energy_numerical,
        }
    }
}

impl<'a> InterfaceEntry<'a> {
    fn new(report: &'a InterfaceReport) -> Self {
        Self {
            name: &report.name,
            iterations: report.iterations,
            most_iterations: report.most_iterations,
            largest_residual: report.largest_residual,
            energy_monitor: report.energy_monitor,
            energy_most: report.energy_most,
            energy_dissipated: report.energy_dissipated,
            energy_exceeded: report.energy_exceeded,
            load_contraction: report.load_contraction,
        }
    }
}

impl<'a> QuantityEntry<'a> {
    fn new(label: &'a QuantityLabel) -> Self {
        Self { name: crate::selection::full_name(label), unit: &label.unit }
    }
}

/// The report of a run of which nothing is known.
pub(crate) fn empty_report(outcome: Outcome) -> RunReport {
    RunReport {
        outcome,
        end_time: f64::NAN,
        steps: 0,
        interface_solves: 0,
        master_iterations: 0,
        most_iterations: 0,
        contraction: None,
        failed_steps: 0,
        solved_at_once: 0,
        unsolved_steps: 0,
        largest_contact_residual: 0.0,
        step_sizes: Default::default(),
        impacts: 0,
        contact_steps: 0,
        impact_gains: Vec::new(),
        energy: Default::default(),
        warnings: Vec::new(),
        subsystems: Vec::new(),
        interfaces: Vec::new(),
        master: Default::default(),
        recording: Default::default(),
        wall_seconds: 0.0,
    }
}
