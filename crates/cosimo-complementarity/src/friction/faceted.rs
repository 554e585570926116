//! The Coulomb cone replaced by a pyramid outside it, and the linear complementarity problem that this makes.

use nalgebra::{DMatrix, DVector, Matrix2, SVector, Vector2};

use super::delassus::{of_contact, set_contact};
use super::problem::check_length;
use super::{FrictionError, FrictionProblem};
use crate::{LcpError, LcpOutcome, LcpProblem, LcpSolver};

/// A friction cone with plane facets around the exact one.
///
/// The disc of friction impulses becomes a polygon of `ω` sides with the outward normals `c_i`, at equal angles:
///
/// ```text
///   σ_i = μ r_N − c_iᵀ r_T ≥ 0   ⟂   κ_i ≥ 0        −u_T = Σ κ_i c_i        0 ≤ u_N ⟂ r_N ≥ 0
/// ```
///
/// Friction then is `μ r_N` where the sliding is along a normal, and up to `μ r_N / cos(π/ω)` half-way between two of
/// them, where it points to the corner, up to `π/ω` beside the sliding. [`FrictionProblem`] with the exact cone has no such
/// preferred directions; facets are for comparison with codes that have them, and for problems that must be linear.
///
/// With two of the normals independent, `I_P`, the others `I_R`, the tangential impulses are eliminated,
/// `r_T = I_P⁻ᵀ (μ r_N − σ_P)`, and the unknowns of a contact are `(r_N, σ_P, κ_R)`, their complements `(u_N, κ_P, σ_R)`.
///
/// Reference: M. Fancello, *A Co-Simulation Approach for Mixed Smooth and Nonsmooth Dynamics in Multibody Problems*, 2012,
/// chapter 7, eq. 7.6, here for any number of contacts.
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
    facets: usize,
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

    /// The same cone, turned: the normal of the first facet at `angle` (rad) from the first tangent to the second.
    #[must_use]
    pub fn turned(self, angle: f64) -> Self {
        Self { first: angle, ..self }
    }

    /// The outward normal `c_i`.
    #[must_use]
    pub fn normal(&self, facet: usize) -> Vector2<f64> {
        let angle = self.first + std::f64::consts::TAU * facet as f64 / self.facets as f64;
        Vector2::new(angle.cos(), angle.sin())
    }

    /// Solves `problem`, with the pyramid in place of its cone, for the impulses `r`. The outcome is that of the linear
    /// complementarity problem.
    ///
    /// # Errors
    /// `r` has another length, or the numbers of the linear problem overflow.
    pub fn solve(
        &self,
        problem: &FrictionProblem<'_, 3>,
        r: &mut [f64],
    ) -> Result<LcpOutcome, FrictionError> {
        check_length("r", r, problem.offset.len())?;
        let (matrix, offset) = self.lcp(problem);
        let mut z = DVector::zeros(offset.len());
        let outcome = LcpProblem::from_dense(&matrix, &offset)
            .and_then(|lcp| LcpSolver::default().solve(lcp, z.as_mut_slice()))
            .map_err(|_: LcpError| FrictionError::NotFinite { quantity: "M of the facets", index: 0 })?;
        for (contact, friction) in problem.friction.iter().enumerate() {
            let facets = self.matrices(*friction);
            let own = z.rows(contact * self.unknowns(), self.unknowns());
            let impulse: SVector<f64, 3> = (&facets.impulse * own).fixed_rows::<3>(0).into_owned();
            set_contact(r, contact, &impulse);
        }
        Ok(outcome)
    }

    /// Matrix and vector of the linear problem in `(r_N, σ_P, κ_R)`, contact by contact.
    #[must_use]
    pub fn lcp(&self, problem: &FrictionProblem<'_, 3>) -> (DMatrix<f64>, DVector<f64>) {
        let (size, contacts) = (self.unknowns(), problem.contacts());
        let mut matrix = DMatrix::zeros(contacts * size, contacts * size);
        let mut offset = DVector::zeros(contacts * size);
        let facets: Vec<FacetMatrices> = problem.friction.iter().map(|mu| self.matrices(*mu)).collect();
        for (row, column, block) in problem.delassus.to_blocks().blocks() {
            let (left, right) = (&facets[row].velocity, &facets[column].impulse);
            matrix.view_mut((row * size, column * size), (size, size)).copy_from(&(left * block * right));
        }
        for (contact, facets) in facets.iter().enumerate() {
            let mut own = matrix.view_mut((contact * size, contact * size), (size, size));
            own += &facets.direct;
            let q: SVector<f64, 3> = of_contact(problem.offset, contact);
            offset.rows_mut(contact * size, size).copy_from(&(&facets.velocity * q));
        }
        (matrix, offset)
    }

    /// Unknowns of a contact.
    fn unknowns(&self) -> usize {
        self.facets + 1
    }

    /// The pair of facets that are nearest to a right angle.
    fn pair(&self) -> [usize; 2] {
        [0, ((self.facets + 2) / 4).max(1)]
    }

    fn matrices(&self, friction: f64) -> FacetMatrices {
        let size = self.unknowns();
        let pair = self.pair();
        let rest: Vec<usize> = (0..self.facets).filter(|facet| !pair.contains(facet)).collect();
        let chosen = Matrix2::from_columns(&pair.map(|facet| self.normal(facet)));
        // Three facets or more: two normals at less than half a turn.
        let inverse = chosen.try_inverse().unwrap_or_else(Matrix2::identity);
        let tangential = inverse.transpose();
        let (mut impulse, mut velocity) = (DMatrix::zeros(3, size), DMatrix::zeros(size, 3));
        let mut direct = DMatrix::zeros(size, size);
        (impulse[(0, 0)], velocity[(0, 0)]) = (1.0, 1.0);
        impulse.view_mut((1, 0), (2, 1)).copy_from(&(tangential * Vector2::repeat(friction)));
        impulse.view_mut((1, 1), (2, 2)).copy_from(&-tangential);
        velocity.view_mut((1, 1), (2, 2)).copy_from(&-inverse);
        for (k, facet) in rest.into_iter().enumerate() {
            let normal = self.normal(facet);
            direct.view_mut((1, 3 + k), (2, 1)).copy_from(&-(inverse * normal));
            let along = normal.transpose() * impulse.rows(1, 2);
            direct.view_mut((3 + k, 0), (1, size)).copy_from(&-along);
            direct[(3 + k, 0)] += friction;
        }
        FacetMatrices { impulse, velocity, direct }
    }
}

/// What a contact's unknowns `z` make: `r = A z` and `w = B u + C z`.
struct FacetMatrices {
    /// `A`.
    impulse: DMatrix<f64>,
    /// `B`.
    velocity: DMatrix<f64>,
    /// `C`.
    direct: DMatrix<f64>,
}
