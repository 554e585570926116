//! The slots of a pool as numbers: who holds each or held it last, how long it has been apart, and the normal that its tangents belong
//! to.

use nalgebra::Vector3;

use super::members::Partners;
use super::slots::{PoolSlots, Slot};

/// Numbers of a slot.
const OF_A_SLOT: usize = 6;
/// In place of the steps apart: a slot that is free.
const FREE: f64 = -1.0;
/// In place of the first partner: a slot that nobody has held.
const NOBODY: f64 = -1.0;

impl PoolSlots {
    /// How many numbers [`save`](Self::save) appends.
    #[must_use]
    pub fn saved_length(&self) -> usize {
        1 + OF_A_SLOT * self.slots.len()
    }

    /// Appends what the slots remember.
    pub fn save(&self, out: &mut Vec<f64>) {
        out.push(self.unserved as f64);
        for Slot { pair, contact, apart } in &self.slots {
            let [first, second] = pair.map_or([NOBODY; 2], |pair| [pair.first as f64, pair.second as f64]);
            let normal = contact.as_ref().and_then(|contact| contact.normal_at_start());
            let [x, y, z] = normal.unwrap_or_default().into();
            let state = if contact.is_some() { f64::from(*apart) } else { FREE };
            out.extend_from_slice(&[first, second, state, x, y, z]);
        }
    }

    /// Whether numbers may be what [`save`](Self::save) wrote of a pool like this one.
    #[must_use]
    pub fn fits(&self, saved: &[f64]) -> bool {
        let is_below = |x: f64, end: usize| x >= 0.0 && x.fract() == 0.0 && x < end as f64;
        let [firsts, seconds] = [0, 1].map(|side| self.pool.members[side].len());
        let is_slot = |slot: &[f64]| {
            let is_free = slot[2] == FREE;
            let has_pair = is_below(slot[0], firsts) && is_below(slot[1], seconds);
            has_pair && (is_free || is_below(slot[2], usize::from(u8::MAX))) || is_free && slot[0] == NOBODY
        };
        saved.len() == self.saved_length() && saved[1..].chunks_exact(OF_A_SLOT).all(is_slot)
    }

    /// Goes back to what [`save`](Self::save) wrote at these positions and velocities, which fits.
    pub fn restore(&mut self, saved: &[f64], q: &[f64], v: &[f64]) {
        self.unserved = saved[0] as usize;
        self.held.clear();
        for (number, own) in saved[1..].chunks_exact(OF_A_SLOT).enumerate() {
            let pair = Partners { first: own[0] as usize, second: own[1] as usize };
            let pair = (own[0] >= 0.0).then_some(pair);
            let holder = pair.filter(|_| own[2] >= 0.0);
            let normal = Vector3::new(own[3], own[4], own[5]);
            let contact = holder.map(|pair| self.pool.contact_along(pair, normal));
            self.held.extend(holder.map(|pair| (pair, number)));
            self.slots[number] = Slot { pair, contact, apart: own[2].max(0.0) as u8 };
        }
        self.held.sort_unstable();
        self.foresee(q, v);
    }
}
