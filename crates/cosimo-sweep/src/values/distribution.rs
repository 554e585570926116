//! Random numbers of a distribution.

use serde::{Deserialize, Serialize};

use super::parts::numbers;
use super::random::Stream;

/// A distribution of numbers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Distribution {
    /// `uniform(low,high)`.
    Uniform(f64, f64),
    /// `loguniform(low,high)`: the logarithm is uniform.
    LogUniform(f64, f64),
    /// `normal(mean,deviation)`.
    Normal(f64, f64),
    /// `lognormal(mean,deviation)`, those of the logarithm.
    LogNormal(f64, f64),
    /// `triangular(low,mode,high)`.
    Triangular(f64, f64, f64),
}

impl Distribution {
    /// Their names.
    pub(super) const NAMES: [&str; 5] = ["uniform", "loguniform", "normal", "lognormal", "triangular"];

    /// The distribution of this name, or what its arguments must be; `None` of another name.
    pub(super) fn of(name: &str, arguments: &[&str]) -> Option<Result<Self, &'static str>> {
        let two = || numbers::<2>(arguments);
        let (made, rule) = match name {
            "uniform" => (
                two().filter(|[low, high]| low < high).map(|[low, high]| Self::Uniform(low, high)),
                "uniform(low,high), the low one first",
            ),
            "loguniform" => (
                two()
                    .filter(|[low, high]| 0.0 < *low && low < high)
                    .map(|[low, high]| Self::LogUniform(low, high)),
                "loguniform(low,high), both positive, the low one first",
            ),
            "normal" => (
                two().filter(|[_, own]| *own > 0.0).map(|[mean, own]| Self::Normal(mean, own)),
                "normal(mean,deviation), the deviation positive",
            ),
            "lognormal" => (
                two().filter(|[_, own]| *own > 0.0).map(|[mean, own]| Self::LogNormal(mean, own)),
                "lognormal(mean,deviation), those of the logarithm, the deviation positive",
            ),
            "triangular" => (
                numbers::<3>(arguments)
                    .filter(|[low, mode, high]| low <= mode && mode <= high && low < high)
                    .map(|[low, mode, high]| Self::Triangular(low, mode, high)),
                "triangular(low,mode,high) in this order",
            ),
            _ => return None,
        };
        Some(made.ok_or(rule))
    }

    /// Whether it spreads over orders of magnitude.
    pub(crate) fn is_logarithmic(self) -> bool {
        matches!(self, Self::LogUniform(..) | Self::LogNormal(..))
    }

    /// The number at a position of a stream.
    pub(crate) fn draw(self, stream: Stream, position: u64) -> f64 {
        match self {
            Self::Uniform(low, high) => low + (high - low) * stream.unit(position),
            Self::LogUniform(low, high) => low * libm::exp(libm::log(high / low) * stream.unit(position)),
            Self::Normal(mean, deviation) => mean + deviation * normal(stream, position),
            Self::LogNormal(mean, deviation) => libm::exp(mean + deviation * normal(stream, position)),
            Self::Triangular(low, mode, high) => triangular([low, mode, high], stream.unit(position)),
        }
    }
}

/// A normal number by two even ones (G. E. P. Box, M. E. Muller, 1958).
fn normal(stream: Stream, position: u64) -> f64 {
    let [radius, turn] = [0, 1].map(|k| stream.unit(2 * position + k));
    (-2.0 * libm::log(radius)).sqrt() * libm::cos(std::f64::consts::TAU * turn)
}

/// The inverse of the distribution function.
fn triangular([low, mode, high]: [f64; 3], share: f64) -> f64 {
    let (rise, fall, span) = (mode - low, high - mode, high - low);
    if share * span <= rise {
        low + (share * span * rise).sqrt()
    } else {
        high - ((1.0 - share) * span * fall).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Mean and variance of many draws.
    fn moments(distribution: Distribution) -> [f64; 2] {
        const COUNT: u64 = 200_000;
        let stream = Stream::new(7, 0);
        let draws: Vec<f64> = (0..COUNT).map(|k| distribution.draw(stream, k)).collect();
        let mean = draws.iter().sum::<f64>() / COUNT as f64;
        let squares = draws.iter().map(|x| (x - mean).powi(2));
        [mean, squares.sum::<f64>() / COUNT as f64]
    }

    #[track_caller]
    fn assert_moments(distribution: Distribution, mean: f64, variance: f64) {
        let found = moments(distribution);
        // Five standard errors; that of the variance for a kurtosis of up to nine.
        let count = 200_000.0_f64;
        assert!((found[0] - mean).abs() < 5.0 * (variance / count).sqrt(), "{distribution:?}: {found:?}");
        assert!(
            (found[1] - variance).abs() < 5.0 * variance * (8.0 / count).sqrt(),
            "{distribution:?}: {found:?}"
        );
    }

    #[test]
    fn moments_are_those_of_the_distributions() {
        assert_moments(Distribution::Uniform(2.0, 5.0), 3.5, 0.75);
        assert_moments(Distribution::Normal(-1.0, 0.5), -1.0, 0.25);
        let (a, b) = (1.0_f64, 10.0_f64);
        let mean = (b - a) / (b / a).ln();
        assert_moments(
            Distribution::LogUniform(a, b),
            mean,
            (b * b - a * a) / (2.0 * (b / a).ln()) - mean * mean,
        );
        let (m, s) = (0.3_f64, 0.25_f64);
        let mean = (m + s * s / 2.0).exp();
        assert_moments(Distribution::LogNormal(m, s), mean, ((s * s).exp() - 1.0) * mean * mean);
        let [a, c, b] = [1.0, 2.0, 4.0];
        let variance = (a * a + b * b + c * c - a * b - a * c - b * c) / 18.0;
        assert_moments(Distribution::Triangular(a, c, b), (a + b + c) / 3.0, variance);
    }

    #[test]
    fn streams_of_one_seed_do_not_go_together() {
        let [one, two] = [0, 1].map(|number| Stream::new(7, number));
        let product = |k| (one.unit(k) - 0.5) * (two.unit(k) - 0.5);
        let correlation = 12.0 * (0..100_000).map(product).sum::<f64>() / 100_000.0;
        assert!(correlation.abs() < 0.015, "{correlation}");
    }
}
