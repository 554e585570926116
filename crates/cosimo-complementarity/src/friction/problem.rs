//! The friction-contact problem and the residual that defines "solved".

use std::ops::RangeInclusive;

use nalgebra::SVector;

use super::by_contact::of_contact;
use super::cone::tangential_norm;
use super::{Delassus, FrictionError};
use crate::Budget;

/// Magnitudes of a contact's block (1/kg) that can be computed with: squares and products of three must not overflow.
const MAGNITUDES: RangeInclusive<f64> = 1e-100..=1e100;
/// Largest impulse (N s) that stops a contact by itself.
const LARGEST_IMPULSE: f64 = 1e300;
/// `‖q‖₂` (m/s) of velocities that are computed with as they are.
const SPEEDS: RangeInclusive<f64> = 1e-40..=1e40;
/// Largest power of two by which velocities are scaled.
const LARGEST_POWER: f64 = 1000.0;

/// The law between the velocity `u` and the impulse `r` of every contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FrictionLaw {
    /// Coulomb's: `K* ∋ u + μ ‖u_T‖ N ⟂ r ∈ K`. Sliding does not open the contact.
    #[default]
    Coulomb,
    /// The cone complementarity relaxation: `K* ∋ u ⟂ r ∈ K`, a convex problem. A sliding contact opens at the speed
    /// `μ ‖u_T‖`, which Coulomb's does not.
    Associated,
}

/// A friction-contact problem, borrowed and checked: with `u = W r + q`, find `r` that obeys the law at every contact.
///
/// | symbol | shape | unit | meaning |
/// |---|---|---|---|
/// | `W` | `n × n` blocks of `D × D` | 1/kg | Delassus operator |
/// | `q` | `n · D` | m/s | contact velocities without impulses, normal first |
/// | `μ` | `n` | – | coefficients of friction |
/// | `r` | `n · D` | N s | impulses, normal first |
///
/// `D` is 3 in space and 2 in the plane. `K = { ‖r_T‖ ≤ μ r_N }` is the Coulomb cone, `K* = { μ ‖u_T‖ ≤ u_N }` its dual.
///
/// Reference: V. Acary, B. Brogliato, *Numerical Methods for Nonsmooth Dynamical Systems*, Springer 2008, ch. 13.
#[derive(Clone, Copy)]
pub struct FrictionProblem<'a, const D: usize> {
    pub(crate) delassus: &'a dyn Delassus<D>,
    pub(crate) offset: &'a [f64],
    pub(crate) friction: &'a [f64],
    pub(crate) law: FrictionLaw,
    pub(crate) budget: Budget<'a>,
    scale: f64,
    offset_norm: f64,
    speed_unit: f64,
}

impl<'a, const D: usize> FrictionProblem<'a, D> {
    /// The problem with this operator, the velocities without impulses, and one coefficient of friction a contact.
    ///
    /// # Errors
    /// Lengths that do not fit, numbers that are not finite, a negative coefficient, a contact with `W_NN ≤ 0`, with a
    /// block whose magnitude lies outside 1e-100 to 1e100 1/kg, or with an impulse beyond 1e300 N s.
    pub fn new(
        delassus: &'a dyn Delassus<D>,
        offset: &'a [f64],
        friction: &'a [f64],
    ) -> Result<Self, FrictionError> {
        let expected = delassus.contacts();
        check_length("q", offset, expected * D)?;
        check_length("mu", friction, expected)?;
        if let Some(index) = offset.iter().position(|x| !x.is_finite()) {
            return Err(FrictionError::NotFinite { quantity: "q", index });
        }
        for contact in 0..expected {
            let found = friction[contact];
            if !(found >= 0.0 && found.is_finite()) {
                return Err(FrictionError::Friction { contact, found });
            }
            let block = delassus.block(contact);
            let found = block[(0, 0)];
            if !(found > 0.0 && found.is_finite()) {
                return Err(FrictionError::Normal { contact, found });
            }
            let is_moderate = |found: f64| found.abs() <= *MAGNITUDES.end();
            if !(found >= *MAGNITUDES.start() && block.iter().all(|entry| is_moderate(*entry))) {
                let found = if MAGNITUDES.contains(&found) { block.amax() } else { found };
                return Err(FrictionError::Magnitude { contact, found });
            }
            let (speed, compliance) = (of_contact::<D>(offset, contact).amax(), block[(0, 0)]);
            if speed / compliance > LARGEST_IMPULSE {
                return Err(FrictionError::Impulse { contact, speed, compliance });
            }
        }
        let (speed_unit, offset_norm) = measure(offset);
        let scale = delassus.mean_diagonal();
        let (law, budget) = (FrictionLaw::Coulomb, Budget::default());
        Ok(Self { delassus, offset, friction, law, budget, scale, offset_norm, speed_unit })
    }

