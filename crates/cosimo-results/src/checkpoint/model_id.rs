//! Which model a checkpoint belongs to.

use std::fmt;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// Which model a checkpoint belongs to: a hash of the complete text of its model file.
///
/// ```
/// use cosimo_results::ModelId;
/// assert_eq!(ModelId::of("step = 1e-3"), ModelId::of("step = 1e-3"));
/// assert_ne!(ModelId::of("step = 1e-3"), ModelId::of("step = 2e-3"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelId(u128);

impl ModelId {
    /// The identity of a model with this text, every default filled in.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(xxh3_128(text.as_bytes()))
    }
}

impl fmt::Display for ModelId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}
