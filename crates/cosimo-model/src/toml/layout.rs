//! Lays a table out as the text of a document.

use toml::{Table, Value};

/// Lines are broken before this many characters where they can be.
const WIDTH: usize = 100;

/// The document of a table.
pub(crate) fn document_text(document: &Table) -> String {
    let mut text = String::new();
    write_table(document, &[], &mut text);
    text
}

/// Writes the entries of a table, then those that are sections of their own.
fn write_table(table: &Table, path: &[String], text: &mut String) {
    let (sections, entries): (Vec<_>, Vec<_>) =
        table.iter().partition(|(_, value)| is_section(value, path.len()));
    for (key, value) in entries {
        *text += &format!("{} = {}\n", key_text(key), folded(value));
    }
    for (key, value) in sections {
        let path = [path, &[key_text(key)]].concat();
        let name = path.join(".");
        if let Value::Table(table) = value {
            *text += &format!("\n[{name}]\n");
            write_table(table, &path, text);
        }
        for table in value.as_array().into_iter().flatten().filter_map(Value::as_table) {
            *text += &format!("\n[[{name}]]\n");
            write_table(table, &path, text);
        }
    }
}

/// Whether a value in a table of this depth is written under a header of its own: tables at the top and those longer than a line, lists of
/// tables at the top and in subsystems.
fn is_section(value: &Value, depth: usize) -> bool {
    match value {
        Value::Table(_) => depth == 0 || literal(value).len() > WIDTH,
        Value::Array(list) => depth < 2 && !list.is_empty() && list.iter().all(Value::is_table),
        _ => false,
    }
}

/// A value on one line, or a list over several, broken between its entries only.
fn folded(value: &Value) -> String {
    let line = literal(value);
    let Some(list) = value.as_array().filter(|_| line.len() > WIDTH) else { return line };
    let mut folded = String::from("[\n   ");
    let mut length = 0;
    for entry in list.iter().map(literal) {
        if length > 0 && length + entry.len() > WIDTH {
            folded.push_str("\n   ");
            length = 0;
        }
        folded += &format!(" {entry},");
        length += entry.len() + 2;
    }
    folded + "\n]"
}

/// A value on one line.
pub(crate) fn literal(value: &Value) -> String {
    match value {
        // The shortest text that reads back to the same bits; always with a point or an exponent.
        Value::Float(number) => format!("{number:?}"),
        Value::Array(list) => format!("[{}]", list.iter().map(literal).collect::<Vec<_>>().join(", ")),
        Value::Table(table) if table.is_empty() => "{}".to_owned(),
        Value::Table(table) => {
            let entries = table.iter().map(|(key, value)| format!("{} = {}", key_text(key), literal(value)));
            format!("{{ {} }}", entries.collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

/// A key, in quotes where it needs them.
fn key_text(key: &str) -> String {
    let is_bare = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if !key.is_empty() && key.chars().all(is_bare) { key.to_owned() } else { literal(&key.into()) }
}
