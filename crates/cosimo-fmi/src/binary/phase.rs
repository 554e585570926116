//! How far a unit is in its life.

/// How far a unit is in its life, as far as the end of it depends on that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Not initialised.
    Before,
    /// Initialised: it must be terminated.
    Running,
    /// Terminated, or after an error: it may only be reset, restored, or freed.
    Ended,
    /// After a fatal error: nothing of it may be called.
    Dead,
}
