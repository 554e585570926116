//! A curve through points.

use serde::{Deserialize, Serialize};

use super::{TimeTable, TimeTableError};

/// How a curve goes from point to point; all but periodic ones are constant before the first and after the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Interpolation {
    /// Cubic spline with continuous second derivative between the points and slope zero at both ends. It rings where the
    /// slopes of the chords change much: it may leave the range of the values.
    ///
    /// Reference: C. de Boor, *A Practical Guide to Splines*, Springer 2001, ch. IV (complete cubic spline).
    #[default]
    Spline,
    /// Cubic pieces that rise where the values rise and fall where they fall, with continuous first derivative, zero at
    /// both ends and at every extreme value; the second derivative jumps at the points.
    ///
    /// References: F. N. Fritsch and R. E. Carlson, *Monotone piecewise cubic interpolation*, SIAM J. Numer. Anal. 17
    /// (1980), 238–246; slopes of F. N. Fritsch and J. Butland, SIAM J. Sci. Stat. Comput. 5 (1984), 300–304.
    Monotone,
    /// Cubic spline that goes on and on: the last point is the first one of the next period, and has its value up to round-off. The second
    /// derivative is continuous everywhere.
    Periodic,
    /// Straight lines: the first derivative jumps at the points.
    Linear,
}

/// A curve of cubic pieces through the points of a table, constant before the first and after the last.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Keys", into = "Keys")]
pub struct Curve {
    table: TimeTable,
    interpolation: Interpolation,
    /// Slopes of each piece where it begins and ends; none of straight lines.
    slopes: Vec<[f64; 2]>,
    /// Integrals from the first point to each.
    areas: Vec<f64>,
}

/// The keys of a curve.
#[derive(Clone, Serialize, Deserialize)]
struct Keys {
    time: Vec<f64>,
    value: Vec<f64>,
    #[serde(default)]
    interpolation: Interpolation,
}

impl From<Curve> for Keys {
    fn from(Curve { table: TimeTable { time, value }, interpolation, .. }: Curve) -> Self {
        Self { time, value, interpolation }
    }
}

impl TryFrom<Keys> for Curve {
    type Error = TimeTableError;

    fn try_from(Keys { time, value, interpolation }: Keys) -> Result<Self, TimeTableError> {
        Self::new(TimeTable { time, value }, interpolation)
    }
}

/// Slopes of the pieces from those at the points.
fn shared(slopes: &[f64]) -> Vec<[f64; 2]> {
    slopes.windows(2).map(|pair| [pair[0], pair[1]]).collect()
}

/// Slopes of the straight lines between the points.
fn chords(times: &[f64], values: &[f64]) -> impl Iterator<Item = f64> {
    times.windows(2).zip(values.windows(2)).map(|(t, v)| (v[1] - v[0]) / (t[1] - t[0]))
}

/// Slopes at the points that keep every piece monotone: with the chords `d` of both sides and the spans `h`, the harmonic
/// mean `(w₋ + w₊) / (w₋/d₋ + w₊/d₊)` with `w₋ = h₋ + 2 h₊` and `w₊ = 2 h₋ + h₊`, at most three times the smaller chord; zero
/// where the chords differ in sign, and at both ends.
fn monotone_slopes(times: &[f64], values: &[f64]) -> Vec<f64> {
    let chords: Vec<f64> = chords(times, values).collect();
    let mut slopes = vec![0.0; times.len()];
    for k in 1..chords.len() {
        let [left, right] = [chords[k - 1], chords[k]];
        if left != 0.0 && right != 0.0 && left.is_sign_positive() == right.is_sign_positive() {
            let [before, after] = [times[k] - times[k - 1], times[k + 1] - times[k]];
            let [of_left, of_right] = [before + 2.0 * after, 2.0 * before + after];
            slopes[k] = (of_left + of_right) / (of_left / left + of_right / right);
        }
    }
    slopes
}

