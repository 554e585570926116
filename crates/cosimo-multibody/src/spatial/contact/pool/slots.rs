//! Which pair of a pool holds which slot.

use std::fmt;

use nalgebra::Vector3;

use super::broad_phase::{BroadPhase, box_about};
use super::foresight::{Foreseen, Horizon, foreseen_gap};
use super::members::{Partners, PlacedPool, Surface};
use crate::spatial::contact::placed::PlacedContact;

/// Steps in succession after which a pair that is not near loses its slot.
const PATIENCE: u8 = 2;

/// A slot of a pool.
#[derive(Debug, Clone, Default)]
pub(super) struct Slot {
    /// The pair that holds it, or held it last.
    pub(super) pair: Option<Partners>,
    /// The contact of the pair that holds it.
    pub(super) contact: Option<PlacedContact>,
    /// Steps in succession after which the pair was not near.
    pub(super) apart: u8,
}

/// More pairs are near than a pool has slots for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exhausted {
    /// Name of the pool.
    pub pool: String,
    /// Its slots.
    pub capacity: usize,
    /// Pairs that are near.
    pub near: usize,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pool, capacity, near } = self;
        write!(
            f,
            "contact `{pool}` has a capacity of {capacity}, and {near} pairs may touch in the next step; raise its `capacity`"
        )
    }
}

/// The slots of a pool and the pairs that hold them.
#[derive(Debug)]
pub struct PoolSlots {
    pub(super) pool: PlacedPool,
    pub(super) horizon: Horizon,
    /// Acceleration with which the body of every member falls (m/s²).
    falls: [Vec<f64>; 2],
    pub(super) slots: Vec<Slot>,
    /// Pairs that hold slots, ascending, each with its slot.
    pub(super) held: Vec<(Partners, usize)>,
    /// The members at the present communication point.
    pub(super) foreseen: [Vec<Foreseen>; 2],
    broad_phase: BroadPhase,
    /// Pairs that are near, ascending.
    near: Vec<Partners>,
    /// Pairs that are near and have no slot.
    pub(super) unserved: usize,
    /// Slots whose contact has come or gone at the present communication point.
    changed: Vec<usize>,
}

impl PoolSlots {
    /// The slots of a pool, none of them held, of a system whose bodies fall with these accelerations (m/s²), for steps of at most this
    /// size (s).
    pub(crate) fn new(pool: PlacedPool, gravity: &[Vector3<f64>], step: f64) -> Self {
        let fall = |body: Option<usize>| body.map_or(0.0, |body| gravity[body].norm());
        let falls = [0, 1].map(|side| pool.members[side].iter().map(|own| fall(own.marker.body)).collect());
        Self {
            horizon: Horizon::new(&pool, step),
            falls,
            slots: vec![Slot::default(); pool.capacity],
            held: Vec::with_capacity(pool.capacity),
            foreseen: [0, 1].map(|side| vec![Foreseen::default(); pool.members[side].len()]),
            broad_phase: BroadPhase::new(),
            near: Vec::new(),
            unserved: 0,
            changed: Vec::new(),
            pool,
        }
    }

