//! Lemke's method: settings, workspace and the order of its stages.

mod arithmetic;
mod basic_solution;
mod equilibration;
mod pair;
mod tableau;

use crate::{LcpError, LcpOutcome, LcpProblem, LcpStatus};
use basic_solution::BasicSolution;
use equilibration::Equilibration;
use pair::solve_pair;
use tableau::{RunEnd, Tableau, Tolerances};

/// What counts as zero in the tableau. The first pair settles nearly every problem; the second repeats the run with
/// comparisons as exact as the arithmetic, for pivots or differences that are small but meant.
const ATTEMPTS: [Tolerances; 2] =
    [Tolerances { pivot: 1.0e-10, tie: 1.0e-12 }, Tolerances { pivot: 1.0e-14, tie: 0.0 }];

/// Settings of [`LemkeWorkspace`].
///
/// ```
/// use cosimo_complementarity::{LemkeConfig, LemkeWorkspace};
/// let config = LemkeConfig { max_pivots: 500, ..LemkeConfig::default() };
/// let lemke = LemkeWorkspace::with_config(10, config)?;
/// assert_eq!(lemke.config().max_pivots, 500);
/// # Ok::<(), cosimo_complementarity::LcpError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct LemkeConfig {
    /// Largest [`LcpProblem::residual`] (no unit) of a solution; positive and finite. Default: 1e-8.
    ///
    /// It says when to refuse, not when to stop: the method ends at round-off on any problem that is not close to
    /// singular, and this number only has to tell the two apart.
    pub tolerance: f64,
    /// Pivots (one is of order `n²`) before the method gives up. Default: 10 000.
    ///
    /// Mechanical problems take about `n`; there are constructed ones that take `2ⁿ`.
    pub max_pivots: usize,
}

impl Default for LemkeConfig {
    fn default() -> Self {
        Self { tolerance: 1.0e-8, max_pivots: 10_000 }
    }
}

impl LemkeConfig {
    /// Checks every rule stated on the fields.
    ///
    /// # Errors
    /// [`LcpError::Tolerance`] if `tolerance` is not positive and finite.
    pub fn validate(&self) -> Result<(), LcpError> {
        if self.tolerance > 0.0 && self.tolerance.is_finite() {
            return Ok(());
        }
        Err(LcpError::Tolerance { found: self.tolerance })
    }
}

/// Lemke's method with lexicographic pivoting, and the memory it works in.
///
/// An artificial variable `z₀` makes any `q` feasible; pivots on complementary variables drive it to zero again:
///
/// ```text
///   w − M z − e z₀ = q,    w, z, z₀ ≥ 0,    zᵢ wᵢ = 0,    e = (1, …, 1)ᵀ
///
///   1. z₀ enters, the row with the most negative qᵢ leaves: every basic variable is ≥ 0 now
///   2. the complement of the variable that left enters; the lexicographic minimum of the rows (B⁻¹q, B⁻¹)ᵢ / aᵢ
///      over aᵢ > 0 leaves, with a the entering column
///   3. z₀ left: solution.  No aᵢ > 0: ray.  Else repeat 2
/// ```
///
/// | symbol | shape   | unit  | meaning                                                      |
/// |--------|---------|-------|--------------------------------------------------------------|
/// | `z₀`   | 1       | `[w]` | artificial variable, 0 at the start and in the end           |
/// | `e`    | `n`     | –     | covering vector                                              |
/// | `B`    | `n × n` | –     | basis: the columns of `(I, −M, −e)` in use                   |
///
/// The lexicographic rule makes the choice unique when ratios tie, as they do for contacts that act twice on the same
/// point, so that the method cannot cycle: it ends after finitely many pivots for every `M` and `q`. It finds a
/// solution whenever there is one if `M` is copositive-plus or a P-matrix.
///
/// Around the pivots:
///
/// - the problem is scaled first, by powers of two and therefore without round-off, so that neither units nor mass
///   ratios decide what is small; `e` belongs to the scaled problem;
/// - last, the solution is recomputed from `M` and `q` by a factorization of the rows with `zᵢ > 0`, with the residual
///   accumulated in twice the working precision; the error of the pivots does not stay in `z`;
/// - success is what [`LcpProblem::residual`] of the returned `z` says. A `z` returned is finite and never negative.
///
/// After a problem of the largest size has been seen (or with that capacity from the start), `solve` allocates
/// nothing. The result is a function of the problem alone, to the bit, whatever was solved before. A problem with
/// several solutions, like two copies of one contact, gets one of them; `n = 0`, `n = 1` and `q ≥ 0` are answered
/// directly, the last with `z = 0`.
///
/// References: R. W. Cottle, J.-S. Pang, R. E. Stone, *The Linear Complementarity Problem*, 1992, §4.4 (the method, its
/// end at rays), §4.9 (lexicographic degeneracy resolution); C. E. Lemke, Management Science 11 (1965) 681–689.
///
/// ```
/// use cosimo_complementarity::{LcpProblem, LemkeWorkspace};
/// let mut lemke = LemkeWorkspace::with_capacity(3);
///
/// // The same contact twice: the matrix is singular, the sum of the impulses is not in doubt.
/// let twice = LcpProblem::new(&[1.0, 1.0, 1.0, 1.0], &[-1.0, -1.0])?;
/// let mut z = [0.0; 3];
/// let outcome = lemke.solve(twice, &mut z[..2])?;
/// assert!(outcome.is_solved());
/// assert_eq!(z[0] + z[1], 1.0);
/// # Ok::<(), cosimo_complementarity::LcpError>(())
/// ```
#[derive(Debug, Clone)]
pub struct LemkeWorkspace {
    config: LemkeConfig,
    equilibration: Equilibration,
    tableau: Tableau,
    basic: BasicSolution,
}

