//! Sizes of loads over time.

use cosimo_mechanics::{Interpolation, TimeFunction, TimeTable, TimeTableError};
use serde::Serialize;

use super::{TIME_FUNCTION, read_time_function, read_time_table};
use crate::toml::Reader;

/// The size of a load over time (N, N m).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum SizeOverTime {
    /// Straight lines through the values of a table.
    Table(TimeTable),
    /// Another function of time.
    Function {
        /// The number over time.
        value: TimeFunction,
    },
}

impl SizeOverTime {
    /// The table, if it is one.
    #[must_use]
    pub fn table(&self) -> Option<&TimeTable> {
        if let Self::Table(table) = self { Some(table) } else { None }
    }

    /// The function of time.
    ///
    /// # Errors
    /// A table that is none.
    pub fn function(&self) -> Result<TimeFunction, TimeTableError> {
        match self {
            Self::Table(table) => TimeFunction::curve(table.clone(), Interpolation::Linear),
            Self::Function { value } => Ok(value.clone()),
        }
    }
}

/// Reads `time` and `value`, or `value` alone as a function of time.
pub(crate) fn read_size(load: &Reader<'_>) -> SizeOverTime {
    let is_list = load.value("value").is_some_and(|value| value.as_list().is_some());
    if load.has("time") || is_list || !load.has("value") {
        return SizeOverTime::Table(read_time_table(load));
    }
    let what = format!("the value of {}", load.what());
    let value = load.entry("value", TIME_FUNCTION, |value| read_time_function(value, &what));
    SizeOverTime::Function { value: value.required_option().unwrap_or(TimeFunction::Constant(0.0)) }
}