    /// Name of the pool.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.pool.name
    }

    /// Number of its slots.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Names of the bodies of the members, the first ones first.
    pub fn bodies(&self) -> impl Iterator<Item = &str> {
        self.pool.members.iter().flatten().map(|member| member.name.as_str())
    }

    /// The contact in a slot; `None` where no pair holds it.
    #[must_use]
    pub fn contact(&self, slot: usize) -> Option<&PlacedContact> {
        self.slots[slot].contact.as_ref()
    }

    /// The places among [`bodies`](Self::bodies) of the pair that holds a slot, or held it last; twice the same where none has.
    #[must_use]
    pub fn holders(&self, slot: usize) -> [usize; 2] {
        let pair = self.slots[slot].pair;
        pair.map_or([0; 2], |pair| [pair.first, self.pool.members[0].len() + pair.second])
    }

    /// Number of slots that are held.
    #[must_use]
    pub fn count_held(&self) -> usize {
        self.held.len()
    }

    /// Whether more pairs are near than there are slots.
    #[must_use]
    pub fn exhausted(&self) -> Option<Exhausted> {
        if self.unserved == 0 {
            return None;
        }
        let (capacity, near) = (self.slots.len(), self.held.len() + self.unserved);
        Some(Exhausted { pool: self.pool.name.clone(), capacity, near })
    }

    /// Slots whose contact has come or gone at the present communication point.
    #[must_use]
    pub fn changed(&self) -> &[usize] {
        &self.changed
    }

    /// Gives slots to the pairs that may touch before the next communication point, from one at which velocities have jumped: no pair
    /// loses its slot.
    pub fn take_in(&mut self, q: &[f64], v: &[f64]) {
        self.changed.clear();
        self.foresee(q, v);
        self.find_near();
        self.serve(q);
    }

    /// The same after a step, and frees the slots of pairs that are no longer near.
    pub fn renew(&mut self, q: &[f64], v: &[f64]) {
        // Slots that are free before serve first: one that becomes free now is absent at this communication point.
        self.take_in(q, v);
        let Self { held, slots, near, changed, .. } = self;
        held.retain(|(pair, number)| {
            let slot = &mut slots[*number];
            slot.apart = if near.binary_search(pair).is_ok() { 0 } else { slot.apart + 1 };
            if slot.apart == PATIENCE {
                (slot.contact, slot.apart) = (None, 0);
                changed.push(*number);
            }
            slot.contact.is_some()
        });
    }

    /// Reads how the members go on.
    pub(super) fn foresee(&mut self, q: &[f64], v: &[f64]) {
        let Self { pool, falls, foreseen, horizon, .. } = self;
        for side in 0..2 {
            let members = pool.members[side].iter().zip(&falls[side]);
            for (own, (member, fall)) in foreseen[side].iter_mut().zip(members) {
                *own = Foreseen::read(member, q, v, *fall, *horizon);
            }
        }
    }

    /// Finds the pairs that are near.
    fn find_near(&mut self) {
        let Self { pool, horizon, foreseen: [firsts, seconds], broad_phase, near, .. } = self;
        near.clear();
        let mut note = |pair: Partners| {
            let own = [&firsts[pair.first], &seconds[pair.second]];
            if pool.are_partners(pair) && foreseen_gap(pool.surface, own, *horizon) <= 0.0 {
                near.push(pair);
            }
        };
        match pool.surface {
            Surface::OnPlane(_) => {
                let all = (0..firsts.len()).flat_map(|i| (0..seconds.len()).map(move |j| (i, j)));
                all.for_each(|(first, second)| note(Partners { first, second }));
            }
            Surface::OnSphere(radii) => {
                broad_phase.update(seconds.iter().map(|own| box_about(own, radii[1], *horizon)));
                for (first, own) in firsts.iter().enumerate() {
                    let own = box_about(own, radii[0], *horizon);
                    broad_phase.overlapping(&own).for_each(|second| note(Partners { first, second }));
                }
            }
        }
        near.sort_unstable();
    }

    /// Gives free slots, in their order, to the pairs that are near and have none.
    fn serve(&mut self, q: &[f64]) {
        let Self { pool, slots, held, near, changed, .. } = self;
        let (mut next, known) = (0, held.len());
        self.unserved = 0;
        for pair in near.iter() {
            if held[..known].binary_search_by_key(pair, |(held, _)| *held).is_ok() {
                continue;
            }
            while slots.get(next).is_some_and(|slot| slot.contact.is_some()) {
                next += 1;
            }
            let Some(slot) = slots.get_mut(next) else {
                self.unserved += 1;
                continue;
            };
            *slot = Slot { pair: Some(*pair), contact: Some(pool.contact(*pair, q)), apart: 0 };
            held.push((*pair, next));
            changed.push(next);
        }
        held.sort_unstable();
    }
}
