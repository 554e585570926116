//! What a unit keeps: its state, what it is told at an instant, its last step.

use cosimo_master::{MasterState, PendingImpacts};
use serde::{Deserialize, Serialize};

/// Everything that influences the future of a unit.
#[derive(Serialize, Deserialize)]
pub struct UnitState {
    /// Numbers, and texts of those that are texts.
    pub(crate) parameters: Vec<Vec<(f64, String)>>,
    /// Whether the host has given them.
    pub(crate) given_parameters: Vec<bool>,
    pub(crate) given: Vec<f64>,
    pub(crate) carries_contacts: bool,
    pub(crate) is_started: bool,
    /// Whether the host handles events, and whether it does so now.
    pub(crate) handles_events: bool,
    pub(crate) in_events: bool,
    /// Size of the last inner step (s).
    pub(crate) inner_size: f64,
    pub(crate) instant: Instant,
    pub(crate) master: MasterState,
}

/// What a unit is told, and stands before, at an instant.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Instant {
    /// Impacts that come next.
    pub(crate) pending: PendingImpacts,
    /// Whether the clock of impulses ticks.
    pub(crate) ticks: bool,
    /// Impulses at the places of loads (N s, N m s).
    pub(crate) impulses: Vec<f64>,
}

impl Instant {
    /// Takes back the clock of impulses, and the impulses.
    pub(crate) fn forget_impulses(&mut self) {
        self.ticks = false;
        self.impulses.fill(0.0);
    }

    pub(crate) fn set_impulse(&mut self, place: usize, impulse: f64) {
        if self.impulses.len() <= place {
            self.impulses.resize(place + 1, 0.0);
        }
        self.impulses[place] = impulse;
    }

    pub(crate) fn impulse(&self, place: usize) -> f64 {
        self.impulses.get(place).copied().unwrap_or(0.0)
    }
}

/// The step just taken, as differences repeat it.
pub(crate) struct LastStep {
    pub(crate) start: UnitState,
    /// Its size (s).
    pub(crate) size: f64,
}
