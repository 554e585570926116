//! The friction-contact problem and the residual that defines "solved".

use nalgebra::SVector;

use super::cone::{project_onto_cone, tangential_norm};
use super::delassus::of_contact;
use super::{Delassus, FrictionError};

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
    scale: f64,
    offset_norm: f64,
}

impl<'a, const D: usize> FrictionProblem<'a, D> {
    /// The problem with this operator, the velocities without impulses, and one coefficient of friction a contact.
    ///
    /// # Errors
    /// Lengths that do not fit, numbers that are not finite, a negative coefficient, or a contact with `W_NN ≤ 0`.
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
            let found = delassus.block(contact)[(0, 0)];
            if !(found > 0.0 && found.is_finite()) {
                return Err(FrictionError::Normal { contact, found });
            }
        }
        let offset_norm = offset.iter().map(|x| x * x).sum::<f64>().sqrt();
        let scale = delassus.mean_diagonal();
        Ok(Self { delassus, offset, friction, law: FrictionLaw::Coulomb, scale, offset_norm })
    }

    /// The same problem with another law.
    #[must_use]
    pub fn with_law(self, law: FrictionLaw) -> Self {
        Self { law, ..self }
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

    /// The velocities `u = W r + q` (m/s) of impulses `r` (N s), `D` numbers a contact.
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

    fn trail_of(&self, r: &[f64]) -> Vec<f64> {
        let mut trail = vec![0.0; self.delassus.trail()];
        self.delassus.start(r, &mut trail);
        trail
    }

    /// How far `r` is from a solution: the natural map, scaled by the mean diagonal `d` of `W`; 0 exactly at solutions,
    /// and the same for every solver.
    ///
    /// ```text
    ///   ρ(r) = d ‖ r − P_K( r − ũ / d ) ‖₂ / ‖q‖₂        ũ = u + μ ‖u_T‖ N   (Coulomb),   ũ = u   (associated)
    /// ```
    ///
    /// It has no unit, and is never less than the round-off of `W r`, `ε d ‖r‖∞ / ‖q‖₂`. Impulses that are not finite, or of
    /// another length, have `∞`.
    #[must_use]
    pub fn residual(&self, r: &[f64]) -> f64 {
        self.natural_map(r, self.scale)
    }

    /// The same map with `d = 1` in the units of the data; for comparison only. Siconos 4.4 measures it so, but for the largest
    /// of `‖q‖` and `‖r‖` in place of `‖q‖`.
    #[must_use]
    pub fn unscaled_residual(&self, r: &[f64]) -> f64 {
        self.natural_map(r, 1.0)
    }

    fn natural_map(&self, r: &[f64], scale: f64) -> f64 {
        if r.len() != self.offset.len() {
            return f64::INFINITY;
        }
        self.natural_map_in(r, scale, &mut vec![0.0; self.delassus.trail()])
    }

    /// [`residual`](Self::residual) of impulses of the right length, in storage for the trail.
    pub(crate) fn residual_in(&self, r: &[f64], trail: &mut [f64]) -> f64 {
        self.natural_map_in(r, self.scale, trail)
    }

    fn natural_map_in(&self, r: &[f64], scale: f64, trail: &mut [f64]) -> f64 {
        self.delassus.start(r, trail);
        let square = |i: usize| {
            self.mismatch(i, &of_contact::<D>(r, i), &self.velocity(i, r, trail), scale).norm_squared()
        };
        let norm = scale * (0..self.contacts()).map(square).sum::<f64>().sqrt();
        // Impulses beyond all measure, as of bodies that are squeezed, would hide their velocities in round-off.
        let largest = r.iter().fold(0.0_f64, |largest, r| largest.max(r.abs()));
        let least = f64::EPSILON * self.scale * largest;
        // Asked before the maximum, which passes over what is no number.
        if norm.is_finite() {
            norm.max(least) / self.offset_norm.max(f64::MIN_POSITIVE)
        } else {
            f64::INFINITY
        }
    }

    /// `r − P_K( r − ũ / d )` of one contact.
    #[inline]
    pub(crate) fn mismatch(
        &self,
        contact: usize,
        r: &SVector<f64, D>,
        u: &SVector<f64, D>,
        scale: f64,
    ) -> SVector<f64, D> {
        let moved = r - self.pressed(contact, u) / scale;
        r - project_onto_cone(self.friction[contact], &moved)
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
}

/// Refuses residuals that no solver meets.
pub(super) fn check_tolerance(found: f64) -> Result<(), FrictionError> {
    if found > 0.0 {
        Ok(())
    } else {
        Err(FrictionError::Setting { setting: "tolerance", found, rule: "positive" })
    }
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
