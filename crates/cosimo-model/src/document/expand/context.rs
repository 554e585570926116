//! What all steps need.

use std::borrow::Cow;

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};
use typed_arena::Arena;

use crate::toml::{Log, Span};

/// What all steps need: where mistakes are recorded, and texts that live as long as the document.
#[derive(Clone, Copy)]
pub(crate) struct Context<'c, 'a> {
    pub(crate) log: &'c Log<'a>,
    pub(crate) texts: &'a Arena<String>,
}

/// A list in a table, which is made where there is none.
pub(super) fn list_of<'d, 'a>(
    table: &'d mut DeTable<'a>,
    key: &str,
    span: Span,
) -> Option<&'d mut DeArray<'a>> {
    if !table.contains_key(key) {
        let key = Spanned::new(span.clone(), Cow::Owned(key.to_owned()));
        table.insert(key, Spanned::new(span, DeValue::Array(DeArray::new())));
    }
    match table.get_mut(key)?.get_mut() {
        DeValue::Array(list) => Some(list),
        _ => None,
    }
}
