//! What a system shows of itself.

use cosimo_dynamics::ConstrainedSystem;
use cosimo_impact::{ContactStep, Contacts, ImpactState};
use cosimo_subsystem::scene::{Appearance, Pose};
use cosimo_subsystem::{Quantity, SignalOutput};
use nalgebra::{Matrix3, Vector3};

/// A system that can be observed.
pub trait ShownSystem: ConstrainedSystem {
    /// What can be observed of its motion.
    fn quantities(&self) -> Vec<Quantity>;

    /// Writes the values of [`quantities`](Self::quantities).
    fn observe(&self, state: &ImpactState, step: &ContactStep, out: &mut [f64]);

    /// What it looks like, its contacts excepted. Default: nothing.
    fn appearance(&self) -> Appearance {
        Appearance::default()
    }

    /// Appends the poses of its bodies.
    fn add_poses(&self, _q: &[f64], _out: &mut Vec<Pose>) {}

    /// Signals that it gives.
    fn outputs(&self) -> Vec<SignalOutput> {
        Vec::new()
    }

    /// Writes the signals.
    fn observe_outputs(&self, _state: &ImpactState, _out: &mut [f64]) {}
}

/// Contacts that have a place in the world.
pub trait ShownContacts: Contacts {
    /// Point (m) and axes `n, t₁, t₂` of a contact in world axes, by its number. Default: they have none.
    fn place(&self, _contact: usize, _q: &[f64]) -> Option<(Vector3<f64>, Matrix3<f64>)> {
        None
    }
}
