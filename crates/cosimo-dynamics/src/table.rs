//! Quantities given as tables over time.

use thiserror::Error;

/// A scalar over time: linear between the entries of a table, constant outside.
///
/// ```
/// use cosimo_dynamics::TimeTable;
/// let ramp = TimeTable::new(vec![0.0, 2.0], vec![0.0, 10.0])?;
/// assert_eq!(ramp.value(1.0), 5.0);
/// assert_eq!(ramp.value(3.0), 10.0);
/// # Ok::<(), cosimo_dynamics::TimeTableError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct TimeTable {
    times: Vec<f64>,
    values: Vec<f64>,
}

/// Why a table is refused.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
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
}

impl TimeTable {
    /// A table of `values` at strictly increasing `times` (s).
    ///
    /// # Errors
    /// See [`TimeTableError`].
    pub fn new(times: Vec<f64>, values: Vec<f64>) -> Result<Self, TimeTableError> {
        if times.len() != values.len() || times.is_empty() {
            return Err(TimeTableError::Lengths { times: times.len(), values: values.len() });
        }
        let entry =
            |i: usize| times[i].is_finite() && values[i].is_finite() && (i == 0 || times[i] > times[i - 1]);
        match (0..times.len()).find(|&i| !entry(i)) {
            Some(index) => Err(TimeTableError::Entry { index }),
            None => Ok(Self { times, values }),
        }
    }

    /// Times of the entries (s).
    #[must_use]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Values of the entries.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Value at time `t` (s).
    #[must_use]
    pub fn value(&self, t: f64) -> f64 {
        let after = self.times.partition_point(|&time| time <= t);
        if after == 0 {
            return self.values[0];
        }
        if after == self.times.len() {
            return self.values[after - 1];
        }
        let (t0, t1) = (self.times[after - 1], self.times[after]);
        let share = (t - t0) / (t1 - t0);
        self.values[after - 1] + share * (self.values[after] - self.values[after - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bad_tables_are_refused() {
        assert!(matches!(TimeTable::new(vec![], vec![]), Err(TimeTableError::Lengths { .. })));
        assert_eq!(TimeTable::new(vec![0.0, 0.0], vec![1.0, 2.0]), Err(TimeTableError::Entry { index: 1 }));
        assert_eq!(TimeTable::new(vec![0.0], vec![f64::NAN]), Err(TimeTableError::Entry { index: 0 }));
    }
}
