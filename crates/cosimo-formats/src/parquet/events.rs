//! Events as a table.

use std::path::Path;

use cosimo_results::{EVENT_COLUMNS, Event, Results};

use super::field::{Content, Field};
use super::metadata::About;
use super::table;
use crate::FormatError;

/// Writes the events with the columns of `events.csv`.
pub(super) fn write(path: &Path, results: &Results) -> Result<(), FormatError> {
    let events = &results.events;
    let numbers = |get: fn(&Event) -> f64| events.iter().map(get).collect::<Vec<f64>>();
    let kinds: Vec<&str> = events.iter().map(|event| event.kind.name()).collect();
    let contacts: Vec<&str> = events.iter().map(|event| event.contact.as_str()).collect();
    let frictions: Vec<&str> = events.iter().map(|event| event.friction.name()).collect();
    let times = numbers(|event| event.time);
    let (before, after) = (numbers(|event| event.velocity_before), numbers(|event| event.velocity_after));
    let impulses = numbers(|event| event.impulse);
    let along = [numbers(|event| event.tangential_impulse[0]), numbers(|event| event.tangential_impulse[1])];
    let works = numbers(|event| event.work);
    let contents = [
        Content::Numbers(&times),
        Content::Texts(&kinds),
        Content::Texts(&contacts),
        Content::Numbers(&before),
        Content::Numbers(&after),
        Content::Numbers(&impulses),
        Content::Numbers(&along[0]),
        Content::Numbers(&along[1]),
        Content::Texts(&frictions),
        Content::Numbers(&works),
    ];
    let fields: Vec<Field<'_>> = EVENT_COLUMNS
        .into_iter()
        .zip(contents)
        .map(|((name, unit), content)| Field { name, unit, content })
        .collect();
    table::write(path, &fields, &About::run(results))
}
