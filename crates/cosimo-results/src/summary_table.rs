//! The short table at the end of a run.

mod lines;

use std::fmt::{self, Display, Formatter};

use cosimo_master::{CallSeconds, CouplingMode, MasterSeconds, Outcome, RecordingSeconds, RunReport};

use crate::text::{shortened, told_apart};
use lines::{count, energy_line, short, short_count, with_warnings};

/// Longest name in a line (characters).
const NAME: usize = 23;
/// Subsystems listed by name; the fastest of more are summed up.
const SUBSYSTEMS: usize = 12;
/// Interfaces listed by name; those of fewest iterations of more are summed up.
const INTERFACES: usize = 8;

/// Phases of a part that are told, the largest.
const PHASES: usize = 4;

/// The short table at the end of a run: steps, interface solves and iterations per step, contacts, energy balance, the
/// interfaces with most iterations first, and the processor time of each subsystem, the slowest first, of the master and of recording;
/// of those with a tenth or more, by phases. It is at most 80 columns wide but for a title or reason that is longer, and ends without a line break.
///
/// The energy at the end is the sum of the energies above it.
#[derive(Debug, Clone, Copy)]
pub struct SummaryTable<'a> {
    report: &'a RunReport,
    title: Option<&'a str>,
    reason: Option<&'a str>,
}

impl<'a> SummaryTable<'a> {
    /// The table of a run.
    #[must_use]
    pub fn new(report: &'a RunReport) -> Self {
        Self { report, title: None, reason: None }
    }

    /// With a title above.
    #[must_use]
    pub fn with_title(self, title: Option<&'a str>) -> Self {
        Self { title, ..self }
    }

    /// With the reason why the run was stopped, which the report does not know.
    #[must_use]
    pub fn with_reason(self, reason: Option<&'a str>) -> Self {
        Self { reason, ..self }
    }

    fn write_outcome(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let report = self.report;
        if let Some(title) = self.title {
            writeln!(f, "{title}")?;
        }
        // To the picosecond: a multiple of the step may be off by one bit.
        let time = (report.end_time * 1e12).round() / 1e12;
        match &report.outcome {
            Outcome::Completed => {
                write!(f, "completed at t = {time} s{}", with_warnings(report.warnings.len()))?
            }
            Outcome::Stopped => write!(f, "stopped at t = {time} s")?,
            Outcome::Failed(reason) => write!(f, "failed at t = {time} s: {reason}")?,
        }
        match self.reason {
            Some(reason) => writeln!(f, ": {reason}"),
            None => writeln!(f),
        }
    }

    fn write_counts(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let speed = format!(
            "in {} s, {} steps per second",
            short(report.wall_seconds),
            short(report.steps_per_second())
        );
        count(f, "steps", &report.steps.to_string(), &speed)?;
        let sizes = &report.step_sizes;
        if sizes.refused > 0 || sizes.smallest < sizes.largest {
            let range = format!("{} to {} s", short(sizes.smallest), short(sizes.largest));
            count(f, "refused steps", &sizes.refused.to_string(), &format!("steps of {range}"))?;
        }
        count(f, "interface solves per step", &format!("{:.3}", report.interface_solves_per_step()), "")?;
        let most = format!("at most {}", report.most_iterations);
        count(
            f,
            "master iterations per step",
            &format!("{:.3}", report.master_iterations_per_step()),
            &most,
        )?;
        if report.solved_at_once > 0 {
            let what = "on which the subsystems did not agree one by one";
            count(f, "steps solved at once", &report.solved_at_once.to_string(), what)?;
        }
        if report.unsolved_steps > 0 {
            let what = format!("residual of contacts up to {:.1e}", report.largest_contact_residual);
            count(f, "steps not solved", &report.unsolved_steps.to_string(), &what)?;
        }
        count(f, "failed steps", &report.failed_steps.to_string(), "")?;
        let contact = format!("{} steps with a contact under load", report.contact_steps);
        count(f, "impacts", &report.impacts.to_string(), &contact)
    }

    fn write_energies(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let energy = &self.report.energy;
        writeln!(f, "energy")?;
        for (name, value) in [
            ("at the start", energy.start),
            ("contacts", energy.contact),
            ("external work", energy.external),
            ("damping", -energy.dissipated),
            ("created at interfaces", energy.interfaces),
            ("created in subsystems", energy.subsystems),
            ("at the end", energy.end),
        ] {
            // Adding zero turns −0 into 0.
            energy_line(f, name, value + 0.0)?;
        }
        energy_line(f, "energy monitor, sum", energy.monitor_sum + 0.0)
    }

