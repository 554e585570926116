//! Units in terms of base units.
//!
//! A unit is read as products and quotients of symbols with exponents, `kg m2`, `N.m/rad`, `m/s2`, `1/s`; each `/` divides by the
//! product after it, which may be in parentheses.

use std::f64::consts::PI;

/// Names of the base units, in the order of exponents.
pub(crate) const BASE: [&str; 8] = ["kg", "m", "s", "A", "K", "mol", "cd", "rad"];

/// A unit in terms of base units.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct BaseUnit {
    pub(crate) exponents: [i32; 8],
    pub(crate) factor: f64,
    pub(crate) offset: f64,
}

const ONE: BaseUnit = BaseUnit { exponents: [0; 8], factor: 1.0, offset: 0.0 };

/// Symbols with exponents and factors.
const SYMBOLS: &[(&str, [i32; 8], f64)] = &[
    ("kg", [1, 0, 0, 0, 0, 0, 0, 0], 1.0),
    ("g", [1, 0, 0, 0, 0, 0, 0, 0], 1e-3),
    ("t", [1, 0, 0, 0, 0, 0, 0, 0], 1e3),
    ("m", [0, 1, 0, 0, 0, 0, 0, 0], 1.0),
    ("s", [0, 0, 1, 0, 0, 0, 0, 0], 1.0),
    ("min", [0, 0, 1, 0, 0, 0, 0, 0], 60.0),
    ("h", [0, 0, 1, 0, 0, 0, 0, 0], 3600.0),
    ("A", [0, 0, 0, 1, 0, 0, 0, 0], 1.0),
    ("K", [0, 0, 0, 0, 1, 0, 0, 0], 1.0),
    ("mol", [0, 0, 0, 0, 0, 1, 0, 0], 1.0),
    ("cd", [0, 0, 0, 0, 0, 0, 1, 0], 1.0),
    ("rad", [0, 0, 0, 0, 0, 0, 0, 1], 1.0),
    ("deg", [0, 0, 0, 0, 0, 0, 0, 1], PI / 180.0),
    ("rev", [0, 0, 0, 0, 0, 0, 0, 1], 2.0 * PI),
    ("rpm", [0, 0, -1, 0, 0, 0, 0, 1], PI / 30.0),
    ("Hz", [0, 0, -1, 0, 0, 0, 0, 0], 1.0),
    ("N", [1, 1, -2, 0, 0, 0, 0, 0], 1.0),
    ("Pa", [1, -1, -2, 0, 0, 0, 0, 0], 1.0),
    ("bar", [1, -1, -2, 0, 0, 0, 0, 0], 1e5),
    ("J", [1, 2, -2, 0, 0, 0, 0, 0], 1.0),
    ("W", [1, 2, -3, 0, 0, 0, 0, 0], 1.0),
    ("C", [0, 0, 1, 1, 0, 0, 0, 0], 1.0),
    ("V", [1, 2, -3, -1, 0, 0, 0, 0], 1.0),
    ("Ohm", [1, 2, -3, -2, 0, 0, 0, 0], 1.0),
    ("F", [-1, -2, 4, 2, 0, 0, 0, 0], 1.0),
    ("H", [1, 2, -2, -2, 0, 0, 0, 0], 1.0),
    ("T", [1, 0, -2, -1, 0, 0, 0, 0], 1.0),
    ("Wb", [1, 2, -2, -1, 0, 0, 0, 0], 1.0),
];

/// Symbols that take prefixes.
const PREFIXED: &[&str] = &[
    "g", "m", "s", "A", "K", "mol", "rad", "Hz", "N", "Pa", "bar", "J", "W", "C", "V", "Ohm", "F", "H", "T",
];

const PREFIXES: &[(char, f64)] =
    &[('n', 1e-9), ('u', 1e-6), ('µ', 1e-6), ('m', 1e-3), ('c', 1e-2), ('k', 1e3), ('M', 1e6), ('G', 1e9)];

