//! Reads the solver of a subsystem.

use super::deserializer::SCHEME;
use super::reader::Reader;
use super::scheme::read_scheme;
use super::value::Value;
use crate::spec::{ParameterRange, SolverParameter, SolverSpec};

/// Reads `solver`, a name or a table, and checks that it is one for contacts where the subsystem asks for that; `None` if unreadable.
pub(crate) fn read_solver(
    subsystem: &Reader<'_>,
    default: SolverSpec,
    for_contacts: bool,
) -> Option<SolverSpec> {
    let Some(value) = subsystem.value("solver") else {
        return Some(default);
    };
    let solver = match (value.as_text(), value.as_table()) {
        (Some(name), _) => method(&value, name)?,
        _ if value.member(SCHEME).is_some() => SolverSpec::Nonsmooth(read_scheme(&value)?),
        (_, Some(_)) => {
            let table = value.reader(format!("the solver of {}", subsystem.what()))?;
            in_table(&table, default)?
        }
        _ => return value.mismatch("the name of a solver, or { method = …, … }"),
    };
    if for_contacts && !solver.allows_contacts() {
        let able = SolverSpec::ALL.iter().filter(|solver| solver.allows_contacts());
        let names: Vec<String> = able.map(|solver| format!("\"{}\"", solver.name())).collect();
        let unable = solver.name();
        let message =
            format!("{} has contacts, which the solver \"{unable}\" cannot treat", subsystem.what());
        value.log.error_with_help(&value.span(), message, format!("use solver = {}", names.join(" or ")));
    }
    Some(solver)
}

fn method(value: &Value<'_>, name: &str) -> Option<SolverSpec> {
    let found = SolverSpec::ALL.iter().find(|solver| solver.name() == name);
    if found.is_none() {
        value.log.unknown(&value.span(), "solver", name, SolverSpec::ALL.iter().map(SolverSpec::name));
    }
    found.copied()
}

fn in_table(table: &Reader<'_>, default: SolverSpec) -> Option<SolverSpec> {
    let solver = match table.value("method") {
        Some(value) => method(&value, value.text()?)?,
        None => default,
    };
    let values: Vec<Option<f64>> = solver.parameters().into_iter().map(|own| parameter(table, own)).collect();
    if !table.finish() {
        return None;
    }
    let values: Vec<f64> = values.into_iter().collect::<Option<_>>()?;
    Some(solver.with_parameters(&values))
}

/// The value of a parameter, if it is given, else its default; `None` after a mistake was recorded.
fn parameter(table: &Reader<'_>, SolverParameter { name, value, range }: SolverParameter) -> Option<f64> {
    if !table.has(name) {
        return Some(value);
    }
    match range {
        ParameterRange::Within(low, high) => table.number(name).within(low, high).optional(),
        ParameterRange::Positive => table.number(name).positive().optional(),
        ParameterRange::Order => {
            let order = table.count(name).check("1, 2, 3, 4 or 5", |order| (1..=5).contains(order));
            order.optional().map(f64::from)
        }
    }
}
