//! The scale of one axis of a figure.

use crate::unit::{Scale, decade};

/// Spread, relative to the largest magnitude, below which values count as equal: rounding is not a result.
const ROUNDING: f64 = 1e-9;

/// The scale of one axis: its ends, its ticks, and how to write them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Axis {
    low: f64,
    high: f64,
    ticks: Vec<f64>,
    scale: Scale,
    decimals: usize,
}

impl Axis {
    /// An axis of numbers of this unit over `[low, high]` with about `ticks` ticks and a margin at both ends, relative to the length. Where
    /// all values are equal, it shows their surroundings.
    pub(crate) fn over(low: f64, high: f64, ticks: usize, margin: f64, unit: &str) -> Self {
        let magnitude = low.abs().max(high.abs());
        let (low, high) = if magnitude < f64::MIN_POSITIVE / f64::EPSILON {
            (-1.0, 1.0)
        } else if high - low <= ROUNDING * magnitude {
            (low - 0.1 * magnitude, high + 0.1 * magnitude)
        } else {
            let margin = margin * (high - low);
            (low - margin, high + margin)
        };
        let step = nice_step((high - low) / ticks.max(1) as f64);
        let (first, last) = ((low / step).ceil() as i64, (high / step).floor() as i64);
        let magnitude = low.abs().max(high.abs());
        let scale = Scale::of(unit, magnitude);
        Self {
            low,
            high,
            ticks: (first..=last).map(|index| index as f64 * step).collect(),
            decimals: (f64::from(scale.exponent) - decade(step)).max(0.0) as usize,
            scale,
        }
    }

    /// Where a value lies: 0 at the lower and 1 at the upper end.
    pub(crate) fn place(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// The values at both ends.
    pub(crate) fn ends(&self) -> [f64; 2] {
        [self.low, self.high]
    }

    /// Places and texts of the ticks.
    pub(crate) fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        self.ticks.iter().map(|&tick| (self.place(tick), self.tick_text(tick)))
    }

    /// The unit of the ticks in brackets; a dash for a number.
    pub(crate) fn unit_text(&self) -> &str {
        &self.scale.unit
    }

    fn tick_text(&self, tick: f64) -> String {
        // A division by an exact power of ten rounds once; the powers below 10⁻²² are not exact, nor needed to be.
        let scaled = match self.scale.exponent {
            0 => tick,
            exponent if exponent > 0 => tick / 10.0_f64.powi(exponent),
            // Two factors: the power itself may overflow.
            exponent => tick * 10.0_f64.powi(-exponent / 2) * 10.0_f64.powi(-exponent - -exponent / 2),
        };
        let text = format!("{scaled:.decimals$}", decimals = self.decimals);
        // The minus sign is as wide as a digit; a hyphen is not.
        match text.strip_prefix('-') {
            Some(digits) if digits.bytes().all(|digit| matches!(digit, b'0' | b'.')) => digits.to_owned(),
            Some(digits) => format!("−{digits}"),
            None => text,
        }
    }
}

/// The next larger number of the series 1, 2, 5, 10, ….
fn nice_step(step: f64) -> f64 {
    let power = 10.0_f64.powf(decade(step));
    let factor =
        [1.0, 2.0, 5.0].into_iter().find(|factor| factor * power >= step * (1.0 - 1e-9)).unwrap_or(10.0);
    factor * power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: &Axis) -> Vec<String> {
        axis.ticks().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_numbers_with_equally_many_decimals() {
        let axis = Axis::over(0.0, 2.0, 5, 0.0, "s");
        assert_eq!(texts(&axis), ["0.0", "0.5", "1.0", "1.5", "2.0"]);
        assert_eq!(axis.unit_text(), "[s]");
        assert_eq!(texts(&Axis::over(-0.011, 0.011, 4, 0.0, "")), ["−0.01", "0.00", "0.01"]);
    }

    #[test]
    fn unwieldy_numbers_move_a_prefix_or_a_power_of_ten_into_the_unit() {
        let axis = Axis::over(0.0, 3e-6, 3, 0.0, "m");
        assert_eq!((texts(&axis).join(" ").as_str(), axis.unit_text()), ("0 1 2 3", "[µm]"));
        let axis = Axis::over(-2.5e11, 0.0, 5, 0.0, "kg");
        assert_eq!((texts(&axis).remove(0).as_str(), axis.unit_text()), ("−250", "[10⁹ kg]"));
        let axis = Axis::over(0.0, 0.03, 3, 0.0, "m");
        assert_eq!((texts(&axis).join(" ").as_str(), axis.unit_text()), ("0 10 20 30", "[mm]"));
    }

    #[test]
    fn extreme_numbers_stay_short() {
        for magnitude in [1e-290, 1e-200, 1e-30, 1e30, 1e200, 1e300] {
            for (low, high) in [(0.0, magnitude), (-magnitude, magnitude), (magnitude, magnitude)] {
                let axis = Axis::over(low, high, 5, 0.04, "m");
                let texts = texts(&axis);
                assert!((2..=12).contains(&texts.len()), "{magnitude:e}: {texts:?}");
                assert!(texts.iter().all(|text| text.chars().count() <= 7), "{magnitude:e}: {texts:?}");
            }
        }
    }

    #[test]
    fn equal_values_lie_in_the_middle() {
        for value in [0.0, 1.0, -3.0, 5e-324, 1e-12, 1e12] {
            let axis = Axis::over(value, value, 5, 0.04, "N");
            assert!((axis.place(value) - 0.5).abs() < 1e-9, "{value:e}");
        }
        let axis = Axis::over(1.0, 1.0 + 1e-15, 5, 0.04, "N");
        assert_eq!(texts(&axis), ["0.90", "0.95", "1.00", "1.05", "1.10"]);
    }

    #[test]
    fn neighbouring_ticks_differ_in_their_text() {
        let texts = texts(&Axis::over(1e6, 1e6 + 0.01, 5, 0.0, "N"));
        assert!(texts.windows(2).all(|pair| pair[0] != pair[1]), "{texts:?}");
    }
}
