//! The dry run of a unit, in a process of its own.

use cosimo::master::{Master, NoObserver, Observer, Outcome, RunReport};
use cosimo::model::{BuildError, ModelSpec};
use cosimo::results::{Overwrite, RecordConfig, Recorder, ResultDirectory, RunLock};
use cosimo::subsystem::SubsystemError;
use cosimo_fmi::Fmu;
use serde::Serialize;

use super::experiment;
use super::extremes::{Extreme, Extremes};
use super::shape::Shape;
use crate::args::FmuArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::{notices, run, server, start};

/// What came of the dry run.
#[derive(Debug, Serialize)]
pub(crate) struct DryRun {
    /// Start, end as planned, and step (s).
    pub(crate) start: f64,
    pub(crate) end: f64,
    pub(crate) step: f64,
    /// Steps done.
    pub(crate) steps: u64,
    pub(crate) wall_seconds: f64,
    /// Values of all that can be recorded, up to where it came.
    pub(crate) quantities: Vec<Extreme>,
    /// What the unit does that it should not, and what is odd about the run.
    pub(crate) warnings: Vec<String>,
    /// Why it did not come to its end.
    pub(crate) error: Option<String>,
}

/// A dry run, as far as it came, and how the command ends with it.
pub(super) fn dry_run(
    args: &FmuArgs,
    fmu: &Fmu,
    shape: &Shape,
) -> Result<(DryRun, Result<(), Failure>), Failure> {
    let model = experiment::model(args, fmu, shape)?;
    let interrupt = Interrupt::listen().map_err(Failure::failed)?;
    let mut told = DryRun::before(&model);
    let ended = told.run(args, &model, &interrupt);
    told.warnings.extend(notices::warnings());
    told.error = ended.as_ref().err().map(|failure| failure.to_string().replacen("error: ", "", 1));
    let verdict = ended.and_then(|()| told.verdict());
    Ok((told, verdict))
}

impl DryRun {
    fn before(model: &ModelSpec) -> Self {
        let time = model.time;
        Self {
            start: time.start,
            end: time.end,
            step: time.step,
            steps: 0,
            wall_seconds: 0.0,
            quantities: Vec::new(),
            warnings: Vec::new(),
            error: None,
        }
    }

    fn run(&mut self, args: &FmuArgs, model: &ModelSpec, interrupt: &Interrupt) -> Result<(), Failure> {
        let mut master = build(model)?;
        let mut written = record(args, model)?;
        let mut extremes = Extremes::of(&model.subsystems[0].name);
        let mut nobody = NoObserver;
        let recorder: &mut dyn Observer = match &mut written {
            Some((recorder, _)) => recorder,
            None => &mut nobody,
        };
        let watchers = (Progress::new(!args.json), interrupt.clone());
        let ended = master.run(model.time.end, model.time.step, &mut ((&mut extremes, recorder), watchers));
        self.take(&master, run::report_of(&ended), extremes);
        let completed = written.map_or(Ok(()), |(recorder, _)| recorder.into_result().map(drop));
        let outcome = run::report_of(&ended).outcome.clone();
        ended.map_err(Failure::failed)?;
        completed.map_err(Failure::failed)?;
        match interrupt.stop().filter(|_| outcome == Outcome::Stopped) {
            Some(stop) => Err(Failure::Interrupted(stop)),
            None => run::end(master),
        }
    }

    fn take(&mut self, master: &Master, report: &RunReport, extremes: Extremes) {
        self.steps = report.steps;
        self.wall_seconds = report.wall_seconds;
        self.quantities = extremes.into_values();
        self.warnings = master.warnings().iter().map(ToString::to_string).collect();
    }

    /// A unit that does what it should not is no good one, even if it comes to the end.
    fn verdict(&self) -> Result<(), Failure> {
        match self.warnings.len() {
            0 => Ok(()),
            1 => Err(Failure::failed("the dry run came to its end with a warning")),
            count => Err(Failure::failed(format!("the dry run came to its end with {count} warnings"))),
        }
    }
}

/// The master. A unit that refuses is bad input; one that takes its process down, or hangs, has failed.
fn build(model: &ModelSpec) -> Result<Master, Failure> {
    model.build_served(&server::command).map_err(|error| match error {
        BuildError::Remote(SubsystemError::BadDescription { subsystem, reason }) => {
            let named = format!("subsystem `{subsystem}`: ");
            Failure::bad_input(reason.strip_prefix(&named).unwrap_or(&reason))
        }
        BuildError::Remote(failed) => Failure::failed(failed),
        other => Failure::bad_input(other),
    })
}

/// What writes the results, if they are wanted, and keeps other runs out of the directory.
fn record(args: &FmuArgs, model: &ModelSpec) -> Result<Option<(Recorder, RunLock)>, Failure> {
    let Some(out) = &args.out else { return Ok(None) };
    let overwrite = if args.force { Overwrite::Force } else { Overwrite::Refuse };
    let inputs = [args.path.clone()];
    let directory = ResultDirectory::create_from(&inputs, &[], out, overwrite).map_err(Failure::refused)?;
    let lock = directory.lock().map_err(Failure::bad_input)?;
    directory.store_model(&model.to_toml()).map_err(Failure::bad_input)?;
    let config = RecordConfig { checkpoints: None, ..start::record_config(model) };
    let recorder = Recorder::create(directory, config).map_err(Failure::bad_input)?;
    Ok(Some((recorder, lock)))
}
