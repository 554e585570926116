//! The control of the step at work in a run.

use serde::{Deserialize, Serialize};

use crate::step_size::energy::EnergyControl;
use crate::step_size::error::ErrorControl;
use crate::step_size::pi::SizeBounds;
use crate::topology::Topology;

/// The control at work in a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) enum Control {
    /// Always the step given.
    Fixed,
    /// By the energy at the interfaces.
    Energy(EnergyControl),
    /// By the error of the rows.
    Error(ErrorControl),
}

impl Control {
    /// Sets the sizes that it may choose.
    pub(crate) fn bound(&mut self, bounds: SizeBounds) {
        match self {
            Self::Fixed => {}
            Self::Energy(control) => control.sizes.bound(bounds),
            Self::Error(control) => control.sizes.bound(bounds),
        }
    }

    /// Whether this control belongs to a model of this topology.
    pub(crate) fn fits(&self, topology: &Topology) -> bool {
        match self {
            Self::Fixed => true,
            Self::Energy(control) => control.fits(topology.joints.len()),
            Self::Error(control) => control.fits(topology.watched_rows(), topology.contacts.len()),
        }
    }
}
