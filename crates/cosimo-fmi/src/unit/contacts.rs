//! Contacts among the terminals: gaps and slips that a unit leaves to the master.

use cosimo_first_order::ContactPort;
use cosimo_subsystem::ContactSpec;

use super::names::{Element, Names};
use super::ports::{member, members};
use super::{FaceKind, UnitError, UnitOptions};
use crate::convention::CONTACT;
use crate::description::{FmiVersion, Terminal};

/// A contact by its variables.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ContactElements {
    pub(crate) name: String,
    gap: Element,
    gap_rate: Element,
    force: Element,
    restitution: Element,
    slip_rates: Vec<Element>,
    friction_forces: Vec<Element>,
    friction: Option<Element>,
    /// The parameter by which the unit leaves its contacts to the master.
    pub(crate) carried: usize,
}

/// The contacts that the master carries: all that the unit leaves to it, unless the options say that it keeps them. Their impulses need events,
/// saved states and directional derivatives.
pub(crate) fn read_contacts(
    names: &Names<'_>,
    options: &UnitOptions,
) -> Result<Vec<ContactElements>, UnitError> {
    let is_stepped_here =
        names.description.model_exchange.is_some() && options.face != Some(FaceKind::CoSimulation);
    let tells = names.description.co_simulation.as_ref().is_some_and(|face| {
        face.has_event_mode && face.can_get_and_set_state && face.provides_directional_derivatives
    });
    if !tells || names.description.version != FmiVersion::V3 || options.keeps_contacts || is_stepped_here {
        return Ok(Vec::new());
    }
    let terminals = names.description.terminals.iter();
    terminals.filter(|own| own.kind.as_deref() == Some(CONTACT)).map(|own| read_contact(names, own)).collect()
}

fn read_contact(names: &Names<'_>, terminal: &Terminal) -> Result<ContactElements, UnitError> {
    let bad = |member: &str| UnitError::BadPort {
        unit: names.unit().to_owned(),
        port: terminal.name.clone(),
        reason: format!("is a contact and has not one `{member}`"),
    };
    let one = |member: &str| match members(names, terminal, member)?.as_slice() {
        [one] => Ok(*one),
        _ => Err(bad(member)),
    };
    let slip_rates = members(names, terminal, "slip_rate")?;
    let friction_forces = members(names, terminal, "friction_force")?;
    if slip_rates.len() > 2 || friction_forces.len() != slip_rates.len() {
        return Err(bad("friction_force` for each of one or two `slip_rate"));
    }
    Ok(ContactElements {
        name: terminal.name.clone(),
        gap: one("gap")?,
        gap_rate: one("gap_rate")?,
        force: one("force")?,
        restitution: one("restitution")?,
        friction: if slip_rates.is_empty() { None } else { Some(one("friction")?) },
        slip_rates,
        friction_forces,
        carried: member(terminal, "carried").ok_or_else(|| bad("carried"))?,
    })
}

impl ContactElements {
    /// All scalars that are read and written.
    pub(crate) fn elements(&self) -> impl Iterator<Item = Element> + '_ {
        let slips = self.slip_rates.iter().chain(&self.friction_forces).chain(&self.friction);
        [self.gap, self.gap_rate, self.force, self.restitution].into_iter().chain(slips.copied())
    }

    /// What a unit shows of it, with names: its gap and its slip rates, as native subsystems do. The master records the rest.
    pub(crate) fn quantities(&self) -> impl Iterator<Item = (String, Element)> + '_ {
        let count = self.slip_rates.len();
        let slip = move |k: usize| if count > 1 { format!("slip_{k}") } else { "slip".to_owned() };
        let slips = self.slip_rates.iter().enumerate().map(move |(k, own)| (slip(k), *own));
        let all = [("gap".to_owned(), self.gap)].into_iter().chain(slips);
        all.map(|(role, own)| (format!("{}.{role}", self.name), own))
    }

    /// The contact with places among the scalars read and written. Its numbers are those of the unit, once they are read.
    pub(crate) fn placed(
        &self,
        read: impl Fn(Element) -> usize,
        write: impl Fn(Element) -> usize,
    ) -> ContactPort {
        ContactPort {
            spec: ContactSpec {
                tangents: vec![None; self.slip_rates.len()],
                ..ContactSpec::frictionless(&self.name, 0.0)
            },
            gap: read(self.gap),
            gap_rate: read(self.gap_rate),
            load: write(self.force),
            slip_rates: self.slip_rates.iter().map(|own| read(*own)).collect(),
            slip_loads: self.friction_forces.iter().map(|own| write(*own)).collect(),
            restitution: read(self.restitution),
            friction: self.friction.map(read),
        }
    }

    /// Scalars of its gap rate and its load, then those of its slips.
    pub(crate) fn gap_row(&self) -> (Element, Element) {
        (self.gap_rate, self.force)
    }

    pub(crate) fn gap_position(&self) -> Element {
        self.gap
    }

    pub(crate) fn slip_rows(&self) -> impl Iterator<Item = (Element, Element)> + '_ {
        self.slip_rates.iter().copied().zip(self.friction_forces.iter().copied())
    }
}
