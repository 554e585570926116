//! Parameters on the way to their values: one after the other, as they need each other.

use std::cell::RefCell;
use std::collections::BTreeMap;

use cosimo_formula::{Formula, TIME, Value, constants, functions};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::context::Context;
use super::formulas::{self, is_formula};
use super::known::{Known, Scope};
use crate::toml::{Log, Span, Value as Written};

/// How many parameters may need each other, one after the other.
const DEPTH: usize = 100;

impl Scope<'_> {
    /// The parameters of a file.
    pub(super) fn of_file(parameters: Option<&Spanned<DeValue<'_>>>, context: Context<'_, '_>) -> Self {
        let Some(parameters) = parameters else { return Self::default() };
        match parameters.get_ref() {
            DeValue::Table(table) => Self::default().inside(BTreeMap::new(), table, context),
            _ => {
                context
                    .log
                    .error(&parameters.span(), "parameters is not a table: write [parameters] before them");
                Self::default()
            }
        }
    }

    /// This with the entries of a table beside what is `given`, which goes before.
    pub(super) fn inside(
        self,
        given: BTreeMap<String, Known>,
        table: &DeTable<'_>,
        context: Context<'_, '_>,
    ) -> Self {
        let mut entries = BTreeMap::new();
        flatten("", table, &mut entries, context.log);
        let found = RefCell::new(given);
        let reading = Reading { entries: &entries, found: &found, outer: &self, context };
        for name in entries.keys() {
            reading.find(name, &mut Vec::new());
        }
        let mut own = self.own;
        own.extend(found.into_inner());
        Self { own, outer: self.outer }
    }
}

/// The entries of a table and of the tables in it, by their names with dots.
fn flatten<'t, 'a>(
    before: &str,
    table: &'t DeTable<'a>,
    found: &mut BTreeMap<String, &'t Spanned<DeValue<'a>>>,
    log: &Log<'_>,
) {
    for (key, value) in table {
        if !is_free(key.get_ref(), &key.span(), log) {
            continue;
        }
        let name =
            if before.is_empty() { key.get_ref().to_string() } else { format!("{before}.{}", key.get_ref()) };
        match value.get_ref() {
            DeValue::Table(inner) => flatten(&name, inner, found, log),
            _ => {
                found.insert(name, value);
            }
        }
    }
}

/// Numbers that every instance of a template has of itself, and its names.
pub(super) const COUNTERS: [&str; 3] = ["index", "number", "count"];
pub(super) const NAMES: [&str; 2] = ["name", "subsystem"];

/// Whether formulas can use a name; records why not.
pub(super) fn is_free(name: &str, span: &Span, log: &Log<'_>) -> bool {
    let is_word = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let reason = if !is_word {
        "has letters, digits and `_` alone, and does not begin with a digit"
    } else if name == TIME {
        "is not `t`, which is the time"
    } else if COUNTERS.contains(&name) {
        "is no number that instances have of themselves: `index`, `number`, `count`"
    } else if constants().chain(functions()).any(|own| own == name) {
        "is no function or constant of formulas"
    } else {
        return true;
    };
    log.error(span, format!("parameter `{name}`: the name of a parameter {reason}"));
    false
}

/// The same for a parameter of a template.
pub(super) fn is_free_in_template(name: &str, span: &Span, log: &Log<'_>) -> bool {
    if NAMES.contains(&name) {
        let message = format!("parameter `{name}`: every instance has a `{name}` of its own");
        log.error(span, message);
        return false;
    }
    is_free(name, span, log)
}

/// Parameters on the way to their values: one after the other, as they need each other.
struct Reading<'r, 'c, 'a, 's> {
    entries: &'r BTreeMap<String, &'r Spanned<DeValue<'r>>>,
    found: &'r RefCell<BTreeMap<String, Known>>,
    outer: &'r Scope<'s>,
    context: Context<'c, 'a>,
}