/// Slopes at the points, from the continuity of the second derivative: with `h` the spans between the points and `d` the
/// slopes of the chords, `m₋/h₋ + 2 (1/h₋ + 1/h₊) m + m₊/h₊ = 3 (d₋/h₋ + d₊/h₊)`; by elimination from the left.
fn smooth_slopes(times: &[f64], values: &[f64]) -> Vec<f64> {
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

/// Sweeps in which the slopes of a periodic spline are found: the error falls to a quarter or less in each.
const SWEEPS: usize = 40;

/// The same for a curve whose last point is the first one of the next period, by the method of Gauss and Seidel.
fn periodic_slopes(times: &[f64], values: &[f64]) -> Vec<f64> {
    let spans = times.len() - 1;
    let mut slopes = vec![0.0; times.len()];
    let span = |k: usize| times[k + 1] - times[k];
    let chord = |k: usize| (values[k + 1] - values[k]) / span(k);
    for _ in 0..SWEEPS {
        for k in 0..spans {
            let before = (k + spans - 1) % spans;
            let (left, right) = (1.0 / span(before), 1.0 / span(k));
            let load = 3.0 * (chord(before) * left + chord(k) * right);
            slopes[k] =
                (load - left * slopes[before] - right * slopes[(k + 1) % spans]) / (2.0 * (left + right));
        }
    }
    slopes[spans] = slopes[0];
    slopes
}

/// A piece `v + m s + b s² + c s³` between two points `h` apart, with `s = 0` at the first and `s = 1` at the second.
struct Piece {
    h: f64,
    v: f64,
    m: f64,
    b: f64,
    c: f64,
}

impl Piece {
    /// Value, first and second derivative.
    fn at(&self, s: f64) -> [f64; 3] {
        let Self { h, v, m, b, c } = self;
        [
            v + s * (m + s * (b + s * c)),
            (m + s * (2.0 * b + 3.0 * s * c)) / h,
            (2.0 * b + 6.0 * s * c) / (h * h),
        ]
    }

    /// Integral from the first point.
    fn area(&self, s: f64) -> f64 {
        let Self { h, v, m, b, c } = self;
        h * s * (v + s * (m / 2.0 + s * (b / 3.0 + s * c / 4.0)))
    }
}

/// How far the values at both ends of a period may differ, relative to the largest one: what the rounding of sampled functions makes.
const CLOSURE: f64 = 1e-12;

/// Closes a period up to round-off. Refuses values that differ at both ends, or fewer than two points.
fn close_period(value: &mut [f64]) -> Result<(), TimeTableError> {
    let end = value.len() - 1;
    let (first, last) = (value[0], value[end]);
    let largest = value.iter().fold(0.0, |largest: f64, value| largest.max(value.abs()));
    if end == 0 || (first - last).abs() > CLOSURE * largest {
        return Err(TimeTableError::Period { first, last });
    }
    value[end] = first;
    Ok(())
}

impl Curve {
    /// The curve through the points of a table.
    ///
    /// # Errors
    /// See [`TimeTableError`].
    pub fn new(mut table: TimeTable, interpolation: Interpolation) -> Result<Self, TimeTableError> {
        table.check()?;
        if interpolation == Interpolation::Periodic {
            close_period(&mut table.value)?;
        }
        let TimeTable { time, value } = &table;
        let slopes = match interpolation {
            Interpolation::Spline => shared(&smooth_slopes(time, value)),
            Interpolation::Monotone => shared(&monotone_slopes(time, value)),
            Interpolation::Periodic => shared(&periodic_slopes(time, value)),
            Interpolation::Linear => Vec::new(),
        };
        let points = time.len();
        let mut curve = Self { slopes, table, interpolation, areas: Vec::with_capacity(points) };
        let mut area = 0.0;
        for k in 0..points {
            curve.areas.push(area);
            if k + 1 < points {
                area += curve.piece(k).area(1.0);
            }
        }
        Ok(curve)
    }

    /// The points.
    #[must_use]
    pub fn table(&self) -> &TimeTable {
        &self.table
    }

    /// How it goes between them.
    #[must_use]
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// The piece that begins at this point, which is not the last.
    fn piece(&self, k: usize) -> Piece {
        let TimeTable { time, value } = &self.table;
        let (h, v) = (time[k + 1] - time[k], value[k]);
        let rise = value[k + 1] - v;
        let Some(slopes) = self.slopes.get(k) else { return Piece { h, v, m: rise, b: 0.0, c: 0.0 } };
        let [m, end] = slopes.map(|slope| h * slope);
        Piece { h, v, m, b: 3.0 * rise - 2.0 * m - end, c: m + end - 2.0 * rise }
    }

    /// The pieces in their order: time (s), value, first and second derivative where each begins and where it ends.
    pub fn pieces(&self) -> impl Iterator<Item = [(f64, [f64; 3]); 2]> {
        (1..self.table.time.len()).map(|k| {
            let piece = self.piece(k - 1);
            [(self.table.time[k - 1], piece.at(0.0)), (self.table.time[k], piece.at(1.0))]
        })
    }

    /// Its period (s), of a periodic one.
    #[must_use]
    pub fn period(&self) -> Option<f64> {
        let time = &self.table.time;
        (self.interpolation == Interpolation::Periodic).then(|| time[time.len() - 1] - time[0])
    }

    /// The same instant in the first period, of a periodic curve.
    fn within(&self, t: f64) -> f64 {
        let Some(period) = self.period() else { return t };
        let (first, end) = (self.table.time[0], self.table.time[self.table.time.len() - 1]);
        let inside = first + (t - first).rem_euclid(period);
        if inside < end { inside } else { first }
    }

    /// The point that begins the piece of this time; the next end of the curve where there is no piece.
    fn find(&self, t: f64) -> Result<usize, usize> {
        let time = &self.table.time;
        let t = self.within(t);
        let (next, last) = (time.partition_point(|time| *time <= t), time.len() - 1);
        if next == 0 || next > last { Err(if next == 0 { 0 } else { last }) } else { Ok(next - 1) }
    }

    /// Value, first and second derivative.
    pub(super) fn at(&self, t: f64) -> [f64; 3] {
        match self.find(t) {
            Err(end) => [self.table.value[end], 0.0, 0.0],
            Ok(k) => {
                let piece = self.piece(k);
                piece.at((self.within(t) - self.table.time[k]) / piece.h)
            }
        }
    }

    /// Integral from the first point to the time `t` (s).
    pub(super) fn area(&self, t: f64) -> f64 {
        if let Some((period, all)) = self.period().zip(self.areas.last()) {
            let inside = self.within(t);
            return ((t - inside) / period).round() * all + self.area_inside(inside);
        }
        self.area_inside(t)
    }

    fn area_inside(&self, t: f64) -> f64 {
        match self.find(t) {
            Err(end) => self.areas[end] + self.table.value[end] * (t - self.table.time[end]),
            Ok(k) => {
                let piece = self.piece(k);
                self.areas[k] + piece.area((t - self.table.time[k]) / piece.h)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::TimeFunction;
    use super::*;

    fn spline(times: &[f64], values: &[f64]) -> TimeFunction {
        TimeFunction::through(times.to_vec(), values.to_vec()).unwrap()
    }

    fn table(time: &[f64], value: &[f64]) -> TimeTable {
        TimeTable { time: time.to_vec(), value: value.to_vec() }
    }

    #[test]
    fn one_rise_is_the_smooth_step() {
        let rise = spline(&[1.0, 3.0], &[0.0, 2.0]);
        assert_eq!(rise.at(0.5), [0.0; 3]);
        assert_eq!(rise.at(3.0), [2.0, 0.0, 0.0]);
        assert_eq!(rise.at(2.0), [1.0, 1.5, 0.0]);
    }

    #[test]
    fn a_cubic_with_flat_ends_is_met_exactly() {
        let cubic = |t: f64| t * t * (3.0 - 2.0 * t);
        let times = [0.0, 0.2, 0.7, 1.0];
        let through = spline(&times, &times.map(cubic));
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
        let curve = spline(&[0.0, 0.3, 1.0, 1.2, 2.0], &[1.0, -1.0, 0.5, 0.7, 3.0]);
        for t in [0.1, 0.3, 0.9, 1.0, 1.1, 1.2, 1.9] {
            let (before, after) = (curve.at(t - 1e-7), curve.at(t + 1e-7));
            let found = curve.at(t);
            assert!(((after[0] - before[0]) / 2e-7 - found[1]).abs() < 1e-6, "{t}");
            assert!((after[2] - before[2]).abs() < 1e-3, "{t}: the second derivative jumps");
        }
    }

    /// A rise after a rest: the spline leaves the range of the values, the others do not.
    #[test]
    fn only_the_spline_overshoots() {
        let (times, values) = (vec![0.0, 1.0, 2.0, 2.5, 3.0, 4.0], vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        let greatest = |interpolation| {
            let curve = TimeFunction::curve(table(&times, &values), interpolation).unwrap();
            let samples = (0..=4000).map(|k| curve.at(1e-3 * f64::from(k))[0]);
            samples.fold(0.0, |most: f64, value| most.max(value - 1.0).max(-value))
        };
        assert!(greatest(Interpolation::Spline) > 0.05);
        assert_eq!(greatest(Interpolation::Monotone), 0.0);
        assert_eq!(greatest(Interpolation::Linear), 0.0);
    }

    /// Between points that rise the curve rises, however uneven they are, and its rate does not jump.
    #[test]
    fn monotone_curves_rise_where_the_values_do() {
        let (times, values) = (vec![0.0, 0.1, 1.0, 1.01, 3.0], vec![0.0, 1e-3, 0.2, 5.0, 5.1]);
        let curve = TimeFunction::curve(table(&times, &values), Interpolation::Monotone).unwrap();
        let rates = (0..=30_000).map(|k| curve.at(1e-4 * f64::from(k))[1]);
        assert!(rates.fold(f64::INFINITY, f64::min) >= 0.0);
        for t in times {
            let [before, after] = [t - 1e-9, t + 1e-9].map(|t| curve.at(t)[1]);
            assert!((after - before).abs() < 1e-2, "{t}: {before} {after}");
        }
    }

    /// Straight lines: rates are those of the chords, areas those of trapezia.
    #[test]
    fn linear_curves_are_straight_lines() {
        let curve = TimeFunction::table(vec![0.0, 1.0, 3.0], vec![0.0, 2.0, 0.0]).unwrap();
        assert_eq!(curve.at(0.5), [1.0, 2.0, 0.0]);
        assert_eq!(curve.at(2.0), [1.0, -1.0, 0.0]);
        let TimeFunction::Curve(curve) = curve else { panic!("points give a curve") };
        assert_eq!((curve.area(1.0), curve.area(3.0)), (1.0, 3.0));
        assert_eq!(curve.pieces().map(|[begin, end]| begin.1[1] + end.1[1]).collect::<Vec<_>>(), [4.0, -2.0]);
    }
}
