//! How much energy an interface may create in a step; about what a run has created altogether see `watch`.
//!
//! ```text
//!   ε_j ≤ energy_limit + energy_tolerance · E
//! ```
//!
//! for the energy `ε_j` that interface `j` creates in a macro step (`monitor`) and the largest energy `E` that there has
//! been so far, or that the interface has passed on in this step if that is more. A step in halves shares what is
//! allowed. What an interface loses is allowed: relaxed joints do.

use serde::{Deserialize, Serialize};

use super::watch::EnergyWatch;
use crate::MasterConfig;
use crate::topology::Topology;

/// What the guard remembers.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct EnergyGuard {
    /// Largest energy there has been (J).
    largest: f64,
    /// Of every joint, how often it created more than allowed.
    exceeded: Vec<u64>,
    /// What the run has created.
    pub(crate) watch: EnergyWatch,
}

impl EnergyGuard {
    pub(crate) fn new(topology: &Topology) -> Self {
        Self { largest: 0.0, exceeded: vec![0; topology.interfaces()], watch: EnergyWatch::new(topology) }
    }

    /// How often a joint created more than allowed.
    pub(crate) fn exceeded(&self, joint: usize) -> u64 {
        self.exceeded[joint]
    }

    /// Takes up the energy there is (J).
    pub(super) fn take_up(&mut self, energy: f64) {
        self.largest = self.largest.max(energy);
    }

    /// Counts a step in which a joint created more than allowed; says how many there were.
    pub(super) fn count(&mut self, joint: usize) -> u64 {
        self.exceeded[joint] += 1;
        self.exceeded[joint]
    }

    /// Energy (J) that an interface may create in a macro step in which it passes on so much (J).
    pub(super) fn allowed(&self, config: &MasterConfig, passed: f64) -> f64 {
        config.energy_limit + config.energy_tolerance * self.largest.max(passed)
    }

    /// Whether this belongs to a model with so many joints.
    pub(crate) fn fits(&self, topology: &Topology) -> bool {
        self.exceeded.len() == topology.interfaces() && self.watch.fits(topology)
    }
}
