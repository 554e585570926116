//! From a file as it is written to the document that is read: other files are included, instances of templates put in, and formulas
//! replaced by their values.
//!
//! | file | subject |
//! |---|---|
//! | `include.rs` | other files |
//! | `context.rs`, `known.rs` | where mistakes go; names with values |
//! | `parameters.rs` | parameters on the way to their values |
//! | `formulas.rs`, `tables.rs` | values that formulas, and columns of CSV files, stand for |
//! | `template.rs` | what is used several times |
//! | `instance.rs`, `array.rs` | where and how often |
//! | `overrides.rs` | overrides of parameters, which must be there |
//! | `names.rs` | names of the parts of an instance |
//!
//! Positions are kept: a mistake is reported where it stands, in an included file or in a template, with the instance.

mod array;
mod context;
mod formulas;
mod include;
mod instance;
mod known;
mod names;
mod overrides;
mod parameters;
mod tables;
mod template;

use std::collections::BTreeMap;

use cosimo_formula::Value;
use toml::de::DeTable;

use crate::toml::{Log, Override, apply};
pub(super) use context::Context;
use formulas::evaluate_table;
pub(super) use include::include;
use instance::Instances;
use known::{Known, Scope};

/// Keys of the document that are gone when it is read.
const OWN: [&str; 4] = ["include", "parameters", "template", "instance"];

/// Expands a document, changed by overrides: those of parameters, templates and instances before, all others after. Whether it is
/// whole: of one in which files or instances are missing, what is read after that says nothing.
pub(super) fn expand<'a>(
    document: &mut DeTable<'a>,
    overrides: &'a [Override],
    context: Context<'_, 'a>,
) -> bool {
    let log = context.log;
    let are_all_read = include(document, context);
    change(document, overrides, log, is_early);
    let scope = Scope::of_file(document.remove("parameters").as_ref(), context);
    let templates = template::read(document.remove("template"), log);
    let are_all_put_in = Instances::new(&templates, context).put_in(document, &scope);
    for template in templates.iter().filter(|template| are_all_put_in && !template.is_used.get()) {
        let message = format!("template `{}` is not used", template.name);
        log.warning(&template.span, message, "its parts are not looked at; use it by [[subsystem.instance]]");
    }
    change(document, overrides, log, |path| !is_early(path));
    evaluate_table(document, &scope, context);
    are_all_read && are_all_put_in
}

/// Applies the overrides of these paths.
pub(super) fn change<'a>(
    document: &mut DeTable<'a>,
    overrides: &'a [Override],
    log: &Log<'_>,
    is_wanted: impl Fn(&[&str]) -> bool,
) {
    for (index, change) in overrides.iter().enumerate().filter(|(_, change)| is_wanted(&change.path())) {
        let base = log.sources().base(index);
        if overrides::is_known(document, change, base, log) {
            apply(document, change, base, log);
        }
    }
}

/// The parameters of a document, by their names with dots.
pub(super) fn parameters(document: &DeTable<'_>, context: Context<'_, '_>) -> BTreeMap<String, toml::Value> {
    let value = |known| match known {
        Known::Value(Value::Number(number)) => Some(toml::Value::Float(number)),
        Known::Value(Value::Vector(numbers)) => {
            Some(toml::Value::Array(numbers.into_iter().map(toml::Value::Float).collect()))
        }
        Known::Truth(truth) => Some(toml::Value::Boolean(truth)),
        Known::Text(text) => Some(toml::Value::String(text)),
        Known::Lost => None,
    };
    let known = Scope::of_file(document.get("parameters"), context).into_own();
    known.into_iter().filter_map(|(name, known)| Some((name, value(known)?))).collect()
}

/// Whether a path leads to what is gone when the document is read.
fn is_early(path: &[&str]) -> bool {
    OWN.contains(&path[0]) || (path[0] == "subsystem" && path.get(2).is_some_and(|key| *key == "instance"))
}
