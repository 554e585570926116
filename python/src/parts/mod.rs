//! Subsystems, controllers, force laws and winds in Python.
//!
//! | where | what |
//! |---|---|
//! | `callback` | functions of Python, and what becomes of their exceptions |
//! | `rule` | step rules by their names |
//! | `first_order` | `ẋ = f(t, x, u)`, with ports and signals |
//! | `sampled` | controllers with a period |
//! | `law` | force laws |
//! | `air` | winds |
//! | `raw` | subsystems that take their steps themselves |
//! | `conformance` | the rules of the contract |

mod air;
mod callback;
mod conformance;
mod first_order;
mod law;
mod raw;
mod rule;
mod sampled;

use std::sync::{Arc, Mutex};

use cosimo::subsystem::Subsystem;
use pyo3::prelude::*;

use crate::errors;

pub(crate) use air::wind_of;
pub(crate) use callback::Stash;
pub(crate) use conformance::broken_rules;
pub(crate) use first_order::system;
pub(crate) use law::force_law;
pub(crate) use raw::subsystem;
pub(crate) use sampled::controller;

/// A subsystem on its way into a model.
#[pyclass(frozen, module = "cosimo._cosimo")]
pub(crate) struct Part {
    subsystem: Mutex<Option<Box<dyn Subsystem>>>,
    stash: Arc<Stash>,
}

impl Part {
    fn new(subsystem: impl Subsystem + 'static, stash: Arc<Stash>) -> Self {
        Self { subsystem: Mutex::new(Some(Box::new(subsystem))), stash }
    }

    /// What is in it, once.
    pub(crate) fn take(&self, py: Python<'_>) -> PyResult<Box<dyn Subsystem>> {
        let inside = self.subsystem.lock().ok().and_then(|mut own| own.take());
        inside.ok_or_else(|| errors::other(py, "the part is in a model already"))
    }

    /// Where its callbacks leave their exceptions.
    pub(crate) fn stash(&self) -> Arc<Stash> {
        Arc::clone(&self.stash)
    }
}
