//! Names of the parts of an instance, and texts with the values of parameters in them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use cosimo_formula::Value;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::formulas::{is_formula, literal};
use super::scope::{Known, Scope};
use crate::toml::{Log, Span};

/// Keys whose texts name no part.
const NO_NAMES: [&str; 24] = [
    "type",
    "kind",
    "law",
    "method",
    "scheme",
    "solver",
    "file",
    "csv",
    "column",
    "columns",
    "title",
    "unit",
    "interpolation",
    "side",
    "axes",
    "rotation",
    "inflow",
    "isolation",
    "coupling",
    "face",
    "template",
    "mirror",
    "shape",
    "formulation",
];

/// Names of the parts of an instance.
pub(super) struct Naming<'n, 's> {
    /// Names of the template's own parts that get the name of the instance before them.
    own: BTreeSet<String>,
    /// Name of the instance.
    instance: &'n str,
    scope: &'n Scope<'s>,
    log: &'n Log<'n>,
}

impl<'n, 's> Naming<'n, 's> {
    /// The names of these parts in an instance.
    pub(super) fn new(
        parts: &DeTable<'_>,
        instance: &'n str,
        scope: &'n Scope<'s>,
        log: &'n Log<'n>,
    ) -> Self {
        let mut own = BTreeSet::new();
        collect(parts, &mut own);
        Self { own, instance, scope, log }
    }

    /// Names the parts, and puts values into texts.
    pub(super) fn apply_to_table(&self, table: &mut DeTable<'_>) {
        for (key, value) in table.iter_mut() {
            let key = key.get_ref().to_string();
            self.apply(&key, value);
        }
    }

    fn apply(&self, key: &str, value: &mut Spanned<DeValue<'_>>) {
        let span = value.span();
        match value.get_mut() {
            DeValue::String(text) if !is_formula(text) => {
                let found = self.text(key, text, &span);
                if found != **text {
                    *text = Cow::Owned(found);
                }
            }
            DeValue::Array(items) => items.iter_mut().for_each(|item| self.apply(key, item)),
            DeValue::Table(table) => self.apply_to_table(table),
            _ => {}
        }
    }

    fn text(&self, key: &str, text: &str, span: &Span) -> String {
        if NO_NAMES.contains(&key) {
            return self.filled(text, span);
        }
        let segment = |segment: &str| match self.own.contains(segment) {
            true => format!("{}_{segment}", self.instance),
            false => segment.to_owned(),
        };
        let named: Vec<String> = text.split('.').map(segment).collect();
        self.filled(&named.join("."), span)
    }

    /// The text with the values of the names that stand in braces.
    fn filled(&self, text: &str, span: &Span) -> String {
        let mut found = String::new();
        let mut rest = text;
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            found.push_str(before);
            match self.scope.find(name.trim()) {
                Some(Known::Value(value @ Value::Number(_))) => found.push_str(&literal(value)),
                Some(Known::Text(text)) => found.push_str(text),
                Some(Known::Lost) => {}
                Some(Known::Value(Value::Vector(_))) => {
                    self.log.error(span, format!("parameter `{name}` is a vector, which no text can hold"));
                }
                None => self.log.unknown(span, "parameter", name, self.scope.names()),
            }
            rest = after;
        }
        found + rest
    }
}

/// Names without braces, of parts and of parts in these.
fn collect(table: &DeTable<'_>, own: &mut BTreeSet<String>) {
    for (key, value) in table {
        match value.get_ref() {
            DeValue::String(name) if key.get_ref() == "name" && !name.contains('{') => {
                own.insert(name.to_string());
            }
            DeValue::Table(inner) => collect(inner, own),
            DeValue::Array(items) => items
                .iter()
                .filter_map(|item| item.get_ref().as_table())
                .for_each(|inner| collect(inner, own)),
            _ => {}
        }
    }
}
