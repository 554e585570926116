//! Errors of controllers.

use cosimo_subsystem::SubsystemError;
use thiserror::Error;

/// Why a controller cannot be built.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ControlError {
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
    /// A matrix or list of another size.
    #[error("`{parameter}` has {found} entries, must have {expected}")]
    Size {
        /// Name of the parameter.
        parameter: &'static str,
        /// Entries found.
        found: String,
        /// Entries needed.
        expected: String,
    },
    /// A transfer function whose numerator is of higher degree than its denominator.
    #[error(
        "the transfer function is not proper: its numerator is of degree {numerator}, its denominator of degree {denominator}; it \
         would differentiate its input, which has jumps; add a fast pole, such as a filter of the derivative"
    )]
    NotProper {
        /// Degree of the numerator.
        numerator: usize,
        /// Degree of the denominator.
        denominator: usize,
    },
    /// A default of an input that does not exist.
    #[error("there is no input `{name}`; there are: {known}")]
    UnknownInput {
        /// The name.
        name: String,
        /// What there is.
        known: String,
    },
    /// The description contradicts itself.
    #[error(transparent)]
    Description(#[from] SubsystemError),
}

/// Refuses a number that is not finite.
pub(crate) fn finite(parameter: &'static str, found: f64) -> Result<(), ControlError> {
    let rule = "finite";
    if found.is_finite() { Ok(()) } else { Err(ControlError::OutOfRange { parameter, found, rule }) }
}

/// Refuses a number that is not finite and positive.
pub(crate) fn positive(parameter: &'static str, found: f64) -> Result<(), ControlError> {
    let rule = "positive and finite";
    let is_right = found > 0.0 && found.is_finite();
    if is_right { Ok(()) } else { Err(ControlError::OutOfRange { parameter, found, rule }) }
}

/// Refuses bounds that exclude each other; they may be infinite.
pub(crate) fn ordered([lower, upper]: [f64; 2]) -> Result<(), ControlError> {
    let rule = "less than `upper`";
    if lower < upper {
        Ok(())
    } else {
        Err(ControlError::OutOfRange { parameter: "lower", found: lower, rule })
    }
}