/// A unit in terms of base units, where it is known.
pub(crate) fn base_unit(unit: &str) -> Option<BaseUnit> {
    match unit.trim() {
        "degC" => return Some(BaseUnit { offset: 273.15, ..powers(symbol("K")?, 1) }),
        "-" => return Some(ONE),
        "%" => return Some(BaseUnit { factor: 0.01, ..ONE }),
        _ => {}
    }
    let mut total = ONE;
    for (place, part) in unit.split('/').enumerate() {
        let part = part.trim();
        let part = part.strip_prefix('(').and_then(|part| part.strip_suffix(')')).unwrap_or(part);
        let sign = if place == 0 { 1 } else { -1 };
        for factor in part.split([' ', '.', '*', '·']).filter(|factor| !factor.is_empty()) {
            total = product(total, powers(power(factor)?, sign));
        }
        if part.is_empty() {
            return None;
        }
    }
    Some(total)
}

/// A symbol with an exponent, as `m2`, `s^-1`, `1`.
fn power(text: &str) -> Option<BaseUnit> {
    if text == "1" {
        return Some(ONE);
    }
    let name = text.trim_end_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '+' | '-'));
    let exponent = match &text[name.len()..] {
        "" => 1,
        exponent => exponent.parse().ok().filter(|exponent: &i32| exponent.abs() < 100)?,
    };
    Some(powers(symbol(name.strip_suffix('^').unwrap_or(name))?, exponent))
}

/// A symbol, with a prefix or without.
fn symbol(name: &str) -> Option<BaseUnit> {
    let plain = |name: &str| {
        let found = SYMBOLS.iter().find(|(own, ..)| *own == name);
        found.map(|(_, exponents, factor)| BaseUnit { exponents: *exponents, factor: *factor, offset: 0.0 })
    };
    plain(name).or_else(|| {
        let (prefix, factor) = PREFIXES.iter().find(|(prefix, _)| name.starts_with(*prefix))?;
        let rest = &name[prefix.len_utf8()..];
        let unit = plain(rest).filter(|_| PREFIXED.contains(&rest))?;
        Some(BaseUnit { factor: factor * unit.factor, ..unit })
    })
}

fn powers(unit: BaseUnit, exponent: i32) -> BaseUnit {
    let exponents = unit.exponents.map(|own| own * exponent);
    BaseUnit { exponents, factor: unit.factor.powi(exponent), offset: 0.0 }
}

fn product(a: BaseUnit, b: BaseUnit) -> BaseUnit {
    let mut exponents = a.exponents;
    exponents.iter_mut().zip(b.exponents).for_each(|(own, other)| *own += other);
    BaseUnit { exponents, factor: a.factor * b.factor, offset: 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_unit(text: &str, exponents: &[(&str, i32)], factor: f64) {
        let unit = base_unit(text).unwrap_or_else(|| panic!("{text} is unknown"));
        let found = BASE.into_iter().zip(unit.exponents).filter(|(_, exponent)| *exponent != 0);
        assert_eq!(found.collect::<Vec<_>>(), exponents, "{text}");
        assert!((unit.factor - factor).abs() <= 1e-15 * factor, "{text}: {}", unit.factor);
    }

    #[test]
    fn mechanical_units_have_their_base_units() {
        assert_unit("N m", &[("kg", 1), ("m", 2), ("s", -2)], 1.0);
        assert_unit("m/s2", &[("m", 1), ("s", -2)], 1.0);
        assert_unit("kg m2", &[("kg", 1), ("m", 2)], 1.0);
        assert_unit("N s/m", &[("kg", 1), ("s", -1)], 1.0);
        assert_unit("N.m/rad", &[("kg", 1), ("m", 2), ("s", -2), ("rad", -1)], 1.0);
        assert_unit("1/s", &[("s", -1)], 1.0);
        assert_unit("W/(m2 K)", &[("kg", 1), ("s", -3), ("K", -1)], 1.0);
        assert_unit("m s^-2", &[("m", 1), ("s", -2)], 1.0);
        assert_unit("mm", &[("m", 1)], 1e-3);
        assert_unit("kN", &[("kg", 1), ("m", 1), ("s", -2)], 1e3);
        assert_unit("km/h", &[("m", 1), ("s", -1)], 1e3 / 3600.0);
        assert_unit("min", &[("s", 1)], 60.0);
        assert_unit("1", &[], 1.0);
        assert_eq!(base_unit("degC").map(|unit| unit.offset), Some(273.15));
    }

    #[test]
    fn other_units_are_unknown() {
        for unit in ["", "furlong", "m//s", "m/", "m-", "kkg", "N m^x"] {
            assert_eq!(base_unit(unit), None, "{unit}");
        }
    }
}
