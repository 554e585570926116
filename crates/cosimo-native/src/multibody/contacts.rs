//! Contacts of a multibody system: gaps that are not negative, and slips.

use std::ops::Range;

use cosimo_dynamics::{State, StateChange};
use cosimo_mechanics::ContactLaw;
use cosimo_multibody::spatial::{PlacedContact, PoolSlots, SpatialSystem};
use cosimo_subsystem::{ContactScale, ContactSpec};
use nalgebra::DMatrix;

use crate::constrained::{ContactPools, PoolRows, Touching};
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
    law.check().map_err(|error| format!("contact `{name}`: {error}"))?;
    if law.friction > 0.0 && !contact.has_slips() {
        return Err(format!(
            "contact `{name}` has friction, but nothing slides there: its gap is one number"
        ));
    }
    Ok((spec(name, &law), contact))
}

/// What the description says of a contact of this law in space.
fn spec(name: &str, law: &ContactLaw) -> ContactSpec {
    let tangents = if law.friction > 0.0 { vec![None; 2] } else { Vec::new() };
    contact_spec(name, law, (None, tangents))
}

/// A pool of the system with its law, and what the description says of its contacts, which are called `NAME.1`, `NAME.2`, … .
pub(super) fn find_pool(
    system: &SpatialSystem,
    (name, law): (&str, ContactLaw),
    longest_step: f64,
) -> Result<(Vec<ContactSpec>, PoolSlots), String> {
    let Some(slots) = system.pool_slots(name, longest_step) else {
        return Err(format!("there is no pool of contacts `{name}`"));
    };
    law.check().map_err(|error| format!("contact `{name}`: {error}"))?;
    let specs = (1..=slots.len()).map(|number| spec(&format!("{name}.{number}"), &law)).collect();
    Ok((specs, slots))
}

/// Where a contact comes from.
#[derive(Debug)]
enum Source {
    /// The model: it is always there.
    Model(Box<PlacedContact>),
    /// A slot of a pool: there while a pair holds it.
    Slot { pool: usize, slot: usize },
}

/// A contact among the rows: its gap, then its slips.
#[derive(Debug)]
struct ContactRows {
    source: Source,
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
#[derive(Debug, Default)]
pub(super) struct Contacts {
    all: Vec<ContactRows>,
    pub(super) pools: ContactPools,
    rows: Range<usize>,
    /// Those of which some row has a response.
    told: Vec<usize>,
}

impl Contacts {
    /// Contacts with their numbers of slips, then pools with the slips of one of their contacts; the rows begin at `first`.
    pub(super) fn new(
        first: usize,
        contacts: Vec<(PlacedContact, usize)>,
        pools: Vec<(PoolSlots, usize)>,
    ) -> Self {
        let listed = contacts.into_iter().map(|(own, slips)| (Source::Model(Box::new(own)), slips));
        let of_pool = |(pool, (slots, slips)): (usize, &(PoolSlots, usize))| {
            let slips = *slips;
            (0..slots.len()).map(move |slot| (Source::Slot { pool, slot }, slips))
        };
        let sources: Vec<(Source, usize)> =
            listed.chain(pools.iter().enumerate().flat_map(of_pool)).collect();
        let mut slip = first + sources.len();
        let place = |(gap, (source, slips)): (usize, (Source, usize))| {
            let slips = slip..slip + slips;
            slip = slips.end;
            ContactRows { source, gap, slips }
        };
        let all: Vec<ContactRows> = (first..).zip(sources).map(place).collect();
        let pools = place_pools(&all, first, pools);
        Self { told: (0..all.len()).collect(), pools, all, rows: first..slip }
    }

    /// A contact, where it is there.
    fn contact<'a>(&'a self, own: &'a ContactRows) -> Option<&'a PlacedContact> {
        match &own.source {
            Source::Model(contact) => Some(contact),
            Source::Slot { pool, slot } => self.pools.contact(*pool, *slot),
        }
    }

    /// The contacts that are there, with their rows.
    fn present(&self) -> impl Iterator<Item = (&ContactRows, &PlacedContact)> {
        self.all.iter().filter_map(|own| Some((own, self.contact(own)?)))
    }

    /// The same of those that the response is of.
    fn told(&self) -> impl Iterator<Item = (&ContactRows, &PlacedContact)> {
        let own = self.told.iter().map(|contact| &self.all[*contact]);
        own.filter_map(|own| Some((own, self.contact(own)?)))
    }

    /// Tells the response of these rows alone.
    pub(super) fn set_active_rows(&mut self, needed: &[bool]) {
        let is_told = |contact: &usize| self.all[*contact].rows().any(|row| needed[row]);
        self.told.clear();
        self.told.extend((0..self.all.len()).filter(is_told));
    }

