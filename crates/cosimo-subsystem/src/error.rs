//! Errors of subsystems.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Why a subsystem refused or failed a call: a kind and texts. A failed call leaves the state as it was.
#[derive(Clone, PartialEq, Error, Serialize, Deserialize)]
#[non_exhaustive]
pub enum SubsystemError {
    /// Loads of the wrong length.
    #[error("subsystem `{subsystem}` has {expected} rows, got {found} loads")]
    LoadLength {
        /// Name of the subsystem.
        subsystem: String,
        /// Number of rows it has.
        expected: usize,
        /// Number of loads it got.
        found: usize,
    },
    /// A load that is not finite.
    #[error(
        "subsystem `{subsystem}` got a load on {place} that is not finite; what acts there may be too stiff, or the step too \
         large"
    )]
    LoadNotFinite {
        /// Name of the subsystem.
        subsystem: String,
        /// Index of the row.
        row: usize,
        /// The row in words, by its port or contact.
        place: String,
    },
    /// Motion of load ports of another shape.
    #[error(
        "subsystem `{subsystem}` has load ports with {coordinates} coordinates and {frames} frames; the motion does not fit"
    )]
    MotionShape {
        /// Name of the subsystem.
        subsystem: String,
        /// Number of coordinates of its load ports.
        coordinates: usize,
        /// Number of its load ports that are frames.
        frames: usize,
    },
    /// Motion of load ports that is not finite.
    #[error(
        "subsystem `{subsystem}` got a motion of its load ports that is not finite; the step may be too large"
    )]
    MotionNotFinite {
        /// Name of the subsystem.
        subsystem: String,
    },
    /// Signals that do not fit.
    #[error("subsystem `{subsystem}`: {reason}")]
    BadInputs {
        /// Name of the subsystem.
        subsystem: String,
        /// The rule broken.
        reason: String,
    },
    /// A step whose size or time cannot be taken.
    #[error("subsystem `{subsystem}` cannot step from {time} s by {size} s: {reason}")]
    BadStep {
        /// Name of the subsystem.
        subsystem: String,
        /// Start of the step (s).
        time: f64,
        /// Size of the step (s).
        size: f64,
        /// The rule broken.
        reason: Cow<'static, str>,
    },
    /// A call out of order.
    #[error("subsystem `{subsystem}`: `{call}` without a step begun")]
    NotBegun {
        /// Name of the subsystem.
        subsystem: String,
        /// Name of the call.
        call: Cow<'static, str>,
    },
    /// A call other than the commit that was prefetched, which cannot be taken back.
    #[error(
        "subsystem `{subsystem}`: `{call}`, but a commit was prefetched and must follow with the same loads"
    )]
    CommitPrefetched {
        /// Name of the subsystem.
        subsystem: String,
        /// Name of the call.
        call: Cow<'static, str>,
    },
    /// The subsystem's own solver failed.
    #[error("subsystem `{subsystem}` failed in the step from {time} s of {size} s: {reason}")]
    StepFailed {
        /// Name of the subsystem.
        subsystem: String,
        /// Start of the step (s).
        time: f64,
        /// Size of the step (s).
        size: f64,
        /// Why its solver failed, see [`SubsystemError::chain`].
        reason: String,
    },
    /// Something happens inside the step for which steps of this size may have no solution, such as a force that jumps. Its
    /// parts have one, but for those about the event: the master takes such a step in halves.
    #[error(
        "subsystem `{subsystem}` failed in the step from {time} s of {size} s, in which something happens: \
         {reason}"
    )]
    StepHoldsEvent {
        /// Name of the subsystem.
        subsystem: String,
        /// Start of the step (s).
        time: f64,
        /// Size of the step (s).
        size: f64,
        /// Why its solver failed, see [`SubsystemError::chain`].
        reason: String,
    },
    /// More pairs of bodies may touch than a [pool](crate::ContactPool) has contacts for.
    #[error(
        "subsystem `{subsystem}`: contact `{pool}` has a capacity of {capacity}, and {near} pairs of bodies may touch in the next step; raise its `capacity`"
    )]
    PoolExhausted {
        /// Name of the subsystem.
        subsystem: String,
        /// Name of the pool.
        pool: String,
        /// Its contacts.
        capacity: usize,
        /// Pairs of bodies that may touch before the next communication point.
        near: usize,
    },
    /// The subsystem lacks a capability.
    #[error("subsystem `{subsystem}` cannot {action}")]
    Unsupported {
        /// Name of the subsystem.
        subsystem: String,
        /// What it was asked to do, as a verb phrase.
        action: Cow<'static, str>,
    },
    /// A snapshot that is damaged or belongs to something else.
    #[error("subsystem `{subsystem}` cannot be restored: {reason}")]
    BadSnapshot {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong with the snapshot.
        reason: String,
    },
    /// A number reported by the subsystem that is not finite.
    #[error(
        "subsystem `{subsystem}`: {what} is not finite; its state, its parameters or the step may be too large"
    )]
    NotFinite {
        /// Name of the subsystem.
        subsystem: String,
        /// What it is, with the port or contact it belongs to.
        what: String,
    },
    /// A subsystem whose code has panicked.
    #[error("subsystem `{subsystem}` panicked: {message}")]
    Panicked {
        /// Name of the subsystem.
        subsystem: String,
        /// Message of the panic.
        message: String,
    },
    /// A subsystem elsewhere that did not answer in time.
    #[error(
        "subsystem `{subsystem}` did not answer `{call}` within {seconds} s; it hangs, or needs a longer deadline"
    )]
    TimedOut {
        /// Name of the subsystem.
        subsystem: String,
        /// Name of the call.
        call: Cow<'static, str>,
        /// The deadline (s).
        seconds: f64,
    },
    /// A subsystem elsewhere whose messages are not those of this version, or are damaged.
    #[error("subsystem `{subsystem}`: {reason}")]
    Protocol {
        /// Name of the subsystem.
        subsystem: String,
        /// What was found.
        reason: String,
    },
    /// A subsystem elsewhere that does not answer.
    #[error("subsystem `{subsystem}` does not answer: {reason}")]
    Disconnected {
        /// Name of the subsystem.
        subsystem: String,
        /// What is known of it.
        reason: String,
    },
    /// Entries of an [`Excitation`](crate::Excitation) that are none.
    #[error(
        "an excitation needs as many accelerations as times, at least one, all finite, at times that do not decrease: found \
         {times} times and {values} accelerations"
    )]
    BadExcitation {
        /// Number of times.
        times: usize,
        /// Number of accelerations.
        values: usize,
    },
    /// A subsystem whose description contradicts itself.
    #[error("subsystem `{subsystem}`: {reason}")]
    BadDescription {
        /// Name of the subsystem.
        subsystem: String,
        /// The rule broken.
        reason: String,
    },
}

/// The texts of the error and of its causes, as `main` shows an error that it returns.
impl fmt::Debug for SubsystemError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Self::chain(self))
    }
}

impl SubsystemError {
    /// The texts of an error and of its causes in one line, as `reason` of an error of a subsystem. A cause that its
    /// error has written out is not repeated.
    #[must_use]
    pub fn chain(error: &dyn std::error::Error) -> String {
        let mut text = error.to_string();
        let mut cause = error.source();
        while let Some(error) = cause {
            let own = error.to_string();
            if !text.contains(&own) {
                text.push_str(": ");
                text.push_str(&own);
            }
            cause = error.source();
        }
        text
    }
}
