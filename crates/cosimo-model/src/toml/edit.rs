//! Applies overrides to a document before it is read.

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::log::Log;
use super::overrides::Override;
use super::sources::Span;
use super::value::describe;

/// One name of a path with its position.
type Segment<'a> = (&'a str, Span);

/// Sets the entry that an override names, adding it if it is not there, or removes it. Positions of what it adds start at
/// `base`.
///
/// A path that leads nowhere is recorded.
pub(crate) fn apply<'a>(document: &mut DeTable<'a>, change: &'a Override, base: usize, log: &Log<'_>) {
    let path: Vec<Segment<'a>> =
        change.segments().map(|(name, range)| (name, base + range.start..base + range.end)).collect();
    match change.value() {
        Some((text, range)) => set_in_table(document, &path, value_of(text, base + range.start), log),
        None => remove_from_table(document, &path, log),
    }
}

/// The value of an override, which begins at `start`: TOML, or else a string.
fn value_of(text: &str, start: usize) -> Spanned<DeValue<'_>> {
    match DeValue::parse(text) {
        Ok(value) => moved(value, &mut |span| span.start + start..span.end + start),
        Err(_) => Spanned::new(start..start + text.len(), DeValue::String(Cow::Borrowed(text))),
    }
}

/// Removes what a path names; a name that is not there is recorded.
fn remove_from_table(table: &mut DeTable<'_>, path: &[Segment<'_>], log: &Log<'_>) {
    let [(name, span), rest @ ..] = path else {
        return;
    };
    if !table.contains_key(*name) {
        let known: Vec<&str> = table.keys().map(|key| key.get_ref().as_ref()).collect();
        log.unknown(span, "entry", name, known);
    } else if rest.is_empty() {
        table.remove(*name);
    } else if let Some(child) = table.get_mut(*name) {
        remove(child, (name, rest), log);
    }
}

/// Removes what the rest of a path names within the value called `name`.
fn remove(place: &mut Spanned<DeValue<'_>>, (name, path): (&str, &[Segment<'_>]), log: &Log<'_>) {
    let [(entry, span), rest @ ..] = path else {
        return;
    };
    match place.get_mut() {
        DeValue::Table(table) => remove_from_table(table, path, log),
        DeValue::Array(items) => {
            let Some(index) = position(items, name, (entry, span), log) else { return };
            if rest.is_empty() {
                let kept = items.clone().into_iter().enumerate().filter(|(other, _)| *other != index);
                *items = kept.map(|(_, item)| item).collect();
            } else if let Some(item) = items.get_mut(index) {
                remove(item, (entry, rest), log);
            }
        }
        scalar => log.error(span, format!("`{name}` is {}, it has no entry `{entry}`", describe(scalar))),
    }
}

/// The value with all its positions moved.
pub(crate) fn moved<'a>(
    value: Spanned<DeValue<'a>>,
    to: &mut impl FnMut(Span) -> Span,
) -> Spanned<DeValue<'a>> {
    let span = to(value.span());
    let inner = match value.into_inner() {
        DeValue::Array(items) => DeValue::Array(items.into_iter().map(|item| moved(item, to)).collect()),
        DeValue::Table(table) => DeValue::Table(moved_table(table, to)),
        scalar => scalar,
    };
    Spanned::new(span, inner)
}

/// The same of a table.
pub(crate) fn moved_table<'a>(table: DeTable<'a>, to: &mut impl FnMut(Span) -> Span) -> DeTable<'a> {
    let entries = table.into_iter().map(|(key, item)| {
        let span = to(key.span());
        (Spanned::new(span, key.into_inner()), moved(item, to))
    });
    entries.collect()
}

fn set_in_table<'a>(
    table: &mut DeTable<'a>,
    path: &[Segment<'a>],
    value: Spanned<DeValue<'a>>,
    log: &Log<'_>,
) {
    let [(name, span), rest @ ..] = path else {
        return;
    };
    let key = || Spanned::new(span.clone(), Cow::Borrowed(*name));
    if rest.is_empty() {
        // Removed first so that an unknown key is where it was last given.
        table.remove(*name);
        table.insert(key(), value);
        return;
    }
    if !table.contains_key(*name) {
        table.insert(key(), Spanned::new(span.clone(), DeValue::Table(DeTable::new())));
    }
    if let Some(child) = table.get_mut(*name) {
        set(child, (name, rest), value, log);
    }
}

/// Sets what the rest of a path names within the value called `name`.
fn set<'a>(
    place: &mut Spanned<DeValue<'a>>,
    (name, path): (&str, &[Segment<'a>]),
    value: Spanned<DeValue<'a>>,
    log: &Log<'_>,
) {
    let Some((entry, span)) = path.first() else {
        *place = value;
        return;
    };
    match place.get_mut() {
        DeValue::Table(table) => set_in_table(table, path, value, log),
        DeValue::Array(items) => {
            if let Some(item) =
                position(items, name, (entry, span), log).and_then(|index| items.get_mut(index))
            {
                set(item, (entry, &path[1..]), value, log);
            }
        }
        scalar => {
            let message = format!("`{name}` is {}, it has no entry `{entry}`", describe(scalar));
            log.error_with_help(span, message, format!("set `{name}` as a whole"));
        }
    }
}

/// The entry of an array that has a name, or a position.
fn position(items: &DeArray<'_>, what: &str, (entry, span): (&str, &Span), log: &Log<'_>) -> Option<usize> {
    let name = |item: &Spanned<DeValue<'_>>| {
        item.get_ref().get("name").and_then(|name| name.get_ref().as_str().map(str::to_owned))
    };
    let names: Vec<String> = items.iter().map(|item| name(item).unwrap_or_default()).collect();
    let mut found =
        names.iter().enumerate().filter(|(_, name)| name.as_str() == entry).map(|(index, _)| index);
    match (found.next(), found.next(), entry.parse::<usize>()) {
        (Some(index), None, _) => return Some(index),
        (Some(_), Some(_), _) => log.error(span, format!("several of {what} are named `{entry}`")),
        (None, _, Ok(index)) if index < items.len() => return Some(index),
        (None, _, Ok(index)) => {
            log.error(span, format!("no {what} {index}: there are {}, counted from 0", items.len()))
        }
        (None, _, Err(_)) => log.unknown(span, what, entry, names.iter().map(String::as_str)),
    }
    None
}
