//! Saved states.

use serde::{Deserialize, Serialize};

use crate::{SubsystemError, codec};

/// Everything of a subsystem that influences its future, as bytes.
///
/// ```
/// use cosimo_subsystem::Snapshot;
/// let saved = Snapshot::encode("blade", &[1.0, 2.0])?;
/// assert_eq!(saved.decode("blade")?, [1.0, 2.0]);
/// assert!(saved.decode("rotor").is_err());
/// # Ok::<(), cosimo_subsystem::SubsystemError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot(Vec<u8>);

#[derive(Serialize, Deserialize)]
struct Content {
    subsystem: String,
    values: Vec<f64>,
}

impl Snapshot {
    /// Wraps the values that make up the state of a subsystem.
    ///
    /// # Errors
    /// [`SubsystemError::BadSnapshot`] when the values cannot be encoded.
    pub fn encode(subsystem: &str, values: &[f64]) -> Result<Self, SubsystemError> {
        let content = Content { subsystem: subsystem.to_owned(), values: values.to_vec() };
        let bytes = codec::encode(&content).map_err(|e| bad(subsystem, e.to_string()))?;
        Ok(Self(bytes))
    }

    /// The values that were wrapped for this subsystem, bit for bit.
    ///
    /// # Errors
    /// [`SubsystemError::BadSnapshot`]: the bytes are damaged or belong to another subsystem.
    pub fn decode(&self, subsystem: &str) -> Result<Vec<f64>, SubsystemError> {
        let content: Content = codec::decode(&self.0).map_err(|e| bad(subsystem, e.to_string()))?;
        if content.subsystem == subsystem {
            Ok(content.values)
        } else {
            Err(bad(subsystem, format!("the snapshot is of `{}`", content.subsystem)))
        }
    }

    /// The bytes, e.g. to write them to a file.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// A snapshot from bytes read back; they are checked when decoded.
    #[must_use]
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Self(bytes)
    }
}

fn bad(subsystem: &str, reason: String) -> SubsystemError {
    SubsystemError::BadSnapshot { subsystem: subsystem.to_owned(), reason }
}
