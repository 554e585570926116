//! What steps are left with on which contacts and bodies do not agree.

/// Relative residual (–) up to which such a step may be taken. It is a share of velocities, and what it does not know of them works as
/// that share of the energy that the loads exchange: above a hundredth of the energy at stake a run is warned of what it creates, and
/// more than that no step may leave open. A gap errs by this share of its way in a step that has been halved six times.
pub(crate) const RESIDUAL_BOUND: f64 = 1e-2;

/// Where an iteration that did not converge was stopped.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Unsettled {
    pub(crate) iterations: u32,
    /// The row, or the unknown, that is farthest from agreement.
    pub(crate) worst: usize,
    /// Relative residual there (–).
    pub(crate) residual: f64,
}
