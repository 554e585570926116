//! The choice of a solver, with others to fall back to.

use super::enumeration::Enumeration;
use super::newton::{FischerBurmeister, FischerBurmeisterConfig};
use super::projected_gauss_seidel::{ProjectedGaussSeidel, ProjectedGaussSeidelConfig, clip};
use crate::{LcpError, LcpOutcome, LcpProblem, LcpStatus, LemkeConfig, LemkeWorkspace};

/// Unknowns above which Newton's method comes before Lemke's: pivots grow with the number of unknowns, Newton steps hardly.
const LARGE: usize = 400;
/// Unknowns up to which a proof is looked for that there is no solution: some dozens of factorisations.
const PROVABLE: usize = 1500;
/// Sweeps of the last resort.
const MAX_SWEEPS: usize = 2000;

/// A method that solves linear complementarity problems.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LcpMethod {
    /// The first guess is a solution.
    Guess,
    /// [`LemkeWorkspace`].
    Lemke,
    /// [`FischerBurmeister`].
    Newton,
    /// [`ProjectedGaussSeidel`].
    Sweeps,
    /// All complementary bases of a few unknowns.
    Enumeration,
}

/// Solves linear complementarity problems without asking how:
///
/// 1. a first guess that is a solution stays, so that a step that repeats the one before costs a product;
/// 2. up to 400 unknowns Lemke's method, exact and safe with ties, is first and Newton's second; above it is the other
///    way round;
/// 3. projected Gauss-Seidel is next, for matrices that both fail with;
/// 4. of up to 12 unknowns all complementary bases are looked at last;
/// 5. where there is no solution, but pivots have not ended on a ray that proves it, one is looked for as the limit of
///    compliant problems, which finds it where `M` is positive semidefinite (up to 1500 unknowns).
///
/// What none of them solves has the status of Lemke's method: a ray means that there is no solution.
///
/// ```
/// use cosimo_complementarity::{LcpMethod, LcpProblem, LcpSolver};
/// let mut solver = LcpSolver::default();
/// let problem = LcpProblem::new(&[2.0, 1.0, 1.0, 2.0], &[-4.0, -1.0])?;
/// let mut z = [0.0; 2];
/// assert!(solver.solve(problem, &mut z)?.is_solved());
/// assert_eq!(z, [2.0, 0.0]);
/// // Again, from there.
/// assert!(solver.solve(problem, &mut z)?.is_solved());
/// assert_eq!(solver.method(), LcpMethod::Guess);
/// # Ok::<(), cosimo_complementarity::LcpError>(())
/// ```
#[derive(Debug, Clone)]
pub struct LcpSolver {
    tolerance: f64,
    lemke: LemkeWorkspace,
    newton: FischerBurmeister,
    sweeps: ProjectedGaussSeidel,
    enumeration: Enumeration,
    guess: Vec<f64>,
    /// Where Lemke's method has given up.
    refused: Vec<f64>,
    method: LcpMethod,
    /// Whether the last problem has no solution.
    is_refuted: bool,
}

impl LcpSolver {
    /// A solver with this largest [`LcpProblem::residual`] of a solution.
    ///
    /// # Errors
    /// A tolerance that is not positive and finite.
    pub fn new(tolerance: f64) -> Result<Self, LcpError> {
        LemkeConfig { tolerance, ..LemkeConfig::default() }.validate()?;
        Ok(Self::with(tolerance))
    }

    fn with(tolerance: f64) -> Self {
        let sweeps = ProjectedGaussSeidelConfig { tolerance, max_sweeps: MAX_SWEEPS, relaxation: 1.0 };
        let newton = FischerBurmeisterConfig { tolerance, ..FischerBurmeisterConfig::default() };
        Self {
            tolerance,
            lemke: LemkeWorkspace::new(0, LemkeConfig { tolerance, ..LemkeConfig::default() }),
            newton: FischerBurmeister::with(newton),
            sweeps: ProjectedGaussSeidel::with(sweeps),
            enumeration: Enumeration::default(),
            guess: Vec::new(),
            refused: Vec::new(),
            method: LcpMethod::Guess,
            is_refuted: false,
        }
    }

