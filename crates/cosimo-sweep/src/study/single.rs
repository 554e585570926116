//! One run.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use cosimo_master::{Master, Observer, Outcome, RunReport, StepRecord};
use cosimo_model::{BuildError, ModelSpec};
use cosimo_subsystem::SubsystemError;

use super::{Costs, Row, Runner, Status, Study};
use crate::outputs::Measure;

/// Why a run has no outputs.
struct Failure {
    status: Status,
    reason: String,
    costs: Costs,
}

/// Does a run; `None` where it was stopped from outside.
pub(super) fn run(study: &Study, number: usize, runner: &Runner<'_>) -> Option<Row> {
    let started = Instant::now();
    let done = catch_unwind(AssertUnwindSafe(|| outcome(study, number, runner)));
    let done = done.unwrap_or_else(|panic| Err(Failure::new(Status::Failed, told(panic.as_ref()))));
    let seconds = started.elapsed().as_secs_f64();
    let (status, reason, outputs, costs) = match done {
        Ok((outputs, costs)) => (Status::Completed, String::new(), outputs?, costs),
        Err(Failure { status, reason, costs }) => {
            (status, one_line(&reason), vec![f64::NAN; study.outputs.len()], costs)
        }
    };
    Some(Row { run: number, status, reason, outputs, costs, seconds })
}

/// The outputs of a run; none where it was stopped.
fn outcome(study: &Study, number: usize, runner: &Runner<'_>) -> Result<(Option<Vec<f64>>, Costs), Failure> {
    let read = study.source.model(&study.cases, number);
    let model = read.map_err(|error| Failure::new(Status::Invalid, study.source.told(&error)))?;
    let built = build(model.clone(), runner);
    let mut master = built.map_err(|error| Failure::new(Status::Invalid, SubsystemError::chain(&error)))?;
    let measure = Measure::of(&study.outputs);
    if let Some(name) = measure.missing(&master.labels()) {
        return Err(Failure::new(Status::Invalid, format!("the model of this run has no quantity `{name}`")));
    }
    let mut watchers = (measure, Stopper { stop: runner.stop });
    match master.run(model.time.end, model.time.step, &mut watchers) {
        Ok(report) => {
            let outputs = Some(watchers.0.values()).filter(|_| report.outcome != Outcome::Stopped);
            Ok((outputs, Costs::of(&report)))
        }
        Err(error) => {
            let reason = SubsystemError::chain(error.source.as_ref());
            Err(Failure { status: Status::Failed, reason, costs: Costs::of(&error.report) })
        }
    }
}

/// Builds the model of a run. Units of which a process can hold one only are in processes of their own, where other runs have theirs.
fn build(mut model: ModelSpec, runner: &Runner<'_>) -> Result<Master, BuildError> {
    if runner.threads.get() > 1 {
        model.isolate_single_units();
    }
    match runner.server {
        Some(server) => model.build_served(&|| server()),
        None => model.build(),
    }
}

impl Failure {
    fn new(status: Status, reason: String) -> Self {
        Self { status, reason, costs: Costs::default() }
    }
}

impl Costs {
    fn of(report: &RunReport) -> Self {
        Self {
            end_time: report.end_time,
            steps: report.steps,
            iterations: report.master_iterations,
            impacts: report.impacts,
            warnings: report.warnings.len() as u64,
        }
    }
}

/// What a panic said.
fn told(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("the program panicked: {}", text.unwrap_or("without a reason"))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Ends a run when it is asked to.
struct Stopper<'a> {
    stop: &'a (dyn Fn() -> bool + Sync),
}

impl Observer for Stopper<'_> {
    fn wants(&self, _step: u64) -> bool {
        (self.stop)()
    }

    fn step(&mut self, _record: &StepRecord<'_>) -> ControlFlow<()> {
        if (self.stop)() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}
