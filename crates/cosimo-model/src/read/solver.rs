//! Reads the solver of a subsystem.

use super::deserializer::SCHEME;
use super::reader::Reader;
use super::scheme::read_scheme;
use super::value::Value;
use crate::spec::SolverSpec;

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
