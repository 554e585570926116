//! The linear complementarity problem of faceted cones, with its memory.
//!
//! Of a contact with `ω` facets the unknowns are `z = (r_N, σ_P, κ_R)`, of which the first, as many as the contact has
//! directions, carry the impulse; their complements carry the velocity:
//!
//! ```text
//!   r = A (r_N, σ_P)         (u_N, κ_P) = B u − (0, I_P⁻¹ I_R κ_R)         σ_R = μ r_N − I_Rᵀ r_T
//! ```

use nalgebra::{DMatrix, DVector, Matrix2, Matrix3, SVector, Vector2, Vector3};

use super::cone::FacetedCone;
use crate::friction::by_contact::{of_contact, set_contact};
use crate::friction::problem::check_length;
use crate::friction::{FrictionError, FrictionProblem};
use crate::{LcpOutcome, LcpProblem, LcpSolver, LemkeWorkspace};

/// Unknowns up to which Lemke's method, exact, is asked before all others.
const EXACT: usize = 400;

/// Solves friction problems with facets in place of the cones, each contact with its own; allocates only for a problem
/// larger than any before.
///
/// ```
/// use cosimo_complementarity::friction::{BlockMatrix, FacetedCone, FacetedSolver, FrictionProblem};
/// use nalgebra::DMatrix;
/// let masses = BlockMatrix::<3>::from_dense(&DMatrix::identity(6, 6))?;
/// let problem = FrictionProblem::new(&masses, &[-1.0, 5.0, 0.0, -1.0, 5.0, 0.0], &[0.5, 0.5])?;
/// let cones = [FacetedCone::new(8)?, FacetedCone::line()];
/// let mut r = [0.0; 6];
/// assert!(FacetedSolver::default().solve(&problem, |contact| cones[contact], &mut r)?.is_solved());
/// assert!(r.iter().zip([1.0, -0.5, 0.0, 1.0, -0.5, 0.0]).all(|(r, exact): (&f64, f64)| (r - exact).abs() < 1e-12));
/// # Ok::<(), cosimo_complementarity::friction::FrictionError>(())
/// ```
#[derive(Debug, Clone)]
pub struct FacetedSolver {
    contacts: Vec<Facets>,
    /// `z ↦ w`, by columns, `w` at `z = 0`, and `z`.
    matrix: Vec<f64>,
    offset: Vec<f64>,
    values: Vec<f64>,
    neighbours: Vec<usize>,
    lemke: LemkeWorkspace,
    others: LcpSolver,
}

impl Default for FacetedSolver {
    fn default() -> Self {
        Self {
            contacts: Vec::new(),
            matrix: Vec::new(),
            offset: Vec::new(),
            values: Vec::new(),
            neighbours: Vec::new(),
            lemke: LemkeWorkspace::with_capacity(0),
            others: LcpSolver::default(),
        }
    }
}

impl FacetedSolver {
    /// Solves `problem`, with the pyramids `cones` in place of its cones, contact by contact, for the impulses `r`. The
    /// outcome is that of the linear complementarity problem. Without friction a contact needs no cone.
    ///
    /// # Errors
    /// `r` has another length, or the numbers of the linear problem overflow.
    pub fn solve(
        &mut self,
        problem: &FrictionProblem<'_, 3>,
        cones: impl Fn(usize) -> FacetedCone,
        r: &mut [f64],
    ) -> Result<LcpOutcome, FrictionError> {
        check_length("r", r, problem.offset.len())?;
        self.fill(problem, cones);
        let outcome = self.solve_linear()?;
        for (contact, facets) in self.contacts.iter().enumerate() {
            set_contact(r, contact, &facets.impulse(&self.values));
        }
        Ok(outcome)
    }

    fn solve_linear(&mut self) -> Result<LcpOutcome, FrictionError> {
        let overflow = |_| FrictionError::NotFinite { quantity: "M of the facets", index: 0 };
        let Self { matrix, offset, values, lemke, others, .. } = self;
        values.clear();
        values.resize(offset.len(), 0.0);
        let problem = LcpProblem::new(matrix, offset).map_err(overflow)?;
        if offset.len() <= EXACT {
            let outcome = lemke.solve(problem, values).map_err(overflow)?;
            if outcome.is_solved() {
                return Ok(outcome);
            }
            values.fill(0.0);
        }
        others.solve(problem, values).map_err(overflow)
    }

    /// Matrix, by columns, and vector of the linear problem.
    pub(super) fn lcp(&self) -> (&[f64], &[f64]) {
        (&self.matrix, &self.offset)
    }

