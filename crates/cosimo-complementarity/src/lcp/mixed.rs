//! Mixed problems: equations beside complementarity.

use nalgebra::{DMatrix, DVector};

use crate::{LcpError, LcpOutcome, LcpProblem, LcpSolver, LcpStatus};

/// Singular values below this share of the largest count as zero.
const RANK: f64 = 1e-12;

/// A mixed linear complementarity problem, equations first: find `u` and `z` with
///
/// ```text
///   A u + B z + a = 0        0 ≤ z  ⟂  w = C u + D z + b ≥ 0        M = (A B; C D),  q = (a, b)
/// ```
///
/// | symbol | shape | meaning |
/// |---|---|---|
/// | `M` | `(m + n)²` | any finite matrix, column-major |
/// | `q` | `m + n` | |
/// | `u` | `m` | unknowns of any sign: impulses of joints, say |
/// | `z` | `n` | unknowns that are never negative |
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MixedLcpProblem<'a> {
    all: LcpProblem<'a>,
    equations: usize,
}

impl<'a> MixedLcpProblem<'a> {
    /// The problem with the first `equations` rows as equations.
    ///
    /// # Errors
    /// As [`LcpProblem::new`]; [`LcpError::Equations`] if there are more equations than rows.
    pub fn new(matrix: &'a [f64], offset: &'a [f64], equations: usize) -> Result<Self, LcpError> {
        let all = LcpProblem::new(matrix, offset)?;
        if equations > all.dimension() {
            return Err(LcpError::Equations { dimension: all.dimension(), found: equations });
        }
        Ok(Self { all, equations })
    }

    /// Number of unknowns, `m + n`.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.all.dimension()
    }

    /// Number of equations `m`.
    #[must_use]
    pub fn equations(&self) -> usize {
        self.equations
    }

    /// How far `x = (u, z)` is from a solution: the residual of [`LcpProblem::residual`], with `|wᵢ|` in the rows of
    /// equations.
    ///
    /// # Errors
    /// [`LcpError::VectorLength`] if the length of `x` is not `m + n`.
    pub fn residual(&self, x: &[f64]) -> Result<f64, LcpError> {
        self.all.check_length("x", x)?;
        let scale = self.all.diagonal_scale();
        let mut worst = 0.0_f64;
        for (row, x_row) in x.iter().enumerate() {
            let w = self.all.complement_at(row, x);
            let miss = if row < self.equations { w } else { w.min(scale * x_row) };
            if !(miss.is_finite() && x_row.is_finite()) {
                return Ok(f64::INFINITY);
            }
            worst = worst.max(miss.abs());
        }
        let size = self.all.offset().iter().fold(f64::MIN_POSITIVE, |size, q| size.max(q.abs()));
        Ok(worst / size)
    }
}

/// Solves mixed problems: `u` is eliminated, `u = −A⁺(a + B z)`, and what is left is a problem without equations,
///
/// ```text
///   0 ≤ z  ⟂  w = (D − C A⁺ B) z + b − C A⁺ a ≥ 0
/// ```
///
/// `A⁺` is the pseudo-inverse, so that equations may repeat each other: joints that hold a body twice. Equations that
/// contradict each other are told by the residual.
///
/// ```
/// use cosimo_complementarity::{LcpStatus, MixedLcpProblem, MixedLcpSolver};
/// // u + z = 2, w = −u + 1 + z
/// let problem = MixedLcpProblem::new(&[1.0, -1.0, 1.0, 1.0], &[-2.0, 1.0], 1)?;
/// let mut x = [0.0; 2];
/// let outcome = MixedLcpSolver::default().solve(problem, &mut x)?;
/// assert!(outcome.is_solved());
/// assert!((x[0] - 1.5).abs() < 1e-14 && (x[1] - 0.5).abs() < 1e-14);
/// # Ok::<(), cosimo_complementarity::LcpError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct MixedLcpSolver {
    inner: LcpSolver,
}

impl MixedLcpSolver {
    /// A solver with this largest residual of a solution.
    ///
    /// # Errors
    /// A tolerance that is not positive and finite.
    pub fn new(tolerance: f64) -> Result<Self, LcpError> {
        Ok(Self { inner: LcpSolver::new(tolerance)? })
    }

    /// Solves `problem` and writes `x = (u, z)`, whose entries `z` hold the first guess.
    ///
    /// # Errors
    /// [`LcpError::VectorLength`] if the length of `x` is not `m + n`; a matrix that is not finite once reduced.
    pub fn solve(&mut self, problem: MixedLcpProblem<'_>, x: &mut [f64]) -> Result<LcpOutcome, LcpError> {
        problem.all.check_length("x", x)?;
        let (size, m) = (problem.dimension(), problem.equations);
        let n = size - m;
        let matrix = DMatrix::from_column_slice(size, size, problem.all.matrix());
        let offset = DVector::from_column_slice(problem.all.offset());
        // A⁺ (B, a).
        let mut right = DMatrix::zeros(m, n + 1);
        right.columns_mut(0, n).copy_from(&matrix.view((0, m), (m, n)));
        right.column_mut(n).copy_from(&offset.rows(0, m));
        let answer = pseudo_solve(matrix.view((0, 0), (m, m)).into_owned(), right);
        let lower = matrix.view((m, 0), (n, m));
        let reduced = matrix.view((m, m), (n, n)) - lower * answer.columns(0, n);
        let rest = offset.rows(m, n) - lower * answer.column(n);
        let inner = LcpProblem::new(reduced.as_slice(), rest.as_slice())?;
        let mut outcome = self.inner.solve(inner, &mut x[m..])?;
        let z = DVector::from_column_slice(&x[m..]);
        let u = -(answer.columns(0, n) * z + answer.column(n));
        x[..m].copy_from_slice(u.as_slice());
        outcome.residual = problem.residual(x)?;
        if outcome.residual <= self.inner.tolerance() {
            outcome.status = LcpStatus::Solved;
        } else if outcome.status == LcpStatus::Solved {
            let is_rounded = problem.all.is_met_up_to_rounding(x, self.inner.tolerance(), m);
            outcome.status = if is_rounded { LcpStatus::Inaccurate } else { LcpStatus::Stalled };
        }
        Ok(outcome)
    }
}

/// `A⁺ B`, by LU where `A` is regular.
fn pseudo_solve(a: DMatrix<f64>, b: DMatrix<f64>) -> DMatrix<f64> {
    if a.nrows() == 0 {
        return b;
    }
    let svd = a.svd(true, true);
    let largest = svd.singular_values.iter().fold(0.0_f64, |m, s| m.max(*s));
    let zero = DMatrix::zeros(b.nrows(), b.ncols());
    svd.solve(&b, RANK * largest).unwrap_or(zero)
}
