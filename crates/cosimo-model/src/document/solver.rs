//! Reads the solver of a subsystem.

use super::scheme::read_scheme;
use crate::spec::SolverSpec;
use crate::toml::{Reader, SCHEME, Value};

/// Reads `solver`, a name or a table; `None` if unreadable.
pub(crate) fn read_solver(subsystem: &Reader<'_>) -> Option<SolverSpec> {
    let Some(value) = subsystem.value("solver") else {
        return Some(SolverSpec::DEFAULT);
    };
    match (value.as_text(), value.as_table()) {
        (Some(name), _) => method(&value, name),
        _ if value.member(SCHEME).is_some() => read_scheme(&value).map(SolverSpec::Nonsmooth),
        (_, Some(_)) => in_table(&value.reader(format!("the solver of {}", subsystem.what()))?),
        _ => value.mismatch("the name of a solver, or { method = …, … }"),
    }
}

fn method(value: &Value<'_>, name: &str) -> Option<SolverSpec> {
    let found = SolverSpec::names().find(|(own, _)| *own == name);
    if found.is_none() {
        value.log.unknown(&value.span(), "solver", name, SolverSpec::names().map(|(own, _)| own));
    }
    found.map(|(_, solver)| solver)
}

fn in_table(table: &Reader<'_>) -> Option<SolverSpec> {
    let solver = match table.value("method") {
        Some(value) => method(&value, value.text()?)?,
        None => SolverSpec::DEFAULT,
    };
    let mut parameters = solver.parameters();
    let mut is_readable = true;
    for (name, range) in RANGES.into_iter().filter(|(name, _)| solver.parameters().contains_key(*name)) {
        match (table.has(name), range.read(table, name)) {
            (true, Some(value)) => drop(parameters.insert(name.to_owned(), value)),
            (has_value, _) => is_readable &= !has_value,
        }
    }
    (table.finish() && is_readable).then(|| solver.with_parameters(parameters))
}

/// What a parameter of a solver may be.
#[derive(Clone, Copy)]
enum Range {
    /// A number between two.
    Within(f64, f64),
    /// A positive number.
    Positive,
    /// A whole number, 1 to 5.
    Order,
}

/// What the parameters of solvers may be.
const RANGES: [(&str, Range); 7] = [
    ("theta", Range::Within(0.5, 1.0)),
    ("spectral_radius", Range::Within(0.0, 1.0)),
    ("alpha", Range::Within(-1.0 / 3.0, 0.0)),
    ("gamma", Range::Within(0.5, 1.0)),
    ("order", Range::Order),
    ("largest_order", Range::Order),
    ("error_tolerance", Range::Positive),
];

impl Range {
    /// The value of a parameter, if it is given and right.
    fn read(self, table: &Reader<'_>, name: &'static str) -> Option<toml::Value> {
        match self {
            Self::Within(low, high) => table.number(name).within(low, high).optional().map(Into::into),
            Self::Positive => table.number(name).positive().optional().map(Into::into),
            Self::Order => {
                let order = table.count(name).check("1, 2, 3, 4 or 5", |order| (1..=5).contains(order));
                order.optional().map(Into::into)
            }
        }
    }
}
