//! Units with prefixes.

/// Prefixes of the SI by their exponents; thousands go by steps of three.
const PREFIXES: [(i32, &str); 9] =
    [(-12, "p"), (-9, "n"), (-6, "µ"), (-3, "m"), (0, ""), (3, "k"), (6, "M"), (9, "G"), (12, "T")];
/// Units that take every prefix, as the first of a product or quotient: `kN m`, `mm/s`.
const ALWAYS: [&str; 9] = ["m", "N", "J", "W", "Pa", "Hz", "V", "A", "g"];
/// Units of which one writes fractions with prefixes, but no multiples.
const FRACTIONS: [&str; 2] = ["s", "rad"];
/// Magnitudes that are written without prefix or power of ten, of units that take prefixes and of others.
const PLAIN: [std::ops::Range<f64>; 2] = [0.1..1e3, 1e-3..1e5];

/// How numbers with a unit are written on an axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Scale {
    /// Power of ten by which numbers are divided.
    pub(crate) exponent: i32,
    /// The unit of what is written, in brackets; a dash for a number.
    pub(crate) unit: String,
}

impl Scale {
    /// The scale for numbers up to this magnitude.
    pub(crate) fn of(unit: &str, magnitude: f64) -> Self {
        let exponent = exponent(magnitude, &PLAIN[0]);
        match PREFIXES.iter().find(|(own, _)| *own == exponent && takes(unit, exponent)) {
            Some((_, prefix)) => Self { exponent, unit: format!("[{prefix}{unit}]") },
            None => Self::power(unit, exponent_of_others(magnitude)),
        }
    }

    fn power(unit: &str, exponent: i32) -> Self {
        let digits: String = exponent.to_string().chars().map(superscript).collect();
        let text = match (exponent, unit) {
            (0, "") => "[–]".to_owned(),
            (0, _) => format!("[{unit}]"),
            (_, "") => format!("[10{digits}]"),
            _ => format!("[10{digits} {unit}]"),
        };
        Self { exponent, unit: text }
    }
}

/// Whether a unit is written with the prefix of this exponent.
fn takes(unit: &str, exponent: i32) -> bool {
    let first = unit.split([' ', '/', '·']).next().unwrap_or_default();
    ALWAYS.contains(&first) || FRACTIONS.contains(&first) && exponent <= 0
}

fn exponent(magnitude: f64, plain: &std::ops::Range<f64>) -> i32 {
    if plain.contains(&magnitude) { 0 } else { 3 * (decade(magnitude) / 3.0).floor() as i32 }
}

fn exponent_of_others(magnitude: f64) -> i32 {
    exponent(magnitude, &PLAIN[1])
}

/// `⌊log10 x⌋`, for a step from the series 1, 2, 5 also where the logarithm is rounded down.
pub(crate) fn decade(x: f64) -> f64 {
    (x.log10() + 1e-9).floor()
}

fn superscript(character: char) -> char {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    match character.to_digit(10) {
        Some(digit) => DIGITS[digit as usize],
        None => '⁻',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_have_the_prefix_with_which_numbers_read_best() {
        for (unit, magnitude, expected) in [
            ("m", 0.5, "[m]"),
            ("m", 0.05, "[mm]"),
            ("m", 3e-6, "[µm]"),
            ("N", 999.0, "[N]"),
            ("N", 1.2e4, "[kN]"),
            ("N m", 3e6, "[MN m]"),
            ("m/s", 0.01, "[mm/s]"),
            ("s", 2e-3, "[ms]"),
            ("s", 5e3, "[s]"),
            ("s", 5e6, "[10⁶ s]"),
            ("rad", 1e-3, "[mrad]"),
            ("rad/s", 4e3, "[rad/s]"),
            ("Pa", 2e11, "[GPa]"),
            // These are powers of units, or have a prefix already.
            ("m²", 1e-6, "[10⁻⁶ m²]"),
            ("kg", 1e6, "[10⁶ kg]"),
            ("kg m²", 0.01, "[kg m²]"),
            ("µm", 1e6, "[10⁶ µm]"),
            ("", 1e-6, "[10⁻⁶]"),
            ("", 1.0, "[–]"),
            ("m", 1e-30, "[10⁻³⁰ m]"),
        ] {
            assert_eq!(Scale::of(unit, magnitude).unit, expected, "{magnitude} {unit}");
        }
    }
}
