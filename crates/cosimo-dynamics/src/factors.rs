//! Factorisations of the stages met last.

use cosimo_linear::{Factorization, FactorizationError};

/// Coefficients that are remembered: a step control goes up and down a ladder of few sizes.
const SLOTS: usize = 8;

/// Values that a saved state holds of the factors.
pub(crate) const SAVED: usize = 3 * SLOTS;

/// Coefficients `(c_v, c_q)` of a stage.
pub(crate) type Coefficients = (f64, f64);

/// Factorisations by the coefficients of their stages. Factors are kept from the second step on that is taken with
/// them, so that parts of steps, whose sizes never come again, need no storage of their own; others share a spare one.
#[derive(Debug, Default)]
pub(crate) struct Factors {
    /// Coefficients of steps taken, the latest first.
    slots: Vec<Slot>,
    spare: Slot,
    /// Index of the factors in use; of the spare ones where there is none.
    in_use: Option<usize>,
    count: u64,
}

#[derive(Debug, Default)]
struct Slot {
    coefficients: Option<Coefficients>,
    /// Whether the factors are kept here.
    is_kept: bool,
    /// Whether the factors are there; where they are not, they were in the run that the state was restored from.
    is_factorized: bool,
    factorization: Factorization,
}

impl Slot {
    fn is_of(&self, coefficients: Coefficients) -> bool {
        self.coefficients == Some(coefficients)
    }
}

impl Factors {
    /// The factors in use.
    pub(crate) fn get(&self) -> &Factorization {
        &self.slot().factorization
    }

    /// Brings the factors for these coefficients into use, with `factorize` where they are not at hand; says whether
    /// they are others than before.
    pub(crate) fn prepare(
        &mut self,
        coefficients: Coefficients,
        factorize: impl FnOnce(&mut Factorization) -> Result<(), FactorizationError>,
    ) -> Result<bool, FactorizationError> {
        if self.slot().is_of(coefficients) && self.slot().is_factorized {
            return Ok(false);
        }
        self.in_use = self.slots.iter().position(|slot| slot.is_kept && slot.is_of(coefficients));
        let slot = self.in_use.map_or(&mut self.spare, |index| &mut self.slots[index]);
        let is_known = slot.is_of(coefficients);
        if !(is_known && slot.is_factorized) {
            (slot.coefficients, slot.is_factorized) = (None, false);
            factorize(&mut slot.factorization)?;
            (slot.coefficients, slot.is_factorized) = (Some(coefficients), true);
            self.count += u64::from(!is_known);
        }
        Ok(true)
    }

    /// A step is taken with the factors in use. Nothing is left of those of other steps that were only tried.
    pub(crate) fn note_step(&mut self) {
        let Some(coefficients) = self.slot().coefficients else { return };
        let Some(index) = self.in_use else { return self.note_spare(coefficients) };
        self.spare.coefficients = None;
        self.bring_first(index);
        self.in_use = Some(0);
    }

    /// A step is taken with the spare factors: they are kept if it is not the first.
    fn note_spare(&mut self, coefficients: Coefficients) {
        match self.slots.iter().position(|slot| slot.is_of(coefficients)) {
            Some(index) => {
                self.bring_first(index);
                let slot = &mut self.slots[0];
                std::mem::swap(&mut slot.factorization, &mut self.spare.factorization);
                (slot.is_kept, slot.is_factorized) = (true, true);
                (self.spare.coefficients, self.in_use) = (None, Some(0));
            }
            None => {
                if self.slots.len() < SLOTS {
                    self.slots.reserve_exact(SLOTS - self.slots.len());
                    self.slots.push(Slot::default());
                }
                self.bring_first(self.slots.len() - 1);
                let slot = &mut self.slots[0];
                (slot.coefficients, slot.is_kept, slot.is_factorized) = (Some(coefficients), false, false);
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
            out.extend([velocity, position, f64::from(u8::from(slot.is_kept))]);
        }
        out.resize(end, 0.0);
    }

    /// Goes back to where these values were saved. Factors that are not at hand are found when they are needed, and not
    /// counted: a run that goes on from a saved state has the counts of one without a break.
    pub(crate) fn restore(&mut self, saved: &[f64]) {
        let in_use = self.slot().coefficients;
        let mut known = std::mem::take(&mut self.slots);
        known.push(std::mem::take(&mut self.spare));
        let mut take = |own: Coefficients| {
            let found = known.iter().position(|slot| slot.is_of(own) && slot.is_factorized);
            found.map(|index| known.swap_remove(index))
        };
        let missing = |own| Slot { coefficients: Some(own), ..Slot::default() };
        self.slots.reserve_exact(SLOTS);
        for values in saved.chunks_exact(3).filter(|values| values[0] != 0.0) {
            let own = (values[0], values[1]);
            let is_kept = values[2] != 0.0;
            let slot = if is_kept { take(own).unwrap_or_else(|| missing(own)) } else { missing(own) };
            self.slots.push(Slot { is_kept, ..slot });
        }
        // The step taken last is at hand, kept or not.
        let last = self.slots.first().filter(|slot| !slot.is_kept).and_then(|slot| slot.coefficients);
        let spare = last.map(|own| take(own).unwrap_or_else(|| missing(own)));
        self.spare = Slot { is_kept: false, ..spare.or_else(|| take(in_use?)).unwrap_or_default() };
        self.in_use = self.slots.iter().position(|slot| slot.is_kept && slot.coefficients == in_use);
    }

    fn slot(&self) -> &Slot {
        self.in_use.map_or(&self.spare, |index| &self.slots[index])
    }
}

#[cfg(test)]
mod tests {
    use cosimo_linear::StructuredMatrix;

