//! Reads the solver of a subsystem.

use super::reader::Reader;
use super::value::Value;
use crate::spec::SolverSpec;

/// Reads `solver`, a name or a table, and checks that it can do what the subsystem needs; `None` if unreadable.
pub(crate) fn read_solver(
    subsystem: &Reader<'_>,
    default: SolverSpec,
    has_contacts: bool,
) -> Option<SolverSpec> {
    let Some(value) = subsystem.value("solver") else {
        return Some(default);
    };
    let solver = match (value.as_text(), value.as_table()) {
        (Some(name), _) => method(&value, name)?,
        (_, Some(_)) => {
            let table = value.reader(format!("the solver of {}", subsystem.what()))?;
            in_table(&table, default)?
        }
        _ => return value.mismatch("the name of a solver, or { method = …, … }"),
    };
    if has_contacts && !solver.allows_contacts() {
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
    let Some(parameter) = solver.parameter() else {
        return table.finish().then_some(solver);
    };
    let key = parameter.name;
    let (low, high) = parameter.range;
    let is_given = table.has(key);
    let value = table.number(key).within(low, high).optional();
    if !table.finish() {
        return None;
    }
    if is_given { value.map(|value| solver.with_parameter(value)) } else { Some(solver) }
}
