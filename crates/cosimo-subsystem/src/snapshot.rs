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

/// What is saved of the state of a subsystem.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Saved {
    /// Numbers, all of them finite.
    pub numbers: Vec<f64>,
    /// What is no number, such as the state of a foreign unit.
    pub bytes: Vec<u8>,
}

impl From<Vec<f64>> for Saved {
    fn from(numbers: Vec<f64>) -> Self {
        Self { numbers, bytes: Vec::new() }
    }
}

#[derive(Serialize, Deserialize)]
struct Content {
    subsystem: String,
    saved: Saved,
}

impl Snapshot {
    /// Wraps the values that make up the state of a subsystem.
    ///
    /// # Errors
    /// [`SubsystemError::BadSnapshot`] when the values cannot be encoded.
    pub fn encode(subsystem: &str, values: &[f64]) -> Result<Self, SubsystemError> {
        Self::of(subsystem, values.to_vec().into())
    }

    /// Wraps what is saved of a subsystem.
    ///
    /// # Errors
    /// As [`encode`](Self::encode).
    pub fn of(subsystem: &str, saved: Saved) -> Result<Self, SubsystemError> {
        let content = Content { subsystem: subsystem.to_owned(), saved };
        let bytes = codec::encode(&content).map_err(|e| bad(subsystem, e.to_string()))?;
        Ok(Self(bytes))
    }

    /// The values that were wrapped for this subsystem, bit for bit.
    ///
    /// # Errors
    /// [`SubsystemError::BadSnapshot`]: the bytes are damaged or belong to another subsystem.
    pub fn decode(&self, subsystem: &str) -> Result<Vec<f64>, SubsystemError> {
        Ok(self.saved(subsystem)?.numbers)
    }

    /// What was saved of this subsystem.
    ///
    /// # Errors
    /// As [`decode`](Self::decode).
    pub fn saved(&self, subsystem: &str) -> Result<Saved, SubsystemError> {
        let content: Content = codec::decode(&self.0).map_err(|e| bad(subsystem, e.to_string()))?;
        if content.subsystem == subsystem {
            Ok(content.saved)
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
