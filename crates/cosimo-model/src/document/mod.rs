//! A model file as a whole: it is read, every mistake recorded with its position, and written.

mod bundle;
mod connection;
mod contents;
mod expand;
mod interface;
mod interface_rules;
mod master;
mod model;
mod ports;
mod remote;
mod scheme;
mod settings;
mod solver;
mod stop;
mod subsystem;
mod unseen;
mod write;

pub use bundle::{Bundle, bundle};
pub use contents::file_hash;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use toml::de::DeTable;
use typed_arena::Arena;

use crate::kinds::coupled_model::{Nested, OpenModel};
use crate::model::ModelSpec;
use crate::toml::{Diagnostic, Diagnostics, Log, Override, Reader, Sources, read_text};

/// Reads and checks the text of a model file, changed by overrides in their order.
///
/// `source_name` is how messages call the file. Returns the complete model and warnings in order of position.
///
/// # Errors
/// Every mistake of the file and of the overrides in one go, with the warnings. A text that is not TOML is not
/// looked into further: its mistakes of syntax are reported alone.
pub fn read_model(
    source_name: &str,
    text: &str,
    overrides: &[Override],
) -> Result<(ModelSpec, Vec<Diagnostic>), Diagnostics> {
    read_within(source_name, text, overrides, &[]).0
}

/// All files that a model is read from besides its own: those it includes, tables, meshes, units and nested models, and all that these
/// name in their turn. Of a model with mistakes, those that were looked for. Paths are absolute.
#[must_use]
pub fn model_files(source_name: &str, text: &str, overrides: &[Override]) -> BTreeSet<PathBuf> {
    read_within(source_name, text, overrides, &[]).1
}

/// A model, or its mistakes.
type Read = Result<(ModelSpec, Vec<Diagnostic>), Diagnostics>;

/// Reads a model for its subsystems alone, whatever they are joined to.
pub(crate) fn read_subsystems(source_name: &str, text: &str) -> Result<ModelSpec, Diagnostics> {
    read_by(model::read_parts, (source_name, text), &[], &[]).0.map(|(model, _)| model)
}

/// All files that such a model is read from besides its own.
pub(crate) fn subsystem_files(text: &str) -> BTreeSet<PathBuf> {
    read_by(model::read_parts, ("model", text), &[], &[]).1
}

/// A file that is nested in others, and the files that it names.
fn read_within(
    source_name: &str,
    text: &str,
    overrides: &[Override],
    outer: &[PathBuf],
) -> (Read, BTreeSet<PathBuf>) {
    read_by(model::read, (source_name, text), overrides, outer)
}

/// What is read of a document that is nested in files.
type ReadModel = fn(&Reader<'_>, (Vec<PathBuf>, OpenModel)) -> ModelSpec;

fn read_by(
    read: ReadModel,
    (source_name, text): (&str, &str),
    overrides: &[Override],
    outer: &[PathBuf],
) -> (Read, BTreeSet<PathBuf>) {
    let log = Log::new(Sources::new(source_name, text, overrides));
    let (mut document, mistakes) = DeTable::parse_recoverable(text);
    if log.record_syntax(&mistakes, |span| span) {
        return (Err(log.into_diagnostics()), BTreeSet::new());
    }
    let texts = Arena::new();
    if !expand::expand(document.get_mut(), overrides, expand::Context { log: &log, texts: &texts }) {
        let named = log.sources().named();
        return (Err(log.into_diagnostics()), named);
    }
    let mut files = outer.to_vec();
    files.push(std::path::absolute(source_name).unwrap_or_else(|_| source_name.into()));
    let model = read(&Reader::root(&log, document.get_ref()), (files, open_nested));
    let named = log.sources().named();
    (log.finish().map(|warnings| (model, warnings)), named)
}

/// Opens a model that is nested in these files.
fn open_nested(
    path: &Path,
    overrides: &[Override],
    outer: &[PathBuf],
) -> (Result<Nested, String>, BTreeSet<PathBuf>) {
    let name = path.display().to_string();
    let none = |reason| (Err(reason), BTreeSet::new());
    if outer.iter().any(|file| file == path) {
        return none(format!("`{name}` would hold itself: it is a part of the model that it is in"));
    }
    let text = match read_text(path) {
        Ok(text) => text,
        Err(error) => return none(format!("cannot read `{name}`: {error}")),
    };
    let (read, named) = read_within(&name, &text, overrides, outer);
    let opened = read
        .map_err(|mistakes| format!("the model nested here has mistakes:\n{mistakes}"))
        .and_then(|(model, _)| match model.subsystems.iter().find(|own| own.remote.is_some()) {
            None => Ok(Nested(Arc::new(model))),
            Some(own) => Err(format!(
                "subsystem `{}` of `{name}` is remote, which subsystems of nested models cannot be",
                own.name
            )),
        });
    (opened, named)
}