    fn write_interfaces(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let interfaces = self.report.slowest_interfaces();
        if interfaces.is_empty() {
            return Ok(());
        }
        writeln!(
            f,
            "{:<26}{:>10}{:>11}{:>16}{:>15}",
            "interface", "iterations", "residual", "created", "damped"
        )?;
        let listed = if interfaces.len() > INTERFACES { INTERFACES - 1 } else { interfaces.len() };
        let steps = self.report.steps.max(1) as f64;
        let line =
            |f: &mut Formatter<'_>, name: &str, (iterations, residual): (u64, f64), energies: [f64; 2]| {
                let [created, damped] = energies.map(|energy| format!("{:+.4e} J", energy + 0.0));
                let iterations = iterations as f64 / steps;
                let name = shortened(name, NAME);
                writeln!(f, "  {name:<24}{iterations:>10.3}{residual:>11.1e}{created:>16}{damped:>15}")
            };
        let names: Vec<String> =
            interfaces[..listed].iter().map(|interface| interface.name.clone()).collect();
        for (interface, name) in interfaces.iter().zip(told_apart(&names, NAME)) {
            let energies = [interface.energy_monitor, -interface.energy_dissipated];
            line(f, &name, (interface.iterations, interface.largest_residual), energies)?;
            if let Some(contraction) = interface.load_contraction {
                let share = short(contraction);
                writeln!(f, "    its loads contract by {share} a pass without tangents")?;
            }
            if interface.energy_exceeded > 0 {
                writeln!(f, "    created more than allowed {} times", interface.energy_exceeded)?;
            }
        }
        let rest = &interfaces[listed..];
        if let Some(first) = rest.first() {
            let residual = rest.iter().map(|interface| interface.largest_residual).fold(0.0, f64::max);
            let energies = rest.iter().fold([0.0, 0.0], |[created, damped], interface| {
                [created + interface.energy_monitor, damped - interface.energy_dissipated]
            });
            let name = format!("{} others, at most", rest.len());
            line(f, &name, (first.iterations, residual), energies)?;
        }
        Ok(())
    }

    fn write_times(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let report = self.report;
        let all = format!("{:<26}{:>9} s", "time of the processor", short(report.processor_seconds()));
        write!(f, "{all:<47}{:>11}{:>10}{:>12}", "evaluations", "rollbacks", "factorised")?;
        let subsystems = report.slowest_subsystems();
        let listed = if subsystems.len() > SUBSYSTEMS { SUBSYSTEMS - 1 } else { subsystems.len() };
        let names: Vec<String> =
            subsystems[..listed].iter().map(|subsystem| subsystem.name.clone()).collect();
        for (subsystem, name) in subsystems.iter().zip(told_apart(&names, NAME)) {
            let statistics = &subsystem.statistics;
            let [evaluations, rollbacks, factorised] =
                [statistics.evaluations, statistics.rollbacks, statistics.factorizations].map(short_count);
            let note = format!("{evaluations:>11}{rollbacks:>10}{factorised:>12}");
            self.write_share(f, &name, subsystem.seconds.total(), &note)?;
            self.write_phases(f, &phases_of_calls(&subsystem.seconds))?;
            if subsystem.coupling != CouplingMode::Exact {
                write!(f, "\n    coupled {}", subsystem.coupling.name())?;
            }
        }
        let rest = &subsystems[listed..];
        if !rest.is_empty() {
            let seconds = rest.iter().map(|subsystem| subsystem.seconds.total()).sum();
            self.write_share(f, &format!("{} other subsystems", rest.len()), seconds, "")?;
        }
        self.write_share(f, "master", report.master.total(), "")?;
        self.write_phases(f, &phases_of_master(&report.master))?;
        let RecordingSeconds { results, checkpoints } = report.recording;
        self.write_share(f, "recording", report.recording.total(), "")?;
        self.write_phases(f, &[("results", results), ("checkpoints", checkpoints)])
    }

    /// Share of the processor time of the run (%).
    fn percent(&self, seconds: f64) -> f64 {
        let all = self.report.processor_seconds();
        if all > 0.0 { 100.0 * seconds / all } else { 0.0 }
    }

    /// The phases of a part that has taken a tenth of the run or more: the largest, where there is more than one to be seen.
    fn write_phases(&self, f: &mut Formatter<'_>, phases: &[(&str, f64)]) -> fmt::Result {
        let mut seen: Vec<_> = phases.iter().map(|(name, seconds)| (name, self.percent(*seconds))).collect();
        if seen.iter().map(|(_, percent)| percent).sum::<f64>() < 10.0 {
            return Ok(());
        }
        seen.retain(|(_, percent)| *percent >= 0.5);
        seen.sort_by(|a, b| b.1.total_cmp(&a.1));
        seen.truncate(PHASES);
        if seen.len() < 2 {
            return Ok(());
        }
        let shown: Vec<String> =
            seen.iter().map(|(name, percent)| format!("{name} {percent:.1} %")).collect();
        write!(f, "\n    {}", shown.join(", "))
    }

    fn write_share(&self, f: &mut Formatter<'_>, name: &str, seconds: f64, note: &str) -> fmt::Result {
        let percent = self.percent(seconds);
        let name = shortened(name, NAME);
        let line = format!("  {name:<24}{:>9} s {percent:>5.1} % {note}", short(seconds));
        write!(f, "\n{}", line.trim_end())
    }
}

impl Display for SummaryTable<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.write_outcome(f)?;
        self.write_counts(f)?;
        self.write_energies(f)?;
        self.write_interfaces(f)?;
        self.write_times(f)
    }
}

fn phases_of_calls(seconds: &CallSeconds) -> [(&'static str, f64); 4] {
    let CallSeconds { begin, evaluate, commit, other } = *seconds;
    [("begin", begin), ("evaluate", evaluate), ("commit", commit), ("other", other)]
}

fn phases_of_master(seconds: &MasterSeconds) -> [(&'static str, f64); 7] {
    let MasterSeconds { signals, coupling, contacts, accounts, messages, threads, other } = *seconds;
    [
        ("signals", signals),
        ("coupling", coupling),
        ("contacts", contacts),
        ("accounts", accounts),
        ("messages", messages),
        ("threads", threads),
        ("other", other),
    ]
}
