//! Step rules by their names.

use cosimo::prelude::{GeneralizedAlpha, Multistep, StepRule, Theta};
use pyo3::prelude::*;

use crate::errors;

/// The rule of this name, with its parameter.
pub(super) fn rule(py: Python<'_>, name: &str, parameter: Option<f64>) -> PyResult<Box<dyn StepRule>> {
    let boxed = |made: Result<Box<dyn StepRule>, cosimo::dynamics::SystemError>| {
        made.map_err(|error| errors::exception(py, "ModelError", (error.to_string(), Vec::new())))
    };
    match (name, parameter) {
        ("midpoint", _) => Ok(Box::new(Theta::default())),
        ("theta", theta) => boxed(Theta::new(theta.unwrap_or(0.5)).map(|own| Box::new(own) as Box<_>)),
        ("multistep", radius) => {
            boxed(Multistep::new(radius.unwrap_or(0.6)).map(|own| Box::new(own) as Box<_>))
        }
        ("generalized-alpha", radius) => {
            boxed(GeneralizedAlpha::new(radius.unwrap_or(0.6)).map(|own| Box::new(own) as Box<_>))
        }
        _ => {
            let text = format!(
                "no step rule `{name}`; known: `midpoint`, `theta`, `multistep`, `generalized-alpha`"
            );
            Err(errors::exception(py, "ModelError", (text, Vec::new())))
        }
    }
}
