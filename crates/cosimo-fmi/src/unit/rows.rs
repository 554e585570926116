//! Rows of a unit: the variables of their responses and of impulses on them.

use std::collections::BTreeSet;

use super::contacts::{ContactElements, read_contacts};
use super::names::{Element, Names};
use super::ports::{PortElements, member, members};
use super::row_layouts::{AnswerLayout, JumpLayout, RowElements};
use super::{UnitError, UnitOptions};
use crate::convention::CLOCK;

/// What is known of the rows, and the contacts that are left to the master, which takes responses and impulses.
pub(crate) struct Rows {
    pub(crate) answers: Option<AnswerLayout>,
    pub(crate) jumps: Option<JumpLayout>,
    pub(crate) contacts: Vec<ContactElements>,
}

impl Rows {
    /// Of a unit with these ports.
    pub(crate) fn read(
        names: &Names<'_>,
        options: &UnitOptions,
        ports: &[PortElements],
    ) -> Result<Self, UnitError> {
        let mut rows = RowElements::default();
        ports.iter().filter_map(PortElements::rows).for_each(|own| rows.extend(own));
        let has_load_ports = ports.iter().any(|port| port.rows().is_none());
        let mut contacts = if has_load_ports { Vec::new() } else { read_contacts(names, options)? };
        let mut impulses = impulses(names, ports, &contacts)?;
        if impulses.is_none() {
            contacts.clear();
            impulses = self::impulses(names, ports, &[])?;
        }
        for contact in &contacts {
            let (rate, load) = contact.gap_row();
            rows.push(load, rate, Some(contact.gap_position()));
        }
        let slips = contacts.iter().flat_map(|contact| contact.slip_rows());
        slips.for_each(|(rate, load)| rows.push(load, rate, None));
        let jumps = match impulses {
            Some((clock, impulses)) => JumpLayout::new(names, clock, &impulses, &rows.velocities)?,
            None => None,
        };
        Ok(Self { answers: AnswerLayout::new(names, &rows)?, jumps, contacts })
    }
}

/// The clock of impulses and the impulses of all rows, where there are some on every row.
fn impulses(
    names: &Names<'_>,
    ports: &[PortElements],
    contacts: &[ContactElements],
) -> Result<Option<(u32, Vec<Element>)>, UnitError> {
    let (mut clocks, mut all) = (BTreeSet::new(), Vec::new());
    let mut take = |name: &str, roles: &[&str]| -> Result<usize, UnitError> {
        let terminal = names.description.terminals.iter().find(|terminal| terminal.name == name);
        let Some((terminal, clock)) = terminal.and_then(|own| Some((own, member(own, CLOCK)?))) else {
            return Ok(0);
        };
        clocks.insert(names.variable(clock).reference);
        let before = all.len();
        for role in roles {
            all.extend(members(names, terminal, role)?);
        }
        Ok(all.len() - before)
    };
    let mut is_whole = !(ports.is_empty() && contacts.is_empty());
    for port in ports {
        let count = port.rows().map_or(usize::MAX, |own| own.loads.len());
        is_whole &= take(port.name(), &["impulse", "angular_impulse"])? == count;
    }
    for contact in contacts {
        is_whole &= take(&contact.name, &["impulse"])? == 1;
    }
    for contact in contacts {
        is_whole &= take(&contact.name, &["friction_impulse"])? == contact.slip_rows().count();
    }
    let clock = clocks.pop_first().filter(|_| is_whole && clocks.is_empty());
    Ok(clock.map(|clock| (clock, all)))
}
