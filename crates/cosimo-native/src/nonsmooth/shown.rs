//! What a system shows of itself.

use cosimo_dynamics::ConstrainedSystem;
use cosimo_impact::{ContactStep, ImpactState};
use cosimo_subsystem::{Quantity, SignalOutput};

/// A system that can be observed.
pub trait ShownSystem: ConstrainedSystem {
    /// What can be observed of its motion.
    fn quantities(&self) -> Vec<Quantity>;

    /// Writes the values of [`quantities`](Self::quantities).
    fn observe(&self, state: &ImpactState, step: &ContactStep, out: &mut [f64]);

    /// Signals that it gives.
    fn outputs(&self) -> Vec<SignalOutput> {
        Vec::new()
    }

    /// Writes the signals.
    fn observe_outputs(&self, _state: &ImpactState, _out: &mut [f64]) {}
}
