//! Ranges of parameters.

use crate::SystemError;

/// Refuses a spectral radius outside of `[0, 1]`.
pub(super) fn check_spectral_radius(found: f64) -> Result<(), SystemError> {
    within("spectral radius", found, (0.0, 1.0), "in [0, 1]")
}

/// Refuses a parameter outside of this range.
pub(super) fn within(
    quantity: &'static str,
    found: f64,
    (low, high): (f64, f64),
    rule: &'static str,
) -> Result<(), SystemError> {
    let is_within = (low..=high).contains(&found);
    if is_within { Ok(()) } else { Err(SystemError::OutOfRange { quantity, found, rule }) }
}
