//! Reads the formulation of the constraints.

use crate::kinds::multibody::spec::FormulationSpec;
use crate::read::{Reader, Value};

/// Reads `formulation`, a name or a table.
pub(super) fn read_formulation(reader: &Reader<'_>) -> FormulationSpec {
    let expected = "the name of a formulation, or { method = …, … }";
    let read = |value: &Value<'_>| match (value.as_text(), value.as_table()) {
        (Some(name), _) => method(value, name),
        (_, Some(_)) => in_table(&value.reader("the formulation")?),
        _ => value.mismatch(expected),
    };
    reader.entry("formulation", expected, read).or(FormulationSpec::default())
}

fn method(value: &Value<'_>, name: &str) -> Option<FormulationSpec> {
    let found = FormulationSpec::ALL.iter().find(|formulation| formulation.name() == name);
    if found.is_none() {
        value.log.unknown(
            &value.span(),
            "formulation",
            name,
            FormulationSpec::ALL.iter().map(FormulationSpec::name),
        );
    }
    found.copied()
}

fn in_table(table: &Reader<'_>) -> Option<FormulationSpec> {
    let entry = table.entry("method", "the name of a formulation", |value| method(value, value.text()?));
    let Some(default) = entry.required_option() else {
        table.abandon();
        return None;
    };
    let found = match default {
        FormulationSpec::Baumgarte { alpha, beta } => FormulationSpec::Baumgarte {
            alpha: table.number("alpha").not_negative().or(alpha),
            beta: table.number("beta").not_negative().or(beta),
        },
        other => other,
    };
    table.finish();
    Some(found)
}
