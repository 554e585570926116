//! What a run leaves.

use serde::{Deserialize, Serialize};

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It came to its end.
    Completed,
    /// A step failed, or the run has created more energy than was at stake.
    Failed,
    /// Its model cannot be read or built.
    Invalid,
}

impl Status {
    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Invalid => "invalid",
        }
    }
}

/// One run. All but its seconds is the same whenever and wherever it is done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Number of the run, counted from zero.
    pub run: usize,
    /// How it ended.
    pub status: Status,
    /// Why it did not come to its end; empty where it did.
    pub reason: String,
    /// The outputs; no numbers where the run did not come to its end.
    #[serde(with = "bits")]
    pub outputs: Vec<f64>,
    /// What it took.
    pub costs: Costs,
    /// Wall time (s).
    pub seconds: f64,
}

/// What a run took, in numbers that do not depend on the machine.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Costs {
    /// Time reached (s).
    pub end_time: f64,
    /// Macro steps.
    pub steps: u64,
    /// Iterations of the master.
    pub iterations: u64,
    /// Impacts.
    pub impacts: u64,
    /// Warnings.
    pub warnings: u64,
}

/// Numbers by their bits, which JSON cannot hold otherwise.
mod bits {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(numbers: &[f64], serializer: S) -> Result<S::Ok, S::Error> {
        numbers.iter().map(|x| x.to_bits()).collect::<Vec<u64>>().serialize(serializer)
    }

    pub(super) fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Vec<f64>, D::Error> {
        let bits = Vec::<u64>::deserialize(deserializer)?;
        Ok(bits.into_iter().map(f64::from_bits).collect())
    }
}
