//! Instances of templates, put into the document.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use cosimo_formula::Value as Quantity;
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::array::read_place;
use super::context::Context;
use super::formulas::{evaluate, evaluate_table};
use super::known::{Known, Scope};
use super::names::Naming;
use super::parameters::{COUNTERS, NAMES};
use super::template::Template;
use crate::toml::{Instance, Placement, Reader, Span, is_name, moved_table};

/// Instances that a model may have, and parts of all of them.
const MOST: u32 = 10_000;
const MOST_PARTS: usize = 200_000;

/// Templates within templates.
const DEPTH: usize = 16;

/// Lists of the document; all others belong to a subsystem.
const OF_DOCUMENT: [&str; 4] = ["subsystem", "interface", "stop", "connection"];

/// Kinds of subsystems that have a place in space, and those that have nothing to place: they pass signals.
const PLACED: [&str; 5] = ["multibody", "rigid-body", "node", "controller", "source"];

/// Parts of instances, by the key of the list that they are added to.
type Parts<'a> = Vec<(String, Spanned<DeValue<'a>>)>;

/// What puts instances in.
pub(super) struct Instances<'i, 'c, 'a> {
    templates: &'i [Template<'a>],
    context: Context<'c, 'a>,
    count: Cell<u32>,
    parts: Cell<usize>,
    /// Whether no instance had to be left out.
    are_whole: Cell<bool>,
}

/// What an instance stands in.
#[derive(Clone, Copy)]
struct Within<'w, 's> {
    /// Name and kind of the subsystem, of instances in one.
    subsystem: Option<[&'w str; 2]>,
    scope: &'w Scope<'s>,
    /// What names of parts begin with.
    prefix: Option<&'w str>,
    placement: &'w Placement,
    /// Templates that are open, outermost first.
    open: &'w [&'w str],
}

