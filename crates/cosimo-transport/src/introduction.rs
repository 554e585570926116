//! What is known of a subsystem before the first request.

use cosimo_subsystem::{Description, Statistics, Subsystem};
use serde::{Deserialize, Serialize};

use crate::message::Present;
use crate::worker::present;

/// What a subsystem elsewhere says of itself before the first request.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Introduction {
    /// Its description.
    pub description: Description,
    /// What shows of its state.
    pub present: Present,
    /// Its work so far.
    pub statistics: Statistics,
}

impl Introduction {
    /// Introduces a subsystem.
    #[must_use]
    pub fn of(subsystem: &dyn Subsystem) -> Self {
        Self {
            description: subsystem.description().clone(),
            present: present(subsystem, Present::default()),
            statistics: subsystem.statistics(),
        }
    }
}
