//! Snapshots of decorators: the subsystem's own, and what the decorator adds.

use cosimo_subsystem::{Snapshot, SubsystemError, codec};
use serde::{Deserialize, Serialize};

/// What a decorator saves.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Saved {
    /// Name of the decorator; others' snapshots are refused.
    decorator: String,
    /// Name of the subsystem.
    subsystem: String,
    /// Snapshot of the subsystem inside.
    pub(crate) inner: Snapshot,
    /// What the decorator adds.
    pub(crate) values: Vec<f64>,
}

/// Packs a snapshot.
pub(crate) fn pack(
    decorator: &str,
    subsystem: &str,
    inner: Snapshot,
    values: Vec<f64>,
) -> Result<Snapshot, SubsystemError> {
    let saved = Saved { decorator: decorator.to_owned(), subsystem: subsystem.to_owned(), inner, values };
    let bytes = codec::encode(&saved).map_err(|error| bad(subsystem, error.to_string()))?;
    Ok(Snapshot::from_bytes(bytes))
}

/// Unpacks a snapshot that was packed for this decorator around this subsystem, with so many values.
pub(crate) fn unpack(
    decorator: &str,
    subsystem: &str,
    snapshot: &Snapshot,
    values: usize,
) -> Result<Saved, SubsystemError> {
    let saved: Saved =
        codec::decode(snapshot.as_bytes()).map_err(|error| bad(subsystem, error.to_string()))?;
    if saved.decorator != decorator || saved.subsystem != subsystem {
        let reason = format!(
            "the snapshot is of `{}` coupled as `{}`, not as `{decorator}`",
            saved.subsystem, saved.decorator
        );
        return Err(bad(subsystem, reason));
    }
    if saved.values.len() != values {
        return Err(bad(subsystem, format!("{} numbers instead of {values}", saved.values.len())));
    }
    Ok(saved)
}

fn bad(subsystem: &str, reason: String) -> SubsystemError {
    SubsystemError::BadSnapshot { subsystem: subsystem.to_owned(), reason }
}
