//! Constrained systems in coordinates that may turn: formulations, step rules and Newton's method on a sparse saddle point.
//!
//! A [`DaeSolver`] advances a [`ConstrainedSystem`]. Its [`Formulation`] says at which levels the constraints are
//! imposed, its [`Method`] how the motion is integrated, and [`TangentPolicy`] how often matrices are factorised. The start
//! may be a rough guess: positions, velocities, accelerations and multipliers are made consistent, and constraints that
//! others imply are left out and named.

mod adaptive;
mod advance;
mod answer;
mod approach;
mod branch;
mod consistent;
mod convergence;
mod damping;
mod error;
mod formulation;
mod frozen;
mod increments;
mod iteration;
mod kept_rows;
mod kkt;
mod metric;
mod prescribed;
mod projection;
mod reach;
mod redundancy;
mod refusal;
mod round_off;
mod rule;
mod scales;
mod settings;
mod snapshot;
mod solver;
mod start;
mod state;
mod trial;

pub use adaptive::ErrorControl;
pub use answer::StepAnswer;
pub use error::DaeError;
pub use formulation::Formulation;
pub use iteration::StepEffort;
pub use rule::Method;
pub use settings::{DaeSettings, TangentPolicy};
pub use solver::{DaeSolver, RedundantRow};
pub use state::DaeState;

use cosimo_dynamics::ConstrainedSystem;
use cosimo_linear::FactorizationError;

/// Name of the constraint that a row belongs to.
fn constraint_of_row(system: &dyn ConstrainedSystem, row: usize) -> String {
    match system.structure().row(row) {
        Some((block, _)) => system.constraint_name(block),
        None => format!("row {row}"),
    }
}

/// Tells where a matrix is singular.
fn singular(system: &dyn ConstrainedSystem, error: FactorizationError) -> DaeError {
    let structure = system.structure();
    let (FactorizationError::Singular { column } | FactorizationError::NotPositiveDefinite { row: column }) =
        error
    else {
        return DaeError::Singular { place: error.to_string() };
    };
    let place = match column.checked_sub(structure.velocities()) {
        Some(row) => format!("`{}`", constraint_of_row(system, row)),
        None => {
            let blocks = structure.coordinates().blocks();
            let block = blocks.iter().rposition(|block| block.velocity <= column).unwrap_or(0);
            system.coordinate_name(block)
        }
    };
    DaeError::Singular { place }
}
