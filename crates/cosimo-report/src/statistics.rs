//! Statistics of a quantity over time.

use serde::Serialize;

/// Share of the range between minimum and maximum by which a peak stands out.
const PEAK: f64 = 0.01;

/// Extremes with their times (s), means over time by the trapezoidal rule, and peaks; what is not finite is left out.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub(crate) struct Statistics {
    first: Option<f64>,
    last: Option<f64>,
    min: Option<f64>,
    t_min: Option<f64>,
    max: Option<f64>,
    t_max: Option<f64>,
    mean: Option<f64>,
    rms: Option<f64>,
    /// Maxima that stand out from both sides by more than a hundredth of the range.
    peaks: usize,
}

impl Statistics {
    /// Of the values at ascending times.
    pub(crate) fn of(times: &[f64], values: &[f64]) -> Self {
        let samples =
            || times.iter().copied().zip(values.iter().copied()).filter(|(_, value)| value.is_finite());
        let mut own = Self {
            first: samples().next().map(|(_, value)| value),
            last: samples().next_back().map(|(_, value)| value),
            ..Self::default()
        };
        for (time, value) in samples() {
            if own.min.is_none_or(|min| value < min) {
                (own.min, own.t_min) = (Some(value), Some(time));
            }
            if own.max.is_none_or(|max| value > max) {
                (own.max, own.t_max) = (Some(value), Some(time));
            }
        }
        own.mean = mean(samples(), |x| x);
        own.rms = mean(samples(), |x| x * x).map(f64::sqrt);
        if let (Some(min), Some(max)) = (own.min, own.max) {
            own.peaks = peaks(samples().map(|(_, value)| value), PEAK * (max - min));
        }
        own
    }
}

/// Mean over time of a function of the values; of values at one instant their plain mean.
fn mean(samples: impl Iterator<Item = (f64, f64)>, of: impl Fn(f64) -> f64) -> Option<f64> {
    let (mut sum, mut span, mut plain, mut count) = (0.0, 0.0, 0.0, 0_u32);
    let mut before: Option<(f64, f64)> = None;
    for (time, value) in samples {
        let own = of(value);
        (plain, count) = (plain + own, count + 1);
        if let Some((last_time, last)) = before.replace((time, own)) {
            let step = time - last_time;
            (sum, span) = (sum + 0.5 * step * (last + own), span + step);
        }
    }
    if count == 0 {
        return None;
    }
    Some(if span > 0.0 { sum / span } else { plain / f64::from(count) })
}

/// Number of maxima that stand out by more than `least` on both sides.
fn peaks(values: impl Iterator<Item = f64>, least: f64) -> usize {
    let (mut count, mut is_rising) = (0, false);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for value in values {
        if is_rising {
            high = high.max(value);
            if high - value > least {
                (count, is_rising, low) = (count + 1, false, value);
            }
        } else {
            low = low.min(value);
            if value - low > least {
                (is_rising, high) = (true, value);
            }
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{FRAC_1_SQRT_2, TAU};

    #[test]
    fn of_a_sine() {
        let times: Vec<f64> = (0..=4000).map(|k| f64::from(k) / 1000.0).collect();
        let values: Vec<f64> = times.iter().map(|t| 3.0 + 2.0 * (TAU * t).sin()).collect();
        let own = Statistics::of(&times, &values);
        assert!((own.mean.unwrap() - 3.0).abs() < 1e-12);
        assert!((own.rms.unwrap() - (9.0_f64 + 2.0).sqrt()).abs() < 1e-5);
        assert_eq!((own.min, own.max), (Some(1.0), Some(5.0)));
        assert_eq!((own.t_max, own.peaks), (Some(0.25), 4));
        let centred: Vec<f64> = values.iter().map(|x| x - 3.0).collect();
        assert!((Statistics::of(&times, &centred).rms.unwrap() - 2.0 * FRAC_1_SQRT_2).abs() < 1e-5);
    }

    #[test]
    fn what_is_not_finite_is_left_out() {
        let own = Statistics::of(&[0.0, 1.0, 2.0, 4.0], &[1.0, f64::NAN, f64::INFINITY, 3.0]);
        assert_eq!((own.first, own.last, own.mean, own.max), (Some(1.0), Some(3.0), Some(2.0), Some(3.0)));
        assert_eq!(Statistics::of(&[0.0], &[f64::NAN]), Statistics::default());
    }
}
