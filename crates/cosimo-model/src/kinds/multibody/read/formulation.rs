//! Reads at which levels constraints are imposed.

use crate::kinds::multibody::spec::FormulationSpec;
use crate::read::{Reader, Value};

/// `formulation`, a name or a table; by default that which the solver goes with best.
pub(super) fn read_formulation(reader: &Reader<'_>) -> FormulationSpec {
    let names = FormulationSpec::ALL.map(|formulation| format!("\"{}\"", formulation.name()));
    let read = |value: &Value<'_>| match (value.as_text(), value.as_table()) {
        (Some(name), _) => by_name(value, name),
        (_, Some(_)) => in_table(value),
        _ => value.mismatch("the name of a formulation, or { method = \"baumgarte\", alpha = …, beta = … }"),
    };
    reader.entry("formulation", &names.join(" or "), read).or(default_formulation(reader))
}

fn by_name(value: &Value<'_>, name: &str) -> Option<FormulationSpec> {
    let found = named(value, name)?;
    if let FormulationSpec::Baumgarte { .. } = found {
        let help = "write formulation = { method = \"baumgarte\", alpha = 20.0, beta = 20.0 }, in 1/s: drift then dies out within \
                    about 1/alpha";
        let message = "formulation \"baumgarte\" needs alpha and beta";
        value.log.error_with_help(&value.span(), message, help);
        return None;
    }
    Some(found)
}

fn in_table(value: &Value<'_>) -> Option<FormulationSpec> {
    let table = value.reader("the formulation")?;
    let method = table.entry("method", "the name of a formulation", |value| named(value, value.text()?));
    let Some(method) = method.required_option() else {
        table.abandon();
        return None;
    };
    let found = match method {
        FormulationSpec::Baumgarte { .. } => {
            let parameter = |key| table.number(key).not_negative().required_option();
            let (alpha, beta) = (parameter("alpha"), parameter("beta"));
            Some(FormulationSpec::Baumgarte { alpha: alpha?, beta: beta? })
        }
        others => Some(others),
    };
    if table.finish() { found } else { None }
}

fn named(value: &Value<'_>, name: &str) -> Option<FormulationSpec> {
    let found = FormulationSpec::ALL.into_iter().find(|formulation| formulation.name() == name);
    if found.is_none() {
        let names = FormulationSpec::ALL.iter().map(FormulationSpec::name);
        value.log.unknown(&value.span(), "formulation", name, names);
    }
    found
}

/// The formulation where none is given.
fn default_formulation(reader: &Reader<'_>) -> FormulationSpec {
    let solver = reader.value("solver");
    let method = solver.as_ref().and_then(|solver| solver.member("method"));
    let name = method.as_ref().or(solver.as_ref()).and_then(Value::as_text);
    match name {
        None | Some("theta") => FormulationSpec::StabilisedIndex2,
        Some(_) => FormulationSpec::StabilisedIndex1,
    }
}
