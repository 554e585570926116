//! The impact law at one instant.

use crate::contact_set::ContactSet;
use crate::delassus_matrix::EffectiveMass;
use crate::laws::{ActiveContacts, Bounce};
use crate::thresholds::ROUND_OFF;
use cosimo_mechanics::ImpactLaw;

use crate::{ContactLaws, OneStepError};

/// The contacts that collide at an instant: the first `hits` of `set` are hit, the others touch or are closed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Collision<'a> {
    pub(crate) laws: &'a ContactLaws,
    pub(crate) set: &'a [usize],
    pub(crate) hits: usize,
}

impl Collision<'_> {
    /// Finds the impulses `out` of all rows for the rates before; `bounce` gives the restitutions of a contact.
    ///
    /// Under Moreau's law contacts with different restitutions may still create energy together: then all of them take
    /// the smallest of those that are hit, which cannot.
    pub(crate) fn solve(
        self,
        solver: &mut ContactSet,
        (matrix, rate): (&impl EffectiveMass, impl Fn(usize) -> f64),
        bounce: impl Fn(usize) -> Bounce,
        out: &mut [f64],
    ) -> Result<(), OneStepError> {
        self.solve_with(solver, (matrix, &rate), &bounce, out)?;
        let is_moreau = |c: &usize| self.laws.of(*c).impact == ImpactLaw::Moreau;
        if self.set.iter().any(is_moreau) && self.gains(matrix, &rate, out) {
            let hit = self.set[..self.hits].iter();
            let least = hit.fold(1.0_f64, |least, &c| least.min(bounce(c).normal));
            let common = |_: usize| Bounce { normal: least, tangential: least };
            self.solve_with(solver, (matrix, &rate), &common, out)?;
        }
        Ok(())
    }

    fn solve_with(
        self,
        solver: &mut ContactSet,
        (matrix, rate): (&impl EffectiveMass, &impl Fn(usize) -> f64),
        bounce: &impl Fn(usize) -> Bounce,
        out: &mut [f64],
    ) -> Result<(), OneStepError> {
        let gaps = self.laws.len();
        let offset = |row: usize| {
            let before = rate(row);
            if row < gaps {
                before + bounce(row).of_gap(before)
            } else {
                before + self.laws.of_slip(row).map_or(0.0, |c| bounce(c).of_slip(before))
            }
        };
        solver.solve(ActiveContacts { set: self.set, laws: self.laws }, rate, (matrix, offset), out)
    }

    /// Whether the impulses put energy in: `ΔT = P·U⁻ + ½ Pᵀ W P > 0`.
    fn gains(self, matrix: &impl EffectiveMass, rate: &impl Fn(usize) -> f64, impulse: &[f64]) -> bool {
        let loaded = |row: &usize| impulse[*row] != 0.0;
        let rows = || (0..impulse.len()).filter(loaded);
        let (mut change, mut scale) = (0.0, 0.0);
        for row in rows() {
            let jump = matrix.product(row, impulse);
            change += impulse[row] * (rate(row) + 0.5 * jump);
            scale += (impulse[row] * rate(row)).abs();
        }
        change > ROUND_OFF * scale
    }
}
