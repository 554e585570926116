//! Reads events.

use std::path::Path;

use cosimo_master::{ContactEventKind, FrictionState};

use super::ReadError;
use super::rows::{Row, Rows};
use crate::Event;
use crate::recorder::EVENT_COLUMNS;

/// Reads `events.csv`.
pub(super) fn read(path: &Path) -> Result<Vec<Event>, ReadError> {
    let mut rows = Rows::open(path)?;
    match rows.next()? {
        Some(header) if !header.texts().eq(EVENT_COLUMNS.map(|(name, _)| name)) => {
            return Err(header.wrong("these are not the columns of events".to_owned()));
        }
        _ => {}
    }
    let mut events = Vec::new();
    while let Some(row) = rows.next()? {
        events.push(event(&row)?);
    }
    Ok(events)
}

fn event(row: &Row<'_>) -> Result<Event, ReadError> {
    use ContactEventKind::{Closing, Impact, Release, Slip, Stick};
    let (kind, friction) = (row.text(1), row.text(8));
    let known = [Impact, Closing, Release, Stick, Slip].into_iter().find(|own| own.name() == kind);
    let states = [FrictionState::None, FrictionState::Stick, FrictionState::Slip];
    let state = states.into_iter().find(|own| own.name() == friction);
    Ok(Event {
        time: row.number(0)?,
        kind: known.ok_or_else(|| row.wrong(format!("no event is called `{kind}`")))?,
        contact: row.text(2).to_owned(),
        velocity_before: row.number(3)?,
        velocity_after: row.number(4)?,
        impulse: row.number(5)?,
        tangential_impulse: [row.number(6)?, row.number(7)?],
        friction: state.ok_or_else(|| row.wrong(format!("no state of friction is called `{friction}`")))?,
        work: row.number(9)?,
    })
}
