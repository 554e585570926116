//! What rules read of a state.

use crate::Motion;

/// A motion and its accelerations at an instant.
#[derive(Debug, Clone, Copy)]
pub struct StatePoint<'a> {
    /// Time (s), positions and velocities.
    pub motion: Motion<'a>,
    /// Accelerations (m/s² or rad/s²), which satisfy the equations of motion.
    pub a: &'a [f64],
}
