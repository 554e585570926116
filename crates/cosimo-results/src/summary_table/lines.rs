//! Lines of the table, and numbers in short.

use std::fmt::{self, Formatter};

/// How many warnings there were, if any.
pub(super) fn with_warnings(count: usize) -> String {
    match count {
        0 => String::new(),
        1 => ", with a warning".to_owned(),
        count => format!(", with {count} warnings"),
    }
}

pub(super) fn count(f: &mut Formatter<'_>, name: &str, value: &str, note: &str) -> fmt::Result {
    let line = format!("{name:<26}{value:>9}   {note}");
    writeln!(f, "{}", line.trim_end())
}

pub(super) fn energy_line(f: &mut Formatter<'_>, name: &str, value: f64) -> fmt::Result {
    writeln!(f, "  {name:<24}{value:<+13.5e} J")
}

/// All digits up to six.
pub(super) fn short_count(number: u64) -> String {
    if number < 1_000_000 { number.to_string() } else { format!("{:.2e}", number as f64) }
}

/// Three or so significant digits, without an exponent where that is short.
pub(super) fn short(value: f64) -> String {
    match value.abs() {
        0.0 => "0".to_owned(),
        size if (100.0..1e9).contains(&size) => format!("{value:.0}"),
        size if (10.0..100.0).contains(&size) => format!("{value:.1}"),
        size if (1.0..10.0).contains(&size) => format!("{value:.2}"),
        size if (1e-3..1.0).contains(&size) => format!("{value:.4}"),
        _ => format!("{value:.2e}"),
    }
}
