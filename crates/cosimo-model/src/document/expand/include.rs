//! Other files: `include = ["leg.toml"]`.

use std::path::PathBuf;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::context::Context;
use super::tables;
use crate::toml::{Log, Span, Value, moved_table, read_text};

/// Files that a model may consist of.
const MOST: usize = 100;

/// Puts the entries of the included files before those of the document. Each file is read once. Whether all could be read.
pub(crate) fn include<'a>(document: &mut DeTable<'a>, context: Context<'_, 'a>) -> bool {
    let mistakes = context.log.error_count();
    let name = context.log.sources().name();
    let main = std::fs::canonicalize(name).unwrap_or_else(|_| name.into());
    let mut files = Files { open: vec![main.clone()], read: vec![main], context };
    files.include_into(document);
    let are_all_read = context.log.error_count() == mistakes;
    tables::resolve(document, context);
    are_all_read
}

struct Files<'c, 'a> {
    /// The file at hand, after those that include it.
    open: Vec<PathBuf>,
    /// All that were read.
    read: Vec<PathBuf>,
    context: Context<'c, 'a>,
}

impl<'a> Files<'_, 'a> {
    fn include_into(&mut self, document: &mut DeTable<'a>) {
        let Some(entry) = document.remove("include") else { return };
        let log = self.context.log;
        let mut included = DeTable::new();
        for (path, span) in paths(&entry, log) {
            let path = log.beside(&span, &path);
            // One file, however its path is written.
            let path = std::fs::canonicalize(&path).unwrap_or(path);
            if let Some(file) = self.open(&path, &span) {
                merge(&mut included, file, "", log);
            }
        }
        let own = std::mem::replace(document, included);
        merge(document, own, "", log);
    }

    /// The entries of a file, with those of what it includes; none if it was read before.
    fn open(&mut self, path: &PathBuf, span: &Span) -> Option<DeTable<'a>> {
        let Context { log, texts } = self.context;
        let name = path.display().to_string();
        if let Some(first) = self.open.iter().position(|open| open == path) {
            let circle: Vec<_> =
                self.open[first..].iter().map(|path| format!("`{}`", path.display())).collect();
            log.error(
                span,
                format!("files include each other: {}, then `{name}` again", circle.join(", then ")),
            );
            return None;
        }
        if self.read.contains(path) {
            return None;
        }
        if self.read.len() > MOST {
            log.error(span, format!("more than {MOST} files are included"));
            return None;
        }
        self.read.push(path.clone());
        let text = match read_text(path) {
            Ok(text) => texts.alloc(text),
            Err(error) => {
                log.error(span, format!("cannot read `{name}`: {error}"));
                return None;
            }
        };
        let base = log.sources().add_file(&name, text);
        let (found, mistakes) = DeTable::parse_recoverable(text);
        let to = |span: Span| span.start + base..span.end + base;
        if log.record_syntax(&mistakes, to) {
            return None;
        }
        let mut table = moved_table(found.into_inner(), &mut |span| to(span));
        table.remove("schema");
        self.open.push(path.clone());
        self.include_into(&mut table);
        self.open.pop();
        Some(table)
    }
}

/// The paths of `include`, one or several.
fn paths(entry: &Spanned<DeValue<'_>>, log: &Log<'_>) -> Vec<(String, Span)> {
    let value = Value::new(log, "include", entry);
    let items = match value.as_list() {
        Some(_) => value.items("a list of files").unwrap_or_default(),
        None => vec![value],
    };
    items.iter().filter_map(|item| Some((item.text()?.to_owned(), item.span()))).collect()
}

/// Adds entries to those of an included file: lists of tables go behind, parameters in place of those.
fn merge<'a>(included: &mut DeTable<'a>, own: DeTable<'a>, place: &str, log: &Log<'_>) {
    for (key, value) in own {
        let Some(earlier) = included.get_mut(&**key.get_ref()) else {
            included.insert(key, value);
            continue;
        };
        let span = value.span();
        let name =
            if place.is_empty() { key.get_ref().to_string() } else { format!("{place}.{}", key.get_ref()) };
        let was = log.mention(&earlier.span());
        match (earlier.get_mut(), value.into_inner()) {
            (DeValue::Table(earlier), DeValue::Table(own)) => merge(earlier, own, &name, log),
            (DeValue::Array(earlier), DeValue::Array(own)) if are_tables(earlier) && are_tables(&own) => {
                own.into_iter().for_each(|item| earlier.push(item));
            }
            (_, own) if place.split('.').next() == Some("parameters") => {
                *earlier = Spanned::new(span, own);
            }
            _ => log.error(&key.span(), format!("`{name}` is given twice: also in {was}")),
        }
    }
}

fn are_tables(list: &DeArray<'_>) -> bool {
    list.iter().all(|item| item.get_ref().is_table())
}
