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

/// Pieces to begin with, which see what is longer than a thousandth of the span, and at most.
const FIRST: u32 = 64;
const MOST: usize = 100_000;

/// Width of a piece over that of the span that is not halved further: a kink or a jump is in it.
const NARROWEST: f64 = 1e-14;

/// Difference of a piece from the sum of its halves, over the integral of the magnitude in it. The sum of the halves errs by a millionth of
/// it where the formula is smooth.
const DIFFERENCE: f64 = 1e-10;

/// The same over the integral in the whole span, where halving does not lessen it by much: round-off of the values, as of `1 − cos x` near
/// zero.
const ROUND_OFF: f64 = 1e-14;
const LESSENED: f64 = 0.35;

/// Differences that are left, over the integral in the whole span.
const UNRESOLVED: f64 = 1e-6;

/// What pieces are measured by.
struct Whole {
    /// Width of the narrowest piece (s).
    narrowest: f64,
    /// Integral of the magnitude.
    magnitude: f64,
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
        let whole = Whole { narrowest: span * NARROWEST, magnitude };
        let mut sums = [0.0; 2];
        for piece in pieces() {
            found.extend(formula, piece, f64::INFINITY, &whole, &mut sums)?;
        }
        let [unresolved, magnitude] = sums;
        (unresolved <= UNRESOLVED * magnitude).then_some(found)
    }

    /// Adds a piece, or its halves, of a piece whose difference was `before`; adds up the differences that are left, and the integrals of the
    /// magnitude.
    fn extend(
        &mut self,
        formula: &TimeFormula,
        (a, b): (f64, f64),
        before: f64,
        whole: &Whole,
        sums: &mut [f64; 2],
    ) -> Option<()> {
        let middle = 0.5 * (a + b);
        let [both, left, right] = [(a, b), (a, middle), (middle, b)].map(|(a, b)| gauss(formula, a, b));
        let (magnitude, difference) = (left.1 + right.1, (both.0 - left.0 - right.0).abs());
        if !magnitude.is_finite() {
            return None;
        }
        let is_round_off = difference <= ROUND_OFF * whole.magnitude && difference > LESSENED * before;
        let stands = difference <= DIFFERENCE * magnitude || is_round_off;
        if !stands && b - a > whole.narrowest && self.ends.len() < MOST {
            self.extend(formula, (a, middle), difference, whole, sums)?;
            return self.extend(formula, (middle, b), difference, whole, sums);
        }
        let area = self.areas.last().copied().unwrap_or(0.0);
        self.ends.push(b);
        self.areas.push(area + left.0 + right.0);
        sums[0] += if stands { 0.0 } else { difference };
        sums[1] += magnitude;
        Some(())
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
            Antiderivative::new(&formula, 0.0, until)
                .unwrap_or_else(|| unreachable!("{text} until {until}"))
                .at(&formula, t)
        };
        for t in [0.0, 3.0, 4.999, 5.0, 12.3, 25.0, 47.0, 60.0] {
            // 28/2 (1 − cos(π (t − 5)/20)) between 5 and 25 s, 28 from there on.
            let s = (t - 5.0_f64).clamp(0.0, 20.0);
            let w = std::f64::consts::PI / 20.0;
            let exact = 14.0 * (s - (w * s).sin() / w) + 28.0 * (t - 25.0).max(0.0);
            let found = integral("28/2*(1 - cos(pi*clamp((t - 5)/20, 0, 1)))", 60.0, t);
            assert!((found - exact).abs() <= 1e-13 * (1.0 + exact), "at {t}: {found} instead of {exact}");
        }
        // Values that are differences of larger ones: to their round-off.
        for until in [5.001, 5.1, 5.9, 6.0, 6.5, 7.0] {
            let (s, w) = (until - 5.0, std::f64::consts::PI / 20.0);
            let found = integral("28/2*(1 - cos(pi*clamp((t - 5)/20, 0, 1)))", until, until);
            let exact = 14.0 * (s - (w * s).sin() / w);
            assert!((found - exact).abs() < 1e-14, "until {until}: {found} instead of {exact}");
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
