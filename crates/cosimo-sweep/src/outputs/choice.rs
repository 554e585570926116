//! Which quantities and contacts of a model are meant.

use cosimo_model::{ModelSpec, QuantityName, hint};
use cosimo_results::Selection;
use thiserror::Error;

use super::output::Output;
use super::wanted::{Wanted, What};

/// What outputs of a model there can be.
#[derive(Debug)]
pub(crate) struct Known {
    quantities: Vec<QuantityName>,
    plotted: Vec<QuantityName>,
    contacts: Vec<String>,
}

impl Known {
    /// The quantities of a model, and the contacts of its subsystems, `subsystem.contact`.
    pub(crate) fn of(model: &ModelSpec, contacts: Vec<String>) -> Self {
        Self { quantities: model.quantities(), plotted: model.plotted_quantities(), contacts }
    }
}

/// A pattern that names nothing of the model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("no {what} matches `{pattern}`{}", .help.as_ref().map(|help| format!("; {help}")).unwrap_or_default())]
pub struct UnknownOutput {
    /// `quantity` or `contact`.
    pub what: &'static str,
    /// The pattern.
    pub pattern: String,
    /// The nearest name, or those there are.
    pub help: Option<String>,
}

/// The outputs that are wanted, each once: of patterns every quantity that they match. Without any the last values of what is plotted.
pub(crate) fn choose(wanted: &[Wanted], known: &Known) -> Result<Vec<Output>, UnknownOutput> {
    let mut found: Vec<Output> = Vec::new();
    let defaults: Vec<Wanted>;
    let wanted = if wanted.is_empty() {
        defaults = known.plotted.iter().map(|own| Wanted::last(&own.name)).collect();
        &defaults
    } else {
        wanted
    };
    for own in wanted {
        for output in outputs(own, known)? {
            if !found.contains(&output) {
                found.push(output);
            }
        }
    }
    Ok(found)
}

fn outputs(wanted: &Wanted, known: &Known) -> Result<Vec<Output>, UnknownOutput> {
    let pattern = &wanted.pattern;
    match wanted.what {
        What::Statistic(statistic) => {
            let own = known.quantities.iter().filter(|own| Selection::matches(pattern, &own.name));
            let output = |own: &QuantityName| Output::Quantity {
                name: own.name.clone(),
                unit: own.unit.clone(),
                statistic,
            };
            let found: Vec<Output> = own.map(output).collect();
            let names = known.quantities.iter().map(|own| own.name.as_str());
            if found.is_empty() { Err(unknown("quantity", pattern, names)) } else { Ok(found) }
        }
        What::Event(kind, occurrence) => {
            let names = || known.contacts.iter().map(String::as_str);
            if !names().any(|name| Selection::matches(pattern, name)) {
                return Err(unknown("contact", pattern, names()));
            }
            Ok(vec![Output::Event { contact: pattern.clone(), kind: kind.to_owned(), occurrence }])
        }
    }
}

fn unknown<'n>(what: &'static str, pattern: &str, names: impl Iterator<Item = &'n str>) -> UnknownOutput {
    let names: Vec<&str> = names.collect();
    let owner = |name: &str| name.split('.').next().map(str::to_owned);
    let near = hint(pattern, names.iter().copied());
    let of_owner = || hint(pattern, names.iter().copied().filter(|name| owner(name) == owner(pattern)));
    let first = || match names.len() {
        0 => "the model has none".to_owned(),
        count => {
            format!("there are {}{}", names[..count.min(20)].join(", "), if count > 20 { ", …" } else { "" })
        }
    };
    let help = near.or_else(of_owner).or_else(|| Some(first()));
    UnknownOutput { what, pattern: pattern.to_owned(), help }
}
