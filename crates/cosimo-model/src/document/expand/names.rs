//! Names of the parts of an instance, and texts with the values of parameters in them.

use std::borrow::Cow;
use std::collections::BTreeSet;

use cosimo_formula::Value;
use cosimo_subsystem::is_like;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::formulas::{is_formula, literal};
use super::known::{Known, Scope};
use crate::toml::{Log, Span};

/// Key of names, and what stands for it where the name is no part's.
const NAME: &str = "name";
const OWN_NAME: &str = "name within a part";

/// Keys whose texts name no part.
const NO_NAMES: [&str; 29] = [
    OWN_NAME,
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
    "units",
    "input_units",
    "output_units",
    "coordinates",
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
    own: OwnNames,
    /// Name of the instance; none where its parts are called as in the template.
    instance: Option<&'n str>,
    scope: &'n Scope<'s>,
    log: &'n Log<'n>,
}

impl<'n, 's> Naming<'n, 's> {
    /// The names of these parts in an instance.
    pub(super) fn new(
        parts: &DeTable<'_>,
        instance: Option<&'n str>,
        scope: &'n Scope<'s>,
        log: &'n Log<'n>,
    ) -> Self {
        Self { own: OwnNames::of(parts), instance, scope, log }
    }

    /// Names the parts, and puts values into texts.
    pub(super) fn apply_to_parts(&self, parts: &mut DeTable<'_>) {
        for (_, list) in parts.iter_mut() {
            let DeValue::Array(items) = list.get_mut() else { continue };
            for part in items.iter_mut() {
                if let DeValue::Table(part) = part.get_mut() {
                    self.apply_to_table(part, true);
                }
            }
        }
    }

    fn apply_to_table(&self, table: &mut DeTable<'_>, is_part: bool) {
        for (key, value) in table.iter_mut() {
            // Names within a part are its own.
            let is_own = key.get_ref() == NAME && !is_part;
            let key = if is_own { OWN_NAME } else { &**key.get_ref() }.to_owned();
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
            DeValue::Table(table) => self.apply_to_table(table, false),
            _ => {}
        }
    }

    fn text(&self, key: &str, text: &str, span: &Span) -> String {
        if NO_NAMES.contains(&key) {
            return self.filled(text, span);
        }
        let segment = |segment: &str| match self.instance {
            Some(instance) if self.own.has(segment) => format!("{instance}_{segment}"),
            _ => segment.to_owned(),
        };
        let named: Vec<String> = text.split('.').map(segment).collect();
        self.filled(&named.join("."), span)
    }

    /// The text with the values of the names that stand in braces.
    fn filled(&self, text: &str, span: &Span) -> String {
        let mut found = String::new();
        let (mut rest, mistakes) = (text, self.log.error_count());
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            found.push_str(before);
            match self.scope.find(name.trim()) {
                Some(Known::Value(value @ Value::Number(_))) => found.push_str(&literal(value)),
                Some(Known::Text(text)) => found.push_str(text),
                Some(Known::Truth(truth)) => found.push_str(if *truth { "true" } else { "false" }),
                Some(Known::Lost) => {}
                Some(Known::Value(Value::Vector(_))) => {
                    self.log.error(span, format!("parameter `{name}` is a vector, which no text can hold"));
                }
                None => self.log.unknown(span, "parameter", name, self.scope.names()),
            }
            rest = after;
        }
        if self.log.error_count() > mistakes {
            self.log.lose(span);
        }
        found + rest
    }
}

/// Names of parts without braces.
#[derive(Default)]
struct OwnNames {
    /// Of single parts.
    single: BTreeSet<String>,
    /// Of arrays, whose members are called `NAME1`, `NAME2`, ….
    arrays: BTreeSet<String>,
    /// What names of parts of instances within begin with, up to a number and `_`.
    within: BTreeSet<String>,
}

impl OwnNames {
    fn of(parts: &DeTable<'_>) -> Self {
        let mut own = Self::default();
        for (key, list) in parts.iter() {
            for part in list.get_ref().as_array().into_iter().flatten() {
                let name = part.get_ref().get("name").and_then(|name| name.get_ref().as_str());
                let Some(name) = name.filter(|name| !name.contains('{')) else { continue };
                let names = match (&**key.get_ref(), part.get_ref().get("count")) {
                    ("instance", _) => &mut own.within,
                    (_, Some(_)) => &mut own.arrays,
                    (_, None) => &mut own.single,
                };
                names.insert(name.to_owned());
            }
        }
        own
    }

    /// Whether a name is that of a part, or a pattern that some of them may match.
    fn has(&self, name: &str) -> bool {
        if let Some((start, _)) = name.split_once('*') {
            let members = self.arrays.iter().flat_map(|array| (1..100).map(move |k| format!("{array}{k}")));
            let is_within = |own: &String| start.starts_with(own.as_str()) || own.starts_with(start);
            return self.single.iter().cloned().chain(members).any(|own| is_like(name, &own))
                || self.within.iter().any(is_within);
        }
        let behind_number = |own: &String| {
            name.strip_prefix(own.as_str()).map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit()))
        };
        let is_within =
            |own: &String| behind_number(own).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'));
        self.single.contains(name)
            || self.arrays.iter().any(|own| behind_number(own) == Some(""))
            || self.within.iter().any(is_within)
    }
}
