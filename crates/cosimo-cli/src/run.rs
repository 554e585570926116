//! `cosimo run`: runs a model and writes its results.

use cosimo::master::{Master, Outcome, RunError, RunReport};
use cosimo::model::ModelSpec;
use cosimo::results::{Recorder, SummaryTable};

use crate::args::RunArgs;
use crate::failure::Failure;
use crate::interrupt::{Interrupt, Stop};
use crate::progress::Progress;
use crate::ranks::Ranks;
use crate::start::{self, Start};
use crate::{convert, log, notices, ranks, report, terminal};

/// Runs a model, or goes on with a run.
pub(crate) fn run(args: &RunArgs) -> Result<(), Failure> {
    let is_logged = if ranks::speaks() { log::start(args.verbose)? } else { log::keep_silent() };
    match Ranks::enter()? {
        Some(ranks) => ranks.end(run_on(&ranks, args, is_logged)),
        None => Ok(()),
    }
}

fn run_on(ranks: &Ranks, args: &RunArgs, is_logged: bool) -> Result<(), Failure> {
    let start = match &args.resume {
        None => Some(start::anew(args, ranks)?),
        Some(path) => start::resumed(path, args.quiet, ranks)?,
    };
    let Some(Start { model, mut master, recorder, position, directory, lock: _lock }) = start else {
        terminal::line("the run is complete: there is nothing to go on with");
        return Ok(());
    };
    let kept = directory.absolute();
    let interrupt = Interrupt::listen().map_err(Failure::failed)?;
    tracing::info!("running to t = {} s, results in `{}`", position.end, directory.path().display());

    let progress = Progress::new(!args.quiet && !is_logged);
    let mut watchers = (recorder, (progress, interrupt.clone()));
    let ended = master.run_from(position, &mut watchers);

    show_warnings(is_logged, &master, &watchers.0);
    let stop = stop_reason(&ended, &interrupt);
    let written = complete(watchers.0, stop);
    if !args.quiet {
        show_table(&model, &ended, stop);
        terminal::line(&format!("results in {}", directory.path().display()));
        if stop.is_some() {
            terminal::line(&format!("to go on: cosimo run --resume {}", directory.path().display()));
        }
    }
    let reported = if args.report { report::of_run(kept.path(), args.quiet) } else { Ok(()) };
    let converted = convert::convert_run(&model, &kept);
    if let (Err(failure), true) = (&converted, ended.is_err() || written.is_err() || stop.is_some()) {
        terminal::line(&failure.to_string());
    }
    ended.map_err(Failure::failed)?;
    written?;
    reported?;
    match stop {
        Some(stop) => Err(Failure::Interrupted(stop)),
        None => end(master).and(converted),
    }
}

/// Ends the subsystems, which some do not survive.
pub(crate) fn end(master: Master) -> Result<(), Failure> {
    drop(master);
    match notices::take_errors() {
        errors if errors.is_empty() => Ok(()),
        errors => Err(Failure::failed(errors.join("\n  and "))),
    }
}

/// Shows the warnings of the master, unless the log has, and why there are no checkpoints.
fn show_warnings(is_logged: bool, master: &Master, recorder: &Recorder) {
    if !is_logged {
        master.warnings().iter().for_each(|warning| terminal::line(&format!("warning: {warning}")));
    }
    if let Some(reason) = recorder.unsaved() {
        terminal::line(&format!("warning: no checkpoints were written: {reason}"));
    }
}

/// Why a run was stopped, if it was from outside.
fn stop_reason(ended: &Result<RunReport, RunError>, interrupt: &Interrupt) -> Option<Stop> {
    interrupt.stop().filter(|_| report_of(ended).outcome == Outcome::Stopped)
}

/// Completes the result files.
fn complete(mut recorder: Recorder, stop: Option<Stop>) -> Result<(), Failure> {
    let explained = stop.map_or(Ok(()), |stop| recorder.explain(stop.reason));
    recorder.into_result().and(explained).map_err(Failure::failed)
}

fn show_table(model: &ModelSpec, ended: &Result<RunReport, RunError>, stop: Option<Stop>) {
    let reason = stop.map(|stop| stop.reason);
    let table = SummaryTable::new(report_of(ended)).with_title(start::title(model)).with_reason(reason);
    terminal::print(&format!("{table}\n"));
}

/// The report, also that of a run which failed.
pub(crate) fn report_of(ended: &Result<RunReport, RunError>) -> &RunReport {
    match ended {
        Ok(report) => report,
        Err(error) => &error.report,
    }
}
