//! Contacts of a multibody system: gaps that are not negative, and slips.

use std::ops::Range;

use cosimo_multibody::spatial::{PlacedContact, SpatialSystem};
use cosimo_nonsmooth::ContactLaw;
use cosimo_subsystem::{ContactScale, ContactSpec};
use nalgebra::DMatrix;

use crate::constrained::Touching;
use crate::contact_spec::contact_spec;

/// The contact of a system that has this name, with its law: what the description says of it, and its rows.
pub(super) fn find(
    system: &SpatialSystem,
    name: &str,
    law: ContactLaw,
) -> Result<(ContactSpec, PlacedContact), String> {
    let Some(contact) = system.contact(name) else {
        let known: Vec<&str> = system.contact_names().collect();
        return Err(format!("there is no contact `{name}`; the contacts are: {}", known.join(", ")));
    };
    if let Some(rule) = law.broken_rule() {
        return Err(format!("contact `{name}`: {rule}"));
    }
    if law.friction > 0.0 && !contact.has_slips() {
        return Err(format!(
            "contact `{name}` has friction, but nothing slides there: its gap is one number"
        ));
    }
    let tangents = if law.friction > 0.0 { vec![None; 2] } else { Vec::new() };
    let spec = contact_spec(name, &law, (None, tangents));
    Ok((spec, contact))
}

/// A contact among the rows: its gap, then its slips.
#[derive(Debug, Clone)]
struct ContactRows {
    contact: PlacedContact,
    gap: usize,
    slips: Range<usize>,
}

impl ContactRows {
    /// Number of its rows.
    fn len(&self) -> usize {
        1 + self.slips.len()
    }

    /// Its rows, the gap first.
    fn rows(&self) -> impl Iterator<Item = usize> {
        std::iter::once(self.gap).chain(self.slips.clone())
    }

    /// What of a vector of all rows belongs to it.
    fn gather(&self, all: &[f64], factor: f64) -> [f64; 3] {
        let mut own = [0.0; 3];
        own.iter_mut().zip(self.rows()).for_each(|(own, row)| *own = factor * all[row]);
        own
    }

    /// Puts numbers of its rows among those of all, as far as they have the same number.
    fn scatter(&self, own: [f64; 3], all: &mut [f64]) {
        own.iter().zip(self.rows()).for_each(|(own, row)| all[row] = *own);
    }
}

/// The rows of all contacts, which stand behind those of the ports: the gaps, then the slips of each.
#[derive(Debug, Clone, Default)]
pub(super) struct Contacts {
    all: Vec<ContactRows>,
    rows: Range<usize>,
    /// Those of which some row has a response.
    told: Vec<usize>,
}

impl Contacts {
    /// Contacts with their numbers of slips, whose rows begin at `first`.
    pub(super) fn new(first: usize, contacts: Vec<(PlacedContact, usize)>) -> Self {
        let mut slip = first + contacts.len();
        let place = |(gap, (contact, slips)): (usize, (PlacedContact, usize))| {
            let slips = slip..slip + slips;
            slip = slips.end;
            ContactRows { contact, gap, slips }
        };
        let all: Vec<ContactRows> = (first..).zip(contacts).map(place).collect();
        Self { told: (0..all.len()).collect(), all, rows: first..slip }
    }

    /// Tells the response of these rows alone.
    pub(super) fn limit_response(&mut self, needed: &[bool]) {
        let is_told = |contact: &usize| self.all[*contact].rows().any(|row| needed[row]);
        self.told.clear();
        self.told.extend((0..self.all.len()).filter(is_told));
    }

    /// Rows and bodies of a contact.
    pub(super) fn touching(&self, contact: usize) -> Option<Touching> {
        let own = self.all.get(contact)?;
        Some(Touching { gap: own.gap, slips: own.slips.clone(), bodies: own.contact.bodies() })
    }

    /// A contact by its number.
    pub(super) fn placed(&self, contact: usize) -> &PlacedContact {
        &self.all[contact].contact
    }

    /// Their rows.
    pub(super) fn rows(&self) -> Range<usize> {
        self.rows.clone()
    }

    /// The rows of slips.
    pub(super) fn slips(&self) -> Range<usize> {
        self.rows.start + self.all.len()..self.rows.end
    }

    /// Adds `factor · Zᵀ ℓ`.
    pub(super) fn add_forces(&self, q: &[f64], (factor, loads): (f64, &[f64]), out: &mut [f64]) {
        for own in &self.all {
            let load = own.gather(loads, factor);
            if load != [0.0; 3] {
                own.contact.add_force(q, &load[..own.len()], out);
            }
        }
    }

    /// Adds the columns of `Zᵀ` of those of these rows, ascending, that are contacts'.
    pub(super) fn unit_forces(&self, q: &[f64], wanted: &[usize], out: &mut DMatrix<f64>) {
        for own in self.told.iter().map(|contact| &self.all[*contact]) {
            for (k, row) in own.rows().enumerate() {
                let Ok(column) = wanted.binary_search(&row) else { continue };
                let mut unit = [0.0; 3];
                unit[k] = 1.0;
                own.contact.add_force(q, &unit[..own.len()], out.column_mut(column).as_mut_slice());
            }
        }
    }

    /// Writes the gaps.
    pub(super) fn gaps(&self, system: &SpatialSystem, q: &[f64], out: &mut [f64]) {
        self.all.iter().for_each(|own| out[own.gap] = system.gap(&own.contact, q));
    }

    /// Writes after which share of a step from `q` by the increments `way`, with these end positions of the rows, each contact is met on
    /// the way; 1 where it is not.
    pub(super) fn sweep(&self, (q, way): (&[f64], &[f64]), ends: &[f64], out: &mut Vec<f64>) {
        out.clear();
        let share = |own: &ContactRows| own.contact.first_touch(q, way, ends[own.gap]).unwrap_or(1.0);
        out.extend(self.all.iter().map(share));
    }

    /// Writes what gap and gap rate of every contact are differences of.
    pub(super) fn scales(&self, q: &[f64], v: &[f64], out: &mut [ContactScale]) {
        for (out, own) in out.iter_mut().zip(&self.all) {
            let [length, speed] = own.contact.scale(q, v);
            *out = ContactScale { length, speed };
        }
    }

    /// Adds to the ways of the slips those of an increment `x` at these positions.
    pub(super) fn add_ways(&self, q: &[f64], x: &[f64], out: &mut [f64]) {
        for own in self.all.iter().filter(|own| !own.slips.is_empty()) {
            let mut way = [0.0; 3];
            own.contact.rates(q, x, &mut way);
            own.slips.clone().zip(&way[1..]).for_each(|(row, way)| out[row] += way);
        }
    }

    /// Writes the velocities of the rows.
    pub(super) fn velocities(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for own in &self.all {
            let mut rates = [0.0; 3];
            own.contact.rates(q, v, &mut rates[..own.len()]);
            own.scatter(rates, out);
        }
    }

    /// Writes, of the rows that have a response, the changes of the velocities with the increment `dq` of the positions and the change `dv` of the velocity.
    pub(super) fn velocity_changes(
        &self,
        (q, v): (&[f64], &[f64]),
        (dq, dv): (&[f64], &[f64]),
        out: &mut [f64],
    ) {
        for own in self.told.iter().map(|contact| &self.all[*contact]) {
            let mut changes = [0.0; 3];
            if !(own.contact.is_moved_by(dq) || own.contact.is_moved_by(dv)) {
                own.scatter(changes, out);
                continue;
            }
            own.contact.rate_changes((q, v), (dq, dv), &mut changes[..own.len()]);
            own.scatter(changes, out);
        }
    }
}
