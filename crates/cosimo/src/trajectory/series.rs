//! A quantity over time.

use cosimo_master::QuantityLabel;

use super::{Samples, TrajectoryError};

/// A quantity over time. A clone shares the numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    name: String,
    label: QuantityLabel,
    times: Samples,
    values: Samples,
}

impl Series {
    pub(super) fn new(label: QuantityLabel, times: Samples, values: Samples) -> Self {
        Self { name: format!("{}.{}", label.owner, label.name), label, times, values }
    }

    /// Name, `subsystem.quantity` or `interface.quantity`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Unit; empty for a number.
    #[must_use]
    pub fn unit(&self) -> &str {
        &self.label.unit
    }

    /// Its owner and its name, apart.
    #[must_use]
    pub fn label(&self) -> &QuantityLabel {
        &self.label
    }

    /// Times (s), ascending.
    #[must_use]
    pub fn times(&self) -> &Samples {
        &self.times
    }

    /// Values, one per time.
    #[must_use]
    pub fn values(&self) -> &Samples {
        &self.values
    }

    /// The last value; not a number where the run ended before its first point.
    #[must_use]
    pub fn last(&self) -> f64 {
        self.values.last().copied().unwrap_or(f64::NAN)
    }

    /// The value at a time (s), linear between the points.
    ///
    /// # Errors
    /// [`TrajectoryError::Outside`]: a time before the first or after the last one, or none.
    pub fn at(&self, time: f64) -> Result<f64, TrajectoryError> {
        let outside = || {
            let span = [self.times.first(), self.times.last()].map(|time| time.copied().unwrap_or(f64::NAN));
            TrajectoryError::Outside { name: self.name.clone(), time, span }
        };
        let (times, values) = (&self.times[..], &self.values[..]);
        let next = times.partition_point(|&own| own < time);
        match (next.checked_sub(1), times.get(next)) {
            (_, Some(&own)) if own == time => Ok(values[next]),
            (Some(before), Some(_)) => {
                let share = (time - times[before]) / (times[next] - times[before]);
                Ok(values[before] + share * (values[next] - values[before]))
            }
            _ => Err(outside()),
        }
    }

    /// Its points, time (s) and value.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (f64, f64)> {
        self.times.iter().copied().zip(self.values.iter().copied())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series() -> Series {
        let label = QuantityLabel { owner: "ball".into(), name: "z".into(), unit: "m".into() };
        Series::new(label, vec![0.0, 1.0, 3.0].into(), vec![0.0, 2.0, -2.0].into())
    }

    #[test]
    fn values_between_points_are_on_a_line() {
        let at = |time| series().at(time).unwrap();
        assert_eq!([0.0, 0.5, 1.0, 2.0, 3.0].map(at), [0.0, 1.0, 2.0, 0.0, -2.0]);
    }

    #[test]
    fn times_outside_are_refused_by_name() {
        for time in [-0.1, 3.1, f64::NAN] {
            let text = series().at(time).unwrap_err().to_string();
            assert_eq!(text, format!("`ball.z` is recorded from 0 to 3 s, not at {time} s"));
        }
    }
}
