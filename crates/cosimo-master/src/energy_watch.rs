//! Where a run has created energy so far: at which interface, by which subsystem's time integration, at which contact.
//!
//! ```text
//!   ε − min ε  >  energy_limit + E/100 + 10⁻⁸ S
//! ```
//!
//! for the energy `ε` that a place has created since the start, with the energy at stake `E` and the energy `S` there is,
//! which bounds round-off. At stake are the kinetic energy and what the potential energy is above its lowest, or what
//! dampers and contacts have taken out if that is more: neither depends on where potentials are zero.

use serde::{Deserialize, Serialize};

use crate::energy_guard::EnergyAction;
use crate::layout::Layout;
use crate::parallel::Seat;
use crate::{Master, StepError};

/// Energy that a place may create, relative to that at stake.
const SHARE: f64 = 1e-2;
/// The same, relative to the energy there is: round-off and tolerances of solvers.
const ROUND_OFF: f64 = 1e-8;

/// What creates energy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Joint(usize),
    /// The time integration of a subsystem.
    Integration(usize),
    Contact(usize),
    /// Loads of joints that do not do the work on the subsystems that they were booked for.
    Loads,
}

/// Energy that a place has created (J).
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
struct Book {
    created: f64,
    lowest: f64,
    is_known: bool,
}

impl Book {
    fn note(&mut self, created: f64) {
        self.created = created;
        self.lowest = self.lowest.min(created);
    }

    /// What was created since there was least.
    fn rise(&self) -> f64 {
        self.created - self.lowest
    }
}

/// What a run has created, place by place.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct EnergyWatch {
    joints: Vec<Book>,
    integrations: Vec<Book>,
    contacts: Vec<Book>,
    loads: Book,
    /// What impulses have created so far (J).
    by_impulses: f64,
    /// The contact under the largest load in the last step that had one.
    loaded: Option<usize>,
    lowest_potential: f64,
    at_stake: f64,
}

/// A place that has created too much.
pub(crate) struct Found {
    pub(crate) place: Place,
    /// Energies (J).
    pub(crate) created: f64,
    pub(crate) at_stake: f64,
}

impl EnergyWatch {
    pub(crate) fn new(layout: &Layout) -> Self {
        let books = |count| vec![Book::default(); count];
        Self {
            joints: books(layout.joints.len()),
            integrations: books(layout.members.len()),
            contacts: books(layout.contacts.len()),
            loads: Book::default(),
            by_impulses: 0.0,
            loaded: None,
            lowest_potential: f64::INFINITY,
            at_stake: 0.0,
        }
    }

    /// Whether this belongs to a model of this layout.
    pub(crate) fn fits(&self, layout: &Layout) -> bool {
        self.joints.len() == layout.joints.len()
            && self.integrations.len() == layout.members.len()
            && self.contacts.len() == layout.contacts.len()
    }

    fn book(&mut self, place: Place) -> &mut Book {
        match place {
            Place::Joint(j) => &mut self.joints[j],
            Place::Integration(i) => &mut self.integrations[i],
            Place::Contact(c) => &mut self.contacts[c],
            Place::Loads => &mut self.loads,
        }
    }

    /// The first place that has created more than `allowed` (J) and is not known yet; it is known then.
    fn exceeding(&mut self, allowed: f64) -> Option<(Place, f64)> {
        let joints = (0..self.joints.len()).map(Place::Joint);
        let integrations = (0..self.integrations.len()).map(Place::Integration);
        let contact = self.loaded.map(Place::Contact);
        for place in joints.chain(integrations).chain(contact).chain([Place::Loads]) {
            let book = self.book(place);
            if !book.is_known && book.rise() > allowed {
                book.is_known = true;
                return Some((place, book.rise()));
            }
        }
        None
    }
}

impl Master {
    /// Looks at what the run has created up to the end of the macro step just taken, from `time` and of size `h` (s).
    pub(crate) fn watch_run(&mut self, span: (f64, f64)) -> Result<(), StepError> {
        let allowed = self.book_created();
        while let Some((place, created)) = self.energy_guard.watch.exceeding(allowed) {
            let found = Found { place, created, at_stake: self.energy_guard.watch.at_stake };
            if self.config.energy_action == EnergyAction::Stop {
                return Err(self.too_much_created(&found, span));
            }
            self.warn_of_created(&found, span);
        }
        Ok(())
    }

    /// Takes what every place has created up to now; tells what is allowed (J).
    fn book_created(&mut self) -> f64 {
        let (monitor, watch) = (&self.monitor, &mut self.energy_guard.watch);
        for (j, book) in watch.joints.iter_mut().enumerate() {
            book.note(monitor.joint(j).0);
        }
        for (i, book) in watch.integrations.iter_mut().enumerate() {
            book.note(monitor.subsystem(i));
        }
        if self.rows.has_contact_impulses {
            let impulse = |c: &usize| self.rows.contact_impulses[self.layout.contacts[*c].gap];
            let loaded = (0..watch.contacts.len()).max_by(|a, b| impulse(a).total_cmp(&impulse(b)));
            watch.loaded = loaded.filter(|c| impulse(c) > 0.0).or(watch.loaded);
        }
        let by_impulses = monitor.by_impulses();
        let more = by_impulses - std::mem::replace(&mut watch.by_impulses, by_impulses);
        let book = watch.book(watch.loaded.map_or(Place::Loads, Place::Contact));
        book.note(book.created + more);
        let in_subsystems = |seat: &Seat| seat.ledger.energy.potential;
        let potential = self.seats.iter().map(in_subsystems).sum::<f64>() + monitor.stored();
        let there = monitor.total() - potential + potential.abs();
        watch.lowest_potential = watch.lowest_potential.min(potential);
        // What has been created is not at stake.
        let turned = monitor.total() - watch.lowest_potential - monitor.balance().monitor_sum.max(0.0);
        watch.at_stake = watch.at_stake.max(turned).max(monitor.taken_out());
        self.config.energy_limit + SHARE * watch.at_stake + ROUND_OFF * there
    }

    fn too_much_created(&mut self, found: &Found, (time, size): (f64, f64)) -> StepError {
        StepError::EnergyCreatedSoFar {
            time,
            size,
            place: self.place_name(found.place),
            created: found.created,
            at_stake: found.at_stake,
            advice: self.advice_on_step(found.place, size),
        }
    }

    #[cold]
    fn warn_of_created(&mut self, found: &Found, (time, size): (f64, f64)) {
        let (place, advice) = (self.place_name(found.place), self.advice_on_step(found.place, size));
        let Found { created, at_stake, .. } = found;
        self.warn(format!(
            "{place} has created {created:.3e} J up to {} s, where {at_stake:.3e} J are at stake; {advice}",
            time + size
        ));
    }

    fn place_name(&self, place: Place) -> String {
        match place {
            Place::Joint(j) => format!("interface `{}`", self.layout.joints[j].name),
            Place::Integration(i) => {
                format!("the time integration of subsystem `{}`", self.layout.members[i].name)
            }
            Place::Contact(c) => format!("contact `{}`", self.layout.contacts[c].name),
            Place::Loads => "the loads of the interfaces".to_owned(),
        }
    }
}