    use super::{Factors, SLOTS};

    fn prepare(factors: &mut Factors, c: f64) -> bool {
        let mass = StructuredMatrix::Diagonal(vec![c]);
        factors.prepare((c, c), |own| own.factorize_sum(&[(1.0, &mass)])).unwrap()
    }

    fn step(factors: &mut Factors, c: f64) {
        prepare(factors, c);
        factors.note_step();
        assert!(!prepare(factors, c));
        assert_eq!(solve(factors, 8.0), 8.0 / c);
    }

    fn solve(factors: &Factors, mut x: f64) -> f64 {
        factors.get().solve(std::slice::from_mut(&mut x));
        x
    }

    fn saved(factors: &Factors) -> Vec<f64> {
        let mut values = Vec::new();
        factors.save(&mut values);
        values
    }

    #[test]
    fn sizes_taken_twice_are_not_factorised_again() {
        let mut factors = Factors::default();
        for c in [1.0, 1.0, 2.0, 4.0, 4.0] {
            step(&mut factors, c);
        }
        assert_eq!(factors.count(), 3);
        for c in [1.0, 4.0, 1.0, 4.0] {
            step(&mut factors, c);
        }
        assert_eq!(factors.count(), 3);
        // The 2 was taken once.
        for c in [2.0, 1.0, 2.0] {
            step(&mut factors, c);
        }
        assert_eq!(factors.count(), 4);
    }

    #[test]
    fn sizes_only_tried_leave_no_trace() {
        let mut factors = Factors::default();
        step(&mut factors, 1.0);
        let before = saved(&factors);
        prepare(&mut factors, 5.0);
        prepare(&mut factors, 6.0);
        assert_eq!(saved(&factors), before);
        step(&mut factors, 1.0);
        step(&mut factors, 1.0);
        assert_eq!(factors.count(), 4);
    }

    #[test]
    fn the_one_not_used_for_longest_makes_room() {
        let mut factors = Factors::default();
        for c in 1..=SLOTS {
            step(&mut factors, c as f64);
            step(&mut factors, c as f64);
        }
        step(&mut factors, 1.0);
        step(&mut factors, 100.0);
        step(&mut factors, 1.0);
        assert_eq!(factors.count(), SLOTS as u64 + 1);
        step(&mut factors, 2.0);
        assert_eq!(factors.count(), SLOTS as u64 + 2);
    }

    #[test]
    fn counts_go_on_where_they_were() {
        let run = [1.0, 1.0, 2.0, 3.0, 1.0, 7.0, 2.0, 3.0, 3.0, 4.0, 5.0, 6.0, 8.0, 8.0, 9.0, 1.0, 7.0, 2.0];
        for cut in 0..run.len() {
            let mut whole = Factors::default();
            run[..cut].iter().for_each(|c| step(&mut whole, *c));
            let (mut other, before) = (Factors::default(), whole.count());
            other.restore(&saved(&whole));
            for (k, c) in run[cut..].iter().enumerate() {
                for factors in [&mut whole, &mut other] {
                    if k % 3 == 0 {
                        prepare(factors, 0.5 * c);
                    }
                    step(factors, *c);
                }
                assert_eq!(other.count(), whole.count() - before, "cut at {cut}, step {k}");
                assert_eq!(saved(&other), saved(&whole));
            }
        }
    }

    #[test]
    fn what_is_at_hand_serves_after_going_back() {
        let mut factors = Factors::default();
        step(&mut factors, 1.0);
        let before = saved(&factors);
        step(&mut factors, 2.0);
        step(&mut factors, 2.0);
        let after = saved(&factors);
        for _ in 0..3 {
            factors.restore(&after);
            step(&mut factors, 2.0);
        }
        assert_eq!(factors.count(), 2);
        factors.restore(&before);
        step(&mut factors, 1.0);
        assert_eq!(factors.count(), 2);
    }

    #[test]
    fn a_matrix_that_cannot_be_factorised_leaves_nothing() {
        let mut factors = Factors::default();
        step(&mut factors, 1.0);
        step(&mut factors, 1.0);
        let zero = StructuredMatrix::Diagonal(vec![0.0]);
        assert!(factors.prepare((5.0, 5.0), |own| own.factorize_sum(&[(1.0, &zero)])).is_err());
        assert!(prepare(&mut factors, 1.0));
        assert_eq!((solve(&factors, 1.0), factors.count()), (1.0, 1));
    }
}
