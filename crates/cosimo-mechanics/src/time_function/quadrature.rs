//! Integrals of formulas, of which no closed form is known: Gauss's rule of ten points on pieces that are halved until the sum stands.

use cosimo_formula::TimeFormula;

/// Points and weights of Gauss's rule of ten points on [−1, 1], of which those of the other sign are left out.
const POINTS: [(f64, f64); 5] = [
    (0.148_874_338_981_631_22, 0.295_524_224_714_752_87),
    (0.433_395_394_129_247_2, 0.269_266_719_309_996_35),
    (0.679_409_568_299_024_4, 0.219_086_362_515_982_04),
    (0.865_063_366_688_984_5, 0.149_451_349_150_580_6),
    (0.973_906_528_517_171_7, 0.066_671_344_308_688_14),
];

/// Pieces to begin with, so that no short bump is missed, and at most.
const FIRST: u32 = 64;
const MOST: usize = 100_000;

/// Width of a piece over that of the span that is not halved further: a kink or a jump is in it.
const NARROWEST: f64 = 1e-14;

/// Difference of a piece from the sum of its halves, over the integral of the magnitude. The sum of the halves errs by a millionth of it
/// where the formula is smooth.
const DIFFERENCE: f64 = 1e-10;

/// Part of the whole that may lie in pieces that are not halved further.
const UNRESOLVED: f64 = 1e-11;

/// Difference of the values in a piece that is round-off, over the mean magnitude.
const ROUND_OFF: f64 = 1e-15;

/// Where halving ends.
struct Limits {
    /// Width of a piece (s).
    narrowest: f64,
    /// Error of values.
    round_off: f64,
}

/// The integral of a formula from one time on.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Antiderivative {
    /// Ends of the pieces (s), and the integral up to each.
    ends: Vec<f64>,
    areas: Vec<f64>,
}

impl Antiderivative {
    /// Between two times (s); `None` where the pieces are too many, or the formula has no value.
    pub(super) fn new(formula: &TimeFormula, since: f64, until: f64) -> Option<Self> {
        let mut found = Self { ends: vec![since], areas: vec![0.0] };
        let span = until - since;
        let end = |piece: u32| since + span * f64::from(piece) / f64::from(FIRST);
        let pieces = || (0..FIRST).map(|piece| (end(piece), end(piece + 1)));
        let magnitude: f64 = pieces().map(|(a, b)| gauss(formula, a, b).1).sum();
        let limits = Limits { narrowest: span * NARROWEST, round_off: ROUND_OFF * magnitude / span };
        let mut unresolved = 0.0;
        for piece in pieces() {
            unresolved += found.extend(formula, piece, &limits)?;
        }
        (unresolved <= UNRESOLVED * magnitude).then_some(found)
    }

    /// Adds a piece, or its halves; returns the integral of the magnitude of what is not resolved.
    fn extend(&mut self, formula: &TimeFormula, (a, b): (f64, f64), limits: &Limits) -> Option<f64> {
        let middle = 0.5 * (a + b);
        let [whole, left, right] = [(a, b), (a, middle), (middle, b)].map(|(a, b)| gauss(formula, a, b));
        let magnitude = left.1 + right.1;
        let stands =
            (whole.0 - left.0 - right.0).abs() <= DIFFERENCE * magnitude + limits.round_off * (b - a);
        if !magnitude.is_finite() || self.ends.len() > MOST {
            return None;
        }
        if !stands && b - a > limits.narrowest {
            let unresolved = self.extend(formula, (a, middle), limits)?;
            return Some(unresolved + self.extend(formula, (middle, b), limits)?);
        }
        let before = self.areas.last().copied().unwrap_or(0.0);
        self.ends.push(b);
        self.areas.push(before + left.0 + right.0);
        Some(if stands { 0.0 } else { magnitude })
    }

    /// From the first time to `t` (s). Times outside are reached by one piece from the nearest end.
    pub(super) fn at(&self, formula: &TimeFormula, t: f64) -> f64 {
        let piece = self.ends.partition_point(|end| *end <= t).saturating_sub(1);
        self.areas[piece] + gauss(formula, self.ends[piece], t).0
    }
}

/// Integral between two times (s), and that of the magnitude.
fn gauss(formula: &TimeFormula, a: f64, b: f64) -> (f64, f64) {
    let (middle, half) = (0.5 * (a + b), 0.5 * (b - a));
    POINTS.iter().fold((0.0, 0.0), |(sum, magnitude), (x, weight)| {
        let [low, high] = [middle - half * x, middle + half * x].map(|t| formula.value(t));
        (sum + half * weight * (low + high), magnitude + half.abs() * weight * (low.abs() + high.abs()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integrals_are_those_of_closed_forms() {
        let integral = |text: &str, until: f64, t: f64| {
            let formula = TimeFormula::parse(text).unwrap();
            Antiderivative::new(&formula, 0.0, until).unwrap().at(&formula, t)
        };
        for t in [0.0, 3.0, 4.999, 5.0, 12.3, 25.0, 47.0, 60.0] {
            // 28/2 (1 − cos(π (t − 5)/20)) between 5 and 25 s, 28 from there on.
            let s = (t - 5.0_f64).clamp(0.0, 20.0);
            let w = std::f64::consts::PI / 20.0;
            let exact = 14.0 * (s - (w * s).sin() / w) + 28.0 * (t - 25.0).max(0.0);
            let found = integral("28/2*(1 - cos(pi*clamp((t - 5)/20, 0, 1)))", 60.0, t);
            assert!((found - exact).abs() <= 1e-13 * (1.0 + exact), "at {t}: {found} instead of {exact}");
        }
        assert!((integral("if(t < 1/3, 0, 2)", 1.0, 0.9) - 2.0 * (0.9 - 1.0 / 3.0)).abs() < 1e-13);
        assert!((integral("sin(1000*t)", 10.0, 7.7) - (1.0 - 7700_f64.cos()) / 1000.0).abs() < 1e-13);
        assert!((integral("exp(-t)", 1.0, 1.5) - (1.0 - (-1.5_f64).exp())).abs() < 1e-13);
    }

    #[test]
    fn what_has_no_integral_is_refused() {
        for text in ["1/t", "sin(1e9*t)", "sqrt(t - 0.5)"] {
            assert_eq!(Antiderivative::new(&TimeFormula::parse(text).unwrap(), 0.0, 1.0), None, "{text}");
        }
    }
}
