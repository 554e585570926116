//! Overrides of parameters: what no formula knows would change nothing, so that it must be there.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::toml::{Log, Override};

/// Whether a parameter that an override sets, of the file or of a template, is there; records it where it is not. Of other entries it is
/// said where they are read.
pub(super) fn is_known(document: &DeTable<'_>, change: &Override, base: usize, log: &Log<'_>) -> bool {
    let segments: Vec<_> = change.segments().collect();
    let (table, names) = match &segments[..] {
        [("parameters", _), names @ ..] => (document.get("parameters"), names),
        [("template", _), (template, _), ("parameters", _), names @ ..] => {
            (template_of(document, template).and_then(|table| table.get("parameters")), names)
        }
        _ => return true,
    };
    let mut table = table.and_then(|table| table.get_ref().as_table());
    for (name, range) in names {
        let known: Vec<&str> =
            table.iter().flat_map(|table| table.keys()).map(|key| &**key.get_ref()).collect();
        let Some(value) = table.and_then(|table| table.get(*name)) else {
            log.unknown(&(base + range.start..base + range.end), "parameter", name, known);
            return false;
        };
        match value.get_ref() {
            DeValue::Table(inner) => table = Some(inner),
            // An element of a list is found where it is set.
            _ => return true,
        }
    }
    true
}

fn template_of<'d, 'a>(document: &'d DeTable<'a>, name: &str) -> Option<&'d DeTable<'a>> {
    let templates = document.get("template")?.get_ref().as_array()?;
    let tables = templates.iter().filter_map(|template: &Spanned<DeValue<'a>>| template.get_ref().as_table());
    let mut named =
        tables.filter(|table| table.get("name").and_then(|own| own.get_ref().as_str()) == Some(name));
    named.next()
}
