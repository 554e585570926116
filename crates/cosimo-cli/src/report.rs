//! `cosimo report`: one page of everything that a run has left.

use std::path::{Path, PathBuf};

use cosimo::results::{ResultDirectory, Results};

use crate::args::ReportArgs;
use crate::failure::Failure;
use crate::terminal;

/// Writes the report of a run, into its directory where nothing else is said.
pub(crate) fn report(args: &ReportArgs) -> Result<(), Failure> {
    let path = write(&args.path, args.out.as_deref())?;
    terminal::line(&format!("report in {}", path.display()));
    Ok(())
}

/// Writes the report of a run into its directory, and says where unless it is to be quiet.
pub(crate) fn of_run(directory: &Path, is_quiet: bool) -> Result<(), Failure> {
    let path = write(directory, None)?;
    if !is_quiet {
        terminal::line(&format!("report in {}", path.display()));
    }
    Ok(())
}

/// Writes the report of the run in a directory; returns where it is.
fn write(directory: &Path, out: Option<&Path>) -> Result<PathBuf, Failure> {
    let results = Results::open(directory).map_err(Failure::bad_input)?;
    let path = match out {
        Some(path) => path.to_owned(),
        None => ResultDirectory::report_in(directory).map_err(Failure::bad_input)?,
    };
    std::fs::write(&path, cosimo_report::report(&results))
        .map_err(|error| Failure::failed(format!("cannot write to `{}`: {error}", path.display())))?;
    Ok(path)
}
