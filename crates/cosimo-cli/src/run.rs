//! `cosimo run`: runs a model and writes its results.

use std::num::NonZeroU64;

use cosimo::master::{Master, Outcome, RunError, RunReport};
use cosimo::model::{ModelSpec, QuantityName};
use cosimo::results::{
    Overwrite, RecordConfig, Recorder, ResultDirectory, ResultsError, Selection, SummaryTable,
};

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::{input, log, terminal};

/// Version of the model file's format, for the summary.
const SCHEMA: u32 = 1;

/// Reads, builds and runs the model; nothing is written before all of it is known to be right.
pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    log::start(args.verbose);
    let model = input::read(&args.model)?;
    let mut master = input::build(&args.model, &model)?;
    let interrupt = Interrupt::listen().map_err(Failure::failed)?;
    let overwrite = if args.force { Overwrite::Force } else { Overwrite::Refuse };
    let directory = ResultDirectory::create(args.out(), overwrite).map_err(refused)?;
    let recorder = Recorder::create(directory.clone(), record_config(&model)).map_err(Failure::bad_input)?;
    tracing::info!("running to t = {} s, results in `{}`", model.time.end, directory.path().display());

    let progress = Progress::new(!args.quiet && args.verbose == 0);
    let mut watchers = (recorder, (progress, interrupt.clone()));
    let ended = master.run(model.time.end, model.time.step, &mut watchers);

    show_warnings(args, &master);
    let reason = stop_reason(&ended, &interrupt);
    let written = complete(watchers.0, reason);
    if !args.quiet {
        show_table(&model, &ended, reason);
        terminal::line(&format!("results in {}", directory.path().display()));
    }
    ended.map_err(Failure::failed)?;
    written?;
    match reason {
        Some(reason) => Err(Failure::Interrupted(reason)),
        None => Ok(()),
    }
}

/// Why there is no directory for the results, with the argument that helps.
fn refused(error: ResultsError) -> Failure {
    match error {
        ResultsError::NotEmpty { path } => Failure::bad_input(format!(
            "`{}` exists and is not empty: add --force to replace the results in it, or name another directory with --out",
            path.display()
        )),
        other => Failure::bad_input(other),
    }
}

/// What the model wants to be recorded.
fn record_config(model: &ModelSpec) -> RecordConfig {
    let select =
        |quantities: Vec<QuantityName>| Selection::new(quantities.into_iter().map(|quantity| quantity.name));
    RecordConfig {
        title: title(model).map(str::to_owned),
        schema: Some(SCHEMA),
        every: NonZeroU64::new(model.record.every.into()).unwrap_or(NonZeroU64::MIN),
        quantities: select(model.recorded_quantities()),
        plot: Some(select(model.plotted_quantities())),
    }
}

fn title(model: &ModelSpec) -> Option<&str> {
    Some(model.title.as_str()).filter(|title| !title.is_empty())
}

/// Shows the warnings of the master, unless the log has.
fn show_warnings(args: &RunArgs, master: &Master) {
    if args.verbose == 0 {
        master.warnings().iter().for_each(|warning| terminal::line(&format!("warning: {warning}")));
    }
}

/// Why a run was stopped, if it was by Ctrl-C.
fn stop_reason(ended: &Result<RunReport, RunError>, interrupt: &Interrupt) -> Option<&'static str> {
    let is_stopped = report(ended).outcome == Outcome::Stopped;
    (is_stopped && interrupt.is_pressed()).then_some("stopped by Ctrl-C")
}

/// Completes the result files.
fn complete(mut recorder: Recorder, reason: Option<&str>) -> Result<(), Failure> {
    let explained = reason.map_or(Ok(()), |reason| recorder.explain(reason));
    recorder.into_result().and(explained).map_err(Failure::failed)
}

fn show_table(model: &ModelSpec, ended: &Result<RunReport, RunError>, reason: Option<&str>) {
    let table = SummaryTable::new(report(ended)).with_title(title(model)).with_reason(reason);
    terminal::print(&format!("{table}\n"));
}

/// The report, also that of a run which failed.
fn report(ended: &Result<RunReport, RunError>) -> &RunReport {
    match ended {
        Ok(report) => report,
        Err(error) => &error.report,
    }
}
