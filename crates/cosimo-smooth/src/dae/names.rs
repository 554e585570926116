//! Names of the rows and columns of a matrix, for errors.

use cosimo_dynamics::ConstrainedSystem;
use cosimo_linear::FactorizationError;

use super::error::DaeError;

/// Name of the constraint that a row belongs to.
pub(super) fn constraint_of_row(system: &dyn ConstrainedSystem, row: usize) -> String {
    match system.structure().row(row) {
        Some((block, _)) => system.constraint_name(block),
        None => format!("row {row}"),
    }
}

/// Tells where a matrix is singular.
pub(super) fn singular(system: &dyn ConstrainedSystem, error: FactorizationError) -> DaeError {
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
