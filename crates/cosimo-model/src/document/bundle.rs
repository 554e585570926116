//! A model file with all that it includes, in one text that says the same anywhere.

use std::collections::BTreeMap;

use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};
use typed_arena::Arena;

use super::expand::{self, Context};
use crate::toml::{Diagnostics, Log, Override, Sources};

/// Key of the path of a file.
const FILE: &str = "file";

/// A model file with all that it includes.
#[derive(Debug, Clone, PartialEq)]
pub struct Bundle {
    /// The text of a model file, with formulas and templates as they stand.
    pub text: String,
    /// The values of its parameters, by their names with dots: numbers, lists of numbers, true or false, and texts.
    pub parameters: BTreeMap<String, Value>,
    /// Whether nothing of other files is in the text.
    pub is_whole: bool,
}

/// Puts the files that a model file includes into one text, with the columns of CSV files, and with paths of other files that are
/// absolute. Overrides change it as it stands, before templates are instantiated.
///
/// # Errors
/// Mistakes of the files and of their parameters. Whether it is a model is not looked at.
pub fn bundle(source_name: &str, text: &str, overrides: &[Override]) -> Result<Bundle, Diagnostics> {
    let log = Log::new(Sources::new(source_name, text, overrides));
    let (mut document, mistakes) = DeTable::parse_recoverable(text);
    if log.record_syntax(&mistakes, |span| span) {
        return Err(log.into_diagnostics());
    }
    let texts = Arena::new();
    let context = Context { log: &log, texts: &texts };
    let alone = plain_table(document.get_ref(), &log);
    expand::include(document.get_mut(), context);
    let is_whole = alone == plain_table(document.get_ref(), &log);
    expand::change(document.get_mut(), overrides, &log, |_| true);
    let parameters = expand::parameters(document.get_ref(), context);
    let found = Bundle { text: plain_table(document.get_ref(), &log).to_string(), parameters, is_whole };
    log.finish().map(|_| found)
}

fn plain_table(table: &DeTable<'_>, log: &Log<'_>) -> Table {
    table.iter().map(|(key, value)| (key.get_ref().to_string(), plain(key.get_ref(), value, log))).collect()
}

fn plain(key: &str, value: &Spanned<DeValue<'_>>, log: &Log<'_>) -> Value {
    match value.get_ref() {
        DeValue::String(path) if key == FILE => {
            Value::String(log.beside(&value.span(), path).display().to_string())
        }
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .map_or(Value::Float(f64::NAN), Value::Integer),
        DeValue::Float(float) => Value::Float(float.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(truth) => Value::Boolean(*truth),
        DeValue::Datetime(time) => Value::Datetime(*time),
        DeValue::Array(items) => Value::Array(items.iter().map(|item| plain(key, item, log)).collect()),
        DeValue::Table(table) => Value::Table(plain_table(table, log)),
    }
}
