//! Contacts and impulses as variables: what event mode is needed for.

use cosimo_fmi::convention::{CLOCK, CONTACT};
use cosimo_fmi_export::{Causality, ExportedVariable, TerminalMember, Value, Variability};

use crate::contacts::OpenContact;
use crate::exposed::{Exposed, Impulses, Role};

/// Beginning of the names of variables of contacts: quantities of the model may have the rest.
const GROUP: &str = "contacts.";
/// Name of the parameter by which the host carries the contacts.
const CARRIED: &str = "contacts.carried";

impl Exposed {
    /// The terminals of contacts that the host can carry.
    pub(crate) fn add_contacts(&mut self, contacts: &[OpenContact]) {
        if contacts.is_empty() {
            return;
        }
        let carried = ExportedVariable::new(CARRIED, Causality::Parameter, Value::Boolean(false));
        let carried = carried.described("Whether the importer carries the contacts").in_event_mode();
        let carried = self.add(carried, [Role::Carried]);
        for (index, contact) in contacts.iter().enumerate() {
            self.add_contact((index, contact), carried);
        }
    }

    fn add_contact(&mut self, (index, contact): (usize, &OpenContact), carried: usize) {
        let path = format!("{}.{}", contact.owner, contact.name);
        let place = self.rows.len();
        self.rows.extend(contact.rows().map(|row| Some((contact.subsystem, row))));
        let mut members = vec![signal(carried, "carried")];
        let mut put = |own: &mut Self, role: &str, (unit, causality): (&str, Causality), roles: Vec<Role>| {
            let variable = variable(&format!("{GROUP}{path}.{role}"), causality, roles.len());
            let variable = own.add(variable.with_unit(unit).in_event_mode(), roles);
            members.push(signal(variable, role));
        };
        let (given, shown) = (Causality::Input, Causality::Output);
        put(self, "gap", ("m", shown), vec![Role::Position(contact.subsystem, contact.gap)]);
        put(self, "gap_rate", ("m/s", shown), vec![Role::Velocity(contact.subsystem, contact.gap)]);
        put(self, "force", ("N", given), vec![Role::Given(place)]);
        put(self, "restitution", ("", Causality::Local), vec![Role::Restitution(index)]);
        let mut impulses = vec![("impulse", "N s", place..place + 1)];
        if contact.friction.is_some() {
            let rates = contact.slips.iter().map(|row| Role::Velocity(contact.subsystem, *row)).collect();
            let loads = (1..=contact.slips.len()).map(|k| Role::Given(place + k)).collect();
            put(self, "slip_rate", ("m/s", shown), rates);
            put(self, "friction_force", ("N", given), loads);
            put(self, "friction", ("", Causality::Local), vec![Role::Friction(index)]);
            impulses.push(("friction_impulse", "N s", place + 1..place + 1 + contact.slips.len()));
        }
        let terminal = self.add_terminal(path, CONTACT, members);
        self.impulses.push(Impulses { terminal, members: impulses });
    }

    /// Impulses at all terminals, by one clock.
    pub(crate) fn add_impulses(&mut self) {
        let clock = self.add(ExportedVariable::clock(CLOCK), [Role::Clock]);
        for Impulses { terminal, members } in std::mem::take(&mut self.impulses) {
            let own = &self.description.terminals[terminal];
            let group = if own.kind.as_deref() == Some(CONTACT) { GROUP } else { "" };
            let path = format!("{group}{}", own.name);
            for (role, unit, places) in members {
                let name = format!("{path}.{role}");
                let variable = variable(&name, Causality::Input, places.len()).with_unit(unit);
                let variable = variable.with_variability(Variability::Discrete).clocked_by(clock);
                let variable = self.add(variable, places.map(Role::Impulse));
                self.description.terminals[terminal].members.push(signal(variable, role));
            }
            self.description.terminals[terminal].members.push(signal(clock, CLOCK));
        }
    }
}

/// A real variable of so many elements.
fn variable(name: &str, causality: Causality, count: usize) -> ExportedVariable {
    let own = match count {
        1 => ExportedVariable::new(name, causality, Value::Real(0.0)),
        _ => ExportedVariable::vector(name, causality, vec![Value::Real(0.0); count]),
    };
    if causality == Causality::Local { own.with_variability(Variability::Fixed) } else { own }
}

fn signal(variable: usize, name: &str) -> TerminalMember {
    TerminalMember { variable, name: name.to_owned(), kind: "signal".to_owned() }
}
