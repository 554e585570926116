//! Where a run has created energy so far: at which interface, by which subsystem's time integration, at which contact.
//!
//! ```text
//!   ε − min ε  >  energy_limit + E/100 + 10⁻⁸ S
//! ```
//!
//! for the energy `ε` that a place has created since the start, with the energy at stake `E` and the energy `S` there is,
//! which bounds round-off. At stake are the kinetic energy and what the potential energy is above its lowest, or what
//! dampers and contacts have taken out if that is more: neither depends on where potentials are zero. Where nothing moves it is a
//! millionth of the work that contacts do in a step against the loads on their bodies.

use serde::{Deserialize, Serialize};

use crate::topology::Topology;

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
pub(super) struct Book {
    pub(super) created: f64,
    lowest: f64,
    is_known: bool,
}

impl Book {
    pub(super) fn note(&mut self, created: f64) {
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
    pub(super) joints: Vec<Book>,
    pub(super) integrations: Vec<Book>,
    pub(super) contacts: Vec<Book>,
    pub(super) loads: Book,
    /// What impulses have created so far (J).
    pub(super) by_impulses: f64,
    /// The contact under the largest load in the last step that had one.
    pub(super) loaded: Option<usize>,
    pub(super) lowest_potential: f64,
    pub(super) at_stake: f64,
}

/// A place that has created too much.
pub(crate) struct Found {
    pub(crate) place: Place,
    /// Energies (J).
    pub(crate) created: f64,
    pub(crate) at_stake: f64,
}

impl EnergyWatch {
    pub(crate) fn new(topology: &Topology) -> Self {
        let books = |count| vec![Book::default(); count];
        Self {
            joints: books(topology.interfaces()),
            integrations: books(topology.subsystems.len()),
            contacts: books(topology.contacts.len()),
            loads: Book::default(),
            by_impulses: 0.0,
            loaded: None,
            lowest_potential: f64::INFINITY,
            at_stake: 0.0,
        }
    }

    /// Whether this belongs to a model of this topology.
    pub(crate) fn fits(&self, topology: &Topology) -> bool {
        self.joints.len() == topology.interfaces()
            && self.integrations.len() == topology.subsystems.len()
            && self.contacts.len() == topology.contacts.len()
    }

    pub(super) fn book(&mut self, place: Place) -> &mut Book {
        match place {
            Place::Joint(j) => &mut self.joints[j],
            Place::Integration(i) => &mut self.integrations[i],
            Place::Contact(c) => &mut self.contacts[c],
            Place::Loads => &mut self.loads,
        }
    }

    /// The first place that has created more than `allowed` (J) and is not known yet; it is known then.
    pub(super) fn exceeding(&mut self, allowed: f64) -> Option<Found> {
        let joints = (0..self.joints.len()).map(Place::Joint);
        let integrations = (0..self.integrations.len()).map(Place::Integration);
        let contact = self.loaded.map(Place::Contact);
        for place in joints.chain(integrations).chain(contact).chain([Place::Loads]) {
            let book = self.book(place);
            if !book.is_known && book.rise() > allowed {
                book.is_known = true;
                let created = book.rise();
                return Some(Found { place, created, at_stake: self.at_stake });
            }
        }
        None
    }
}