impl<'i, 'c, 'a> Instances<'i, 'c, 'a> {
    pub(super) fn new(templates: &'i [Template<'a>], context: Context<'c, 'a>) -> Self {
        Self { templates, context, count: Cell::new(0), parts: Cell::new(0), are_whole: Cell::new(true) }
    }

    /// Puts all instances of a document in; whether none had to be left out, after a mistake.
    pub(super) fn put_in(&self, document: &mut DeTable<'a>, scope: &Scope<'_>) -> bool {
        let placement = Placement::default();
        let within = Within { subsystem: None, scope, prefix: None, placement: &placement, open: &[] };
        let mut of_document = self.all(document.remove("instance"), within);
        if let Some(DeValue::Array(subsystems)) = document.get_mut("subsystem").map(Spanned::get_mut) {
            for subsystem in subsystems.iter_mut() {
                let DeValue::Table(table) = subsystem.get_mut() else { continue };
                let Some(instances) = table.remove("instance") else { continue };
                let [name, kind] = ["name", "kind"].map(|key| text_of(table, key).to_owned());
                let parts = self.all(Some(instances), Within { subsystem: Some([&name, &kind]), ..within });
                for (key, part) in parts {
                    if OF_DOCUMENT.contains(&key.as_str()) {
                        of_document.push((key, part));
                    } else {
                        self.add(table, &key, part);
                    }
                }
            }
        }
        for (key, part) in of_document {
            if OF_DOCUMENT.contains(&key.as_str()) {
                self.add(document, &key, part);
            } else {
                let message = format!("a {key} belongs to a subsystem, and this instance is in none");
                let help = "write [[subsystem.instance]] behind the subsystem";
                self.context.log.error_with_help(&part.span(), message, help);
            }
        }
        self.are_whole.get()
    }

    /// No parts, after a mistake.
    fn none(&self) -> Parts<'a> {
        self.are_whole.set(false);
        Parts::new()
    }

    fn add(&self, table: &mut DeTable<'a>, key: &str, part: Spanned<DeValue<'a>>) {
        // What is no list there is reported where it is read.
        if let Some(list) = list_of(table, key, part.span()) {
            list.push(part);
        }
    }

    /// The parts of all instances of a list.
    fn all(&self, instances: Option<Spanned<DeValue<'a>>>, within: Within<'_, '_>) -> Parts<'a> {
        let Some(instances) = instances else { return Vec::new() };
        let span = instances.span();
        let DeValue::Array(items) = instances.into_inner() else {
            self.context
                .log
                .error(&span, "instance must be a list of tables: write [[subsystem.instance]] before each");
            return self.none();
        };
        items.into_iter().flat_map(|item| self.copies(item, within)).collect()
    }

    /// The parts of an instance, or of all its copies.
    fn copies(&self, item: Spanned<DeValue<'a>>, within: Within<'_, '_>) -> Parts<'a> {
        let (log, span) = (self.context.log, item.span());
        let DeValue::Table(mut table) = item.into_inner() else {
            log.error(&span, "instance is not a table: write [[subsystem.instance]] before each");
            return self.none();
        };
        if let Some(count) = table.get_mut("count") {
            evaluate(count, within.scope, self.context);
        }
        let reader = Reader::new(log, &table, span.clone(), "the instance");
        let is_array = reader.has("count");
        let count = reader.count("count").at_least_one().or_after_mistake(1, 0);
        if count == 0 {
            return self.none();
        }
        if !is_array {
            for key in ["around", "along"] {
                reader.forbid(key, "has no effect on a single instance; give a `count`");
            }
        }
        self.count.set(self.count.get().saturating_add(count));
        if self.count.get() > MOST {
            if self.count.get() - count <= MOST {
                log.error(&span, format!("more than {MOST} instances"));
            }
            return self.none();
        }
        let copy = |index| self.copy(table.clone(), &span, (index, count, is_array), within);
        (0..count).flat_map(copy).collect()
    }

    /// The parts of one copy.
    fn copy(
        &self,
        mut table: DeTable<'a>,
        span: &Span,
        (index, count, is_array): (u32, u32, bool),
        within: Within<'_, '_>,
    ) -> Parts<'a> {
        let log = self.context.log;
        let number = |number: u32| Known::Value(Quantity::Number(f64::from(number)));
        // A single instance within a template counts as that does.
        let counts = is_array || within.open.is_empty();
        let own = COUNTERS.into_iter().zip([index, index + 1, count]);
        let mut counters: BTreeMap<String, Known> =
            own.filter(|_| counts).map(|(name, known)| (name.to_owned(), number(known))).collect();
        let scope = Scope::within(counters.clone(), within.scope);
        evaluate_table(&mut table, &scope, self.context);
        let reader = Reader::new(log, &table, span.clone(), "the instance");
        reader.has("count");
        let name = reader.text("name").check("made of letters, digits, `_` and `-`", |name| is_name(name));
        // The parts of a single instance may be called as in the template.
        let name = if is_array { Some(format!("{}{}", name.required(), index + 1)) } else { name.optional() };
        let prefix = name.as_deref().or(within.prefix);
        let placement = within.placement.after(&read_place(&reader, (index, count)));
        let template = reader.text("template").required_option();
        let given = table.get("parameters");
        reader.has("parameters");
        reader.finish();
        let Some(template) =
            template.and_then(|template| self.find(&template, &reader.span("template"), within))
        else {
            return self.none();
        };
        let Some(given) = self.given(template, given, span, within.scope) else { return self.none() };
        counters.extend(given);
        let own_name = prefix.unwrap_or(&template.name).to_owned();
        let names = [Some(own_name.as_str()), within.subsystem.map(|[subsystem, _]| subsystem)];
        let names = NAMES.into_iter().zip(names).filter_map(|(key, name)| Some((key, name?)));
        counters.extend(names.map(|(key, name)| (key.to_owned(), Known::Text(name.to_owned()))));
        let scope =
            Scope::within(BTreeMap::new(), within.scope).inside(counters, &template.parameters, self.context);
        let instance = Rc::new(Instance { name: own_name, placement });
        self.parts(template, instance, Within { scope: &scope, prefix, ..within })
    }

    /// The template of a name, which is marked as used.
    fn find(&self, name: &str, span: &Span, within: Within<'_, '_>) -> Option<&'i Template<'a>> {
        let log = self.context.log;
        let Some(template) = self.templates.iter().find(|template| template.name == name) else {
            log.unknown(span, "template", name, self.templates.iter().map(|template| template.name.as_str()));
            return None;
        };
        template.is_used.set(true);
        if within.open.contains(&name) || within.open.len() >= DEPTH {
            if !within.open.contains(&name) {
                log.error(span, format!("more than {DEPTH} templates within one another, down to `{name}`"));
                return None;
            }
            let circle = within
                .open
                .iter()
                .chain([&name])
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(" in ");
            log.error(span, format!("a template within itself: {circle}"));
            return None;
        }
        Some(template)
    }

    /// The parameters that an instance gives; `None` where some are missing.
    fn given(
        &self,
        template: &Template<'a>,
        given: Option<&Spanned<DeValue<'a>>>,
        span: &Span,
        scope: &Scope<'_>,
    ) -> Option<BTreeMap<String, Known>> {
        let (log, empty) = (self.context.log, DeTable::new());
        let table = match given {
            None => &empty,
            Some(given) => match given.get_ref() {
                DeValue::Table(table) => table,
                _ => {
                    log.error(&given.span(), "parameters must be a table of names and values");
                    return None;
                }
            },
        };
        let known = || {
            template
                .requires
                .iter()
                .map(String::as_str)
                .chain(template.parameters.keys().map(|key| &**key.get_ref()))
        };
        for key in table.keys().filter(|key| !known().any(|own| own == key.get_ref())) {
            let message = format!("template `{}` has no parameter `{}`", template.name, key.get_ref());
            log.error_with_hint(&key.span(), message, key.get_ref(), known());
        }
        let missing: Vec<_> = template
            .requires
            .iter()
            .filter(|name| !table.contains_key(name.as_str()))
            .map(|name| format!("`{name}`"))
            .collect();
        if !missing.is_empty() {
            let message =
                format!("the instance of template `{}` lacks {}", template.name, missing.join(", "));
            log.error_with_help(span, message, "parameters = { NAME = VALUE, … }");
            return None;
        }
        let given = Scope::within(BTreeMap::new(), scope).inside(BTreeMap::new(), table, self.context);
        Some(given.into_own())
    }

    /// The parts of a template in an instance.
    fn parts(&self, template: &Template<'a>, instance: Rc<Instance>, within: Within<'_, '_>) -> Parts<'a> {
        let log = self.context.log;
        if !self.has_room(template) {
            return self.none();
        }
        let mut copied: Vec<(Span, usize)> = Vec::new();
        let mut to = |span: Span| {
            let known = copied.iter().find(|(piece, _)| piece.contains(&span.start)).cloned();
            let (piece, base) = known.unwrap_or_else(|| {
                let found = log.sources().add_copy(&span, &instance);
                copied.push(found.clone());
                found
            });
            let moved = |at: usize| at - piece.start + base;
            moved(span.start)..moved(span.end)
        };
        let mut table = moved_table(template.parts.clone(), &mut to);
        Naming::new(&table, within.prefix, within.scope, log).apply_to_parts(&mut table);
        let open = [within.open, &[template.name.as_str()]].concat();
        let inner = table.remove("instance");
        evaluate_table(&mut table, within.scope, self.context);
        let mut parts = Parts::new();
        for (key, list) in table {
            if let DeValue::Array(items) = list.into_inner() {
                for item in items {
                    self.check_place((key.get_ref(), &item), &instance, within);
                    parts.push((key.get_ref().to_string(), item));
                }
            }
        }
        parts.extend(self.all(inner, Within { placement: &instance.placement, open: &open, ..within }));
        parts
    }

    /// Counts the parts of one more instance; records where they are too many.
    fn has_room(&self, template: &Template<'_>) -> bool {
        let lists = template.parts.iter().filter_map(|(_, list)| list.get_ref().as_array());
        let before = self.parts.get();
        self.parts.set(before + lists.map(|list| list.len()).sum::<usize>());
        if before <= MOST_PARTS && self.parts.get() > MOST_PARTS {
            self.context.log.error(&template.span, format!("more than {MOST_PARTS} parts of instances"));
        }
        self.parts.get() <= MOST_PARTS
    }

    /// Refuses places of what has none in space.
    fn check_place(
        &self,
        (key, part): (&str, &Spanned<DeValue<'a>>),
        instance: &Instance,
        within: Within<'_, '_>,
    ) {
        let kind = match (key, part.get_ref()) {
            ("subsystem", DeValue::Table(table)) => text_of(table, "kind"),
            (key, _) if OF_DOCUMENT.contains(&key) => return,
            _ => within.subsystem.map_or("", |[_, kind]| kind),
        };
        if !instance.placement.is_identity() && !PLACED.contains(&kind) && !kind.is_empty() {
            let message = format!("a {key} of a subsystem of kind \"{kind}\" has no place in space");
            let help = "leave out `position`, `orientation`, `mirror`, `along` and `around` of the instance";
            self.context.log.error_with_help(&part.span(), message, help);
        }
    }
}

/// The text of a key, empty if there is none.
fn text_of<'t>(table: &'t DeTable<'_>, key: &str) -> &'t str {
    table.get(key).and_then(|value| value.get_ref().as_str()).unwrap_or_default()
}

/// A list in a table, which is made where there is none.
fn list_of<'d, 'a>(table: &'d mut DeTable<'a>, key: &str, span: Span) -> Option<&'d mut DeArray<'a>> {
    if !table.contains_key(key) {
        let key = Spanned::new(span.clone(), Cow::Owned(key.to_owned()));
        table.insert(key, Spanned::new(span, DeValue::Array(DeArray::new())));
    }
    match table.get_mut(key)?.get_mut() {
        DeValue::Array(list) => Some(list),
        _ => None,
    }
}
