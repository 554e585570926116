//! The text of a TOML document, entry by entry.

use crate::spec::MatrixSpec;

/// Lines are broken before this many characters where they can be.
const WIDTH: usize = 100;

/// A TOML document under construction.
pub(crate) struct Writer {
    text: String,
}

impl Writer {
    /// An empty document.
    pub(crate) fn new() -> Self {
        Self { text: String::new() }
    }

    /// Starts a table or an entry of an array of tables, with its header in brackets.
    pub(crate) fn section(&mut self, header: &str) {
        self.text.push('\n');
        self.text.push_str(header);
        self.text.push('\n');
    }

    /// Writes an entry.
    pub(crate) fn entry(&mut self, key: &str, value: impl Literal) {
        self.raw(key, &value.literal());
    }

    /// Writes an entry whose value is TOML already.
    pub(crate) fn raw(&mut self, key: &str, literal: &str) {
        self.text.push_str(key);
        self.text.push_str(" = ");
        if literal.len() > WIDTH && literal.starts_with('[') {
            self.text.push_str(&folded(literal));
        } else {
            self.text.push_str(literal);
        }
        self.text.push('\n');
    }

    /// The document.
    pub(crate) fn finish(self) -> String {
        self.text
    }
}

/// A list over several lines, broken between its entries only.
fn folded(list: &str) -> String {
    let mut folded = String::from("[\n   ");
    let mut line = 0;
    for entry in entries(&list[1..list.len() - 1]) {
        if line > 0 && line + entry.len() > WIDTH {
            folded.push_str("\n   ");
            line = 0;
        }
        folded.push(' ');
        folded.push_str(entry);
        folded.push(',');
        line += entry.len() + 2;
    }
    folded.push_str("\n]");
    folded
}

/// The entries of the inside of a list; commas within brackets or strings do not separate.
fn entries(inside: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut depth, mut in_string, mut is_escaped) = (0, 0, false, false);
    for (at, character) in inside.char_indices() {
        let is_free = !in_string;
        match character {
            '"' if !is_escaped => in_string = !in_string,
            '[' | '{' if is_free => depth += 1,
            ']' | '}' if is_free => depth -= 1,
            ',' if is_free && depth == 0 => {
                found.push(inside[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
        is_escaped = in_string && character == '\\' && !is_escaped;
    }
    found.push(inside[start..].trim());
    found.retain(|entry| !entry.is_empty());
    found
}

/// What can be written as a TOML value.
pub(crate) trait Literal {
    /// The value as TOML.
    fn literal(&self) -> String;
}

impl Literal for f64 {
    fn literal(&self) -> String {
        // The shortest text that reads back to the same bits; always with a point or an exponent.
        format!("{self:?}")
    }
}

impl Literal for i32 {
    fn literal(&self) -> String {
        self.to_string()
    }
}

impl Literal for u32 {
    fn literal(&self) -> String {
        self.to_string()
    }
}

impl Literal for bool {
    fn literal(&self) -> String {
        self.to_string()
    }
}

impl Literal for str {
    fn literal(&self) -> String {
        toml::Value::String(self.to_owned()).to_string()
    }
}

impl Literal for String {
    fn literal(&self) -> String {
        self.as_str().literal()
    }
}

impl<T: Literal + ?Sized> Literal for &T {
    fn literal(&self) -> String {
        (**self).literal()
    }
}

impl<T: Literal, const N: usize> Literal for [T; N] {
    fn literal(&self) -> String {
        list(self.iter().map(Literal::literal))
    }
}

impl<T: Literal> Literal for Vec<T> {
    fn literal(&self) -> String {
        list(self.iter().map(Literal::literal))
    }
}

/// A list of values that are TOML already.
pub(crate) fn list(entries: impl Iterator<Item = String>) -> String {
    format!("[{}]", entries.collect::<Vec<_>>().join(", "))
}

/// A vector over coordinates: one number if all are equal, otherwise a list.
pub(crate) fn uniform(values: &[f64]) -> String {
    match values {
        [first, rest @ ..] if rest.iter().all(|value| value.to_bits() == first.to_bits()) => first.literal(),
        _ => list(values.iter().map(Literal::literal)),
    }
}

/// A matrix over coordinates: the diagonal as [`uniform`], or a list of rows.
pub(crate) fn matrix(matrix: &MatrixSpec) -> String {
    match matrix {
        MatrixSpec::Diagonal(diagonal) => uniform(diagonal),
        MatrixSpec::Full(full) => list(full.row_iter().map(|row| list(row.iter().map(Literal::literal)))),
    }
}
