//! Factorisations of the stages met last.

use cosimo_linear::{Factorization, FactorizationError};

/// Coefficients that are remembered: a step control goes up and down a ladder of few sizes.
const SLOTS: usize = 8;

/// Values that a saved state holds of the factors.
pub(crate) const SAVED: usize = VALUES * SLOTS;

/// Values of a slot in a saved state.
const VALUES: usize = 4;

/// Coefficients `(c_v, c_q)` of a stage.
pub(crate) type Coefficients = (f64, f64);

/// Factorisations by the coefficients of their stages.
///
/// Factors are kept from the second step on that is taken with them, for one stage per step size; all others share a spare
/// storage. Steps of one size need no storage after the first of them: parts of them, whose sizes never come again, and
/// first steps of rules with a history use the spare one.
#[derive(Debug, Default)]
pub(crate) struct Factors {
    /// Coefficients of steps taken, the latest first.
    slots: Vec<Slot>,
    spare: Slot,
    /// Storage for the first factors that are kept.
    reserve: Option<Box<Factorization>>,
    /// Index of the slot of the factors in use; of the spare one where there is none.
    in_use: Option<usize>,
    /// The factors in use, in exchange for the storage in their slot, and their coefficients.
    at_hand: Factorization,
    at_hand_for: Option<Coefficients>,
    count: u64,
}

#[derive(Debug, Default)]
struct Slot {
    coefficients: Option<Coefficients>,
    /// Size of the step (s).
    size: f64,
    /// Whether the factors are kept here.
    is_kept: bool,
    /// Whether the factors are there; where they are not, they were in the run that the state was restored from.
    is_factorized: bool,
    /// Storage, where factors have been kept or found here.
    factorization: Option<Box<Factorization>>,
}

impl Slot {
    fn is_of(&self, coefficients: Coefficients) -> bool {
        self.coefficients == Some(coefficients)
    }
}

impl Factors {
    /// Overwrites `x` with the solution by the factors in use. Without any, which [`Factors::prepare`] rules out, `x` stays.
    #[inline]
    pub(crate) fn solve(&self, x: &mut [f64]) {
        debug_assert!(self.at_hand_for.is_some(), "a stage is prepared before it is solved");
        self.at_hand.solve(x);
    }

    /// Brings the factors for these coefficients into use, with `factorize` where they are not stored; says whether
    /// they are others than before.
    #[inline]
    pub(crate) fn prepare(
        &mut self,
        coefficients: Coefficients,
        factorize: impl FnOnce(&mut Factorization) -> Result<(), FactorizationError>,
    ) -> Result<bool, FactorizationError> {
        if self.at_hand_for == Some(coefficients) {
            return Ok(false);
        }
        self.put_back();
        let found = self.find(coefficients, factorize);
        self.take_up();
        found.map(|()| true)
    }

    /// Takes the factors in use out of their slot, where they are there.
    fn take_up(&mut self) {
        if self.slot().is_factorized {
            self.at_hand_for = self.slot().coefficients;
            self.exchange();
        }
    }

    /// Puts the factors in use back into their slot.
    fn put_back(&mut self) {
        if self.at_hand_for.take().is_some() {
            self.exchange();
        }
    }

    fn exchange(&mut self) {
        let slot = self.in_use.map_or(&mut self.spare, |index| &mut self.slots[index]);
        if let Some(own) = &mut slot.factorization {
            std::mem::swap(&mut self.at_hand, own);
        }
    }

    /// Brings factors into use that are not.
    fn find(
        &mut self,
        coefficients: Coefficients,
        factorize: impl FnOnce(&mut Factorization) -> Result<(), FactorizationError>,
    ) -> Result<(), FactorizationError> {
        self.in_use = self.slots.iter().position(|slot| slot.is_kept && slot.is_of(coefficients));
        let slot = self.in_use.map_or(&mut self.spare, |index| &mut self.slots[index]);
        let is_known = slot.is_of(coefficients);
        if !(is_known && slot.is_factorized) {
            (slot.coefficients, slot.is_factorized) = (None, false);
            factorize(slot.factorization.get_or_insert_default())?;
            (slot.coefficients, slot.is_factorized) = (Some(coefficients), true);
            self.count += u64::from(!is_known);
        }
        Ok(())
    }

    /// A step of this size (s) is taken with the factors in use. Nothing is left of those of other steps that were only
    /// tried.
    #[inline]
    pub(crate) fn note_step(&mut self, size: f64) {
        if self.in_use != Some(0) || self.spare.coefficients.is_some() {
            self.put_back();
            self.note_other_step(size);
            self.take_up();
        }
    }

