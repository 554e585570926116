//! Reads the acceleration of an iterative scheme.

use super::reader::Reader;
use super::value::Value;
use crate::spec::{AccelerationSpec, Choice, Scheme};

/// Reads `acceleration`, a name or a table, and checks that there is an iteration to accelerate.
pub(crate) fn read_acceleration(master: &Reader<'_>, scheme: Scheme) -> AccelerationSpec {
    let Some(value) = master.value("acceleration") else {
        return AccelerationSpec::default();
    };
    let found = match (value.as_text(), value.as_table()) {
        (Some(name), _) => method(&value, name),
        (_, Some(_)) => value.reader("the acceleration").and_then(|table| in_table(&table)),
        _ => value.mismatch("the name of an acceleration, or { method = …, … }"),
    };
    let acceleration = found.unwrap_or_default();
    if acceleration != AccelerationSpec::None && !scheme.is_iterative() {
        let (name, scheme) = (acceleration.name(), scheme.name());
        let message =
            format!("acceleration is \"{name}\", but scheme = \"{scheme}\" has no iteration to accelerate");
        let help = "use acceleration = \"none\", or scheme = \"gauss-seidel\" or \"jacobi\"";
        value.log.error_with_help(&value.span(), message, help);
    }
    acceleration
}

fn method(value: &Value<'_>, name: &str) -> Option<AccelerationSpec> {
    let found = AccelerationSpec::ALL.iter().find(|acceleration| acceleration.name() == name);
    if found.is_none() {
        let names = AccelerationSpec::ALL.iter().map(AccelerationSpec::name);
        value.log.unknown(&value.span(), "acceleration", name, names);
    }
    found.copied()
}

fn in_table(table: &Reader<'_>) -> Option<AccelerationSpec> {
    let name = table.entry("method", "the name of an acceleration", |value| method(value, value.text()?));
    let Some(default) = name.required_option() else {
        table.abandon();
        return None;
    };
    let found = match default {
        AccelerationSpec::None => AccelerationSpec::None,
        AccelerationSpec::Relaxation { factor } => {
            AccelerationSpec::Relaxation { factor: table.number("factor").positive().or(factor) }
        }
        AccelerationSpec::Aitken { first } => {
            AccelerationSpec::Aitken { first: table.number("first").positive().or(first) }
        }
        AccelerationSpec::IqnIls { reuse, filter } => AccelerationSpec::IqnIls {
            reuse: table.count("reuse").or(reuse),
            filter: table
                .number("filter")
                .check("in [0, 1)", |filter| (0.0..1.0).contains(filter))
                .or(filter),
        },
    };
    table.finish();
    Some(found)
}
