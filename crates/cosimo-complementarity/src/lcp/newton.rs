//! Semismooth Newton method on Fischer's and Burmeister's function, with line search.

use cosimo_linear::DenseLu;
use nalgebra::{DMatrix, DVector};

use super::projected_gauss_seidel::clip;
use crate::{LcpError, LcpOutcome, LcpProblem, LcpStatus};

/// Share of the predicted decrease that a step must bring (Armijo).
const SUFFICIENT: f64 = 1e-4;
/// Halvings of a step before the direction is given up.
const MAX_HALVINGS: usize = 40;
/// Steps in which the merit function must fall to this share, or it gives up: near a solution it falls by more in one, and
/// where there is none it falls for ever.
const PATIENCE: usize = 10;
const PROGRESS: f64 = 0.5;
/// `ν`, relative to the mean diagonal of `JᵀJ`.
const DAMPING: f64 = 1e-8;

/// Settings of [`FischerBurmeister`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FischerBurmeisterConfig {
    /// Largest [`LcpProblem::residual`] of a solution; positive and finite. Default: 1e-10.
    pub tolerance: f64,
    /// Newton steps, each of order `n³`, after which it gives up. Default: 100.
    pub max_steps: usize,
}

impl Default for FischerBurmeisterConfig {
    fn default() -> Self {
        Self { tolerance: 1e-10, max_steps: 100 }
    }
}

/// Newton's method on the equation `Φ(z) = 0`,
///
/// ```text
///   Φᵢ = φ(d zᵢ, wᵢ)        φ(a, b) = a + b − √(a² + b²)        w = M z + q
/// ```
///
/// with `φ(a, b) = 0` exactly where `a ≥ 0`, `b ≥ 0`, `a b = 0`, and `d` the
/// [`diagonal_scale`](LcpProblem::diagonal_scale). Steps are halved until the merit function `½‖Φ‖²` falls enough; where
/// the Jacobian is singular or its direction no descent, Levenberg's and Marquardt's direction takes its place, which
/// always is one. Converges quadratically near solutions where the Jacobian is regular, as for P-matrices.
///
/// Reference: T. De Luca, F. Facchinei, C. Kanzow, *A semismooth equation approach to the solution of nonlinear
/// complementarity problems*, Mathematical Programming 75 (1996) 407–439.
///
/// ```
/// use cosimo_complementarity::{FischerBurmeister, FischerBurmeisterConfig, LcpProblem};
/// let problem = LcpProblem::new(&[2.0, 1.0, 1.0, 2.0], &[-4.0, -1.0])?;
/// let mut z = [0.0; 2];
/// let outcome = FischerBurmeister::new(FischerBurmeisterConfig::default())?.solve(problem, &mut z)?;
/// assert!(outcome.is_solved() && (z[0] - 2.0).abs() < 1e-9);
/// # Ok::<(), cosimo_complementarity::LcpError>(())
/// ```
#[derive(Debug, Clone)]
pub struct FischerBurmeister {
    config: FischerBurmeisterConfig,
    lu: DenseLu,
    jacobian: DMatrix<f64>,
    phi: Vec<f64>,
    gradient: DVector<f64>,
    direction: DVector<f64>,
    trial: Vec<f64>,
    /// The best point found, cut off at zero.
    best: Vec<f64>,
    clipped: Vec<f64>,
}

impl FischerBurmeister {
    /// A solver with these settings.
    ///
    /// # Errors
    /// A tolerance that is not positive and finite.
    pub fn new(config: FischerBurmeisterConfig) -> Result<Self, LcpError> {
        if !(config.tolerance > 0.0 && config.tolerance.is_finite()) {
            return Err(LcpError::Tolerance { found: config.tolerance });
        }
        Ok(Self::with(config))
    }

    /// A solver with settings that keep the rules.
    pub(super) fn with(config: FischerBurmeisterConfig) -> Self {
        Self {
            config,
            lu: DenseLu::default(),
            jacobian: DMatrix::zeros(0, 0),
            phi: Vec::new(),
            gradient: DVector::zeros(0),
            direction: DVector::zeros(0),
            trial: Vec::new(),
            best: Vec::new(),
            clipped: Vec::new(),
        }
    }

    /// Solves `problem`; `z` holds the first guess, of which entries that are negative or not finite count as 0, and
    /// then the best point found, never negative.
    ///
    /// # Errors
    /// [`LcpError::VectorLength`] if the length of `z` is not `n`.
    pub fn solve(&mut self, problem: LcpProblem<'_>, z: &mut [f64]) -> Result<LcpOutcome, LcpError> {
        problem.check_length("z", z)?;
        self.prepare(problem, z);
        let mut outcome =
            LcpOutcome { status: LcpStatus::IterationLimit, iterations: 0, residual: f64::INFINITY };
        let mut merit = self.evaluate(problem, z);
        let (mut milestone, mut waited) = (merit, 0);
        loop {
            outcome.residual = self.keep_better(problem, z, outcome.residual);
            if outcome.residual <= self.config.tolerance {
                outcome.status = LcpStatus::Solved;
                break;
            }
            if outcome.iterations == problem.budget.limit(self.config.max_steps) {
                break;
            }
            if problem.budget.is_over() {
                outcome.status = LcpStatus::Interrupted;
                break;
            }
            outcome.iterations += 1;
            let found = self.step(problem, z, merit);
            waited += 1;
            merit = found.unwrap_or(merit);
            if merit <= PROGRESS * milestone {
                (milestone, waited) = (merit, 0);
            }
            if found.is_none() || waited == PATIENCE {
                outcome.status = LcpStatus::Stalled;
                break;
            }
        }
        z.copy_from_slice(&self.best);
        Ok(outcome)
    }

