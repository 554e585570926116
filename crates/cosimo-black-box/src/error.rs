//! Errors of the decorators.

use cosimo_subsystem::{MacroStep, SubsystemError};
use thiserror::Error;

/// Why a decorator refused the answer of its subsystem; the source of [`SubsystemError::StepFailed`].
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum BlackBoxError {
    /// An answer that is not finite.
    #[error(
        "row {row} of its answer is not finite; it cannot take the loads, or its own solver has diverged"
    )]
    NotFinite {
        /// Index of the row.
        row: usize,
    },
}

/// The error of a step whose answer is refused.
pub(crate) fn step_failed(name: &str, step: MacroStep, source: &BlackBoxError) -> SubsystemError {
    SubsystemError::StepFailed {
        subsystem: name.to_owned(),
        time: step.time,
        size: step.size,
        reason: SubsystemError::chain(source),
    }
}

/// Refuses positions or velocities that are not finite.
pub(crate) fn check_finite(positions: &[f64], velocities: &[f64]) -> Result<(), BlackBoxError> {
    let mut rows = positions.iter().zip(velocities);
    match rows.position(|(q, v)| !q.is_finite() || !v.is_finite()) {
        Some(row) => Err(BlackBoxError::NotFinite { row }),
        None => Ok(()),
    }
}

/// Refuses a step that nobody can take.
#[inline]
pub(crate) fn check_step(name: &str, step: MacroStep) -> Result<(), SubsystemError> {
    let MacroStep { time, size } = step;
    if time.is_finite() && size > 0.0 && size.is_finite() {
        return Ok(());
    }
    let reason = "the time must be finite, the size positive and finite";
    Err(SubsystemError::BadStep { subsystem: name.to_owned(), time, size, reason: reason.into() })
}
