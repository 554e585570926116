//! Runs over a time span.

use std::time::Instant;

use cosimo_nonsmooth::ContactChangeKind;
use thiserror::Error;

use crate::{
    ContactEvent, ContactEventKind, InterfaceReport, Master, Observer, Outcome, RunReport, StepError,
    StepRecord, SubsystemReport,
};

/// A run that did not reach its end; the report tells how far it came.
#[derive(Debug, Error)]
#[error("the run stopped at {} s after {} steps: {source}", .report.end_time, .report.steps)]
pub struct RunError {
    /// The run up to the failed step.
    pub report: Box<RunReport>,
    /// Why the step failed.
    #[source]
    pub source: Box<StepError>,
}

/// Shares of a step below which the last, shortened step is not taken.
const ROUND_OFF: f64 = 1e-9;

impl Master {
    /// Runs to time `end` (s) with steps of size `step` (s), the last one shortened if need be, showing everything to
    /// `observer`. An observer that asks to stop ends the run without error.
    ///
    /// # Errors
    /// A step failed; everything before it has been shown to the observer.
    pub fn run(&mut self, end: f64, step: f64, observer: &mut dyn Observer) -> Result<RunReport, RunError> {
        let started = Instant::now();
        let labels = self.labels();
        let mut values = vec![0.0; labels.len()];
        let origin = self.time();
        observer.start(&labels, (origin, end));
        let whole = ((end - origin) / step + ROUND_OFF).floor().max(0.0);
        let rest = end - origin - whole * step;
        let count = whole as u64 + u64::from(rest > ROUND_OFF * step);
        let mut outcome = Outcome::Completed;
        let mut failure = None;
        let mut done = 0;
        let mut is_stopped = self.show(0, count, &mut values, observer);
        while done < count && !is_stopped {
            let size = if (done + 1) as f64 > whole { rest } else { step };
            if let Err(error) = self.step(size) {
                outcome = Outcome::Failed(describe(&error));
                failure = Some(error);
                break;
            }
            done += 1;
            self.show_events(observer);
            is_stopped = self.show(done, count, &mut values, observer);
        }
        if is_stopped && done < count {
            outcome = Outcome::Stopped;
        }
        if outcome != Outcome::Completed {
            // The last communication point reached, wanted or not: nothing computed is lost.
            self.show(done, done, &mut values, observer);
        }
        let report = self.report(outcome, started);
        observer.finish(&report);
        match failure {
            None => Ok(report),
            Some(source) => Err(RunError { report: Box::new(report), source: Box::new(source) }),
        }
    }

    /// Shows the present communication point if it is wanted; says whether the observer asks to stop.
    fn show(&self, index: u64, count: u64, values: &mut [f64], observer: &mut dyn Observer) -> bool {
        let is_last = index == count;
        if !(index == 0 || is_last || observer.wants(index)) {
            return false;
        }
        self.observe(values);
        let record = StepRecord { step: index, time: self.time(), values, is_last };
        observer.step(&record).is_break()
    }

    fn show_events(&self, observer: &mut dyn Observer) {
        for change in &self.contact_changes {
            let name = &self.layout.contacts[change.contact].name;
            let (subsystem, contact) = name.split_once('.').unwrap_or((name, ""));
            observer.event(&ContactEvent {
                time: change.time,
                kind: match change.kind {
                    ContactChangeKind::Impact => ContactEventKind::Impact,
                    ContactChangeKind::Closing => ContactEventKind::Closing,
                    ContactChangeKind::Release => ContactEventKind::Release,
                },
                subsystem,
                contact,
                velocity_before: change.rate_before,
                velocity_after: change.rate_after,
                impulse: change.impulse,
            });
        }
    }

    /// The numbers of the run so far.
    fn report(&self, outcome: Outcome, started: Instant) -> RunReport {
        let c = &self.counters;
        let subsystem = |i: usize| SubsystemReport {
            name: self.subsystems[i].description().name.clone(),
            seconds: c.subsystem_seconds(i),
            statistics: self.subsystems[i].statistics(),
            energy_numerical: self.monitor.subsystem(i),
        };
        let interface = |(j, joint): (usize, &crate::layout::Joint)| {
            let (energy_monitor, energy_dissipated) = self.monitor.joint(j);
            InterfaceReport {
                name: joint.name.clone(),
                iterations: c.joint_iterations[j],
                largest_residual: c.largest_residuals[j],
                energy_monitor,
                energy_dissipated,
            }
        };
        RunReport {
            outcome,
            end_time: self.time(),
            steps: c.steps,
            interface_solves: c.interface_solves,
            master_iterations: c.iterations,
            most_iterations: c.most_iterations,
            contraction: c.contraction,
            failed_steps: c.failed_steps,
            impacts: c.impacts,
            contact_steps: c.contact_steps,
            energy: self.monitor.balance(),
            subsystems: (0..self.subsystems.len()).map(subsystem).collect(),
            interfaces: self.layout.joints.iter().enumerate().map(interface).collect(),
            master_seconds: c.master_seconds(),
            wall_seconds: started.elapsed().as_secs_f64(),
        }
    }
}

/// The whole chain of an error in one line.
fn describe(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        source = inner.source();
    }
    text
}
