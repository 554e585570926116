//! The least and the greatest value of a function over a span of time.

use super::TimeFunction;

/// A value and when it is reached.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extreme {
    /// Time (s).
    pub time: f64,
    /// Value.
    pub value: f64,
}

/// Samples of a span, of a period, and of a piece of a curve.
const SAMPLES: usize = 1000;
const SAMPLES_OF_A_PERIOD: usize = 32;
const SAMPLES_OF_A_PIECE: usize = 8;

/// Most samples of a chirp: of more periods some are passed over.
const MOST_SAMPLES: f64 = 1e6;

/// Halvings of the interval around an extreme: all digits of a time.
const HALVINGS: usize = 60;

impl TimeFunction {
    /// The least and the greatest value between two times (s): where the rate changes its sign between samples, which are
    /// dense on the pieces of curves and on the first and the last period of harmonic functions. Of a
    /// [`Function`](Self::Function) or a [`Formula`](Self::Formula) extremes between a thousand samples are missed where it has several; of a
    /// [`TimeInput`](Self::Input) nothing is known beforehand but where it is now.
    #[must_use]
    pub fn extremes(&self, from: f64, to: f64) -> [Extreme; 2] {
        let at = |time: f64| Extreme { time, value: self.at(time)[0] };
        let mut found = [at(from); 2];
        for window in self.windows(from, to) {
            for pair in window.windows(2) {
                let (a, b) = (pair[0], pair[1]);
                let candidates = [Some(b), self.turning_point(a, b)];
                for candidate in candidates.into_iter().flatten().map(at) {
                    if candidate.value < found[0].value {
                        found[0] = candidate;
                    }
                    if candidate.value > found[1].value {
                        found[1] = candidate;
                    }
                }
            }
        }
        found
    }

    /// Where between two times the rate changes its sign.
    fn turning_point(&self, mut a: f64, mut b: f64) -> Option<f64> {
        let rate = |t: f64| self.at(t)[1];
        let at_a = rate(a);
        if at_a * rate(b) >= 0.0 {
            return None;
        }
        for _ in 0..HALVINGS {
            let middle = 0.5 * (a + b);
            if at_a * rate(middle) > 0.0 { a = middle } else { b = middle }
        }
        Some(0.5 * (a + b))
    }

    /// Samples in which every extreme over the span is found.
    fn windows(&self, from: f64, to: f64) -> Vec<Vec<f64>> {
        match self {
            // What rises or falls all the time has its extremes at the ends; a speed that does so is zero once at most.
            Self::Constant(_) | Self::Linear { .. } | Self::Ramp(_) | Self::Step(_) => vec![vec![from, to]],
            Self::Chirp(chirp) => {
                let samples = chirp.periods(from, to) * SAMPLES_OF_A_PERIOD as f64;
                vec![evenly(from, to, samples.clamp(SAMPLES as f64, MOST_SAMPLES) as usize)]
            }
            Self::Harmonic { frequency, .. } => {
                // What grows by the same in every period has its extremes in the first or the last.
                let period = 2.0 * std::f64::consts::PI / frequency.abs();
                if 2.0 * period < to - from {
                    let samples = |from| evenly(from, from + period, SAMPLES_OF_A_PERIOD);
                    return vec![samples(from), samples(to - period)];
                }
                vec![evenly(from, to, 2 * SAMPLES_OF_A_PERIOD)]
            }
            Self::Curve(curve) if curve.period().is_some() => {
                let points = curve.table().time.len() as f64;
                let samples =
                    (to - from) / curve.period().unwrap_or(1.0) * points * SAMPLES_OF_A_PIECE as f64;
                vec![evenly(from, to, samples.clamp(SAMPLES as f64, MOST_SAMPLES) as usize)]
            }
            Self::Curve(curve) => {
                let inside = curve.table().time.iter().copied().filter(|time| from < *time && *time < to);
                let ends: Vec<f64> = [from].into_iter().chain(inside).chain([to]).collect();
                ends.windows(2).map(|pair| evenly(pair[0], pair[1], SAMPLES_OF_A_PIECE)).collect()
            }
            Self::Integral(integral) => integral.speed.windows(from, to),
            Self::Input(_) => Vec::new(),
            Self::Formula(_) | Self::Function(_) => vec![evenly(from, to, SAMPLES)],
        }
    }
}

/// Both ends and the points between that part a span into so many.
fn evenly(from: f64, to: f64, parts: usize) -> Vec<f64> {
    (0..=parts).map(|k| from + (to - from) * k as f64 / parts as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_extremes(function: &TimeFunction, (from, to): (f64, f64), least: [f64; 2], greatest: [f64; 2]) {
        for (found, [time, value]) in function.extremes(from, to).into_iter().zip([least, greatest]) {
            assert!((found.value - value).abs() < 1e-12, "{function:?}: {found:?} instead of {value}");
            assert!((found.time - time).abs() < 1e-7, "{function:?}: {found:?} instead of {time}");
        }
    }

    #[test]
    fn extremes_are_those_of_closed_forms() {
        assert_extremes(
            &TimeFunction::Linear { start: 1.0, rate: -2.0 },
            (0.0, 3.0),
            [3.0, -5.0],
            [0.0, 1.0],
        );
        let quarter = std::f64::consts::FRAC_PI_2;
        let harmonic = TimeFunction::Harmonic { mean: 0.5, amplitude: 0.6, frequency: 2.0, phase: 0.0 };
        assert_extremes(&harmonic, (0.0, 1e6), [1.5 * quarter, -0.1], [0.5 * quarter, 1.1]);
        assert_extremes(&harmonic, (0.0, 1.0), [0.0, 0.5], [0.5 * quarter, 1.1]);
        // 3 s² − 2 s³ down from 0.5 to −0.1 and up again: the least is at the point between, where the slope is zero.
        let curve = TimeFunction::through(vec![0.0, 1.0, 2.0], vec![0.5, -0.1, 0.5]).unwrap();
        assert_extremes(&curve, (-1.0, 5.0), [1.0, -0.1], [-1.0, 0.5]);
        // 1 + t − t²/2.
        let displacement =
            TimeFunction::with_speed(TimeFunction::Linear { start: 1.0, rate: -1.0 }, 1.0, 0.0, 4.0).unwrap();
        assert_extremes(&displacement, (0.0, 4.0), [4.0, -3.0], [1.0, 1.5]);
        // 0.1 t + 1 − cos t, whose rate 0.1 + sin t is zero where it is least in the first period.
        let wave = TimeFunction::Harmonic { mean: 0.1, amplitude: 1.0, frequency: 1.0, phase: 0.0 };
        let displacement = TimeFunction::with_speed(wave, 0.0, 0.0, 1.0).unwrap();
        let last = 15.0 * quarter * 4.0 - 2.0 * quarter + 0.1_f64.asin();
        assert_extremes(
            &displacement,
            (0.0, 60.0 * quarter),
            [0.0, 0.0],
            [last, 0.1 * last + 1.0 - last.cos()],
        );
    }
}