impl LemkeWorkspace {
    /// A workspace with the default [`LemkeConfig`] and room for problems of up to `capacity` unknowns.
    ///
    /// Larger problems are solved as well; the first of them allocates.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        Self::new(capacity, LemkeConfig::default())
    }

    /// A workspace with the settings given and room for problems of up to `capacity` unknowns.
    ///
    /// # Errors
    /// As [`LemkeConfig::validate`].
    pub fn with_config(capacity: usize, config: LemkeConfig) -> Result<Self, LcpError> {
        config.validate()?;
        Ok(Self::new(capacity, config))
    }

    fn new(capacity: usize, config: LemkeConfig) -> Self {
        Self {
            config,
            equilibration: Equilibration::with_capacity(capacity),
            tableau: Tableau::with_capacity(capacity),
            basic: BasicSolution::with_capacity(capacity),
        }
    }

    /// The settings in use.
    #[must_use]
    pub fn config(&self) -> &LemkeConfig {
        &self.config
    }

    /// Solves `problem` and writes `z` (`[z]`, length `n`).
    ///
    /// `z` is a solution if and only if the outcome [is solved](LcpOutcome::is_solved); see
    /// [`LcpStatus`] for what it is otherwise. Its previous content is not used.
    ///
    /// # Errors
    /// [`LcpError::VectorLength`] if the length of `z` is not `n`; `z` is then left as it was.
    #[inline]
    pub fn solve(&mut self, problem: LcpProblem<'_>, z: &mut [f64]) -> Result<LcpOutcome, LcpError> {
        let dimension = problem.dimension();
        if z.len() != dimension {
            return Err(LcpError::VectorLength { vector: "z", dimension, found: z.len() });
        }
        if problem.offset().iter().all(|entry| *entry >= 0.0) {
            z.fill(0.0);
            return Ok(LcpOutcome { status: LcpStatus::Solved, pivots: 0, residual: 0.0 });
        }
        if let ([entry], [offset], [z]) = (problem.matrix(), problem.offset(), &mut *z) {
            return Ok(self.solve_scalar(*entry, *offset, z));
        }
        if dimension == 2 && solve_pair(problem, z) {
            let residual = problem.residual_of(z);
            if residual <= self.config.tolerance {
                return Ok(LcpOutcome { status: LcpStatus::Solved, pivots: 0, residual });
            }
        }
        Ok(self.solve_by_pivoting(problem, z))
    }

    /// One unknown with `q < 0`: `z = −q/M` where `M > 0`, nothing otherwise.
    #[inline]
    fn solve_scalar(&self, entry: f64, offset: f64, z: &mut f64) -> LcpOutcome {
        let solution = if entry > 0.0 { -offset / entry } else { 0.0 };
        *z = if solution.is_finite() { solution } else { 0.0 };
        let residual = scalar_residual(entry, offset, *z);
        let status = match residual <= self.config.tolerance {
            true => LcpStatus::Solved,
            false if entry > 0.0 => LcpStatus::Inaccurate,
            false => LcpStatus::Ray,
        };
        LcpOutcome { status, pivots: 0, residual }
    }

    #[inline(never)]
    fn solve_by_pivoting(&mut self, problem: LcpProblem<'_>, z: &mut [f64]) -> LcpOutcome {
        z.fill(0.0);
        let (mut pivots, mut first_end) = (0, None);
        if self.equilibration.scale(problem) {
            for tolerances in &ATTEMPTS {
                self.tableau.fill(self.equilibration.problem());
                let run = self.tableau.run(tolerances, self.config.max_pivots - pivots);
                pivots += run.pivots;
                first_end.get_or_insert(run.end);
                let residual = self.extract(problem, z);
                if residual <= self.config.tolerance {
                    return LcpOutcome { status: LcpStatus::Solved, pivots, residual };
                }
            }
        }
        let status = match first_end {
            Some(RunEnd::Ray) => LcpStatus::Ray,
            Some(RunEnd::PivotLimit) => LcpStatus::PivotLimit,
            Some(RunEnd::Complementary | RunEnd::Overflow) | None => LcpStatus::Inaccurate,
        };
        if status != LcpStatus::Inaccurate {
            z.fill(0.0);
        }
        LcpOutcome { status, pivots, residual: problem.residual_of(z) }
    }

    /// Writes the better of the recomputed basic solution and that of the tableau; returns its residual.
    fn extract(&mut self, problem: LcpProblem<'_>, z: &mut [f64]) -> f64 {
        let scaled = self.equilibration.problem();
        if self.basic.solve(scaled, self.tableau.active()) {
            self.equilibration.restore(self.basic.nonzeros(), z);
            let residual = problem.residual_of(z);
            if residual <= self.config.tolerance {
                return residual;
            }
        }
        self.equilibration.restore(self.tableau.nonzeros(), z);
        problem.residual_of(z)
    }
}

/// Residual of one unknown, `|min(|M| z, M z + q)| / |q|`.
#[inline]
fn scalar_residual(entry: f64, offset: f64, z: f64) -> f64 {
    let scale = if entry == 0.0 { 1.0 } else { entry.abs() };
    (scale * z).min(entry * z + offset).abs() / offset.abs().max(f64::MIN_POSITIVE)
}
