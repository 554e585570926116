//! Reads the solver of a subsystem.

use super::reader::Reader;
use super::value::Value;
use crate::spec::SolverSpec;

/// Reads `solver`, a name or a table, and checks that it can do what the subsystem needs.
pub(crate) fn read_solver(subsystem: &Reader<'_>, has_contacts: bool) -> SolverSpec {
    let default = SolverSpec::default_for(has_contacts);
    let expected = "the name of a solver, or { method = …, … }";
    let read = |value: &Value<'_>| match (value.as_text(), value.as_table()) {
        (Some(name), _) => method(value, name),
        (_, Some(_)) => {
            value.reader(format!("the solver of {}", subsystem.what())).map(|table| in_table(&table, default))
        }
        _ => value.mismatch(expected),
    };
    let solver = subsystem.entry("solver", expected, read).or(default);
    if has_contacts && !solver.allows_contacts() {
        let able: Vec<String> = SolverSpec::ALL
            .iter()
            .filter(|solver| solver.allows_contacts())
            .map(|s| format!("\"{}\"", s.name()))
            .collect();
        let message =
            format!("{} has contacts, which the solver \"{}\" cannot treat", subsystem.what(), solver.name());
        let help = format!("use solver = {}", able.join(" or "));
        subsystem.log().error_with_help(&subsystem.span("solver"), message, help);
    }
    solver
}

fn method(value: &Value<'_>, name: &str) -> Option<SolverSpec> {
    let found = SolverSpec::ALL.iter().find(|solver| solver.name() == name);
    if found.is_none() {
        value.log.unknown(&value.span(), "solver", name, SolverSpec::ALL.iter().map(SolverSpec::name));
    }
    found.copied()
}

fn in_table(table: &Reader<'_>, default: SolverSpec) -> SolverSpec {
    let found = match table.value("method") {
        Some(value) => value.text().and_then(|name| method(&value, name)),
        None => Some(default),
    };
    let Some(solver) = found else {
        return default;
    };
    let (key, value) = solver.parameter();
    let (low, high) = solver.parameter_range();
    let value = table.number(key).within(low, high).or(value);
    table.finish();
    solver.with_parameter(value)
}
