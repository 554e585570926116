//! `cosimo converge`: errors of a model over its macro step, and the orders observed.
//!
//! | file | subject |
//! |---|---|
//! | `plan.rs` | what is run and compared |
//! | `study.rs` | the runs |
//! | `errors.rs` | their distances from the reference |
//! | `jumps.rs` | their graphs with jumps at impacts |
//! | `report.rs` | table, CSV and figure |

mod errors;
mod jumps;
mod plan;
mod report;
mod study;

use std::fs;
use std::path::{Path, PathBuf};

use crate::args::ConvergeArgs;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::terminal;

const TABLE: &str = "convergence.csv";
const FIGURE: &str = "convergence.svg";

/// Runs the study; what is done when it is stopped, and when a run fails, is reported all the same.
pub(crate) fn converge(args: &ConvergeArgs) -> Result<(), Failure> {
    let plan = plan::Plan::new(args)?;
    if let Some(out) = &args.out {
        check(out, args)?;
    }
    let interrupt = Interrupt::listen().map_err(Failure::failed)?;
    let mut studies = Vec::new();
    let mut failed = 0;
    for variant in &plan.variants {
        let runs = study::run(&plan, variant, &interrupt);
        failed += runs.failures.len();
        studies.push(errors::Study::of(&plan, variant, runs));
    }
    terminal::print_result(&report::text(&plan, &studies))?;
    if let Some(out) = &args.out {
        write(out, &plan, &studies)?;
    }
    match (interrupt.stop(), failed) {
        (Some(stop), _) => Err(Failure::Interrupted(stop)),
        (None, 0) => Ok(()),
        (None, 1) => Err(Failure::failed("one of the runs cannot be compared: see above")),
        (None, _) => Err(Failure::failed(format!("{failed} of the runs cannot be compared: see above"))),
    }
}

/// Refuses to replace files without being asked to, before anything is run, and ever to replace what is read.
fn check(out: &Path, args: &ConvergeArgs) -> Result<(), Failure> {
    let inputs: Vec<PathBuf> = [Some(&args.model.path), args.reference.as_ref()]
        .into_iter()
        .flatten()
        .filter_map(|path| path.canonicalize().ok())
        .collect();
    for path in [TABLE, FIGURE].map(|name| out.join(name)) {
        if path.canonicalize().is_ok_and(|path| inputs.contains(&path)) {
            return Err(Failure::bad_input(format!(
                "`{}` is read by the study: name another directory with --out",
                path.display()
            )));
        }
        if path.exists() && !args.force {
            return Err(Failure::bad_input(format!(
                "`{}` exists: add --force to replace it, or name another directory with --out",
                path.display()
            )));
        }
    }
    Ok(())
}

fn write(out: &Path, plan: &plan::Plan, studies: &[errors::Study]) -> Result<(), Failure> {
    let cannot =
        |error: std::io::Error| Failure::bad_input(format!("cannot write to `{}`: {error}", out.display()));
    let figure = report::figure(plan, studies).to_svg().map_err(Failure::failed)?;
    fs::create_dir_all(out).map_err(cannot)?;
    fs::write(out.join(TABLE), report::csv(plan, studies)).map_err(cannot)?;
    fs::write(out.join(FIGURE), figure).map_err(cannot)?;
    terminal::line(&format!("table and figure in {}", out.display()));
    Ok(())
}
