//! Reads at which levels constraints are imposed.

use cosimo_smooth::dae::Formulation;

use crate::toml::{Choice, METHOD, Reader, Value, in_words, read_value};

/// The formulation that has parameters, for which there are no defaults.
const BAUMGARTE: &str = "baumgarte";

/// `formulation`, a name or a table; by default that which the solver goes with best.
pub(super) fn read_formulation(reader: &Reader<'_>) -> Formulation {
    let read = |value: &Value<'_>| {
        let method = value.member(METHOD);
        match (value.as_text(), method.as_ref().and_then(Value::as_text)) {
            (Some(BAUMGARTE), _) => without_parameters(value),
            (_, Some(BAUMGARTE)) => baumgarte(value),
            _ => read_value(value),
        }
    };
    reader.entry("formulation", &in_words(Formulation::names()), read).or(default_formulation(reader))
}

fn without_parameters(value: &Value<'_>) -> Option<Formulation> {
    let help = "write formulation = { method = \"baumgarte\", alpha = 20.0, beta = 20.0 }, in 1/s: drift then dies out within \
                about 1/alpha";
    let message = "formulation \"baumgarte\" needs alpha and beta";
    value.log.error_with_help(&value.span(), message, help);
    None
}

fn baumgarte(value: &Value<'_>) -> Option<Formulation> {
    let table = value.reader("the formulation")?;
    table.value(METHOD);
    let parameter = |key| table.number(key).not_negative().required_option();
    let (alpha, beta) = (parameter("alpha"), parameter("beta"));
    let is_complete = table.finish();
    Some(Formulation::Baumgarte { alpha: alpha?, beta: beta? }).filter(|_| is_complete)
}

/// The formulation where none is given.
fn default_formulation(reader: &Reader<'_>) -> Formulation {
    let solver = reader.value("solver");
    let method = solver.as_ref().and_then(|solver| solver.member(METHOD));
    let name = method.as_ref().or(solver.as_ref()).and_then(Value::as_text);
    match name {
        None | Some("theta" | "moreau-jean") => Formulation::PositionVelocity,
        Some(_) => Formulation::PositionVelocityAcceleration,
    }
}