    fn prepare(&mut self, problem: LcpProblem<'_>, z: &mut [f64]) {
        clip(z);
        let n = problem.dimension();
        if self.phi.len() != n {
            self.jacobian = DMatrix::zeros(n, n);
            (self.gradient, self.direction) = (DVector::zeros(n), DVector::zeros(n));
        }
        for buffer in [&mut self.phi, &mut self.trial, &mut self.clipped, &mut self.best] {
            buffer.resize(n, 0.0);
        }
        self.best.copy_from_slice(z);
    }

    /// `½‖Φ‖²` at `z`; `Φ` is kept.
    fn evaluate(&mut self, problem: LcpProblem<'_>, z: &[f64]) -> f64 {
        let scale = problem.diagonal_scale();
        for row in 0..z.len() {
            let (a, b) = (scale * z[row], problem.complement_at(row, z));
            self.phi[row] = fischer(a, b);
        }
        0.5 * self.phi.iter().map(|phi| phi * phi).sum::<f64>()
    }

    /// Keeps `z`, cut off at zero, if its residual is below `residual`; gives the smaller of both.
    fn keep_better(&mut self, problem: LcpProblem<'_>, z: &[f64], residual: f64) -> f64 {
        self.clipped.copy_from_slice(z);
        clip(&mut self.clipped);
        let found = problem.residual_of(&self.clipped);
        if !(found < residual) {
            return residual;
        }
        self.best.copy_from_slice(&self.clipped);
        found
    }

    /// A step from `z`; its merit, or `None` where nothing makes it better.
    fn step(&mut self, problem: LcpProblem<'_>, z: &mut [f64], merit: f64) -> Option<f64> {
        self.write_jacobian(problem, z);
        for (row, phi) in self.phi.iter().enumerate() {
            self.direction[row] = -phi;
        }
        self.jacobian.tr_mul_to(&self.direction, &mut self.gradient);
        // The gradient of the merit function, with its sign turned.
        if self.lu.factorize(&self.jacobian).is_ok() {
            self.lu.solve(self.direction.as_mut_slice());
            let slope = -self.gradient.dot(&self.direction);
            let found = if slope < 0.0 { self.search(problem, z, merit, slope) } else { None };
            if found.is_some() {
                return found;
            }
        }
        self.write_damped_direction()?;
        let slope = -self.gradient.dot(&self.direction);
        if slope < 0.0 { self.search(problem, z, merit, slope) } else { None }
    }

    /// An element of the generalised Jacobian of `Φ`.
    fn write_jacobian(&mut self, problem: LcpProblem<'_>, z: &[f64]) {
        let (n, scale) = (problem.dimension(), problem.diagonal_scale());
        for row in 0..n {
            let (a, b) = (scale * z[row], problem.complement_at(row, z));
            let length = a.hypot(b);
            // Where both are zero any point of a disc will do.
            let (da, db) = if length > 0.0 { (1.0 - a / length, 1.0 - b / length) } else { (0.5, 0.5) };
            for column in 0..n {
                self.jacobian[(row, column)] = db * problem.matrix()[row + column * n];
            }
            self.jacobian[(row, row)] += da * scale;
        }
    }

    /// Levenberg's and Marquardt's direction, `(JᵀJ + ν I) d = −JᵀΦ`.
    fn write_damped_direction(&mut self) -> Option<()> {
        let mut normal = self.jacobian.tr_mul(&self.jacobian);
        let n = normal.nrows();
        let damping = DAMPING * normal.trace() / n as f64;
        (0..n).for_each(|i| normal[(i, i)] += damping);
        self.lu.factorize(&normal).ok()?;
        self.direction.copy_from(&self.gradient);
        self.lu.solve(self.direction.as_mut_slice());
        Some(())
    }

    /// Halves the step along the direction until the merit function falls enough; moves `z`.
    fn search(&mut self, problem: LcpProblem<'_>, z: &mut [f64], merit: f64, slope: f64) -> Option<f64> {
        let mut length = 1.0;
        for _ in 0..MAX_HALVINGS {
            let mut trial = std::mem::take(&mut self.trial);
            for ((trial, z), d) in trial.iter_mut().zip(&*z).zip(self.direction.iter()) {
                *trial = z + length * d;
            }
            let found = self.evaluate(problem, &trial);
            self.trial = trial;
            if found <= merit + SUFFICIENT * length * slope {
                z.copy_from_slice(&self.trial);
                return Some(found);
            }
            length *= 0.5;
        }
        // Φ of the point that is kept.
        self.evaluate(problem, z);
        None
    }
}

/// `a + b − √(a² + b²)`, without cancellation where one is much larger than the other.
fn fischer(a: f64, b: f64) -> f64 {
    if a + b > 0.0 { 2.0 * a * b / (a + b + a.hypot(b)) } else { a + b - a.hypot(b) }
}
