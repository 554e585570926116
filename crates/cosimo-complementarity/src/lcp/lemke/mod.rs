//! Lemke's method: settings, workspace and the order of its stages.

mod basic_solution;
mod basic_solver;
mod equilibration;
mod pair;
mod recession;
mod refutation;
mod tableau;

use crate::{LcpError, LcpOutcome, LcpProblem, LcpStatus};
use basic_solution::BasicSolution;
pub(super) use basic_solver::BasicSolver;
use equilibration::Equilibration;
use pair::solve_pair;
use recession::Recession;
use refutation::{Proof, Refutation};
use tableau::{RunEnd, Tableau, Tolerances};

/// What counts as zero in the tableau, run after run. The first settles nearly every problem, contacts that are the
/// same up to round-off included: no pivot is taken that round-off could have made. The second is for pivots that are
/// small but meant, the third for contacts that are the same up to more than round-off.
const RUNS: [Tolerances; 3] = [
    Tolerances { pivot: 1.0e-7, tie: 1.0e-10 },
    Tolerances { pivot: 1.0e-10, tie: 1.0e-12 },
    Tolerances { pivot: 1.0e-5, tie: 1.0e-8 },
];

/// What counts as zero in a last run, where no other has found a solution and nothing proves that there is none: pivots near
/// round-off may be meant, as of bodies squeezed by something that gives way a little.
const FINEST: Tolerances = Tolerances { pivot: 1.0e-16, tie: 1.0e-15 };

/// A residual of round-off; a run that reaches it is the last.
const ROUND_OFF: f64 = 1.0e-12;