    /// Writes matrix and vector of the linear problem.
    pub(super) fn fill(&mut self, problem: &FrictionProblem<'_, 3>, cones: impl Fn(usize) -> FacetedCone) {
        let Self { contacts, matrix, offset, neighbours, .. } = self;
        contacts.clear();
        let mut size = 0;
        for (contact, friction) in problem.friction.iter().enumerate() {
            let facets = Facets::new(cones(contact), *friction, size);
            size += facets.unknowns();
            contacts.push(facets);
        }
        matrix.clear();
        matrix.resize(size * size, 0.0);
        offset.clear();
        offset.resize(size, 0.0);
        for (row, facets) in contacts.iter().enumerate() {
            let start = facets.velocity * of_contact::<3>(problem.offset, row);
            offset[facets.first..][..facets.carrying].copy_from_slice(&start.as_slice()[..facets.carrying]);
            facets.write_own(matrix, size);
            neighbours.clear();
            problem.delassus.neighbours(row, neighbours);
            neighbours.sort_unstable();
            neighbours.dedup();
            for &column in &*neighbours {
                let other = &contacts[column];
                let block = facets.velocity * problem.delassus.between(row, column) * other.impulse;
                for k in 0..other.carrying {
                    for j in 0..facets.carrying {
                        matrix[(other.first + k) * size + facets.first + j] += block[(j, k)];
                    }
                }
            }
        }
    }
}

/// The facets of one contact.
#[derive(Debug, Clone, Copy)]
struct Facets {
    cone: FacetedCone,
    friction: f64,
    /// First of its unknowns, and the number of those that carry the impulse.
    first: usize,
    carrying: usize,
    /// `I_P⁻¹`; of a single tangent the unit matrix, of which one entry counts.
    inverse: Matrix2<f64>,
    /// `A` and `B`.
    impulse: Matrix3<f64>,
    velocity: Matrix3<f64>,
}

impl Facets {
    fn new(cone: FacetedCone, friction: f64, first: usize) -> Self {
        let carrying = match (friction > 0.0, cone.facets) {
            (false, _) => 1,
            (true, 2) => 2,
            (true, _) => 3,
        };
        let mut inverse = Matrix2::identity();
        if carrying > 2 {
            // Three facets or more: two normals at less than half a turn.
            let chosen = Matrix2::from_columns(&[cone.normal(0), cone.normal(cone.partner())]);
            inverse = chosen.try_inverse().unwrap_or(inverse);
        }
        let tangential = inverse.transpose();
        let (mut impulse, mut velocity) = (Matrix3::zeros(), Matrix3::zeros());
        (impulse[(0, 0)], velocity[(0, 0)]) = (1.0, 1.0);
        let along_normal = tangential * Vector2::repeat(friction);
        for row in 1..carrying {
            impulse[(row, 0)] = along_normal[row - 1];
            for column in 1..carrying {
                impulse[(row, column)] = -tangential[(row - 1, column - 1)];
                velocity[(row, column)] = -inverse[(row - 1, column - 1)];
            }
        }
        Self { cone, friction, first, carrying, inverse, impulse, velocity }
    }

    fn unknowns(&self) -> usize {
        if self.carrying == 1 { 1 } else { 1 + self.cone.facets }
    }

    /// The facets whose `κ` are unknowns.
    fn rest(&self) -> impl Iterator<Item = usize> + use<> {
        let (carrying, partner, facets) = (self.carrying, self.cone.partner(), self.cone.facets);
        (1..if carrying == 1 { 1 } else { facets }).filter(move |facet| carrying == 2 || *facet != partner)
    }

    /// The impulse (N s) by all unknowns.
    fn impulse(&self, z: &[f64]) -> SVector<f64, 3> {
        let carrying = |k: usize| if k < self.carrying { z[self.first + k] } else { 0.0 };
        self.impulse * Vector3::from_fn(|k, _| carrying(k))
    }

    /// Adds what the facets of the contact say to one another.
    fn write_own(&self, matrix: &mut [f64], size: usize) {
        let mut add = |row: usize, column: usize, value: f64| {
            matrix[(self.first + column) * size + self.first + row] += value;
        };
        for (k, facet) in self.rest().enumerate() {
            let (place, normal) = (self.carrying + k, self.cone.normal(facet));
            let multipliers = self.inverse * normal;
            add(place, 0, self.friction);
            for row in 1..self.carrying {
                add(row, place, -multipliers[row - 1]);
                for column in 0..self.carrying {
                    add(place, column, -normal[row - 1] * self.impulse[(row, column)]);
                }
            }
        }
    }
}

impl FacetedCone {
    /// Solves `problem`, with the pyramid in place of its cone at every contact, for the impulses `r`. The outcome is that
    /// of the linear complementarity problem. [`FacetedSolver`] keeps the memory from one solve to the next.
    ///
    /// # Errors
    /// `r` has another length, or the numbers of the linear problem overflow.
    pub fn solve(
        &self,
        problem: &FrictionProblem<'_, 3>,
        r: &mut [f64],
    ) -> Result<LcpOutcome, FrictionError> {
        FacetedSolver::default().solve(problem, |_| *self, r)
    }

    /// Matrix and vector of the linear problem in `(r_N, σ_P, κ_R)`, contact by contact.
    #[must_use]
    pub fn lcp(&self, problem: &FrictionProblem<'_, 3>) -> (DMatrix<f64>, DVector<f64>) {
        let mut solver = FacetedSolver::default();
        solver.fill(problem, |_| *self);
        let (matrix, offset) = solver.lcp();
        (DMatrix::from_column_slice(offset.len(), offset.len(), matrix), DVector::from_column_slice(offset))
    }
}
