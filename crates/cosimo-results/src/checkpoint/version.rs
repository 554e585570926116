//! The version of the format of checkpoints.

/// Version of the format; others are refused.
pub(super) const VERSION: u32 = 13;
