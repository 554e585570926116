//! The range of spectral radii.

use cosimo_dynamics::SystemError;

/// Refuses a spectral radius outside of `[0, 1]`.
pub(crate) fn check_spectral_radius(found: f64) -> Result<(), SystemError> {
    if (0.0..=1.0).contains(&found) {
        Ok(())
    } else {
        Err(SystemError::OutOfRange { quantity: "spectral radius", found, rule: "in [0, 1]" })
    }
}
