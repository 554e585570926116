//! Reads a nested model: mistakes in its file are mistakes of the entry `file`.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::NestedSpec;
use crate::kinds::coupled_model::Nested;
use crate::kinds::fmu::Isolation;
use crate::kinds::{ParsedModel, Start};
use crate::toml::{Override, Reader};

/// Reads the keys of a nested model.
pub(crate) fn read(reader: &Reader<'_>, start: &Start) -> ParsedModel<NestedSpec> {
    let mistakes = reader.log().error_count();
    let file =
        reader.text("file").required_option().map(|file| reader.log().beside(&reader.span("file"), &file));
    let (set, overrides) = read_overrides(reader);
    let open = |path: &PathBuf| {
        let (opened, named) = (start.open_model)(path, &overrides, &start.files);
        reader.log().sources().add_named(named);
        opened.map_err(|reason| reader.log().error(&reader.span("file"), reason)).ok()
    };
    let model = file.as_ref().and_then(open);
    let mut spec = NestedSpec {
        file: file.unwrap_or_default(),
        set,
        ports: Vec::new(),
        isolation: Isolation::None,
        model,
    };
    spec.ports = read_ports(reader, spec.model.as_ref());
    ParsedModel { has_all_names: reader.log().error_count() == mistakes, kind: spec }
}

/// The entries that are set, as they are written and as overrides.
fn read_overrides(reader: &Reader<'_>) -> (BTreeMap<String, toml::Value>, Vec<Override>) {
    const EXPECTED: &str = "a table of values by the paths of entries";
    let (mut set, mut overrides) = (BTreeMap::new(), Vec::new());
    let pairs = reader.value("set").and_then(|table| table.pairs(EXPECTED));
    for (path, span, value) in pairs.unwrap_or_default() {
        let Some(given) = value.data::<toml::Value>() else { continue };
        match Override::parse(&format!("{path}={given}")) {
            Ok(change) => overrides.push(change),
            Err(error) => reader.log().error(&span, error.to_string()),
        }
        set.insert(path.to_owned(), given);
    }
    (set, overrides)
}

/// The open ports: those named here, those that the file names, or all that can be open.
fn read_ports(reader: &Reader<'_>, model: Option<&Nested>) -> Vec<String> {
    let known: Vec<String> = model.iter().flat_map(|model| model.0.ports()).map(|port| port.name).collect();
    let Some(wanted) = reader.texts("ports").optional() else {
        return model.and_then(|model| model.0.named_ports()).unwrap_or(known);
    };
    let items = reader.value("ports").and_then(|list| list.items("a list of names"));
    for value in items.iter().flatten() {
        if let Some(name) =
            value.as_text().filter(|name| model.is_some() && !known.iter().any(|own| own == name))
        {
            reader.log().unknown(&value.span(), "open port", name, known.iter().map(String::as_str));
        }
    }
    wanted
}
