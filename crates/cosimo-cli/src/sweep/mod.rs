//! `cosimo sweep`: runs a model with many values of its entries.
//!
//! | file | subject |
//! |---|---|
//! | `plan.rs` | what the arguments say |
//! | `files.rs` | table and figure |
//! | `bar.rs` | how far it is |

mod bar;
mod files;
mod plan;

use std::collections::BTreeSet;
use std::time::Instant;

use cosimo::results::Overwrite;
use cosimo::sweep::{Runner, Study, SweepDirectory, SweepTable};

use crate::args::SweepArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::{notices, server, terminal};

/// Reasons that are shown.
const REASONS: usize = 3;

/// Begins a sweep, or goes on with one; what is done when it is stopped stays.
pub(crate) fn sweep(args: &SweepArgs) -> Result<(), Failure> {
    let (mut directory, study) = match &args.resume {
        Some(path) => SweepDirectory::open(path).map_err(files::refused)?,
        None => begin(args)?,
    };
    let interrupt = Interrupt::listen().map_err(Failure::failed)?;
    let threads = args.threads.unwrap_or_else(Runner::all_threads);
    let stop = || interrupt.stop().is_some();
    let runner = Runner { threads, server: Some(&server::command), stop: &stop };
    let done: BTreeSet<usize> = directory.rows().iter().map(|row| row.run).collect();
    let bar = bar::Bar::new(!args.quiet, (study.cases().len(), done.len()));
    let started = Instant::now();
    let ran = study.run(&runner, &done, |row| {
        bar.advance(!row.reason.is_empty());
        directory.keep(row)
    });
    bar.end();
    ran.map_err(Failure::failed)?;
    let table = SweepTable::new(&study, directory.rows());
    files::write(&mut directory, &study, &table)?;
    if !args.quiet {
        let done = table.rows() - done.len();
        show(
            &study,
            &table,
            &format!("{done} in {:.3} s by {threads} at a time", started.elapsed().as_secs_f64()),
        )?;
    }
    terminal::line(&format!("table and figure in {}", directory.path().display()));
    end(&interrupt, &table, &directory)
}

fn begin(args: &SweepArgs) -> Result<(SweepDirectory, Study), Failure> {
    let (study, inputs) = plan::study(args)?;
    let overwrite = if args.force { Overwrite::Force } else { Overwrite::Refuse };
    let directory =
        SweepDirectory::create(&args.out(), &inputs, overwrite, &study).map_err(files::refused)?;
    Ok((directory, study))
}

/// Shows how many runs ended how, and the first reasons.
fn show(study: &Study, table: &SweepTable, now: &str) -> Result<(), Failure> {
    let (all, failures) = (study.cases().len(), table.failures());
    let completed = table.rows() - failures.len();
    let failed = if failures.is_empty() { String::new() } else { format!(", {} not", failures.len()) };
    terminal::print_result(&format!("{completed} of {all} runs completed{failed}; {now}\n"))?;
    for (run, reason) in failures.iter().take(REASONS) {
        terminal::line(&format!("run {}: {reason}", run + 1));
    }
    if failures.len() > REASONS {
        terminal::line(&format!("and {} more: see the column reason", failures.len() - REASONS));
    }
    Ok(())
}

fn end(interrupt: &Interrupt, table: &SweepTable, directory: &SweepDirectory) -> Result<(), Failure> {
    if let Some(stop) = interrupt.stop() {
        terminal::line(&format!("to go on: cosimo sweep --resume {}", directory.path().display()));
        return Err(Failure::Interrupted(stop));
    }
    let errors = notices::take_errors();
    match table.failures().len() {
        0 if errors.is_empty() => Ok(()),
        0 => Err(Failure::failed(errors.join("\n  and "))),
        count => Err(Failure::failed(format!("{count} of {} runs did not come to their end", table.rows()))),
    }
}
