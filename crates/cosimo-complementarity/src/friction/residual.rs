//! The residual that defines "solved".

use nalgebra::{SMatrix, SVector};

use super::by_contact::of_contact;
use super::cone::project_onto_cone;
use super::precise_product::add_product;
use super::{FrictionLaw, FrictionProblem};
use crate::lcp::arithmetic::CompensatedSum;

/// By how much a number, or a product, is rounded at most, relative.
const ROUNDING: f64 = 0.5 * f64::EPSILON;

/// Coefficients of friction above which what rounding makes of a sliding velocity counts for more than it is.
const MILD: f64 = 1.0;
/// Residuals below this many times such rounding are computed anew in twice the precision.
const NEAR: f64 = 1e3;

impl<const D: usize> FrictionProblem<'_, D> {
    /// How far `r` is from a solution: by how much the contacts miss the law, as velocities; 0 exactly at solutions, and the
    /// same for every solver.
    ///
    /// ```text
    ///   ρ(r) = √( Σᵢ max( ‖d r − P_K( d r − ũ )‖², ν² ) ) / ‖q‖₂        of every contact i
    ///
    ///   ũ = u + μ ‖u_T‖ N     ν = min( d r_N, u_N )    (Coulomb)
    ///   ũ = u                 ν = min( 0, u_N )        (associated)
    /// ```
    ///
    /// with the mean diagonal `d` of `W`, what an impulse is worth as a velocity. The first is the natural map of the law, the
    /// second that of contact without friction: with a large `μ` the first is about `u_N/μ` at a contact that penetrates
    /// without an impulse.
    ///
    /// It has no unit, and is never less than what rounding makes of `W r`, `2⁻⁵³ maxᵢ Σⱼ |Wᵢⱼ| |rⱼ| / ‖q‖₂` by rows. A `μ` above 1
    /// magnifies the rounding of `u_T`: where that may count, `W r + q` is summed in twice the working precision, or, of an
    /// operator without entries, `1 + μ` times that rounding is added. Impulses that are not finite, or of another length, have `∞`.
    #[must_use]
    pub fn residual(&self, r: &[f64]) -> f64 {
        if r.len() != self.offset.len() {
            return f64::INFINITY;
        }
        self.residual_in(r, &mut vec![0.0; self.delassus.trail()])
    }

    /// `‖r − P_K( r − ũ )‖₂ / ‖q‖₂` in the units of the data; for comparison only. Siconos 4.4 measures it so, but for the
    /// largest of `‖q‖` and `‖r‖` in place of `‖q‖`.
    #[must_use]
    pub fn unscaled_residual(&self, r: &[f64]) -> f64 {
        if r.len() != self.offset.len() {
            return f64::INFINITY;
        }
        let (trail, unit) = (self.trail_of(r), self.speed_unit());
        let square = |i: usize| {
            let u = self.velocity(i, r, &trail) * unit;
            self.natural_map(i, &(of_contact::<D>(r, i) * unit), &u).norm_squared()
        };
        self.relative((0..self.contacts()).map(square).sum::<f64>().sqrt(), 0.0)
    }

    /// [`residual`](Self::residual) of impulses of the right length, in storage for the trail.
    pub(crate) fn residual_in(&self, r: &[f64], trail: &mut [f64]) -> f64 {
        self.delassus.start(r, trail);
        let (d, mut square, mut energy, mut largest) = (self.diagonal_scale(), 0.0, 0.0, 0.0_f64);
        for i in 0..self.contacts() {
            let own = of_contact::<D>(r, i) * self.speed_unit();
            square += self.square_missed(i, &(own * d), &(self.velocity(i, r, trail) * self.speed_unit()));
            let block = self.scale_of(&self.delassus.block(i));
            energy += block * own.norm_squared();
            largest = largest.max(block);
        }
        // Impulses beyond all measure, as of bodies that are squeezed, would hide their velocities in round-off. With
        // |W_ij|² ≤ W_ii W_jj the energy bounds it, so that it is asked for only where it may count.
        let count = (D * D) as f64;
        let magnified = self.magnified();
        let bound = magnified * ROUNDING * count * (count * self.contacts() as f64 * largest * energy).sqrt();
        if square > bound * bound {
            return self.relative(square.sqrt(), 0.0);
        }
        let round_off = ROUNDING * self.speed_unit() * self.delassus.largest_terms(r, trail);
        if magnified > 1.0 && square.sqrt() <= magnified * round_off {
            // Without the entries of W the rounding is bounded only.
            return match self.precise_square(r) {
                Some(square) => self.relative(square.sqrt(), round_off),
                None => self.relative(square.sqrt() + magnified / NEAR * round_off, round_off),
            };
        }
        self.relative(square.sqrt(), round_off)
    }

    /// By how much more than itself the rounding of a velocity may count in `ũ = u + μ ‖u_T‖ N`, with room to spare; 1 where
    /// friction does not magnify it.
    fn magnified(&self) -> f64 {
        let largest = self.friction.iter().fold(0.0_f64, |largest, friction| largest.max(*friction));
        if self.law == FrictionLaw::Coulomb && largest > MILD { NEAR * (1.0 + largest) } else { 1.0 }
    }

    /// What all contacts miss, squared, with velocities in twice the working precision.
    #[cold]
    fn precise_square(&self, r: &[f64]) -> Option<f64> {
        let (unit, mut square) = (self.speed_unit(), 0.0);
        for i in 0..self.contacts() {
            let u = self.delassus.precise_velocity(i, r, &of_contact::<D>(self.offset, i))?;
            let own = of_contact::<D>(r, i) * unit;
            square += self.square_missed(i, &(own * self.diagonal_scale()), &(u * unit));
        }
        square.is_finite().then_some(square)
    }

    /// [`residual`](Self::residual) of the only contact, whose block is at hand.
    pub(crate) fn residual_of_single(&self, block: &SMatrix<f64, D, D>, r: &SVector<f64, D>) -> f64 {
        let (unit, own) = (self.speed_unit(), r * self.speed_unit());
        let offset = of_contact::<D>(self.offset, 0);
        let mut u = block * r + offset;
        if self.magnified() > 1.0 {
            let mut sums = offset.map(CompensatedSum::new);
            add_product(block, r, &mut sums);
            let precise = sums.map(CompensatedSum::value);
            u = if precise.sum().is_finite() { precise } else { u };
        }
        let square = self.square_missed(0, &(own * self.scale_of(block)), &(u * unit));
        let largest = (block.abs() * own.abs()).iter().fold(0.0_f64, |largest, terms| largest.max(*terms));
        self.relative(square.sqrt(), ROUNDING * largest)
    }

    /// Of velocities in the unit of the problem: a norm, not less than round-off, in terms of `‖q‖`.
    fn relative(&self, norm: f64, round_off: f64) -> f64 {
        let offset = (self.offset_norm() * self.speed_unit()).max(f64::MIN_POSITIVE);
        // Asked before the maximum, which passes over what is no number.
        if norm.is_finite() { norm.max(round_off) / offset } else { f64::INFINITY }
    }

    #[inline]
    fn scale_of(&self, block: &SMatrix<f64, D, D>) -> f64 {
        let mean = block.trace() / D as f64;
        if mean > 0.0 { mean } else { block[(0, 0)] }
    }

    /// By how much a contact with the impulse `own = d r` and the velocity `u` misses the law, squared.
    #[inline]
    pub(crate) fn square_missed(&self, contact: usize, own: &SVector<f64, D>, u: &SVector<f64, D>) -> f64 {
        let square = self.natural_map(contact, own, u).norm_squared();
        let normal = match self.law {
            FrictionLaw::Coulomb => own[0].min(u[0]),
            FrictionLaw::Associated => u[0].min(0.0),
        };
        // Not the maximum, which passes over what is no number.
        if normal * normal > square { normal * normal } else { square }
    }

    /// `d r − P_K( d r − ũ )` of one contact, by `d r` and `u`.
    #[inline]
    fn natural_map(&self, contact: usize, own: &SVector<f64, D>, u: &SVector<f64, D>) -> SVector<f64, D> {
        let moved = own - self.pressed(contact, u);
        if !moved.sum().is_finite() {
            return SVector::repeat(f64::INFINITY);
        }
        own - project_onto_cone(self.friction[contact], &moved)
    }
}
