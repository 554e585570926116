//! Errors of descriptions.

use cosimo_mechanics::TimeTableError;
use cosimo_subsystem::SubsystemError;
use thiserror::Error;

use crate::airfoil::AirfoilError;
use crate::blade::BladeError;

/// Why a rotor cannot be built.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SpecError {
    /// A number outside its range.
    #[error("`{parameter}` is {found}, must be {rule}")]
    OutOfRange {
        /// Name of the parameter.
        parameter: &'static str,
        /// Value found.
        found: f64,
        /// The rule broken.
        rule: &'static str,
    },
    /// A direction that is zero or not finite.
    #[error("`{parameter}` must be a direction: three finite numbers, not all zero")]
    Direction {
        /// Name of the parameter.
        parameter: &'static str,
    },
    /// A blade that breaks a rule.
    #[error("blade: {0}")]
    Blade(#[from] BladeError),
    /// Data of an airfoil that break a rule.
    #[error("airfoil {index}: {source}")]
    Airfoil {
        /// The airfoil, counted from 0 from the root.
        index: usize,
        /// The rule broken.
        source: AirfoilError,
    },
    /// A ground for an inflow that does not know it.
    #[error("`ground` needs an inflow with one field for the whole disk, not `annular`")]
    GroundOfAnnuli,
    /// A table of wind that breaks a rule.
    #[error(transparent)]
    WindTable(#[from] TimeTableError),
    /// The description of the subsystem contradicts itself.
    #[error(transparent)]
    Description(#[from] SubsystemError),
}

/// Refuses a number that is not finite.
pub(super) fn finite(parameter: &'static str, found: f64) -> Result<(), SpecError> {
    let rule = "finite";
    if found.is_finite() { Ok(()) } else { Err(SpecError::OutOfRange { parameter, found, rule }) }
}

/// Refuses a number that is not finite and positive.
pub(super) fn positive(parameter: &'static str, found: f64) -> Result<(), SpecError> {
    let rule = "positive and finite";
    let is_right = found > 0.0 && found.is_finite();
    if is_right { Ok(()) } else { Err(SpecError::OutOfRange { parameter, found, rule }) }
}
