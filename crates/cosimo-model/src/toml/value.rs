//! One value of the document, read as what it should be.

use cosimo_formula::TimeFormula;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue, ValueDeserializer};

use super::log::Log;
use super::sources::Span;

/// A value with its position and the name it has in messages.
///
/// The reading methods record what is wrong and return `None` then.
pub(crate) struct Value<'a> {
    /// Where mistakes are recorded.
    pub(crate) log: &'a Log<'a>,
    /// Name in messages, such as `stiffness[1]`.
    pub(crate) label: String,
    raw: &'a Spanned<DeValue<'a>>,
}

impl<'a> Value<'a> {
    /// Wraps a value of the document.
    pub(crate) fn new(log: &'a Log<'a>, label: impl Into<String>, raw: &'a Spanned<DeValue<'a>>) -> Self {
        Self { log, label: label.into(), raw }
    }

    /// Position.
    pub(crate) fn span(&self) -> Span {
        self.raw.span()
    }

    /// Records a mistake of this value; the message starts with its name.
    pub(crate) fn error(&self, message: impl std::fmt::Display) {
        self.log.error(&self.span(), format!("{} {message}", self.label));
    }

    /// Records that the value is of a wrong type.
    pub(crate) fn mismatch<T>(&self, expected: &str) -> Option<T> {
        if let DeValue::Table(table) = self.raw.get_ref()
            && let Some(entry) = table.keys().next()
            && self.log.is_in_path(&self.span())
        {
            let message =
                format!("{} is not in the file, so it has no entry `{}`", self.label, entry.get_ref());
            let help = format!("set `{}` as a whole: {expected}", self.label);
            self.log.error_with_help(&self.span(), message, help);
            return None;
        }
        self.error(format_args!("is {}, expected {expected}", describe(self.raw.get_ref())));
        None
    }

    /// Data of a type that serde reads.
    pub(crate) fn data<T: DeserializeOwned>(&self) -> Option<T> {
        match T::deserialize(ValueDeserializer::from(self.raw.clone())) {
            Ok(data) => Some(data),
            Err(error) => {
                let span = error.span().unwrap_or_else(|| self.span());
                self.log.error(&span, format!("{}: {}", self.label, error.message()));
                None
            }
        }
    }

    /// The list, if it is one; records nothing.
    pub(crate) fn as_list(&self) -> Option<&'a DeArray<'a>> {
        self.raw.get_ref().as_array()
    }

    /// The table, if it is one; records nothing.
    pub(crate) fn as_table(&self) -> Option<&'a DeTable<'a>> {
        self.raw.get_ref().as_table()
    }

