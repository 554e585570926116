//! The numbers that several methods share.

/// A residual of round-off: one that is not made smaller from there is the last.
pub(super) const ROUND_OFF: f64 = 1e-12;
/// What the residual must fall to for an iteration to count as progress.
pub(super) const PROGRESS: f64 = 0.7;
/// Residual below which sweeps and patches from a point are worth a trial.
pub(super) const CLOSE: f64 = 1e-3;
/// Least proximal term on `Δr` of a linear system, in units of the mean diagonal of `W`: makes the system regular where
/// impulses are not unique, and leaves of what the equations miss this share a step.
pub(super) const REGULAR: f64 = 1e-10;
/// Sweeps from one look at the residual to the next.
pub(super) const CHECK: usize = 16;
