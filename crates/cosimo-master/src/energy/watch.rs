//! Where a run has created energy so far: at which interface, by which subsystem's time integration, at which contact, by which
//! subsystem's own contacts.
//!
//! ```text
//!   ε − min ε  >  energy_limit + E/100 + 10⁻⁸ S
//! ```
//!
//! for the energy `ε` that a place has created since the start, with the energy at stake `E` and the energy `S` that is there and that
//! loads exchange in a step, which bounds round-off. At stake is what the energy has been at most above the lowest potential energy, what
//! dampers and contacts have taken out, or what loads over time and prescribed motions have put in and taken out, whichever is most: none
//! depends on where potentials are zero. Contacts that the master does not see may take energy out and never put any in: `ε` is all their
//! work. A place is told of once more whenever it has created ten times as much. All places together count as one, whose gains and losses
//! cancel: it is told of where each has created little, or ten times as much as any was told of.

use cosimo_subsystem::Subsystem;
use serde::{Deserialize, Serialize};

use super::monitor::Monitor;
use crate::MasterConfig;
use crate::contacts::state::ContactState;
use crate::execution::slot::CallSlot;
use crate::topology::Topology;

/// Energy that a place may create, relative to that at stake.
const SHARE: f64 = 1e-2;
/// The same, relative to the energy that is there and is exchanged: round-off and tolerances of solvers.
pub(super) const ROUND_OFF: f64 = 1e-8;

/// What creates energy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    Joint(usize),
    /// The time integration of a subsystem.
    Integration(usize),
    Contact(usize),
    /// The contacts of a subsystem that the master does not see.
    InnerContacts(usize),
    /// Loads of joints that do not do the work on the subsystems that they were booked for.
    Loads,
    /// All of them together.
    Run,
}

/// Energy that a place has created (J).
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize)]
pub(super) struct Book {
    pub(super) created: f64,
    lowest: f64,
    /// What was told of, and how often.
    told: f64,
    times: u32,
}

/// By how much a place has to create more to be told of again.
const AGAIN: f64 = 10.0;
/// How often a place is told of at most: a motion that diverges grows by a power of ten in every step.
const MOST_TIMES: u32 = 10;

impl Book {
    /// Notes what has been created up to now; returns what was created since there was least.
    pub(super) fn note(&mut self, created: f64) -> f64 {
        self.created = created;
        self.lowest = self.lowest.min(created);
        self.rise()
    }

    /// What was created since there was least.
    pub(super) fn rise(&self) -> f64 {
        self.created - self.lowest
    }

    /// Whether it has created so much more than `allowed` (J) that it is to be told of.
    fn is_news(&self, allowed: f64) -> bool {
        self.rise() > allowed && self.rise() > AGAIN * self.told && self.times < MOST_TIMES
    }
}

