//! `cosimo modes`: equilibria of one multibody subsystem, at rest or turning steadily, and small vibrations about them.
//!
//! | file | subject |
//! |---|---|
//! | `choice.rs` | which subsystem |
//! | `solve.rs` | equilibrium and modes at one speed |
//! | `shape.rs` | shares of the kinetic energy, similarity and picture of a shape |
//! | `blades.rs` | which bodies are blades |
//! | `pattern.rs` | flap, lag, torsion; motions with and against the turn |
//! | `follow.rs` | which mode at one speed continues which at another |
//! | `table.rs` | what is printed |
//! | `files.rs`, `charts.rs` | what is written |

mod blades;
mod charts;
mod choice;
mod files;
mod follow;
mod pattern;
mod shape;
mod solve;
mod table;
mod vibrations;

use crate::args::ModesArgs;
use crate::failure::Failure;
use crate::{input, terminal};

/// Solves at every speed, prints the tables and writes the files.
pub(crate) fn modes(args: &ModesArgs) -> Result<(), Failure> {
    let model = input::read(&args.model)?;
    let subsystem = choice::subsystem(&model, args.subsystem.as_deref())?;
    if let Some(out) = &args.out {
        files::check(out, args.force)?;
    }
    let mut solver = solve::Solver::new(&model, subsystem, args);
    let mut found = Vec::new();
    for speed in &args.at {
        found.push(solver.at(*speed)?);
    }
    let tracks = follow::tracks(&mut found, usize::from(args.count));
    for note in solve::notes(&found) {
        terminal::line(&format!("note: {note}"));
    }
    terminal::print_result(&table::text(subsystem, args.axis, &found))?;
    match &args.out {
        Some(out) => files::write(out, crate::start::title(&model).unwrap_or(subsystem), &found, &tracks),
        None => Ok(()),
    }
}