    /// The string, if it is one; records nothing.
    pub(crate) fn as_text(&self) -> Option<&'a str> {
        self.raw.get_ref().as_str()
    }

    /// Whether it is a number; records nothing.
    pub(crate) fn is_number(&self) -> bool {
        matches!(self.raw.get_ref(), DeValue::Integer(_) | DeValue::Float(_))
    }

    /// Whether it is an integer; records nothing.
    pub(crate) fn is_integer(&self) -> bool {
        self.raw.get_ref().is_integer()
    }

    /// The whole number, if it is one that is not negative; records nothing.
    pub(crate) fn as_count(&self) -> Option<u32> {
        let integer = self.raw.get_ref().as_integer()?;
        u32::from_str_radix(integer.as_str(), integer.radix()).ok()
    }

    /// The value of a key, if it is a table that has it; records nothing.
    pub(crate) fn member(&self, key: &str) -> Option<Value<'a>> {
        self.as_table()?.get(key).map(|raw| Value::new(self.log, format!("{}.{key}", self.label), raw))
    }

    /// A finite number.
    pub(crate) fn number(&self) -> Option<f64> {
        let number = match self.raw.get_ref() {
            #[expect(clippy::cast_precision_loss, reason = "an integer stands for the nearest number")]
            DeValue::Integer(integer) => {
                i128::from_str_radix(integer.as_str(), integer.radix()).ok().map(|found| found as f64)
            }
            DeValue::Float(float) => float.as_str().parse::<f64>().ok(),
            _ => return self.mismatch("a number"),
        };
        let finite = number.filter(|found| found.is_finite());
        if finite.is_none() {
            self.error(format_args!(
                "is {}, must be finite",
                self.log.quote(&self.span()).as_deref().unwrap_or("too large")
            ));
        }
        finite
    }

    /// A whole number, zero or more.
    pub(crate) fn count(&self) -> Option<u32> {
        let DeValue::Integer(integer) = self.raw.get_ref() else {
            return self.mismatch("a whole number");
        };
        let count = self.as_count();
        if count.is_none() {
            self.error(format_args!("is {integer}, must be a whole number from 0 to {}", u32::MAX));
        }
        count
    }

    /// A whole number of either sign.
    pub(crate) fn integer(&self) -> Option<i32> {
        let DeValue::Integer(integer) = self.raw.get_ref() else {
            return self.mismatch("a whole number");
        };
        let found = i32::from_str_radix(integer.as_str(), integer.radix()).ok();
        if found.is_none() {
            self.error(format_args!(
                "is {integer}, must be a whole number from {} to {}",
                i32::MIN,
                i32::MAX
            ));
        }
        found
    }

    /// A string.
    pub(crate) fn text(&self) -> Option<&'a str> {
        self.as_text().or_else(|| self.mismatch("a string"))
    }

    /// `true` or `false`.
    pub(crate) fn truth(&self) -> Option<bool> {
        self.raw.get_ref().as_bool().or_else(|| self.mismatch("true or false"))
    }

    /// The entries of a list; `expected` says what a wrong type should have been.
    pub(crate) fn items(&self, expected: &str) -> Option<Vec<Value<'a>>> {
        let Some(list) = self.as_list() else {
            return self.mismatch(expected);
        };
        let name = |index| format!("{}[{index}]", self.label);
        Some(list.iter().enumerate().map(|(index, raw)| Value::new(self.log, name(index), raw)).collect())
    }

    /// The entries of a table with their keys; `expected` says what a wrong type should have been.
    pub(crate) fn pairs(&self, expected: &str) -> Option<Vec<(&'a str, Span, Value<'a>)>> {
        let Some(table) = self.as_table() else {
            return self.mismatch(expected);
        };
        let name = |key: &str| format!("{}.{key}", self.label);
        let pairs = table.iter();
        Some(
            pairs
                .map(|(key, raw)| {
                    (&**key.get_ref(), key.span(), Value::new(self.log, name(key.get_ref()), raw))
                })
                .collect(),
        )
    }

    /// The formula over the time, if it is one.
    pub(crate) fn time_formula(&self) -> Option<Option<TimeFormula>> {
        let formula = self.as_text()?.strip_prefix('=')?;
        let found = TimeFormula::parse(formula.trim());
        Some(found.map_err(|error| self.error(format_args!("is no function of the time: {error}"))).ok())
    }

    /// A list of numbers of any length.
    pub(crate) fn numbers(&self) -> Option<Vec<f64>> {
        every(self.items("a list of numbers")?.iter().map(Value::number))
    }

    /// A list of `N` numbers.
    pub(crate) fn vector<const N: usize>(&self) -> Option<[f64; N]> {
        let found = every(self.items(&format!("a list of {N} numbers"))?.iter().map(Value::number))?;
        let length = found.len();
        let vector = found.try_into().ok();
        if vector.is_none() {
            self.wrong_length(length, N, "");
        }
        vector
    }

    /// A list of strings.
    pub(crate) fn texts(&self) -> Option<Vec<String>> {
        every(self.items("a list of strings")?.iter().map(|item| item.text().map(str::to_owned)))
    }

    /// Records that a list has a wrong length; `reason` continues the sentence.
    pub(crate) fn wrong_length(&self, found: usize, expected: usize, reason: &str) {
        let entries = if found == 1 { "entry" } else { "entries" };
        self.error(format_args!("has {found} {entries}, must have {expected}{reason}"));
    }
}

/// All values, or `None` if one is missing; unlike collecting into an `Option`, every one is looked at.
pub(crate) fn every<T>(values: impl Iterator<Item = Option<T>>) -> Option<Vec<T>> {
    let found: Vec<Option<T>> = values.collect();
    found.into_iter().collect()
}

/// A value in words.
pub(crate) fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) if text.starts_with('=') => "a formula over the time".to_owned(),
        DeValue::String(text) if text.len() <= 40 => format!("the string \"{}\"", text.escape_debug()),
        DeValue::String(_) => "a string".to_owned(),
        DeValue::Integer(integer) => format!("the integer {integer}"),
        DeValue::Float(float) => format!("the number {float}"),
        DeValue::Boolean(truth) => format!("the boolean {truth}"),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
