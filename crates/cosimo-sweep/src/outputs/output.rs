//! One number of every run.

use cosimo_master::ContactEventKind;
use serde::{Deserialize, Serialize};

/// A number that a quantity leaves of its course over the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// The value at the end.
    Last,
    /// The least value at communication points.
    Min,
    /// The largest value at communication points.
    Max,
    /// The mean over time, linear between communication points.
    Mean,
    /// The square root of the mean of the squares over time, linear between communication points.
    Rms,
}

/// A number that events leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Occurrence {
    /// Time of the first (s); no number where there is none.
    First,
    /// Time of the last (s); no number where there is none.
    Last,
    /// How many there are.
    Count,
}

/// One number of every run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Output {
    /// Of a quantity.
    Quantity {
        /// Its full name.
        name: String,
        /// Its unit; empty for a number.
        unit: String,
        /// Which number.
        statistic: Statistic,
    },
    /// Of events at contacts.
    Event {
        /// The contacts, `subsystem.contact` or a pattern: all of them together.
        contact: String,
        /// Name of the kind of event.
        kind: String,
        /// Which number.
        occurrence: Occurrence,
    },
}

impl Statistic {
    /// All of them with their names.
    pub(super) const ALL: [(Self, &'static str); 5] = [
        (Self::Last, "last"),
        (Self::Min, "min"),
        (Self::Max, "max"),
        (Self::Mean, "mean"),
        (Self::Rms, "rms"),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(own, _)| *own == self).map_or("", |(_, name)| name)
    }
}

/// Kinds of events with the name of several.
pub(super) const KINDS: [(ContactEventKind, &str); 5] = [
    (ContactEventKind::Impact, "impacts"),
    (ContactEventKind::Closing, "closings"),
    (ContactEventKind::Release, "releases"),
    (ContactEventKind::Stick, "sticks"),
    (ContactEventKind::Slip, "slips"),
];

impl Output {
    /// Name of its column.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::Quantity { name, statistic, .. } => format!("{name}:{}", statistic.name()),
            Self::Event { contact, kind, occurrence } => {
                let plural =
                    KINDS.into_iter().find(|(own, _)| own.name() == kind).map_or("", |(_, name)| name);
                match occurrence {
                    Occurrence::First => format!("{contact}:first-{kind}"),
                    Occurrence::Last => format!("{contact}:last-{kind}"),
                    Occurrence::Count => format!("{contact}:{plural}"),
                }
            }
        }
    }

    /// Its unit; empty for a number.
    #[must_use]
    pub fn unit(&self) -> &str {
        match self {
            Self::Quantity { unit, .. } => unit,
            Self::Event { occurrence: Occurrence::Count, .. } => "",
            Self::Event { .. } => "s",
        }
    }
}