    /// A step is taken with other factors than the one before, or after others were tried.
    fn note_other_step(&mut self, size: f64) {
        let Some(coefficients) = self.slot().coefficients else { return };
        let Some(index) = self.in_use else { return self.note_spare(coefficients, size) };
        self.spare.coefficients = None;
        self.bring_first(index);
        self.in_use = Some(0);
    }

    /// A step is taken with the spare factors: they are kept if it is not the first.
    fn note_spare(&mut self, coefficients: Coefficients, size: f64) {
        if let Some(index) = self.slots.iter().position(|slot| slot.is_of(coefficients)) {
            let storage = self.storage(index, size);
            self.bring_first(index);
            let slot = &mut self.slots[0];
            slot.factorization = std::mem::replace(&mut self.spare.factorization, storage);
            (slot.is_kept, slot.is_factorized) = (true, true);
            (self.spare.coefficients, self.in_use) = (None, Some(0));
            return;
        }
        if self.slots.is_empty() {
            self.slots.reserve_exact(SLOTS);
            self.reserve.clone_from(&self.spare.factorization);
        }
        if self.slots.len() < SLOTS {
            self.slots.push(Slot::default());
        }
        self.bring_first(self.slots.len() - 1);
        let slot = &mut self.slots[0];
        (slot.coefficients, slot.size) = (Some(coefficients), size);
        (slot.is_kept, slot.is_factorized) = (false, false);
    }

    /// Storage in exchange for that of factors that will be kept in this slot for this step size: that of those that were
    /// kept for it, or whatever the slot has.
    fn storage(&mut self, index: usize, size: f64) -> Option<Box<Factorization>> {
        let same = |slot: &&mut Slot| slot.is_kept && slot.size.to_bits() == size.to_bits();
        match self.slots.iter_mut().find(same) {
            Some(slot) => {
                (slot.is_kept, slot.is_factorized) = (false, false);
                slot.factorization.take()
            }
            None => {
                let own = self.slots[index].factorization.take();
                self.reserve.take().or(own)
            }
        }
    }

    fn bring_first(&mut self, index: usize) {
        self.slots[..=index].rotate_right(1);
    }

    /// Factorisations so far.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Appends the coefficients of steps taken, and whether their factors are kept, to `out`: [`SAVED`] values.
    pub(crate) fn save(&self, out: &mut Vec<f64>) {
        let end = out.len() + SAVED;
        for slot in &self.slots {
            let (velocity, position) = slot.coefficients.unwrap_or_default();
            out.extend([velocity, position, slot.size, f64::from(u8::from(slot.is_kept))]);
        }
        out.resize(end, 0.0);
    }

    /// Goes back to where these values were saved. Factors that are not stored are found when they are needed, and not
    /// counted: a run that goes on from a saved state has the counts of one without a break.
    pub(crate) fn restore(&mut self, saved: &[f64]) {
        self.put_back();
        let in_use = self.slot().coefficients;
        let mut known = std::mem::take(&mut self.slots);
        known.push(std::mem::take(&mut self.spare));
        let mut take = |own: Coefficients| {
            let found = known.iter().position(|slot| slot.is_of(own) && slot.is_factorized);
            found.map(|index| known.swap_remove(index))
        };
        let missing = |own| Slot { coefficients: Some(own), ..Slot::default() };
        self.slots.reserve_exact(SLOTS);
        for values in saved.chunks_exact(VALUES).filter(|values| values[0] != 0.0) {
            let (own, size, is_kept) = ((values[0], values[1]), values[2], values[3] != 0.0);
            let slot = if is_kept { take(own).unwrap_or_else(|| missing(own)) } else { missing(own) };
            self.slots.push(Slot { size, is_kept, ..slot });
        }
        // The factors of the last step are current, kept or not.
        let last = self.slots.first().filter(|slot| !slot.is_kept).and_then(|slot| slot.coefficients);
        let spare = last.map(|own| take(own).unwrap_or_else(|| missing(own)));
        self.spare = Slot { is_kept: false, ..spare.or_else(|| take(in_use?)).unwrap_or_default() };
        self.in_use = self.slots.iter().position(|slot| slot.is_kept && slot.coefficients == in_use);
        self.take_up();
    }

    fn slot(&self) -> &Slot {
        self.in_use.map_or(&self.spare, |index| &self.slots[index])
    }
}

#[cfg(test)]
mod tests;
