//! Settings of the stepper.

use serde::{Deserialize, Serialize};

use crate::error::ImpactError;
use crate::norm::largest;

/// Settings that belong to no scheme.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ImpactSettings {
    /// Change of a velocity, relative to `1 + max |v|`, below which Newton's method has converged. Default: 1e-10.
    pub tolerance: f64,
    /// Iterations after which it gives up. Default: 50.
    pub max_iterations: usize,
    /// Depth of a contact (m), relative to `1 + max |q|`, and residual of a constraint up to which a start is accepted.
    /// Default: 1e-9.
    pub start_tolerance: f64,
    /// Whether a start that is open or in which bodies overlap is moved to the next one that fits. Default: it is refused.
    pub projects_start: bool,
}

impl Default for ImpactSettings {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_iterations: 50, start_tolerance: 1e-9, projects_start: false }
    }
}

/// Round-off of positions, relative to `1 + max |q|`, that a step cannot resolve.
const ROUND_OFF: f64 = 8.0 * f64::EPSILON;

impl ImpactSettings {
    /// Change of a velocity (m/s) that is allowed in a step of size `h` (s) to this position and velocity: the tolerance, or what
    /// round-off of the position is as a velocity.
    pub(crate) fn allowed(&self, h: f64, q: &[f64], v: &[f64]) -> f64 {
        (self.tolerance * (1.0 + largest(v))).max(ROUND_OFF * (1.0 + largest(q)) / h)
    }

    pub(crate) fn check(&self) -> Result<(), ImpactError> {
        for (quantity, found) in [("tolerance", self.tolerance), ("start_tolerance", self.start_tolerance)] {
            if !(found > 0.0 && found.is_finite()) {
                return Err(ImpactError::OutOfRange { quantity, found, rule: "positive" });
            }
        }
        if self.max_iterations == 0 {
            return Err(ImpactError::OutOfRange { quantity: "max_iterations", found: 0.0, rule: "positive" });
        }
        Ok(())
    }
}
