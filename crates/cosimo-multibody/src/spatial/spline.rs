//! A smooth curve through points.

use std::sync::Arc;

use super::law::Law;

/// Cubic spline with continuous second derivative between the points and slope zero at both ends, constant outside: what it
/// prescribes starts and stops without a jump of the velocity.
///
/// Reference: C. de Boor, *A Practical Guide to Splines*, Springer 2001, ch. IV (complete cubic spline).
#[derive(Debug)]
struct Spline {
    times: Vec<f64>,
    values: Vec<f64>,
    slopes: Vec<f64>,
}

impl Law {
    /// The spline through these values at these times (s); `None` unless there are as many of both, at least one, finite
    /// ones, at times that increase.
    #[must_use]
    pub fn through(times: Vec<f64>, values: Vec<f64>) -> Option<Self> {
        let is_finite = times.iter().chain(&values).all(|x| x.is_finite());
        let is_increasing = times.windows(2).all(|pair| pair[0] < pair[1]);
        if times.is_empty() || times.len() != values.len() || !is_finite || !is_increasing {
            return None;
        }
        let spline = Spline { slopes: slopes(&times, &values), times, values };
        Some(Self::Function(Arc::new(move |t| spline.at(t))))
    }
}

/// Slopes at the points, from the continuity of the second derivative: with `h` the spans between the points and `d` the
/// slopes of the chords, `m₋/h₋ + 2 (1/h₋ + 1/h₊) m + m₊/h₊ = 3 (d₋/h₋ + d₊/h₊)`; by elimination from the left.
fn slopes(times: &[f64], values: &[f64]) -> Vec<f64> {
    let points = times.len();
    let mut slopes = vec![0.0; points];
    let mut above = vec![0.0; points];
    let span = |k: usize| times[k + 1] - times[k];
    let chord = |k: usize| (values[k + 1] - values[k]) / span(k);
    for k in 1..points.saturating_sub(1) {
        let (left, right) = (1.0 / span(k - 1), 1.0 / span(k));
        let pivot = 2.0 * (left + right) - left * above[k - 1];
        above[k] = right / pivot;
        let load = 3.0 * (chord(k - 1) * left + chord(k) * right);
        slopes[k] = (load - left * slopes[k - 1]) / pivot;
    }
    for k in (1..points.saturating_sub(1)).rev() {
        slopes[k] -= above[k] * slopes[k + 1];
    }
    slopes
}

impl Spline {
    /// Value, first and second derivative.
    fn at(&self, t: f64) -> [f64; 3] {
        let next = self.times.partition_point(|time| *time <= t);
        let last = self.times.len() - 1;
        if next == 0 || next > last {
            return [self.values[if next == 0 { 0 } else { last }], 0.0, 0.0];
        }
        let k = next - 1;
        let h = self.times[next] - self.times[k];
        let s = (t - self.times[k]) / h;
        let rise = self.values[next] - self.values[k];
        let (m0, m1) = (h * self.slopes[k], h * self.slopes[next]);
        let (b, c) = (3.0 * rise - 2.0 * m0 - m1, m0 + m1 - 2.0 * rise);
        [
            self.values[k] + s * (m0 + s * (b + s * c)),
            (m0 + s * (2.0 * b + 3.0 * s * c)) / h,
            (2.0 * b + 6.0 * s * c) / (h * h),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn law(times: &[f64], values: &[f64]) -> Law {
        Law::through(times.to_vec(), values.to_vec()).unwrap()
    }

    #[test]
    fn one_rise_is_the_smooth_step() {
        let rise = law(&[1.0, 3.0], &[0.0, 2.0]);
        assert_eq!(rise.at(0.5), [0.0; 3]);
        assert_eq!(rise.at(3.0), [2.0, 0.0, 0.0]);
        assert_eq!(rise.at(2.0), [1.0, 1.5, 0.0]);
    }

    #[test]
    fn a_cubic_with_flat_ends_is_met_exactly() {
        let cubic = |t: f64| t * t * (3.0 - 2.0 * t);
        let times = [0.0, 0.2, 0.7, 1.0];
        let through = law(&times, &times.map(cubic));
        for k in 1..100 {
            let t = 0.01 * f64::from(k);
            let exact = [cubic(t), 6.0 * t * (1.0 - t), 6.0 - 12.0 * t];
            for (found, exact) in through.at(t).into_iter().zip(exact) {
                assert!((found - exact).abs() < 1e-12, "{t}: {found} {exact}");
            }
        }
    }

    #[test]
    fn derivatives_are_those_of_the_curve_and_do_not_jump() {
        let curve = law(&[0.0, 0.3, 1.0, 1.2, 2.0], &[1.0, -1.0, 0.5, 0.7, 3.0]);
        for t in [0.1, 0.3, 0.9, 1.0, 1.1, 1.2, 1.9] {
            let (before, after) = (curve.at(t - 1e-7), curve.at(t + 1e-7));
            let found = curve.at(t);
            assert!(((after[0] - before[0]) / 2e-7 - found[1]).abs() < 1e-6, "{t}");
            assert!((after[2] - before[2]).abs() < 1e-3, "{t}: the second derivative jumps");
        }
    }

    #[test]
    fn what_is_no_curve_is_refused() {
        for (times, values) in [
            (vec![], vec![]),
            (vec![0.0, 0.0], vec![1.0, 2.0]),
            (vec![0.0], vec![1.0, 2.0]),
            (vec![0.0, f64::NAN], vec![1.0, 2.0]),
        ] {
            assert!(Law::through(times, values).is_none());
        }
    }
}
