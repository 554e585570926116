//! Contacts that appear and vanish.

use super::Conformance;
use super::report::{Found, ensure};
use super::run::Run;
use crate::{Description, RowState};

/// [`Check::AbsentContacts`](super::Check::AbsentContacts)
pub(super) fn absent_contacts(setup: &Conformance<'_>) -> Found {
    let mut run = Run::new(setup);
    let contacts = run.subsystem.description().contacts.len();
    let told = run.subsystem.rows().absent.len();
    ensure(told == 0 || told == contacts, || {
        format!("absence is told of {told} contacts, the description has {contacts}")
    })?;
    for event in 0..run.length() {
        let (before, is_jump) = (run.subsystem.rows().absent.clone(), run.is_before_jump());
        run.advance()?;
        let after = &run.subsystem.rows().absent;
        ensure(after.len() == told, || {
            format!("after {event} events absence is told of {} contacts instead of {told}", after.len())
        })?;
        ensure(!is_jump || *after == before, || {
            "a jump of velocities changes which contacts are absent".to_owned()
        })?;
    }
    Ok(())
}

/// Whether rows after a step can be compared with those of its answer: not those of contacts that came or went with it,
/// one entry a row.
pub(super) fn stays(description: &Description, before: &RowState, after: &RowState) -> Vec<bool> {
    let mut stays = vec![true; description.port_rows()];
    let is_same = |c: usize| before.is_absent(c) == after.is_absent(c);
    stays.extend((0..description.contacts.len()).map(is_same));
    let slips = description.contacts.iter().enumerate();
    stays.extend(slips.flat_map(|(c, contact)| std::iter::repeat_n(is_same(c), contact.slips())));
    stays
}
