//! Names that are none, times outside of a run.

use cosimo_model::hint;
use thiserror::Error;

/// Why a trajectory has no such value.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TrajectoryError {
    /// No quantity of this name was recorded.
    #[error("no quantity `{name}`{}", .help.as_ref().map(|help| format!("; {help}")).unwrap_or_default())]
    Unknown {
        /// The name.
        name: String,
        /// The nearest name, or those of the same owner.
        help: Option<String>,
    },
    /// The time is outside of what was recorded.
    #[error("`{name}` is recorded from {} to {} s, not at {time} s", .span[0], .span[1])]
    Outside {
        /// Name of the quantity.
        name: String,
        /// The time (s).
        time: f64,
        /// First and last time recorded (s).
        span: [f64; 2],
    },
}

impl TrajectoryError {
    /// No quantity of this name among these.
    pub(crate) fn unknown<'n>(name: &str, known: impl Iterator<Item = &'n str>) -> Self {
        let known: Vec<&str> = known.collect();
        let owner = |full: &'n str| full.split_once('.').map_or(full, |(owner, _)| owner);
        let of_owner = known.iter().copied().filter(|own| name.split('.').next() == Some(owner(own)));
        let near = hint(name, known.iter().copied()).filter(|help| !help.starts_with("known"));
        let mut owners: Vec<&str> = known.iter().copied().map(owner).collect();
        owners.dedup();
        let of_owners = || Some(format!("there are quantities of `{}`", owners.join("`, `")));
        let help = near.or_else(|| hint(name, of_owner)).or_else(of_owners);
        Self::Unknown { name: name.to_owned(), help }
    }
}
