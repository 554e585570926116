//! Values at times.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Values at times, as they are given: the points of a [`Curve`](super::Curve), which checks them.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct TimeTable {
    /// Times (s), increasing strictly, at least one.
    pub time: Vec<f64>,
    /// Values, one per time.
    pub value: Vec<f64>,
}

/// Why a table is refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TimeTableError {
    /// Times and values differ in number, or there are none.
    #[error(
        "a table needs as many values as times, and at least one: found {times} times and {values} values"
    )]
    Lengths {
        /// Number of times.
        times: usize,
        /// Number of values.
        values: usize,
    },
    /// Times do not increase, or a number is not finite.
    #[error("entry {index} of the table: times must increase strictly and every number must be finite")]
    Entry {
        /// Index of the first entry that breaks the rule.
        index: usize,
    },
    /// Values at both ends of a period that differ, or no period.
    #[error(
        "a periodic curve needs two points or more and the same value at both ends: found {first:?} and {last:?}"
    )]
    Period {
        /// The first value.
        first: f64,
        /// The last value.
        last: f64,
    },
}

impl TimeTable {
    /// Checks the numbers.
    ///
    /// # Errors
    /// See [`TimeTableError`].
    pub fn check(&self) -> Result<(), TimeTableError> {
        let Self { time, value } = self;
        if time.len() != value.len() || time.is_empty() {
            return Err(TimeTableError::Lengths { times: time.len(), values: value.len() });
        }
        let entry =
            |i: usize| time[i].is_finite() && value[i].is_finite() && (i == 0 || time[i] > time[i - 1]);
        match (0..time.len()).find(|&i| !entry(i)) {
            Some(index) => Err(TimeTableError::Entry { index }),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_tables_are_refused() {
        let check =
            |time: &[f64], value: &[f64]| TimeTable { time: time.to_vec(), value: value.to_vec() }.check();
        assert!(matches!(check(&[], &[]), Err(TimeTableError::Lengths { .. })));
        assert!(matches!(check(&[0.0], &[1.0, 2.0]), Err(TimeTableError::Lengths { .. })));
        assert_eq!(check(&[0.0, 0.0], &[1.0, 2.0]), Err(TimeTableError::Entry { index: 1 }));
        assert_eq!(check(&[0.0], &[f64::NAN]), Err(TimeTableError::Entry { index: 0 }));
    }
}
