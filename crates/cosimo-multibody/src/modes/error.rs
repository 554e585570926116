//! Why there is no equilibrium, or no modes about it.

use thiserror::Error;

/// What is wrong with an equilibrium or a linearisation.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ModesError {
    /// A position of a wrong length.
    #[error("the position has {found} numbers, the system {expected}")]
    Length {
        /// Numbers given.
        found: usize,
        /// Numbers of the system.
        expected: usize,
    },
    /// A steady turn that the constraints forbid.
    #[error(
        "`{constraint}` does not allow to turn steadily: its rate would be {rate:.3e}; let it follow the turn, or turn about another axis"
    )]
    NotSteady {
        /// The constraint.
        constraint: String,
        /// What its rate would be (m/s, or 1/s).
        rate: f64,
    },
    /// Constraints or a stiffness that determine nothing.
    #[error("the equations at the equilibrium are singular")]
    Singular,
    /// A motion that nothing holds, and that forces drive.
    #[error(
        "nothing holds {motion}, and forces of {force:.3e} N or N m drive it: hold it, or let forces hold it"
    )]
    Driven {
        /// What moves, the way it moves, and how much moves with it.
        motion: String,
        /// Power of the forces in the motion over the velocity, or angular velocity, of what is named (N, or N m).
        force: f64,
    },
    /// An equilibrium that was not found.
    #[error(
        "no equilibrium within {iterations} iterations, the last correction was {correction:.3e}; start nearer, or raise loads in steps"
    )]
    NotConverged {
        /// Iterations done.
        iterations: usize,
        /// Largest entry of the last correction (m or rad).
        correction: f64,
    },
    /// Eigenvalues that were not found.
    #[error("the eigenvalues of {size} coordinates were not found; ask for fewer modes")]
    Eigenvalues {
        /// Coordinates that constraints leave free.
        size: usize,
    },
}
