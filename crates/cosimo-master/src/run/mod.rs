//! Runs over a time span, shown to observers, recorded and saved.
//!
//! | where | what |
//! |---|---|
//! | `observer` | what a run shows |
//! | `quantities` | what a run can record |
//! | `sight` | where everything is |
//! | `report` | what is known of a run when it ends |
//! | `checkpoint` | states saved and restored |
//! | `carried` | what of work arrays belongs to them |

mod carried;
pub(crate) mod checkpoint;
pub(crate) mod observer;
pub(crate) mod quantities;
pub(crate) mod report;
mod sight;

use std::fmt;
use std::time::Instant;

use cosimo_nonsmooth::ContactChangeKind;
use cosimo_subsystem::SubsystemError;
use cosimo_subsystem::cost::processor_seconds;
use thiserror::Error;

use crate::contacts::names::{ContactNames, TakenChange};
use crate::energy::created::judge_run;
use crate::execution::cost::Account;
use crate::execution::spans;
use crate::master::Master;
use crate::step_control::{choose_step_control, foretold_size, next_size, step_by_control};
use crate::step_size::pi::SizeBounds;
use sight::Frames;

use crate::{
    ContactEvent, ContactEventKind, ImpactGain, InterfaceReport, Observer, Outcome, RunPosition, RunReport,
    RunState, StepError, StepRecord, SubsystemReport,
};
use checkpoint::costs_so_far;

/// A run that did not reach its end, or that has created more energy than was at stake; the report says how far it came.
#[derive(Error)]
#[error("the run ended at {} s after {} steps: {source}", .report.end_time, .report.steps)]
pub struct RunError {
    /// The run up to the failed step.
    pub report: Box<RunReport>,
    /// Why the step, or the run, failed.
    #[source]
    pub source: Box<StepError>,
}

/// The texts of the error and of its causes, as `main` shows an error that it returns.
impl fmt::Debug for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&SubsystemError::chain(self))
    }
}

impl RunError {
    fn new(report: RunReport, source: StepError) -> Self {
        Self { report: Box::new(report), source: Box::new(source) }
    }
}

impl Master {
    /// Runs to time `end` (s) with steps of size `step` (s), the last one shortened if need be, showing everything to
    /// `observer`. The last communication point is `end` to the last bit. An observer that asks to stop ends the run without error.
    ///
    /// # Errors
    /// A step failed, or the run has created more energy than was at stake; everything up to there has been shown to the observer. An end
    /// or a step that is none is refused before anything is shown.
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
        if let Err(error) = position.check() {
            return Err(RunError::new(failed_report(self, &error, position.seconds), error));
        }
        let clock = RunClock { position, started: Instant::now() };
        self.sim.subsystems.costs.begin_run(self.sim.subsystems.spent());
        let since = processor_seconds();
        let _span = spans::scenario(position.origin, position.end, position.step);
        let labels = self.labels();
        observer.start(&labels, (position.origin, position.end));
        let mut shown = Shown { values: vec![0.0; labels.len()], frames: Frames::of(self, observer) };
        self.control_steps(position.step);
        let mut failure = None;
        let mut done = position.done;
        let mut next = next_size(self.sim.step_control.as_ref(), &self.sim.clock, &position, done);
        let mut is_stopped = done == 0 && shown.show(self, (0, next.is_none()), observer);
        self.sim.subsystems.costs.add_certain(Account::RESULTS, since);
        while let Some(size) = next.filter(|_| !is_stopped) {
            self.sim.progress.next_size = foretold_size(self.sim.step_control.as_ref(), &position, done + 1);
            let taken = match step_by_control(&mut self.sim, size) {
                Ok(taken) => taken,
                Err(error) => {
                    // Of a step that failed midway, what was taken did happen.
                    show_events(self, observer);
                    failure = Some(error);
                    break;
                }
            };
            done += 1;
            next = self.go_on(&position, done, taken);
            self.sim.subsystems.costs.begin_recording();
            show_events(self, observer);
            is_stopped = shown.show(self, (done, next.is_none()), observer);
            let wants_state = next.is_some() && observer.wants_state(done, is_stopped);
            self.sim.subsystems.costs.end_recording();
            if wants_state {
                hand_over_state(self, clock.at(done), observer);
            }
        }
        self.sim.progress.next_size = None;
        let is_cut = is_stopped && next.is_some();
        if is_cut || failure.is_some() {
            // The last communication point reached, wanted or not: nothing computed is lost.
            shown.show(self, (done, true), observer);
        } else {
            let watch = &self.sim.energy.guard.watch;
            failure = judge_run(&self.sim.topology, watch, self.sim.clock.now).err();
        }
        self.finish_run(failure, is_cut, clock.at(done).seconds, observer)
    }

    /// Ends a run that has failed, was cut short, or is complete, after so much wall time (s).
    fn finish_run(
        &mut self,
        failure: Option<StepError>,
        is_cut: bool,
        seconds: f64,
        observer: &mut dyn Observer,
    ) -> Result<RunReport, RunError> {
        self.sim.counters.seconds = costs_so_far(self);
        self.sim.subsystems.costs.end_run();
        let report = match &failure {
            Some(error) => failed_report(self, error, seconds),
            None if is_cut => report(self, Outcome::Stopped, seconds),
            None => report(self, Outcome::Completed, seconds),
        };
        observer.finish(&report);
        match failure {
            None => Ok(report),
            Some(source) => Err(RunError::new(report, source)),
        }
    }

    /// Goes on from the communication point after `done` steps, the last one of size `taken` (s): returns the size of the next step, if any.
    fn go_on(&mut self, position: &RunPosition, done: u64, taken: f64) -> Option<f64> {
        let sim = &mut self.sim;
        let next = next_size(sim.step_control.as_ref(), &sim.clock, position, done);
        if next.is_none() {
            sim.clock.land(position.end, position.step);
        }
        if next.is_some() || done == 1 {
            sim.counters.sizes.note(taken);
        }
        next
    }

    /// Begins to control steps of at most this size (s), unless a control is at work that goes on.
    fn control_steps(&mut self, step: f64) {
        let sim = &mut self.sim;
        let bounds = SizeBounds { largest: step, refinements: sim.topology.config.max_refinements };
        match &mut sim.step_control {
            Some(control) => control.bound(bounds),
            none => {
                let (topology, modes, all) = (&sim.topology, &sim.coupling.modes, &sim.subsystems.all);
                let warnings = (&mut sim.warnings, sim.clock.now);
                *none = Some(choose_step_control(topology, modes, all, &sim.energy, bounds, warnings));
            }
        }
    }
}

