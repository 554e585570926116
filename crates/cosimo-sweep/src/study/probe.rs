//! What is checked before the first run.

use cosimo_model::ModelSpec;
use cosimo_subsystem::Subsystem;

use super::source::Unreadable;
use super::{Server, Source};
use crate::StudyError;
use crate::cases::Cases;
use crate::outputs::Known;

/// Cases that are tried, evenly among all, until the model of one can be built.
const TRIED: usize = 100;

/// What a model of the study has.
pub(super) struct Found {
    pub(super) title: String,
    pub(super) known: Known,
    /// Whether a process can hold units of one run only.
    pub(super) has_single_units: bool,
}

/// The first model of a study that can be built; the reason of the first one where none can.
pub(super) fn probe(source: &Source, cases: &Cases, server: Option<Server<'_>>) -> Result<Found, StudyError> {
    let step = cases.len().div_ceil(TRIED).max(1);
    let mut first = None;
    for run in (0..cases.len()).step_by(step) {
        match one(source, cases, run, server) {
            Ok(found) => return Ok(found),
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.unwrap_or(StudyError::Cases(crate::CasesError::None)))
}

fn one(source: &Source, cases: &Cases, run: usize, server: Option<Server<'_>>) -> Result<Found, StudyError> {
    let model = source.model(cases, run).map_err(|error| match error {
        Unreadable::Path(error) => StudyError::Path(error),
        Unreadable::Mistakes(mistakes) => StudyError::Mistakes(mistakes),
    })?;
    let subsystems = subsystems(&model, server)?;
    let contacts = subsystems.iter().flat_map(|own| contacts(own.as_ref())).collect();
    let (title, has_single_units) = (model.title.clone(), model.has_single_units());
    Ok(Found { title, known: Known::of(&model, contacts), has_single_units })
}

fn subsystems(model: &ModelSpec, server: Option<Server<'_>>) -> Result<Vec<Box<dyn Subsystem>>, StudyError> {
    let built = match server {
        Some(server) => model.build_subsystems_served(&|| server()),
        None => model.build_subsystems(),
    };
    built.map_err(|error| StudyError::Build(Box::new(error)))
}

/// The contacts of a subsystem, `subsystem.contact`; of a pool its name.
fn contacts(subsystem: &dyn Subsystem) -> Vec<String> {
    let own = subsystem.description();
    let is_single = |(place, _): &(usize, _)| own.pool_of(*place).is_none();
    let single = own.contacts.iter().enumerate().filter(is_single).map(|(_, contact)| &contact.name);
    single.chain(own.pools.iter().map(|pool| &pool.name)).map(|name| format!("{}.{name}", own.name)).collect()
}