/// `z = 0` where `q ≥ 0`: exact.
const AT_ZERO: LcpOutcome = LcpOutcome { status: LcpStatus::Solved, iterations: 0, residual: 0.0 };

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
    /// Pivots (one is of order `n²`) of a run before it is given up; there are four runs at most. Default: 10 000.
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
/// - if that does not reach round-off, up to two further runs with another notion of "small" follow, and the best
///   point counts;
/// - a ray is told as [`LcpStatus::Ray`] where it proves that there is no solution, which is checked with the matrix itself; where
///   it does so only up to the rounding of the entries, or not at all, and where no run has found a solution, a last run takes the
///   smallest pivots for meant;
/// - success is what [`LcpProblem::residual`] of the returned `z` says. A `z` returned is finite and never negative.
///
/// After a problem of the largest size has been seen (or with that capacity from the start), `solve` allocates
/// nothing. The result is a function of the problem alone, to the bit, whatever was solved before. A problem with
/// several solutions, like two copies of one contact, gets one of them; `n ≤ 1`, `q ≥ 0` (with `z = 0`) and nearly every
/// `n = 2` are answered directly, without a pivot.
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
    refutation: Refutation,
    /// `z` of the best run.
    best: Vec<f64>,
    /// What proves that there is no solution; empty where nothing does.
    certificate: Vec<f64>,
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

    /// A workspace with settings that keep the rules.
    pub(super) fn new(capacity: usize, config: LemkeConfig) -> Self {
        Self {
            config,
            equilibration: Equilibration::with_capacity(capacity),
            tableau: Tableau::with_capacity(capacity),
            basic: BasicSolution::with_capacity(capacity),
            refutation: Refutation::with_capacity(capacity),
            best: Vec::with_capacity(capacity),
            certificate: Vec::with_capacity(capacity),
        }
    }

    /// The settings in use.
    #[must_use]
    pub fn config(&self) -> &LemkeConfig {
        &self.config
    }

    /// Where the last solve has ended with [`LcpStatus::Ray`]: `y ≥ 0` (`[1/w]`, length `n`) with `Mᵀ y ≤ 0` and `qᵀ y < 0`, up to the
    /// rounding that the status allows for. No `z ≥ 0` has `M z + q ≥ 0` then, since `yᵀ (M z + q) < 0`.
    #[must_use]
    pub fn certificate(&self) -> Option<&[f64]> {
        (!self.certificate.is_empty()).then_some(self.certificate.as_slice())
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
        self.certificate.clear();
        // First, and apart from the rest, because a step with one active contact costs nothing else.
        if let ([entry], [offset], [z]) = (problem.matrix(), problem.offset(), &mut *z) {
            return Ok(self.solve_scalar(problem, (*entry, *offset), z));
        }
        Ok(self.solve_several(problem, z))
    }

    /// One unknown: `z = 0` where `q ≥ 0`, else `z = −q/M` where `M > 0`, nothing otherwise.
    #[inline]
    fn solve_scalar(
        &mut self,
        problem: LcpProblem<'_>,
        (entry, offset): (f64, f64),
        z: &mut f64,
    ) -> LcpOutcome {
        *z = 0.0;
        if offset >= 0.0 {
            return AT_ZERO;
        }
        if entry <= 0.0 {
            self.certificate.push(1.0);
            let residual = problem.residual_of(&[0.0]);
            return LcpOutcome { status: LcpStatus::Ray, iterations: 0, residual };
        }
        let solution = -offset / entry;
        if solution.is_finite() {
            *z = solution;
        }
        let residual = problem.residual_of(&[*z]);
        let status = self.status_of(problem, &[*z], residual);
        LcpOutcome { status, iterations: 0, residual }
    }

    /// What a point is: a solution, one up to round-off, or none.
    fn status_of(&self, problem: LcpProblem<'_>, z: &[f64], residual: f64) -> LcpStatus {
        if residual <= self.config.tolerance {
            LcpStatus::Solved
        } else if problem.is_met_up_to_rounding(z, self.config.tolerance, 0) {
            LcpStatus::Inaccurate
        } else {
            LcpStatus::Stalled
        }
    }

    #[inline(never)]
    fn solve_several(&mut self, problem: LcpProblem<'_>, z: &mut [f64]) -> LcpOutcome {
        if problem.offset().iter().all(|entry| *entry >= 0.0) {
            z.fill(0.0);
            return AT_ZERO;
        }
        if solve_pair(problem, z) {
            let residual = problem.residual_of(z);
            if residual <= self.config.tolerance {
                return LcpOutcome { status: LcpStatus::Solved, iterations: 0, residual };
            }
        }
        self.solve_by_pivoting(problem, z)
    }

    fn solve_by_pivoting(&mut self, problem: LcpProblem<'_>, z: &mut [f64]) -> LcpOutcome {
        z.fill(0.0);
        let mut outcome =
            LcpOutcome { status: LcpStatus::Stalled, iterations: 0, residual: problem.residual_of(z) };
        if !self.equilibration.scale(problem) {
            return outcome;
        }
        let mut ends = Ends::default();
        self.best.clear();
        self.best.resize(z.len(), 0.0);
        for tolerances in &RUNS {
            self.run(problem, tolerances, z, (&mut outcome, &mut ends));
            let is_last = outcome.residual <= self.config.tolerance.min(ROUND_OFF);
            if ends.proof != Proof::None || is_last || problem.budget.is_over() {
                break;
            }
        }
        let is_solved = outcome.residual <= self.config.tolerance;
        let is_over = problem.budget.is_over();
        if !is_solved && !is_over && ends.proof != Proof::Exact && ends.limits < ends.runs {
            self.run(problem, &FINEST, z, (&mut outcome, &mut ends));
        }
        z.copy_from_slice(&self.best);
        // Whatever ended the runs, the residual decides.
        let is_without_end = ends.rays + ends.limits == ends.runs;
        outcome.status = match (self.status_of(problem, z, outcome.residual), ends.proof) {
            (LcpStatus::Solved, _) => LcpStatus::Solved,
            (_, Proof::Exact | Proof::UpToRounding) => LcpStatus::Ray,
            (LcpStatus::Inaccurate, _) => LcpStatus::Inaccurate,
            _ if is_over => LcpStatus::Interrupted,
            _ if is_without_end && ends.limits > 0 => LcpStatus::PivotLimit,
            _ => LcpStatus::Stalled,
        };
        if outcome.status != LcpStatus::Ray {
            self.certificate.clear();
        }
        // No run has ended at a point, or there is none.
        if outcome.status != LcpStatus::Inaccurate
            && !outcome.is_solved()
            && (is_without_end || outcome.status == LcpStatus::Ray)
        {
            z.fill(0.0);
            outcome.residual = problem.residual_of(z);
        }
        outcome
    }

    /// Keeps the ray that was judged last, in the units of the problem.
    fn keep_certificate(&mut self) {
        let Self { certificate, refutation, equilibration, .. } = self;
        certificate.clear();
        certificate.extend(equilibration.unscaled_ray(refutation.ray()));
    }

    /// Whether the problem has no solution, as a ray shows that no pivot has led to.
    pub(super) fn refutes(&mut self, problem: LcpProblem<'_>) -> bool {
        let Self { equilibration, refutation, .. } = self;
        let is_refuted = equilibration.scale(problem)
            && Recession::new(equilibration.problem())
                .any(|ray| refutation.judge(equilibration.problem(), ray.into_iter()) != Proof::None);
        if is_refuted {
            self.keep_certificate();
        }
        is_refuted
    }

    /// A run of pivots, and the best point so far.
    fn run(
        &mut self,
        problem: LcpProblem<'_>,
        tolerances: &Tolerances,
        z: &mut [f64],
        (outcome, ends): (&mut LcpOutcome, &mut Ends),
    ) {
        self.tableau.fill(self.equilibration.problem());
        let most = problem.budget.limit(self.config.max_pivots);
        let run = self.tableau.run(tolerances, most, &problem.budget);
        outcome.iterations += run.pivots;
        ends.runs += 1;
        ends.rays += usize::from(run.end == RunEnd::Ray);
        ends.limits += usize::from(run.end == RunEnd::PivotLimit);
        if run.end == RunEnd::Ray {
            let proof = self.refutation.judge(self.equilibration.problem(), self.tableau.ray());
            if proof > ends.proof {
                ends.proof = proof;
                self.keep_certificate();
            }
        }
        outcome.residual = self.keep_better(problem, outcome.residual, z);
    }

    /// Keeps the recomputed basic solution, or failing that the one of the tableau, if it has less than `residual`;
    /// returns the residual of what is kept. `z` is overwritten.
    fn keep_better(&mut self, problem: LcpProblem<'_>, mut residual: f64, z: &mut [f64]) -> f64 {
        let mut offer = |z: &[f64]| {
            let found = problem.residual_of(z);
            if found < residual {
                residual = found;
                self.best.copy_from_slice(z);
            }
            residual
        };
        if self.basic.solve(self.equilibration.problem(), self.tableau.active()) {
            self.equilibration.restore(self.basic.nonzeros(), z);
            if offer(z) <= ROUND_OFF {
                return residual;
            }
        }
        self.equilibration.restore(self.tableau.nonzeros(), z);
        offer(z)
    }
}

/// How the runs of a solve have ended.
#[derive(Debug, Clone, Copy, Default)]
struct Ends {
    runs: usize,
    rays: usize,
    limits: usize,
    /// The best that a ray has proved.
    proof: Proof,
}