impl Reading<'_, '_, '_, '_> {
    /// The value of a parameter, which those in `open` need.
    fn find(&self, name: &str, open: &mut Vec<String>) -> Option<Known> {
        if let Some(found) = self.found.borrow().get(name) {
            return Some(found.clone());
        }
        let Some(entry) = self.entries.get(name) else { return self.outer.find(name).cloned() };
        if let Some(first) = open.iter().position(|own| own == name) {
            let circle = [&open[first..], &[name.to_owned()]].concat();
            let circle: Vec<_> = circle.iter().map(|name| format!("`{name}`")).collect();
            self.context
                .log
                .error(&entry.span(), format!("parameters need each other: {}", circle.join(", then ")));
            self.found.borrow_mut().insert(name.to_owned(), Known::Lost);
            return Some(Known::Lost);
        }
        if open.len() == DEPTH {
            let message =
                format!("parameter `{name}` is needed by more than {DEPTH} others, each by the next");
            self.context.log.error(&entry.span(), message);
            self.found.borrow_mut().insert(name.to_owned(), Known::Lost);
            return Some(Known::Lost);
        }
        open.push(name.to_owned());
        let known = self.value(name, entry, open);
        open.pop();
        self.found.borrow_mut().entry(name.to_owned()).or_insert_with(|| known.clone());
        Some(known)
    }

    fn value(&self, name: &str, entry: &Spanned<DeValue<'_>>, open: &mut Vec<String>) -> Known {
        let log = self.context.log;
        match entry.get_ref() {
            DeValue::Boolean(truth) => Known::Truth(*truth),
            DeValue::String(text) if !is_formula(text) => Known::Text(text.to_string()),
            DeValue::Array(items) => {
                let numbers = items.iter().map(|item| match self.number(name, item, open) {
                    Some(Value::Number(number)) => Some(number),
                    Some(Value::Vector(_)) => {
                        log.error(&item.span(), format!("parameter `{name}` has a vector in a vector"));
                        None
                    }
                    None => None,
                });
                let numbers: Vec<Option<f64>> = numbers.collect();
                let numbers: Option<Vec<f64>> = numbers.into_iter().collect();
                numbers.map_or(Known::Lost, |numbers| Known::Value(Value::Vector(numbers)))
            }
            _ => self.number(name, entry, open).map_or(Known::Lost, Known::Value),
        }
    }

    /// A number as written, or what a formula is.
    fn number(&self, name: &str, entry: &Spanned<DeValue<'_>>, open: &mut Vec<String>) -> Option<Value> {
        let (log, span) = (self.context.log, entry.span());
        if log.is_lost(&span) {
            return None;
        }
        match entry.get_ref() {
            DeValue::String(text) if is_formula(text) => {
                let formula = formulas::parse(text, &span, log)?;
                let known = self.needs(&formula.0, open)?;
                formulas::value(&formula, &span, &Scope::within(known, self.outer), log)
            }
            DeValue::Integer(_) | DeValue::Float(_) => {
                Written::new(log, format!("parameter `{name}`"), entry).number().map(Value::Number)
            }
            _ => {
                let written = Written::new(log, format!("parameter `{name}`"), entry);
                written.mismatch("a number, a list of numbers, or a formula \"= …\"")
            }
        }
    }

    /// The values of the parameters of this table that a formula needs; `None` where one has none.
    fn needs(&self, formula: &Formula, open: &mut Vec<String>) -> Option<BTreeMap<String, Known>> {
        let mut known = BTreeMap::new();
        for (name, _) in formula.names() {
            // `tip.x` may be an element of `tip`.
            let whole = name.rsplit_once('.').map_or(name, |(vector, _)| vector);
            for name in [name, whole] {
                if let Some(found) = self.find(name, open) {
                    known.insert(name.to_owned(), found);
                }
            }
        }
        (!known.values().any(|found| *found == Known::Lost)).then_some(known)
    }
}
