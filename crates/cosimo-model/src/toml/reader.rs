//! The keys of one table, each read once; what was never asked for is unknown.

use std::cell::{Cell, RefCell};

use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::DeTable;

use super::deserializer::{LeftOut, in_words, read_table, read_value};
use super::entry::Entry;
use super::heading::Heading;
use super::log::Log;
use super::named::{Choice, fields};
use super::names::Names;
use super::placement::Placement;
use super::sources::Span;
use super::value::Value;

/// Reads the keys of one table.
///
/// Every method that takes a key makes it known; [`Reader::finish`] reports the keys of the table that nobody asked
/// for, with the known ones as suggestions.
pub(crate) struct Reader<'a> {
    heading: Heading<'a>,
    table: &'a DeTable<'a>,
    known: RefCell<Vec<&'static str>>,
    abandoned: Cell<bool>,
}

impl<'a> Reader<'a> {
    /// Reads a table whose header is at `span`, called `what` in messages.
    pub(crate) fn new(log: &'a Log<'a>, table: &'a DeTable<'a>, span: Span, what: impl Into<String>) -> Self {
        let heading = Heading { log, span, what: what.into() };
        Self { heading, table, known: RefCell::default(), abandoned: Cell::new(false) }
    }

    /// Reads a whole document.
    pub(crate) fn root(log: &'a Log<'a>, document: &'a DeTable<'a>) -> Self {
        Self::new(log, document, 0..0, ROOT)
    }

    /// Where mistakes are recorded.
    pub(crate) fn log(&self) -> &'a Log<'a> {
        self.heading.log
    }

    /// What the table is called in messages, such as ``plane `floor` of subsystem `lower` ``.
    pub(crate) fn what(&self) -> &str {
        &self.heading.what
    }

    /// Position of the header of the table.
    pub(crate) fn header(&self) -> Span {
        self.heading.span.clone()
    }

    /// Position of the value of a key, of the header if there is none.
    pub(crate) fn span(&self, key: &str) -> Span {
        self.table.get(key).map_or_else(|| self.header(), Spanned::span)
    }

    /// Whether the table has the key.
    pub(crate) fn has(&self, key: &'static str) -> bool {
        self.value(key).is_some()
    }

    /// The value of a key, not yet read.
    pub(crate) fn value(&self, key: &'static str) -> Option<Value<'a>> {
        let mut known = self.known.borrow_mut();
        if !known.contains(&key) {
            known.push(key);
        }
        self.table.get(key).map(|raw| Value::new(self.heading.log, key, raw))
    }

    /// An entry read by `read`, which records what is wrong; `expected` is what a missing one should be.
    pub(crate) fn entry<T>(
        &self,
        key: &'static str,
        expected: &str,
        read: impl FnOnce(&Value<'a>) -> Option<T>,
    ) -> Entry<'_, 'a, T> {
        match self.value(key) {
            Some(value) => Entry::found(&self.heading, key, expected, read(&value), value.span()),
            None => Entry::absent(&self.heading, key, expected),
        }
    }

    /// A finite number.
    pub(crate) fn number(&self, key: &'static str) -> Entry<'_, 'a, f64> {
        self.entry(key, "a number", Value::number)
    }

    /// A whole number, zero or more.
    pub(crate) fn count(&self, key: &'static str) -> Entry<'_, 'a, u32> {
        self.entry(key, "a whole number", Value::count)
    }

    /// A whole number of either sign.
    pub(crate) fn integer(&self, key: &'static str) -> Entry<'_, 'a, i32> {
        self.entry(key, "a whole number", Value::integer)
    }

    /// `true` or `false`.
    pub(crate) fn truth(&self, key: &'static str) -> Entry<'_, 'a, bool> {
        self.entry(key, "true or false", Value::truth)
    }

    /// A string.
    pub(crate) fn text(&self, key: &'static str) -> Entry<'_, 'a, String> {
        self.entry(key, "a string", |value| value.text().map(str::to_owned))
    }

    /// A list of strings.
    pub(crate) fn texts(&self, key: &'static str) -> Entry<'_, 'a, Vec<String>> {
        self.entry(key, "a list of strings", Value::texts)
    }

    /// A list of numbers of any length.
    pub(crate) fn numbers(&self, key: &'static str) -> Entry<'_, 'a, Vec<f64>> {
        self.entry(key, "a list of numbers", Value::numbers)
    }

    /// A list of `N` numbers.
    pub(crate) fn vector<const N: usize>(&self, key: &'static str) -> Entry<'_, 'a, [f64; N]> {
        self.entry(key, &format!("a list of {N} numbers"), Value::vector)
    }

    /// Where the instance of a template stands that the table belongs to.
    pub(crate) fn placement(&self) -> Placement {
        self.heading.log.placement(&self.heading.span)
    }

    /// A point of space, default the origin of the instance.
    pub(crate) fn point(&self, key: &'static str) -> [f64; 3] {
        let placed = self.vector(key).placed(|placement, point| placement.point(point));
        placed.or(self.placement().point([0.0; 3]))
    }

    /// A direction of space.
    pub(crate) fn direction(&self, key: &'static str) -> Entry<'_, 'a, [f64; 3]> {
        self.vector(key).placed(|placement, direction| placement.direction(direction))
    }

    /// An axis of space about which something turns.
    pub(crate) fn axis(&self, key: &'static str) -> Entry<'_, 'a, [f64; 3]> {
        self.vector(key).placed(|placement, axis| placement.axis(axis))
    }

    /// A point or direction in the axes of the body that the table belongs to.
    pub(crate) fn in_body(&self, key: &'static str) -> Entry<'_, 'a, [f64; 3]> {
        self.vector(key).placed(|placement, vector| placement.mirror().direction(vector))
    }

    /// One of the values of a choice.
    pub(crate) fn choice<C: Choice>(&self, key: &'static str) -> Entry<'_, 'a, C> {
        self.entry(key, &in_words(C::names()), read_value)
    }

    /// Data of a type that serde reads, in a form like `expected`; its first mistake is reported where it is.
    pub(crate) fn data<T: DeserializeOwned>(&self, key: &'static str, expected: &str) -> Entry<'_, 'a, T> {
        self.entry(key, expected, Value::data)
    }

    /// The fields of settings that all have defaults, but for those left out, to which those with mistakes are added.
    pub(crate) fn settings<S: DeserializeOwned + Default>(&self, left_out: &LeftOut) -> S {
        let given = |key: &&'static str| self.value(key).map(|value| (*key, value));
        let given: Vec<_> = fields::<S>().iter().filter_map(given).collect();
        read_table(&given, left_out)
    }

    /// The required `name` of this table, entered into the names that must differ from it; empty if unreadable.
    pub(crate) fn name(&self, names: &mut Names) -> String {
        let name = self
            .text("name")
            .check("made of letters, digits, `_` and `-`, and not of digits alone", |name| is_name(name));
        self.claimed(name.required(), names)
    }

    /// The same for a name that others give, with names between dots.
    pub(crate) fn dotted_name(&self, names: &mut Names) -> String {
        let name = self.text("name").check(
            "made of letters, digits, `_` and `-`, in parts between dots that are not of digits alone",
            |name| name.split('.').all(is_name),
        );
        self.claimed(name.required(), names)
    }

    fn claimed(&self, name: String, names: &mut Names) -> String {
        names.claim(self.heading.log, &name, &self.span("name"));
        name
    }

    /// The table of a key, read by `read`, which need not finish the reader; `None` if absent or no table.
    pub(crate) fn section<T>(&self, key: &'static str, read: impl FnOnce(&Reader<'a>) -> T) -> Option<T> {
        let reader = self.value(key)?.reader(format!("[{key}]"))?;
        let found = read(&reader);
        reader.finish();
        Some(found)
    }

    /// The tables of an array of tables, each read by `read`; none if the key is absent.
    pub(crate) fn tables<T>(&self, key: &'static str, mut read: impl FnMut(&Reader<'a>) -> T) -> Vec<T> {
        let Some(value) = self.value(key) else {
            return Vec::new();
        };
        let expected = format!("a list of tables: write [[…{key}]] before each, with double brackets");
        let items = value.items(&expected).unwrap_or_default();
        let mut found = Vec::new();
        for item in items {
            if let Some(reader) = item.reader(self.child_name(key, &item)) {
                found.push(read(&reader));
                reader.finish();
            }
        }
        found
    }