    /// The same problem with other velocities without impulses, of the same length and finite.
    pub(crate) fn with_offset<'b>(self, offset: &'b [f64]) -> FrictionProblem<'b, D>
    where
        'a: 'b,
    {
        let (speed_unit, offset_norm) = measure(offset);
        FrictionProblem { offset, offset_norm, speed_unit, ..self }
    }

    /// The same problem with another law.
    #[must_use]
    pub fn with_law(self, law: FrictionLaw) -> Self {
        Self { law, ..self }
    }

    /// The same problem, to be solved within these bounds.
    #[must_use]
    pub fn within(self, budget: Budget<'a>) -> Self {
        Self { budget, ..self }
    }

    /// Number of contacts.
    #[must_use]
    pub fn contacts(&self) -> usize {
        self.friction.len()
    }

    /// Mean diagonal `d` of `W` (1/kg): what an impulse is worth as a velocity.
    #[must_use]
    pub fn diagonal_scale(&self) -> f64 {
        self.scale
    }

    /// The velocities `u = W r + q` (m/s) of impulses `r` (N s), `D` numbers per contact.
    ///
    /// # Errors
    /// `r` has another length.
    pub fn velocities(&self, r: &[f64]) -> Result<Vec<f64>, FrictionError> {
        check_length("r", r, self.offset.len())?;
        let trail = self.trail_of(r);
        Ok((0..self.contacts()).flat_map(|i| self.velocity(i, r, &trail).data.0[0]).collect())
    }

    /// The velocity of one contact.
    #[inline]
    pub(crate) fn velocity(&self, contact: usize, r: &[f64], trail: &[f64]) -> SVector<f64, D> {
        self.delassus.row(contact, r, trail) + of_contact::<D>(self.offset, contact)
    }

    pub(super) fn trail_of(&self, r: &[f64]) -> Vec<f64> {
        let mut trail = vec![0.0; self.delassus.trail()];
        self.delassus.start(r, &mut trail);
        trail
    }

    /// `ũ`: the velocity that is dual to the impulse.
    #[inline]
    pub(crate) fn pressed(&self, contact: usize, u: &SVector<f64, D>) -> SVector<f64, D> {
        let mut out = *u;
        if self.law == FrictionLaw::Coulomb {
            out[0] += self.friction[contact] * tangential_norm(u);
        }
        out
    }

    /// `‖q‖₂` (m/s).
    pub(crate) fn offset_norm(&self) -> f64 {
        self.offset_norm
    }

    /// What velocities are multiplied by so that their squares neither overflow nor vanish: 1, or a power of two for a `q` of
    /// extreme size.
    pub(crate) fn speed_unit(&self) -> f64 {
        self.speed_unit
    }
}

/// The unit of velocities, and `‖q‖₂` (m/s).
#[inline]
fn measure(offset: &[f64]) -> (f64, f64) {
    let norm = offset.iter().map(|x| x * x).sum::<f64>().sqrt();
    if SPEEDS.contains(&norm) { (1.0, norm) } else { measure_extreme(offset) }
}

/// The same for velocities whose squares may overflow or vanish, or that are zero.
#[cold]
fn measure_extreme(offset: &[f64]) -> (f64, f64) {
    let largest = offset.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    if largest == 0.0 {
        return (1.0, 0.0);
    }
    let unit = (-largest.log2().floor()).clamp(-LARGEST_POWER, LARGEST_POWER).exp2();
    (unit, offset.iter().map(|x| (unit * x) * (unit * x)).sum::<f64>().sqrt() / unit)
}

pub(crate) fn check_length(quantity: &'static str, x: &[f64], expected: usize) -> Result<(), FrictionError> {
    if x.len() == expected {
        return Ok(());
    }
    Err(FrictionError::Length { quantity, expected, found: x.len() })
}

impl<const D: usize> std::fmt::Debug for FrictionProblem<'_, D> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FrictionProblem")
            .field("contacts", &self.contacts())
            .field("law", &self.law)
            .finish_non_exhaustive()
    }
}
