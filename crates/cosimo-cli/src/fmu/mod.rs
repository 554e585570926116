//! `cosimo fmu`: what is in a unit, what it will be as a subsystem, and a dry run of it in a process of its own.
//!
//! | file | subject |
//! |---|---|
//! | `report.rs`, `faces.rs`, `variables.rs`, `shape.rs` | what is told of it, as data |
//! | `experiment.rs` | the model of the dry run |
//! | `dry_run.rs`, `extremes.rs` | the dry run, and what is kept of it |
//! | `text.rs`, `table.rs` | what is printed |

mod dry_run;
mod experiment;
mod extremes;
mod faces;
mod report;
mod shape;
mod table;
mod text;
mod variables;

use cosimo_fmi::Fmu;

use crate::args::FmuArgs;
use crate::failure::Failure;
use crate::terminal;
use report::{Report, Role};
use shape::Shape;

/// Opens the unit, prints what is in it, and runs it.
pub(crate) fn fmu(args: &FmuArgs) -> Result<(), Failure> {
    let unit = Fmu::open(&args.path).map_err(Failure::bad_input)?;
    let shape = Shape::of(&unit, args.face.map(Into::into));
    let role = match shape {
        Ok(shape) => Role::Subsystem(shape),
        Err(error) => Role::None { error: error.to_string() },
    };
    let mut report = Report::of(&unit, &args.path.display().to_string(), role);
    if !args.json {
        terminal::print_result(&text::contents(&report, args.all))?;
    }
    let verdict = if args.no_run { Ok(()) } else { try_out(args, &unit, &mut report) };
    if args.json {
        let text = serde_json::to_string_pretty(&report).map_err(Failure::failed)?;
        terminal::print_result(&format!("{text}\n"))?;
    }
    verdict
}

/// The dry run, which is added to what is told.
fn try_out(args: &FmuArgs, unit: &Fmu, report: &mut Report) -> Result<(), Failure> {
    let shape = match &report.subsystem {
        Role::Subsystem(shape) => shape,
        Role::None { error } => return Err(Failure::bad_input(error.clone())),
    };
    let (run, verdict) = dry_run::dry_run(args, unit, shape)?;
    if !args.json {
        terminal::print_result(&text::dry_run(&run))?;
    }
    report.dry_run = Some(run);
    verdict
}