/// What a run has created, place by place.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct EnergyWatch {
    pub(super) joints: Vec<Book>,
    pub(super) integrations: Vec<Book>,
    pub(super) contacts: Vec<Book>,
    pub(super) inner_contacts: Vec<Book>,
    /// What those have put in altogether (J).
    pub(super) by_inner_contacts: f64,
    pub(super) loads: Book,
    /// Work of the contacts that the master sees, less what the impact law has created.
    pub(super) contact_work: Book,
    /// What impulses have created so far (J), and what those contacts have put in.
    pub(super) by_impulses: f64,
    /// The contact under the largest load in the last step that had one.
    pub(crate) loaded: Option<usize>,
    lowest_potential: f64,
    /// The most energy that there was besides what had been created.
    highest: f64,
    /// Work of loads over time and of prescribed motions, and the same without its sign (J).
    external: f64,
    driven: f64,
    pub(crate) at_stake: f64,
    /// All places together.
    pub(super) net: Book,
    /// What is tolerated anywhere, whatever is at stake (J).
    pub(super) tolerated: f64,
    /// Energy that round-off is relative to where loads hold each other in balance (J).
    pub(super) exchanged: f64,
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
        let accounts = |count| vec![Book::default(); count];
        Self {
            joints: accounts(topology.interfaces()),
            integrations: accounts(topology.subsystems.len()),
            contacts: accounts(topology.contacts.len()),
            inner_contacts: accounts(topology.subsystems.len()),
            by_inner_contacts: 0.0,
            loads: Book::default(),
            contact_work: Book::default(),
            by_impulses: 0.0,
            loaded: None,
            lowest_potential: f64::INFINITY,
            highest: f64::NEG_INFINITY,
            external: 0.0,
            driven: 0.0,
            at_stake: 0.0,
            net: Book::default(),
            tolerated: 0.0,
            exchanged: 0.0,
        }
    }

    /// Takes the energy of the initial state.
    pub(crate) fn begin(&mut self, monitor: &Monitor, subsystems: &[Box<dyn Subsystem>]) {
        let of_subsystems: f64 = subsystems.iter().map(|subsystem| subsystem.energy().potential).sum();
        self.take_up(of_subsystems + monitor.stored(), monitor.total());
    }

    /// Takes what every place has created up to the end of a macro step; returns the most that one has (J). `gains` are the energies that
    /// impacts have created, by contact (J).
    pub(crate) fn book(
        &mut self,
        monitor: &Monitor,
        topology: &Topology,
        contacts: &ContactState,
        gains: &[f64],
    ) -> f64 {
        let (mut net, mut most) = (0.0, 0.0_f64);
        let joints = self.joints.iter_mut().zip(monitor.created_by_joints());
        let integrations = self.integrations.iter_mut().zip(monitor.created_by_integrations());
        for (book, created) in joints.chain(integrations) {
            net += created;
            most = most.max(book.note(*created));
        }
        if let Some(works) = monitor.inner_contacts() {
            self.by_inner_contacts = 0.0;
            for (book, work) in self.inner_contacts.iter_mut().zip(works) {
                let rise = book.note(*work);
                most = most.max(rise);
                self.by_inner_contacts += rise;
            }
        }
        if contacts.has_impulses {
            let impulse = |c: &usize| contacts.impulses[topology.contacts[*c].gap];
            let loaded = (0..self.contacts.len()).max_by(|a, b| impulse(a).total_cmp(&impulse(b)));
            self.loaded = loaded.filter(|c| impulse(c) > 0.0).or(self.loaded);
            let gained: f64 = gains.iter().sum();
            self.contact_work.note(monitor.contact_work() - gained);
        }
        let by_impulses = monitor.by_impulses() + self.contact_work.rise();
        let more = by_impulses - std::mem::replace(&mut self.by_impulses, by_impulses);
        let book = self.book_of(self.loaded.map_or(Place::Loads, Place::Contact));
        most = most.max(book.note(book.created + more));
        let net = net + by_impulses + self.by_inner_contacts;
        most.max(self.net.note(net))
    }

    /// Takes up the energies at the end of a macro step; returns what a place may have created (J).
    pub(crate) fn take_up_energies(
        &mut self,
        monitor: &Monitor,
        config: &MasterConfig,
        slots: &[CallSlot],
    ) -> f64 {
        let in_subsystems = |slot: &CallSlot| slot.ledger.energy.potential;
        let potential = slots.iter().map(in_subsystems).sum::<f64>() + monitor.stored();
        let total = monitor.total();
        let there = total - potential + potential.abs();
        self.take_up(potential, total);
        self.drive(monitor.external());
        self.take_out(monitor.taken_out(), monitor.taken_out_by_inner_contacts());
        self.tolerated = config.energy_limit + ROUND_OFF * there;
        self.tolerated + SHARE * self.at_stake
    }

    /// Whether this belongs to a model of this topology.
    pub(crate) fn fits(&self, topology: &Topology) -> bool {
        self.joints.len() == topology.interfaces()
            && self.integrations.len() == topology.subsystems.len()
            && self.contacts.len() == topology.contacts.len()
            && self.inner_contacts.len() == topology.subsystems.len()
    }

    pub(super) fn book_of(&mut self, place: Place) -> &mut Book {
        match place {
            Place::Joint(j) => &mut self.joints[j],
            Place::Integration(i) => &mut self.integrations[i],
            Place::Contact(c) => &mut self.contacts[c],
            Place::InnerContacts(i) => &mut self.inner_contacts[i],
            Place::Loads => &mut self.loads,
            Place::Run => &mut self.net,
        }
    }

    /// Takes up the potential and the total energy there are (J). What has been created is not at stake.
    pub(super) fn take_up(&mut self, potential: f64, total: f64) {
        self.lowest_potential = self.lowest_potential.min(potential);
        self.highest = self.highest.max(total - self.net.rise());
        self.at_stake = self.at_stake.max(self.highest - self.lowest_potential);
    }

    /// Takes up what dampers and contacts have taken out up to now (J), of which what has been created was not at stake; contacts that
    /// the master does not see have taken out a part of it, which rules of two steps do not tell from what they create at an impact.
    pub(super) fn take_out(&mut self, taken_out: f64, by_inner_contacts: f64) {
        self.at_stake = self.at_stake.max(taken_out - self.net.rise()).max(by_inner_contacts);
    }

    /// Takes up the external work up to now (J).
    pub(super) fn drive(&mut self, external: f64) {
        self.driven += (external - self.external).abs();
        self.external = external;
        self.at_stake = self.at_stake.max(self.driven);
    }

    /// The places that may have created more than before.
    fn places(&self) -> impl Iterator<Item = Place> + use<> {
        let members = self.integrations.len();
        let joints = (0..self.joints.len()).map(Place::Joint);
        let integrations = (0..members).map(Place::Integration);
        let contacts = (0..members).map(Place::InnerContacts).chain(self.loaded.map(Place::Contact));
        joints.chain(integrations).chain(contacts).chain([Place::Loads])
    }

    /// The first place that is to be told of; all together, where each has created little.
    pub(super) fn exceeding(&mut self, allowed: f64) -> Option<Place> {
        self.places().chain([Place::Run]).find(|place| self.book_of(*place).is_news(allowed))
    }

    /// Tells of a place.
    pub(super) fn tell(&mut self, place: Place) -> Found {
        let book = self.book_of(place);
        (book.told, book.times) = (book.rise(), book.times + 1);
        let created = book.told;
        // What one place has created is no news of all.
        self.net.told = self.net.told.max(created);
        Found { place, created, at_stake: self.at_stake }
    }

    /// The place that has created most, if any has.
    pub(super) fn worst(&self) -> Option<Place> {
        let joints = self.joints.iter().enumerate().map(|(j, book)| (Place::Joint(j), book));
        let integrations =
            self.integrations.iter().enumerate().map(|(i, book)| (Place::Integration(i), book));
        let contacts = self.contacts.iter().enumerate().map(|(c, book)| (Place::Contact(c), book));
        let inner = self.inner_contacts.iter().enumerate().map(|(i, book)| (Place::InnerContacts(i), book));
        let all =
            joints.chain(integrations).chain(contacts).chain(inner).chain([(Place::Loads, &self.loads)]);
        let found = all.max_by(|(_, a), (_, b)| a.rise().total_cmp(&b.rise()))?;
        Some(found.0).filter(|_| found.1.rise() > 0.0)
    }
}
