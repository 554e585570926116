//! Columns of CSV files in the place of lists: `{ csv = "drive.csv", column = "time" }`.

use std::borrow::Cow;

use cosimo_formula::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::context::Context;
use super::formulas::{literal, written};
use crate::toml::{Reader, Span, read_text};

/// The key that a table of a file has.
const KEY: &str = "csv";

/// Puts the numbers of files in their places, in all of a document.
pub(super) fn resolve<'a>(table: &mut DeTable<'a>, context: Context<'_, 'a>) {
    table.iter_mut().for_each(|(_, value)| resolve_value(value, context));
}

fn resolve_value<'a>(value: &mut Spanned<DeValue<'a>>, context: Context<'_, 'a>) {
    let span = value.span();
    match value.get_mut() {
        DeValue::Table(table) if table.contains_key(KEY) => {
            if let Some(found) = read(table, &span, context) {
                *value = found;
            }
        }
        DeValue::Table(table) => resolve(table, context),
        DeValue::Array(items) => items.iter_mut().for_each(|item| resolve_value(item, context)),
        _ => {}
    }
}

/// What a table of a file stands for: one column as a list of numbers, several as a list of rows, or else the text as it is. `None`
/// after a mistake.
fn read<'a>(table: &DeTable<'a>, span: &Span, context: Context<'_, 'a>) -> Option<Spanned<DeValue<'a>>> {
    let log = context.log;
    let reader = Reader::new(log, table, span.clone(), "the table");
    let file = reader.text(KEY).required_option();
    let (column, columns) = (reader.text("column").optional(), reader.texts("columns").optional());
    if column.is_some() {
        reader.forbid("columns", "does not go with `column`");
    }
    reader.finish();
    let file_span = reader.span(KEY);
    let path = log.beside(&file_span, &file?);
    let name = path.display().to_string();
    let text = match read_text(&path) {
        Ok(text) => text,
        Err(error) => {
            log.error(&file_span, format!("cannot read `{name}`: {error}"));
            log.lose(span);
            return None;
        }
    };
    let wanted = match (&column, &columns) {
        (Some(column), _) => vec![column.as_str()],
        (None, Some(columns)) => columns.iter().map(String::as_str).collect(),
        (None, None) => return Some(Spanned::new(span.clone(), DeValue::String(Cow::Owned(text)))),
    };
    match numbers(&text, &wanted) {
        Ok(rows) if column.is_some() => {
            written(literal(&Value::Vector(rows.into_iter().flatten().collect())), span, context)
        }
        Ok(rows) => {
            let rows: Vec<_> = rows.into_iter().map(|row| literal(&Value::Vector(row))).collect();
            written(format!("[{}]", rows.join(", ")), span, context)
        }
        Err(message) => {
            log.error(&file_span, format!("`{name}`: {message}"));
            log.lose(span);
            None
        }
    }
}

/// The rows of these columns.
fn numbers(text: &str, wanted: &[&str]) -> Result<Vec<Vec<f64>>, String> {
    let mut reader =
        csv::ReaderBuilder::new().comment(Some(b'#')).trim(csv::Trim::All).from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?.clone();
    let index = |name: &&str| {
        let names: Vec<&str> = header.iter().collect();
        if names.iter().filter(|own| *own == name).count() > 1 {
            return Err(format!("several columns are called `{name}`"));
        }
        names.iter().position(|own| own == name).ok_or_else(|| {
            let known = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            format!("no column `{name}`; it has {known}")
        })
    };
    let indices = wanted.iter().map(index).collect::<Result<Vec<_>, _>>()?;
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let line = record.position().map_or(0, csv::Position::line);
        let number = |index: &usize| {
            let text = record.get(*index).unwrap_or_default();
            let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| format!("line {line}: `{text}` is no finite number"))
        };
        rows.push(indices.iter().map(number).collect::<Result<Vec<_>, _>>()?);
    }
    if rows.is_empty() { Err("it has no rows".to_owned()) } else { Ok(rows) }
}
