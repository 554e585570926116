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
        let holders: Vec<_> = (0..contacts).map(|c| run.subsystem.rows().holders_of(c)).collect();
        let (before, is_jump) = (run.subsystem.rows().absent.clone(), run.is_before_jump());
        run.advance()?;
        let after = &run.subsystem.rows().absent;
        ensure(after.len() == told, || {
            format!("after {event} events absence is told of {} contacts instead of {told}", after.len())
        })?;
        let mut both = before.iter().zip(after);
        ensure(!is_jump || both.all(|(before, after)| *before || !*after), || {
            "a jump of velocities takes contacts away; it may only bring some".to_owned()
        })?;
        let changes = |c: &usize| holders[*c] != run.subsystem.rows().holders_of(*c);
        let was_there = |c: &usize| !before.get(*c).copied().unwrap_or(false);
        let changed = (0..contacts).filter(changes).find(was_there);
        ensure(changed.is_none(), || {
            format!("contact {} is between others without having been absent", changed.unwrap_or_default())
        })?;
    }
    Ok(())
}

/// Whether rows after a step can be compared with those of its answer: not those of contacts that came or went with it,
/// one entry per row.
pub(super) fn stays(description: &Description, before: &RowState, after: &RowState) -> Vec<bool> {
    let mut stays = vec![true; description.port_rows()];
    let is_same = |c: usize| before.is_absent(c) == after.is_absent(c);
    stays.extend((0..description.contacts.len()).map(is_same));
    let slips = description.contacts.iter().enumerate();
    stays.extend(slips.flat_map(|(c, contact)| std::iter::repeat_n(is_same(c), contact.slips())));
    stays
}
