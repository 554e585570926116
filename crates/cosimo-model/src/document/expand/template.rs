//! Templates: parts of a model that are used several times.

use std::cell::Cell;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::parameters::{NAMES, is_free_in_template};
use crate::toml::{Log, Reader, Span, is_name};

/// A `[[template]]`.
pub(super) struct Template<'a> {
    /// Name.
    pub(super) name: String,
    /// Position of its header.
    pub(super) span: Span,
    /// Parameters that every instance gives.
    pub(super) requires: Vec<String>,
    /// Parameters that an instance may give, with their defaults.
    pub(super) parameters: DeTable<'a>,
    /// Lists of tables, by the key of the list that they are added to.
    pub(super) parts: DeTable<'a>,
    /// Whether there is an instance.
    pub(super) is_used: Cell<bool>,
}

/// Keys of templates that are no parts.
const OWN: [&str; 3] = ["name", "requires", "parameters"];

/// Reads every `[[template]]`.
pub(super) fn read<'a>(templates: Option<Spanned<DeValue<'a>>>, log: &Log<'a>) -> Vec<Template<'a>> {
    let Some(templates) = templates else { return Vec::new() };
    let span = templates.span();
    let DeValue::Array(items) = templates.into_inner() else {
        log.error(
            &span,
            "template must be a list of tables: write [[template]] before each, with double brackets",
        );
        return Vec::new();
    };
    let mut found: Vec<Template<'a>> = Vec::new();
    for item in items {
        let span = item.span();
        let DeValue::Table(table) = item.into_inner() else {
            log.error(&span, "template is not a table: write [[template]] before each");
            continue;
        };
        let template = template(table, span, log);
        if let Some(earlier) =
            found.iter().find(|earlier| earlier.name == template.name && !template.name.is_empty())
        {
            let also = log.mention(&earlier.span);
            log.error(&template.span, format!("template `{}` is given twice: also in {also}", template.name));
        }
        found.push(template);
    }
    found
}

fn template<'a>(mut table: DeTable<'a>, span: Span, log: &Log<'a>) -> Template<'a> {
    let (name, requires) = {
        let reader = Reader::new(log, &table, span.clone(), "the template");
        let name = reader.text("name").check("made of letters, digits, `_` and `-`", |name| is_name(name));
        let requires = reader.entry("requires", "a list of names", |value| {
            let items = value.items("a list of names")?;
            let names = items.iter().filter_map(|item| Some((item.text()?, item.span())));
            Some(
                names
                    .filter(|(name, span)| is_free_in_template(name, span, log))
                    .map(|(name, _)| name.to_owned())
                    .collect(),
            )
        });
        (name.required(), requires.or(Vec::new()))
    };
    let parameters = match table.remove("parameters").map(|value| (value.span(), value.into_inner())) {
        Some((_, DeValue::Table(parameters))) => {
            parameters.keys().filter(|key| NAMES.contains(&&**key.get_ref())).for_each(|key| {
                is_free_in_template(key.get_ref(), &key.span(), log);
            });
            parameters
        }
        Some((span, _)) => {
            log.error(&span, "parameters must be a table of names with their defaults");
            DeTable::new()
        }
        None => DeTable::new(),
    };
    let parts = table.into_iter().filter(|(key, value)| {
        let key_span = key.span();
        let key = &**key.get_ref();
        if OWN.contains(&key) {
            return false;
        }
        let items = value.get_ref().as_array();
        let is_list = items.is_some_and(|list| list.iter().all(|item| item.get_ref().is_table()));
        if !is_list {
            let message = format!("`{key}` is no list of parts of template `{name}`");
            log.error_with_help(&key_span, message, format!("write [[template.{key}]] before each part"));
        }
        is_list
    });
    let parts = parts.collect();
    Template { name, span, requires, parameters, parts, is_used: Cell::new(false) }
}