fn hand_over_state(master: &mut Master, position: RunPosition, observer: &mut dyn Observer) {
    let since = processor_seconds();
    match master.save() {
        Ok(state) => observer.state(Ok(&RunState { position, master: state })),
        Err(error) => observer.state(Err(&error)),
    }
    master.sim.subsystems.costs.add_certain(Account::CHECKPOINTS, since);
}

/// What is shown at communication points, with its storage.
struct Shown {
    values: Vec<f64>,
    frames: Frames,
}

impl Shown {
    /// Shows the present communication point as far as it is wanted; says whether the observer asks to stop.
    fn show(&mut self, master: &Master, (index, is_last): (u64, bool), observer: &mut dyn Observer) -> bool {
        let mut is_stopped = false;
        if index == 0 || is_last || observer.wants(index) {
            master.write_quantities(&mut self.values);
            let record = StepRecord { step: index, time: master.time(), values: &self.values, is_last };
            is_stopped = observer.step(&record).is_break();
        }
        self.frames.show(master, (index, is_last), observer);
        is_stopped
    }
}

fn show_events(master: &Master, observer: &mut dyn Observer) {
    let names = ContactNames { topology: &master.sim.topology, subsystems: &master.sim.subsystems.all };
    for TakenChange { change, holders } in &master.sim.contacts.changes {
        let name = names.between(change.contact, *holders);
        let (subsystem, contact) = name.split_once('.').unwrap_or((&name, ""));
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

fn impact_gains(master: &Master) -> Vec<ImpactGain> {
    let gains = master.sim.counters.impact_gains.iter().zip(&master.sim.topology.contacts);
    let mut found: Vec<ImpactGain> = Vec::new();
    for (energy, contact) in gains.filter(|(energy, _)| **energy > 0.0) {
        // The contacts of a pool are one after the other.
        match found.last_mut().filter(|last| last.contact == contact.table) {
            Some(last) => last.energy += energy,
            None => found.push(ImpactGain { contact: contact.table.clone(), energy: *energy }),
        }
    }
    found
}

/// The numbers of a run that has failed.
fn failed_report(master: &Master, error: &StepError, wall_seconds: f64) -> RunReport {
    report(master, Outcome::Failed(SubsystemError::chain(error)), wall_seconds)
}

/// The numbers of the run so far.
fn report(master: &Master, outcome: Outcome, wall_seconds: f64) -> RunReport {
    let c = &master.sim.counters;
    let subsystem = |i: usize| SubsystemReport {
        name: master.sim.topology.subsystems[i].name.clone(),
        coupling: master.sim.coupling.modes[i],
        seconds: c.seconds.subsystems[i],
        statistics: c.work(i, master.sim.subsystems.statistics_of(i)),
        energy_numerical: master.sim.energy.monitor.subsystem(i),
    };
    let interface = |j: usize| {
        let energies = master.sim.energy.monitor.joint(j);
        // Load interfaces have no unknowns of their own.
        let tally = c.interfaces.of_run(j);
        InterfaceReport {
            name: master.sim.topology.interface_name(j).to_owned(),
            iterations: tally.iterations,
            most_iterations: tally.most,
            largest_residual: tally.residual,
            energy_monitor: energies.created,
            energy_most: master.sim.energy.monitor.most_created(j),
            energy_dissipated: energies.dissipated,
            energy_exceeded: master.sim.energy.guard.exceeded(j),
            load_contraction: load_contraction(master, j),
        }
    };
    RunReport {
        outcome,
        end_time: master.time(),
        steps: c.steps,
        interface_solves: c.interface_solves,
        master_iterations: c.iterations,
        most_iterations: c.most_iterations,
        contraction: c.contraction,
        failed_steps: c.failed_steps,
        solved_at_once: c.solved_at_once,
        unsolved_steps: c.unsolved_steps,
        largest_contact_residual: c.largest_contact_residual,
        step_sizes: c.sizes,
        impacts: c.impacts,
        contact_steps: c.contact_steps,
        impact_gains: impact_gains(master),
        energy: master.sim.energy.monitor.balance(),
        warnings: master.warnings().to_vec(),
        subsystems: (0..master.sim.subsystems.all.len()).map(subsystem).collect(),
        interfaces: (0..master.sim.topology.interfaces()).map(interface).collect(),
        master: c.seconds.master,
        recording: c.seconds.recording,
        wall_seconds,
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

/// Contraction of the loads of an interface, where it was found.
fn load_contraction(master: &Master, interface: usize) -> Option<f64> {
    let topology = &master.sim.topology;
    let load = topology.load_joints.get(interface.checked_sub(topology.joints.len())?)?;
    master.sim.loads.history.contraction[load.source]
}
