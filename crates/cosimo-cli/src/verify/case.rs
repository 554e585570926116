//! Runs a case and compares.

use std::time::Instant;

use cosimo::impact::compare::FilledGraph;
use cosimo::model::read_model;

use super::expression::Expression;
use super::list::{Case, Check, Events, Take};
use super::source::Source;
use crate::interrupt::Interrupt;
use crate::progress::Progress;
use crate::sub_run::{self, Event, SubRun, SubRunError, Table};

/// What came of a check.
#[derive(Debug)]
pub(super) struct Verdict<'a> {
    pub(super) case: &'a str,
    pub(super) check: &'a Check,
    /// The error, or why there is none.
    pub(super) error: Result<f64, String>,
    /// Wall time of the run of the case (s).
    pub(super) seconds: f64,
}

impl Verdict<'_> {
    /// Whether the error is within the tolerance.
    pub(super) fn is_passed(&self) -> bool {
        self.error.as_ref().is_ok_and(|error| *error <= self.check.tolerance)
    }
}

/// Runs a case and makes its checks that are wanted; `None` if it was stopped.
pub(super) fn verify<'a>(
    case: &'a Case,
    checks: &[&'a Check],
    source: &Source,
    watchers: (Progress, &Interrupt),
) -> Option<Vec<Verdict<'a>>> {
    let started = Instant::now();
    let run = match run(case, checks, source, watchers) {
        Err(SubRunError::Stopped) => return None,
        other => other.map_err(|error| format!("the run {error}")),
    };
    let seconds = started.elapsed().as_secs_f64();
    let verdict = |check: &&'a Check| {
        let error = run.as_ref().map_err(Clone::clone).and_then(|run| error(check, run, source));
        Verdict { case: &case.name, check, error, seconds }
    };
    Some(checks.iter().map(verdict).collect())
}

fn run(
    case: &Case,
    checks: &[&Check],
    source: &Source,
    watchers: (Progress, &Interrupt),
) -> Result<Kept, SubRunError> {
    let text = source.read(&case.model).map_err(SubRunError::Build)?;
    let changes = case.changes().map_err(SubRunError::Build)?;
    let read = read_model(&case.model, &text, &changes);
    let (model, _) = read.map_err(|mistakes| SubRunError::Build(mistakes.to_string()))?;
    let mut names: Vec<String> = checks
        .iter()
        .filter(|check| check.events.is_none())
        .fold(Vec::new(), |all, check| [all, check.quantity.names()].concat());
    names.retain(|name| !ENERGIES.contains(&name.as_str()));
    names.sort_unstable();
    names.dedup();
    let run = sub_run::run(&model, &names, watchers)?;
    Ok(Kept { names, run })
}

/// A run with the names of what was kept of it.
struct Kept {
    names: Vec<String>,
    run: SubRun,
}

const ENERGIES: [&str; 3] = ["energy.start", "energy.end", "energy.contact"];
const EVENT: [&str; 4] = ["time", "before", "after", "impulse"];

impl Kept {
    /// Value of a quantity at a time (s).
    fn at(&self, name: &str, t: f64) -> f64 {
        let known = self.names.iter().position(|own| own == name);
        known.map_or(f64::NAN, |k| self.run.graphs[k].value_after(t))
    }

    /// Value of a quantity, or an energy, at the end.
    fn at_end(&self, name: &str) -> f64 {
        let energy = &self.run.energy;
        match ENERGIES.iter().position(|own| *own == name) {
            Some(k) => [energy.start, energy.end, energy.contact][k],
            None => self.at(name, f64::INFINITY),
        }
    }
}

fn error(check: &Check, kept: &Kept, source: &Source) -> Result<f64, String> {
    let differences = match (&check.table, &check.events) {
        (None, _) => {
            let found = match check.take {
                Take::End => check.quantity.value(&|name| kept.at_end(name)),
                take => over_the_run(take, check, kept)?,
            };
            vec![found - check.reference.value(&|_| f64::NAN)]
        }
        (Some(path), None) => over_time(check, kept, &Table::read(path, &source.read(path)?)?)?,
        (Some(path), Some(events)) => {
            over_events(check, events, &kept.run.events, &Table::read(path, &source.read(path)?)?)?
        }
    };
    match differences.len() {
        0 => Err("no row of the table is within the run".to_owned()),
        _ => Ok(check.norm.of(&differences)),
    }
}

/// What is taken of a quantity over the run, up to the last time that counts.
fn over_the_run(take: Take, check: &Check, kept: &Kept) -> Result<f64, String> {
    let last = check.until.unwrap_or(f64::INFINITY) + 1e-9;
    let times = kept.run.graphs.first().map_or(&[][..], FilledGraph::points).iter().skip(1).map(|(t, _)| *t);
    let at = |t: f64| (t, check.quantity.value(&|name| kept.at(name, t)));
    let points: Vec<(f64, f64)> = times.take_while(|t| *t <= last).map(at).collect();
    take.of(&points).ok_or_else(|| format!("`{}` is above zero at no time", check.quantity.text()))
}

/// Differences at the times of the table.
fn over_time(check: &Check, kept: &Kept, table: &Table) -> Result<Vec<f64>, String> {
    let columns = Columns::of(&check.reference, table)?;
    let last = check.until.unwrap_or(f64::INFINITY).min(kept.run.end) + 1e-9;
    let times = table.column("t")?;
    let difference = |(row, t): (usize, &f64)| {
        let found = check.quantity.value(&|name| kept.at(name, *t));
        found - check.reference.value(&|name| columns.at(name, row))
    };
    Ok(times.iter().enumerate().take_while(|(_, t)| **t <= last).map(difference).collect())
}

/// Differences of events from the rows of the table, in their order.
fn over_events(check: &Check, events: &Events, all: &[Event], table: &Table) -> Result<Vec<f64>, String> {
    if let Some(name) = check.quantity.names().iter().find(|name| !EVENT.contains(&name.as_str())) {
        return Err(format!("an event has no `{name}`: it has {}", EVENT.join(", ")));
    }
    let columns = Columns::of(&check.reference, table)?;
    let own = all.iter().filter(|event| event.contact == events.contact && events.kind.is(event.kind));
    let own: Vec<&Event> = own.take(events.count).collect();
    if own.len() < events.count {
        return Err(format!("`{}` has {} events of {}", events.contact, own.len(), events.count));
    }
    let difference = |(row, event): (usize, &&Event)| {
        let values = [event.time, event.velocities[0], event.velocities[1], event.impulse];
        let of = |name: &str| EVENT.iter().position(|own| *own == name).map_or(f64::NAN, |k| values[k]);
        check.quantity.value(&of) - check.reference.value(&|name| columns.at(name, row))
    };
    Ok(own.iter().enumerate().map(difference).collect())
}

/// The columns of a table that an expression needs.
struct Columns(Vec<(String, Vec<f64>)>);

impl Columns {
    fn of(expression: &Expression, table: &Table) -> Result<Self, String> {
        let column = |name: String| table.column(&name).map(|values| (name, values));
        expression.names().into_iter().map(column).collect::<Result<_, _>>().map(Self)
    }

    /// A value; beyond the last row there is none.
    fn at(&self, name: &str, row: usize) -> f64 {
        let column = self.0.iter().find(|(own, _)| own == name);
        column.and_then(|(_, values)| values.get(row)).copied().unwrap_or(f64::NAN)
    }
}
