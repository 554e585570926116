//! A logarithmic scale of one axis of a figure.

/// A logarithmic scale: its ends and its ticks.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LogAxis {
    /// Decimal logarithms of the ends.
    low: f64,
    high: f64,
    ticks: Vec<(f64, String)>,
}

/// Most decades that all have a tick.
const TICKED_DECADES: i32 = 8;

impl LogAxis {
    /// An axis over the positive ones of these numbers with a margin (decades) at both ends; without any, the decade about 1.
    pub(crate) fn over(numbers: impl Iterator<Item = f64>, margin: f64) -> Self {
        let wider = |(low, high): (f64, f64), x: f64| (low.min(x), high.max(x));
        let logarithms = numbers.filter(|x| *x > 0.0 && x.is_finite()).map(f64::log10);
        let (low, high) = logarithms.fold((f64::INFINITY, f64::NEG_INFINITY), wider);
        let (low, high) = if low <= high { (low - margin, high + margin) } else { (-0.5, 0.5) };
        Self { low, high, ticks: ticks(low, high) }
    }

    /// Where a positive value lies: 0 at the lower and 1 at the upper end.
    pub(crate) fn place(&self, value: f64) -> f64 {
        (value.log10() - self.low) / (self.high - self.low)
    }

    /// The values at both ends.
    pub(crate) fn ends(&self) -> [f64; 2] {
        [self.low, self.high].map(|power| 10.0_f64.powf(power))
    }

    /// Places and texts of the ticks.
    pub(crate) fn ticks(&self) -> impl Iterator<Item = (f64, &str)> {
        let length = self.high - self.low;
        self.ticks.iter().map(move |(power, text)| ((power - self.low) / length, text.as_str()))
    }
}

/// Ticks (logarithm and text) at powers of ten; on a short axis at 2 and 5 times such powers too.
fn ticks(low: f64, high: f64) -> Vec<(f64, String)> {
    let (first, last) = (low.floor() as i32, high.ceil() as i32);
    let every = 1 + (last - first) / TICKED_DECADES;
    let factors: &[f64] = if high - low < 2.5 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let mut found = Vec::new();
    for power in (first..=last).filter(|power| power % every == 0) {
        for factor in factors {
            let place = f64::from(power) + factor.log10();
            if (low..=high).contains(&place) {
                found.push((place, format!("{factor}e{power}").replace('-', "−")));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_are_ticked_and_short_axes_more_closely() {
        let texts = |low: f64, high: f64| {
            let axis = LogAxis::over([low, high].into_iter(), 0.0);
            axis.ticks().map(|(_, text)| text.to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(texts(1e-4, 1e-1), ["1e−4", "1e−3", "1e−2", "1e−1"]);
        assert_eq!(texts(1e-3, 1e-2), ["1e−3", "2e−3", "5e−3", "1e−2"]);
        assert!(texts(1e-30, 1e3).len() <= 10);
    }

    #[test]
    fn equal_ratios_have_equal_lengths() {
        let axis = LogAxis::over([1e-4, 1e-2, 0.0, f64::NAN].into_iter(), 0.5);
        let length = |a: f64, b: f64| axis.place(b) - axis.place(a);
        assert!((length(1e-4, 1e-3) - length(1e-3, 1e-2)).abs() < 1e-12);
        assert!((axis.ends()[1] / 10.0_f64.powf(-1.5) - 1.0).abs() < 1e-12);
        assert_eq!(LogAxis::over(std::iter::empty(), 0.1).place(1.0), 0.5);
    }
}
