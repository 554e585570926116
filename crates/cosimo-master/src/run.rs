//! Runs over a time span.

use std::time::Instant;

use cosimo_nonsmooth::ContactChangeKind;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::clock::ROUND_OFF;
use crate::layout::Contact;
use crate::{
    ContactEvent, ContactEventKind, ImpactGain, InterfaceReport, Master, Observer, Outcome, RunReport,
    RunState, StepError, StepRecord, SubsystemReport, spans,
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

/// Where a run stands on its grid of communication points.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RunPosition {
    /// Start of the run (s).
    pub origin: f64,
    /// End of the run (s).
    pub end: f64,
    /// Macro step (s).
    pub step: f64,
    /// Macro steps done.
    pub done: u64,
    /// Wall time spent so far (s).
    pub seconds: f64,
}

impl RunPosition {
    /// The beginning of a run from `origin` to `end` (s) with steps of size `step` (s).
    #[must_use]
    pub fn start(origin: f64, end: f64, step: f64) -> Self {
        Self { origin, end, step, done: 0, seconds: 0.0 }
    }

    /// Size (s) of the step after `done` steps of equal size; nothing at the end.
    pub(crate) fn fixed_size(&self, done: u64) -> Option<f64> {
        let (whole, rest) = self.grid();
        if done < whole { Some(self.step) } else { rest.filter(|_| done == whole) }
    }

    /// Whole steps, and the size (s) of the shortened one at the end, if there is any.
    fn grid(&self) -> (u64, Option<f64>) {
        let whole = ((self.end - self.origin) / self.step + ROUND_OFF).floor().max(0.0);
        let rest = self.end - self.origin - whole * self.step;
        (whole as u64, (rest > ROUND_OFF * self.step).then_some(rest))
    }
}

impl Master {
    /// Runs to time `end` (s) with steps of size `step` (s), the last one shortened if need be, showing everything to
    /// `observer`. The last communication point is `end` to the last bit. An observer that asks to stop ends the run without error.
    ///
    /// # Errors
    /// A step failed; everything before it has been shown to the observer.
    pub fn run(&mut self, end: f64, step: f64, observer: &mut dyn Observer) -> Result<RunReport, RunError> {
        self.run_from(RunPosition::start(self.time(), end, step), observer)
    }

    /// As [`run`](Self::run), from a position of a run whose state was [restored](Self::restore). What was shown of it
    /// before is not shown again.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_from(
        &mut self,
        position: RunPosition,
        observer: &mut dyn Observer,
    ) -> Result<RunReport, RunError> {
        let clock = RunClock { position, started: Instant::now() };
        let _span = spans::scenario(&position);
        let labels = self.labels();
        let mut values = vec![0.0; labels.len()];
        observer.start(&labels, (position.origin, position.end));
        self.choose_step_control(position.step);
        let (mut outcome, mut failure) = (Outcome::Completed, None);
        let mut done = position.done;
        let mut next = self.next_size(&position, done);
        let mut is_stopped = done == 0 && self.show(0, next.is_none(), &mut values, observer);
        while let Some(size) = next.filter(|_| !is_stopped) {
            let taken = match self.step_by_control(size) {
                Ok(taken) => taken,
                Err(error) => {
                    // Of a step that failed midway, what was taken did happen.
                    self.show_events(observer);
                    outcome = Outcome::Failed(describe(&error));
                    failure = Some(error);
                    break;
                }
            };
            done += 1;
            next = self.next_size(&position, done);
            if next.is_none() {
                self.clock.land(position.end, position.step);
            }
            if next.is_some() || done == 1 {
                self.counters.sizes.note(taken);
            }
            self.show_events(observer);
            is_stopped = self.show(done, next.is_none(), &mut values, observer);
            if next.is_some() && observer.wants_state(done, is_stopped) {
                self.hand_over_state(clock.at(done), observer);
            }
        }
        if is_stopped && next.is_some() {
            outcome = Outcome::Stopped;
        }
        if outcome != Outcome::Completed {
            // The last communication point reached, wanted or not: nothing computed is lost.
            self.show(done, true, &mut values, observer);
        }
        let report = self.report(outcome, clock.at(done).seconds);
        observer.finish(&report);
        match failure {
            None => Ok(report),
            Some(source) => Err(RunError { report: Box::new(report), source: Box::new(source) }),
        }
    }

    fn hand_over_state(&self, position: RunPosition, observer: &mut dyn Observer) {
        match self.save() {
            Ok(master) => observer.state(Ok(&RunState { position, master })),
            Err(error) => observer.state(Err(&error)),
        }
    }

    /// Shows the present communication point if it is wanted; says whether the observer asks to stop.
    fn show(&self, index: u64, is_last: bool, values: &mut [f64], observer: &mut dyn Observer) -> bool {
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
                    ContactChangeKind::Stick => ContactEventKind::Stick,
                    ContactChangeKind::Slip => ContactEventKind::Slip,
                },
                subsystem,
                contact,
                velocity_before: change.rate_before,
                velocity_after: change.rate_after,
                impulse: change.impulse,
                tangential_impulse: change.tangential,
                friction: change.state,
                work: change.work,
            });
        }
    }

    fn impact_gains(&self) -> Vec<ImpactGain> {
        let gains = self.counters.impact_gains.iter().zip(&self.layout.contacts);
        let gain = |(energy, contact): (&f64, &Contact)| ImpactGain {
            contact: contact.name.clone(),
            energy: *energy,
        };
        gains.filter(|(energy, _)| **energy > 0.0).map(gain).collect()
    }

    /// The numbers of the run so far.
    fn report(&self, outcome: Outcome, wall_seconds: f64) -> RunReport {
        let c = &self.counters;
        let (seconds, master_seconds) = c.seconds(wall_seconds);
        let subsystem = |i: usize| SubsystemReport {
            name: self.layout.members[i].name.clone(),
            coupling: self.ladder.rungs[i],
            seconds: seconds[i],
            statistics: c.work(i, self.statistics_of(i)),
            energy_numerical: self.monitor.subsystem(i),
        };
        let interface = |(j, joint): (usize, &crate::layout::Joint)| {
            let (energy_monitor, energy_dissipated) = self.monitor.joint(j);
            let tally = c.interfaces.of_run(j);
            InterfaceReport {
                name: joint.name.clone(),
                iterations: tally.iterations,
                most_iterations: tally.most,
                largest_residual: tally.residual,
                energy_monitor,
                energy_most: self.monitor.most_created(j),
                energy_dissipated,
                energy_exceeded: self.energy_guard.exceeded(j),
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
            step_sizes: c.sizes,
            impacts: c.impacts,
            contact_steps: c.contact_steps,
            impact_gains: self.impact_gains(),
            energy: self.monitor.balance(),
            subsystems: (0..self.subsystems.len()).map(subsystem).collect(),
            interfaces: self.layout.joints.iter().enumerate().map(interface).collect(),
            master_seconds,
            wall_seconds,
        }
    }
}

/// Wall time of a run that may have begun in another process.
#[derive(Debug, Clone, Copy)]
struct RunClock {
    position: RunPosition,
    started: Instant,
}

impl RunClock {
    /// The position after `done` steps.
    fn at(&self, done: u64) -> RunPosition {
        RunPosition {
            done,
            seconds: self.position.seconds + self.started.elapsed().as_secs_f64(),
            ..self.position
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
