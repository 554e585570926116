//! A quantity over time in bounded memory.

use serde::{Deserialize, Serialize};

/// Largest number of buckets; each gives at most two points.
const BUCKETS: usize = 2000;
/// Beyond this (in any unit) a run has diverged, and a figure's axis would overflow.
const DIVERGED: f64 = 1e300;

/// A quantity over time, thinned out so that no peak is lost.
///
/// Equally many consecutive samples share a bucket, which keeps their minimum and maximum with their times. When the
/// buckets are used up, neighbours are merged. Values that are not finite are skipped.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Trace {
    buckets: Vec<Bucket>,
    samples_per_bucket: u64,
    samples_in_last: u64,
    last: Option<(f64, f64)>,
}

#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
struct Bucket {
    minimum: (f64, f64),
    maximum: (f64, f64),
}

impl Bucket {
    fn include(&mut self, other: Bucket) {
        if other.minimum.1 < self.minimum.1 {
            self.minimum = other.minimum;
        }
        if other.maximum.1 > self.maximum.1 {
            self.maximum = other.maximum;
        }
    }
}

impl Trace {
    /// No samples, and storage for all there may be.
    pub(crate) fn new() -> Self {
        Self { buckets: Vec::with_capacity(BUCKETS), samples_per_bucket: 1, samples_in_last: 0, last: None }
    }

    /// A copy with storage for all buckets there may be.
    pub(crate) fn with_storage(&self) -> Self {
        let mut buckets = Vec::with_capacity(BUCKETS);
        buckets.extend_from_slice(&self.buckets);
        Self { buckets, ..self.clone() }
    }

    /// Adds a sample; times do not decrease.
    pub(crate) fn push(&mut self, time: f64, value: f64) {
        if !(value.abs() <= DIVERGED && time.is_finite()) {
            return;
        }
        let sample = Bucket { minimum: (time, value), maximum: (time, value) };
        self.last = Some((time, value));
        if let Some(bucket) = self.buckets.last_mut()
            && self.samples_in_last < self.samples_per_bucket
        {
            bucket.include(sample);
            self.samples_in_last += 1;
            return;
        }
        if self.buckets.len() == BUCKETS {
            self.merge_neighbours();
        }
        self.buckets.push(sample);
        self.samples_in_last = 1;
    }

    /// Least and largest value, if there is any.
    pub(crate) fn range(&self) -> Option<(f64, f64)> {
        let mut buckets = self.buckets.iter().copied();
        let mut all = buckets.next()?;
        buckets.for_each(|bucket| all.include(bucket));
        Some((all.minimum.1, all.maximum.1))
    }

    /// The points to draw, in order of time.
    pub(crate) fn points(&self) -> Vec<(f64, f64)> {
        let mut points = Vec::with_capacity(2 * self.buckets.len() + 1);
        for bucket in &self.buckets {
            let (first, second) = if bucket.minimum.0 <= bucket.maximum.0 {
                (bucket.minimum, bucket.maximum)
            } else {
                (bucket.maximum, bucket.minimum)
            };
            points.push(first);
            points.push(second);
        }
        points.extend(self.last);
        points.dedup();
        points
    }

    fn merge_neighbours(&mut self) {
        for index in 0..BUCKETS / 2 {
            let mut merged = self.buckets[2 * index];
            merged.include(self.buckets[2 * index + 1]);
            self.buckets[index] = merged;
        }
        self.buckets.truncate(BUCKETS / 2);
        self.samples_per_bucket *= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_samples_are_kept_as_they_are() {
        let mut trace = Trace::new();
        let samples: Vec<_> = (0..BUCKETS).map(|k| (k as f64, (k as f64).sin())).collect();
        samples.iter().for_each(|&(time, value)| trace.push(time, value));
        assert_eq!(trace.points(), samples);
    }

    #[test]
    fn a_million_samples_take_bounded_memory_and_keep_every_peak() {
        let mut trace = Trace::new();
        let peaks = [17, 500_001, 999_998];
        for k in 0..1_000_000 {
            let value = if peaks.contains(&k) { 7.0 + f64::from(k) } else { (f64::from(k) * 1e-4).sin() };
            trace.push(f64::from(k), value);
        }
        let points = trace.points();
        assert!(points.len() <= 2 * BUCKETS + 1, "{} points", points.len());
        for peak in peaks {
            assert!(points.contains(&(f64::from(peak), 7.0 + f64::from(peak))));
        }
        assert!(points.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        assert_eq!(points.last().map(|point| point.0), Some(999_999.0));
        assert_eq!(trace.buckets.capacity(), BUCKETS);
        assert_eq!(trace.range().map(|range| range.1), Some(1_000_005.0));
    }

    #[test]
    fn values_that_are_not_finite_are_skipped() {
        let mut trace = Trace::new();
        for value in [f64::NAN, 1.0, f64::INFINITY, 2.0, f64::NEG_INFINITY, 1e307] {
            trace.push(value.abs().min(5.0), value);
        }
        assert_eq!(trace.points().iter().map(|point| point.1).collect::<Vec<_>>(), [1.0, 2.0]);
        assert_eq!(Trace::new().range(), None);
    }
}