    /// How many tables an array of tables has.
    pub(crate) fn length(&self, key: &'static str) -> usize {
        self.value(key).and_then(|value| Some(value.as_list()?.len())).unwrap_or_default()
    }

    /// The value of the one of these keys that the table has, labelled with it; records a mistake unless there is exactly one.
    pub(crate) fn exactly_one_of<const N: usize>(&self, keys: [&'static str; N]) -> Option<Value<'a>> {
        let mut given: Vec<_> = keys.into_iter().filter_map(|key| self.value(key)).collect();
        if given.len() != 1 {
            let keys = keys.map(|key| format!("`{key}`")).join(", ");
            self.log().error(&self.header(), format!("{} must have exactly one of {keys}", self.what()));
            return None;
        }
        given.pop()
    }

    /// Records that `key` must not be given here, if it is.
    pub(crate) fn forbid(&self, key: &'static str, reason: &str) {
        if self.has(key) {
            self.heading.log.error(&self.span(key), format!("{key} {reason}"));
        }
    }

    /// Records every key of the table that was not asked for; whether there was none.
    pub(crate) fn finish(&self) -> bool {
        let known = self.known.borrow();
        let keys =
            self.table.keys().filter(|key| !known.contains(&&**key.get_ref()) && !self.abandoned.get());
        let unknown: Vec<_> = keys.collect();
        for key in &unknown {
            self.heading.log.unknown_key(&key.span(), key.get_ref(), &self.heading.what, &known);
        }
        unknown.is_empty()
    }

    /// Accepts all keys, because what they should be is not known.
    pub(crate) fn abandon(&self) {
        self.abandoned.set(true);
    }

    fn child_name(&self, key: &str, item: &Value<'a>) -> String {
        let name =
            item.as_table().and_then(|table| table.get("name")).and_then(|name| name.get_ref().as_str());
        let child = name.map_or_else(|| item.label.clone(), |name| format!("{key} `{name}`"));
        if self.heading.what == ROOT { child } else { format!("{child} of {}", self.heading.what) }
    }
}

impl<'a> Value<'a> {
    /// The table as a reader of its keys, called `what` in messages.
    pub(crate) fn reader(&self, what: impl Into<String>) -> Option<Reader<'a>> {
        match self.as_table() {
            Some(table) => Some(Reader::new(self.log, table, self.span(), what)),
            None => self.mismatch("a table"),
        }
    }
}

/// What the whole document is called in messages.
const ROOT: &str = "the model";

/// Whether a name can be used in paths: letters, digits, `_`, `-`, and not digits alone.
pub(crate) fn is_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    name.chars().all(allowed) && name.chars().any(|c| !c.is_ascii_digit())
}
