//! Contacts that are between pairs of many bodies by turns, and their rows.

use std::ops::Range;

use cosimo_multibody::spatial::{Exhausted, PlacedContact, PoolSlots};
use cosimo_subsystem::{Quantity, RowState};

/// The pools of a system: each has a slot a contact, see [`PoolSlots`].
#[derive(Debug, Default)]
pub struct ContactPools {
    all: Vec<PoolRows>,
}

/// A pool, its contacts and their rows.
#[derive(Debug)]
pub(crate) struct PoolRows {
    pub(crate) slots: PoolSlots,
    /// Its contacts among all.
    pub(crate) contacts: Range<usize>,
    /// Row of the first gap, row of the first slip, and slips of a contact.
    pub(crate) first_gap: usize,
    pub(crate) first_slip: usize,
    pub(crate) slips: usize,
}

impl PoolRows {
    /// The rows of a slot.
    fn rows(&self, slot: usize) -> impl Iterator<Item = usize> + use<> {
        let slip = self.first_slip + slot * self.slips;
        std::iter::once(self.first_gap + slot).chain(slip..slip + self.slips)
    }
}

impl ContactPools {
    pub(crate) fn new(all: Vec<PoolRows>) -> Self {
        Self { all }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The contact in a slot of a pool; `None` where no pair holds it.
    pub(crate) fn contact(&self, pool: usize, slot: usize) -> Option<&PlacedContact> {
        self.all[pool].slots.contact(slot)
    }

    /// Finds the pairs that may touch before the next communication point. After a jump none goes.
    pub(super) fn find_pairs(&mut self, q: &[f64], v: &[f64], is_jump: bool) {
        for PoolRows { slots, .. } in &mut self.all {
            if is_jump { slots.take_in(q, v) } else { slots.renew(q, v) }
        }
    }

    /// ConstrainedRows of contacts that have come or gone at the present communication point.
    pub(super) fn changed_rows(&self) -> impl Iterator<Item = usize> + '_ {
        self.all.iter().flat_map(|pool| pool.slots.changed().iter().flat_map(|slot| pool.rows(*slot)))
    }

    /// Leaves of some rows those out whose contact is absent.
    pub(super) fn leave_out_absent(&self, rows: &mut [bool]) {
        for pool in &self.all {
            let free = (0..pool.slots.len()).filter(|slot| pool.slots.contact(*slot).is_none());
            free.flat_map(|slot| pool.rows(slot)).for_each(|row| rows[row] = false);
        }
    }

    /// Writes which contacts are absent, and between which bodies the others are.
    pub(super) fn write_state(&self, rows: &mut RowState) {
        for PoolRows { slots, contacts, .. } in &self.all {
            for (slot, contact) in contacts.clone().enumerate() {
                rows.absent[contact] = slots.contact(slot).is_none();
                rows.holders[contact] = slots.holders(slot).map(|body| body as u32);
            }
        }
    }

    /// The first pair without a contact that a step of size `h` (s) by these increments brings to touch, in words.
    pub(super) fn missed(&self, displacement: &[f64], h: f64) -> Option<String> {
        let mut found =
            self.all.iter().filter_map(|pool| Some((pool.slots.name(), pool.slots.missed(displacement, h)?)));
        let (name, [first, second]) = found.next()?;
        Some(format!(
            "`{second}` meets `{first}` (contact `{name}`), which was not foreseen when the step began"
        ))
    }

    /// The first pool with fewer contacts than pairs that may touch.
    pub(crate) fn exhausted(&self) -> Option<Exhausted> {
        self.all.iter().find_map(|pool| pool.slots.exhausted())
    }

    /// How many numbers [`save`](Self::save) appends.
    pub(super) fn saved_length(&self) -> usize {
        self.all.iter().map(|pool| pool.slots.saved_length()).sum()
    }

    /// Appends what the pools remember.
    pub(super) fn save(&self, out: &mut Vec<f64>) {
        self.all.iter().for_each(|pool| pool.slots.save(out));
    }

    /// Whether numbers may be what [`save`](Self::save) wrote.
    pub(super) fn fits(&self, saved: &[f64]) -> bool {
        self.parts(saved).all(|(pool, own)| own.is_some_and(|own| pool.slots.fits(own)))
    }

    /// Goes back to what [`save`](Self::save) wrote at these positions and velocities, which fits.
    pub(super) fn restore(&mut self, mut saved: &[f64], q: &[f64], v: &[f64]) {
        for PoolRows { slots, .. } in &mut self.all {
            let Some((own, rest)) = saved.split_at_checked(slots.saved_length()) else { return };
            slots.restore(own, q, v);
            saved = rest;
        }
    }

    fn parts<'a>(&'a self, saved: &'a [f64]) -> impl Iterator<Item = (&'a PoolRows, Option<&'a [f64]>)> {
        let part = |first: &mut usize, pool: &'a PoolRows| {
            let own = *first..*first + pool.slots.saved_length();
            *first = own.end;
            Some((pool, saved.get(own)))
        };
        self.all.iter().scan(0, part)
    }

    /// What the pools show: of each the number of pairs that may touch before the next communication point.
    pub(crate) fn quantities(&self) -> impl Iterator<Item = Quantity> + '_ {
        let near =
            |pool: &PoolRows| Quantity { name: format!("{}.near", pool.slots.name()), unit: String::new() };
        self.all.iter().map(near)
    }

    /// Writes the values of [`quantities`](Self::quantities).
    pub(super) fn observe(&self, out: &mut [f64]) {
        out.iter_mut().zip(&self.all).for_each(|(out, pool)| *out = pool.slots.count_held() as f64);
    }
}