    /// ConstrainedRows and bodies of a contact; of one that is absent no bodies.
    pub(super) fn touching(&self, contact: usize) -> Option<Touching> {
        let own = self.all.get(contact)?;
        let bodies = self.contact(own).map_or([None; 2], PlacedContact::bodies);
        Some(Touching { gap: own.gap, slips: own.slips.clone(), bodies })
    }

    /// A contact by its number, where it is there.
    pub(super) fn placed(&self, contact: usize) -> Option<&PlacedContact> {
        self.contact(self.all.get(contact)?)
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
    pub(super) fn add_forces(&self, q: &[f64], factor: f64, loads: &[f64], out: &mut [f64]) {
        for (own, contact) in self.present() {
            let load = own.gather(loads, factor);
            if load != [0.0; 3] {
                contact.add_force(q, &load[..own.len()], out);
            }
        }
    }

    /// Adds the columns of `Zᵀ` of those of these rows, ascending, that are contacts'.
    pub(super) fn unit_forces(&self, q: &[f64], wanted: &[usize], out: &mut DMatrix<f64>) {
        for (own, contact) in self.told() {
            for (k, row) in own.rows().enumerate() {
                let Ok(column) = wanted.binary_search(&row) else { continue };
                let mut unit = [0.0; 3];
                unit[k] = 1.0;
                contact.add_force(q, &unit[..own.len()], out.column_mut(column).as_mut_slice());
            }
        }
    }

    /// Writes the gaps; of absent contacts zero.
    pub(super) fn gaps(&self, system: &SpatialSystem, q: &[f64], out: &mut [f64]) {
        for own in &self.all {
            out[own.gap] = self.contact(own).map_or(0.0, |contact| system.gap(contact, q));
        }
    }

    /// Writes after which share of a step from `q` by the increments `displacement`, with these end positions of the rows, each contact is met on
    /// the way; 1 where it is not.
    pub(super) fn sweep(&self, q: &[f64], displacement: &[f64], ends: &[f64], out: &mut Vec<f64>) {
        out.clear();
        let share = |own: &ContactRows| self.contact(own)?.first_touch(q, displacement, ends[own.gap]);
        let share = |own: &ContactRows| share(own).unwrap_or(1.0);
        out.extend(self.all.iter().map(share));
    }

    /// Writes what gap and gap rate of every contact are differences of.
    pub(super) fn scales(&self, q: &[f64], v: &[f64], out: &mut [ContactScale]) {
        for (out, own) in out.iter_mut().zip(&self.all) {
            let [length, speed] = self.contact(own).map_or([0.0; 2], |contact| contact.scale(q, v));
            *out = ContactScale { length, speed };
        }
    }

    /// Adds to the ways of the slips those of an increment `x` at these positions.
    pub(super) fn add_ways(&self, q: &[f64], x: &[f64], out: &mut [f64]) {
        for (own, contact) in self.present().filter(|(own, _)| !own.slips.is_empty()) {
            let mut displacement = [0.0; 3];
            contact.rates(q, x, &mut displacement);
            own.slips
                .clone()
                .zip(&displacement[1..])
                .for_each(|(row, displacement)| out[row] += displacement);
        }
    }

    /// Writes the velocities of the rows; of absent contacts zero.
    pub(super) fn velocities(&self, q: &[f64], v: &[f64], out: &mut [f64]) {
        for own in &self.all {
            let mut rates = [0.0; 3];
            if let Some(contact) = self.contact(own) {
                contact.rates(q, v, &mut rates[..own.len()]);
            }
            own.scatter(rates, out);
        }
    }

    /// Writes, of the rows that have a response, the changes of the velocities with the increment `dq` of the positions and the change `dv` of the velocity.
    pub(super) fn velocity_changes(&self, state: State<'_>, change: StateChange<'_>, out: &mut [f64]) {
        for (own, contact) in self.told() {
            let mut changes = [0.0; 3];
            if !(contact.is_moved_by(change.dq) || contact.is_moved_by(change.dv)) {
                own.scatter(changes, out);
                continue;
            }
            contact.rate_changes(state, change, &mut changes[..own.len()]);
            own.scatter(changes, out);
        }
    }
}

/// The pools with the rows of their contacts, which are the last of `all`; the first row of all is `first`.
fn place_pools(all: &[ContactRows], first: usize, pools: Vec<(PoolSlots, usize)>) -> ContactPools {
    let pooled: usize = pools.iter().map(|(slots, _)| slots.len()).sum();
    let mut next = all.len() - pooled;
    let place = |(slots, slips): (PoolSlots, usize)| {
        let contacts = next..next + slots.len();
        next = contacts.end;
        let first_slip = all.get(contacts.start).map_or(0, |own| own.slips.start);
        PoolRows { slots, first_gap: first + contacts.start, contacts, first_slip, slips }
    };
    ContactPools::new(pools.into_iter().map(place).collect())
}
