//! The pyramid in place of the cone.

use nalgebra::Vector2;

use crate::friction::FrictionError;
#[cfg(doc)]
use crate::friction::FrictionProblem;

/// A friction cone with plane facets around the exact one.
///
/// The disc of friction impulses becomes a polygon of `ω` sides with the outward normals `c_i`, at equal angles:
///
/// ```text
///   σ_i = μ r_N − c_iᵀ r_T ≥ 0   ⟂   κ_i ≥ 0        −u_T = Σ κ_i c_i        0 ≤ u_N ⟂ r_N ≥ 0
/// ```
///
/// Friction then is `μ r_N` where the sliding is against a normal, and up to `μ r_N / cos(π/ω)` half-way between two of
/// them, where it points to the corner, up to `π/ω` beside the sliding. [`FrictionProblem`] with the exact cone has no such
/// preferred directions; facets are for comparison with codes that have them, and for problems that must be linear.
///
/// With two of the normals independent, `I_P`, the others `I_R`, the tangential impulses are eliminated,
/// `r_T = I_P⁻ᵀ (μ r_N − σ_P)`, and the unknowns of a contact are `(r_N, σ_P, κ_R)`, their complements `(u_N, κ_P, σ_R)`.
///
/// A contact with a single tangent, the first, has a cone of two facets ([`FacetedCone::line`]), which is exact.
///
/// Reference: M. Fancello, *A Co-Simulation Approach for Mixed Smooth and Nonsmooth Dynamics in Multibody Problems*, 2012,
/// chapter 7, eqs. 7.3 to 7.6, here for any number of contacts.
///
/// ```
/// use cosimo_complementarity::friction::{BlockMatrix, FacetedCone, FrictionProblem};
/// use nalgebra::DMatrix;
/// let mass = BlockMatrix::<3>::from_dense(&DMatrix::identity(3, 3))?;
/// let (offset, friction) = ([-1.0, 5.0, 0.0], [0.5]);
/// let problem = FrictionProblem::new(&mass, &offset, &friction)?;
/// let mut r = [0.0; 3];
/// assert!(FacetedCone::new(8)?.solve(&problem, &mut r)?.is_solved());
/// assert!((r[0] - 1.0).abs() < 1e-12 && (r[1] + 0.5).abs() < 1e-12);
/// # Ok::<(), cosimo_complementarity::friction::FrictionError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FacetedCone {
    pub(super) facets: usize,
    first: f64,
}

impl FacetedCone {
    /// A cone of `facets` sides, the first of them normal to the first tangent.
    ///
    /// # Errors
    /// Fewer than three facets.
    pub fn new(facets: usize) -> Result<Self, FrictionError> {
        if facets >= 3 {
            return Ok(Self { facets, first: 0.0 });
        }
        let (setting, found, rule) = ("facets", facets as f64, "three or more");
        Err(FrictionError::Setting { setting, found, rule })
    }

    /// The cone of a contact that has the first tangent only: its second has neither velocity nor impulse.
    #[must_use]
    pub fn line() -> Self {
        Self { facets: 2, first: 0.0 }
    }

    /// The same cone, turned: the normal of the first facet at `angle` (rad) from the first tangent to the second.
    #[must_use]
    pub fn turned(self, angle: f64) -> Self {
        Self { first: angle, ..self }
    }

    /// The outward normal `c_i`.
    #[must_use]
    pub fn normal(&self, facet: usize) -> Vector2<f64> {
        if self.facets == 2 {
            return Vector2::new(1.0 - 2.0 * facet as f64, 0.0);
        }
        let angle = self.first + std::f64::consts::TAU * facet as f64 / self.facets as f64;
        Vector2::new(angle.cos(), angle.sin())
    }

    /// Number of facets.
    #[must_use]
    pub fn facets(&self) -> usize {
        self.facets
    }

    /// The facet that is nearest to a right angle with the first.
    pub(super) fn partner(&self) -> usize {
        ((self.facets + 2) / 4).max(1)
    }
}