    /// Largest residual of a solution.
    #[must_use]
    pub fn tolerance(&self) -> f64 {
        self.tolerance
    }

    /// The method that ended the last solve.
    #[must_use]
    pub fn method(&self) -> LcpMethod {
        self.method
    }

    /// What proves that the last problem has no solution, where the status is [`LcpStatus::Ray`]: see
    /// [`LemkeWorkspace::certificate`].
    #[must_use]
    pub fn certificate(&self) -> Option<&[f64]> {
        self.lemke.certificate().filter(|_| self.is_refuted)
    }

    /// Solves `problem`; `z` holds the first guess (0 for none), then the point found.
    ///
    /// # Errors
    /// [`LcpError::VectorLength`] if the length of `z` is not `n`.
    pub fn solve(&mut self, problem: LcpProblem<'_>, z: &mut [f64]) -> Result<LcpOutcome, LcpError> {
        let outcome = self.solve_by_turns(problem, z)?;
        self.is_refuted = outcome.status == LcpStatus::Ray;
        Ok(outcome)
    }

    fn solve_by_turns(&mut self, problem: LcpProblem<'_>, z: &mut [f64]) -> Result<LcpOutcome, LcpError> {
        problem.check_length("z", z)?;
        clip(z);
        self.method = LcpMethod::Guess;
        let residual = problem.residual_of(z);
        if residual <= self.tolerance {
            return Ok(LcpOutcome { status: LcpStatus::Solved, iterations: 0, residual });
        }
        self.guess.clear();
        self.guess.extend_from_slice(z);
        let order = if problem.dimension() <= LARGE {
            [LcpMethod::Lemke, LcpMethod::Newton, LcpMethod::Sweeps]
        } else {
            [LcpMethod::Newton, LcpMethod::Lemke, LcpMethod::Sweeps]
        };
        let mut best = LcpOutcome { status: LcpStatus::PivotLimit, iterations: 0, residual };
        for method in order {
            z.copy_from_slice(&self.guess);
            let outcome = match method {
                LcpMethod::Newton => self.newton.solve(problem, z)?,
                LcpMethod::Sweeps => self.sweeps.solve(problem, z)?,
                _ => self.lemke.solve(problem, z)?,
            };
            self.method = method;
            if outcome.is_solved() || matches!(outcome.status, LcpStatus::Ray | LcpStatus::Interrupted) {
                return Ok(outcome);
            }
            if method == LcpMethod::Lemke {
                self.refused.clear();
                self.refused.extend_from_slice(z);
                best = outcome;
            }
        }
        // What Lemke's method says counts, at the point that it gives for that.
        self.method = LcpMethod::Lemke;
        z.copy_from_slice(&self.refused);
        self.enumerate(problem, &mut best, z);
        let is_open = matches!(best.status, LcpStatus::PivotLimit | LcpStatus::Stalled);
        if is_open && problem.dimension() <= PROVABLE && self.lemke.refutes(problem) {
            z.fill(0.0);
            (best.status, best.residual) = (LcpStatus::Ray, problem.residual_of(z));
        }
        Ok(best)
    }

    /// What all bases of a small problem give, where that is a solution, if only up to round-off.
    fn enumerate(&mut self, problem: LcpProblem<'_>, best: &mut LcpOutcome, z: &mut [f64]) {
        let tolerance = self.tolerance;
        let (residual, bases) =
            self.enumeration.improve(problem, tolerance, &mut self.refused, best.residual);
        best.iterations += bases;
        let is_solved = residual <= tolerance;
        if is_solved
            || (residual < best.residual && problem.is_met_up_to_rounding(&self.refused, tolerance, 0))
        {
            z.copy_from_slice(&self.refused);
            self.method = LcpMethod::Enumeration;
            best.status = if is_solved { LcpStatus::Solved } else { LcpStatus::Inaccurate };
            best.residual = residual;
        }
    }
}

impl Default for LcpSolver {
    /// With the tolerance 1e-10.
    fn default() -> Self {
        Self::with(1e-10)
    }
}
