//! Newton's method for the stage of a step.

use cosimo_linear::DenseLu;
use nalgebra::DMatrix;

use crate::differences::Lineariser;
use crate::{FirstOrderSystem, Linearisation, Point, SystemError};

/// Iterations in one stage at most.
const ITERATIONS: u32 = 30;
/// Correction, relative to the states or their nominal sizes, with which the iteration has ended (–).
const TOLERANCE: f64 = 1e-13;
/// Contraction of the corrections above which the matrix is renewed.
const SLOW: f64 = 0.1;
/// Correction that is taken for round-off if it does not become smaller (–).
const FLOOR: f64 = 1e-9;

/// Where a stage is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StagePoint<'a> {
    /// Its instant (s).
    pub(crate) time: f64,
    /// `c_v` (s).
    pub(crate) weight: f64,
    /// `x*`.
    pub(crate) explicit: &'a [f64],
    /// `u` at that instant.
    pub(crate) inputs: &'a [f64],
}

/// Solves `w = f(t_e, x* + c_v w, u)`.
#[derive(Debug)]
pub(crate) struct StageSolver {
    /// `∂f/∂x` that steps begin with: a part of the state.
    pub(crate) kept: DMatrix<f64>,
    /// Whether it has been found.
    pub(crate) has_kept: bool,
    /// `∂f/∂x` of the stage solved last.
    working: DMatrix<f64>,
    matrix: DMatrix<f64>,
    factors: DenseLu,
    /// `c_v` of the factors; NaN where they are of another matrix.
    factored: f64,
    states: Vec<f64>,
    rates: Vec<f64>,
    residual: Vec<f64>,
    /// The unknown before the last correction.
    before: Vec<f64>,
    pub(crate) iterations: u64,
    pub(crate) factorizations: u64,
}

impl StageSolver {
    pub(crate) fn new(states: usize) -> Self {
        let square = DMatrix::zeros(states, states);
        Self {
            kept: square.clone(),
            has_kept: false,
            working: square.clone(),
            matrix: square,
            factors: DenseLu::default(),
            factored: f64::NAN,
            states: vec![0.0; states],
            rates: vec![0.0; states],
            residual: vec![0.0; states],
            before: vec![0.0; states],
            iterations: 0,
            factorizations: 0,
        }
    }

    /// States at the stage solved last.
    pub(crate) fn states(&self) -> &[f64] {
        &self.states
    }

    /// Solves a stage from the guess in `unknown`.
    pub(crate) fn solve<S: FirstOrderSystem>(
        &mut self,
        system: &mut S,
        lineariser: &mut Lineariser,
        (found, at): (&mut Linearisation, StagePoint<'_>),
        unknown: &mut [f64],
    ) -> Result<(), SystemError> {
        let n = unknown.len();
        let mut is_renewed = !self.has_kept;
        if self.has_kept && self.working != self.kept {
            self.working.copy_from(&self.kept);
            self.factored = f64::NAN;
        }
        let (mut last, mut was_new) = (f64::INFINITY, true);
        let mut worst = (0, f64::INFINITY);
        for _ in 0..ITERATIONS {
            self.place(at, unknown);
            let point = Point { time: at.time, states: &self.states, inputs: at.inputs };
            system.rates(point, &mut self.rates)?;
            check_finite("the rate of state", at.time, &self.rates)?;
            if n == 0 {
                return Ok(());
            }
            self.residual.iter_mut().zip(&self.rates).zip(unknown.iter()).for_each(|((r, f), w)| *r = f - w);
            let mut is_new = std::mem::take(&mut is_renewed);
            if is_new {
                self.renew(system, lineariser, (found, at))?;
            }
            worst = self.find_correction(at.weight, system.nominals())?;
            self.iterations += 1;
            if !is_new && worst.1 > SLOW * last && worst.1 > FLOOR {
                // Corrections by a matrix of elsewhere that do not contract are not taken, or taken back: they may lead to another solution.
                if !was_new && worst.1 > last {
                    unknown.copy_from_slice(&self.before);
                    (last, was_new, is_renewed) = (f64::INFINITY, true, true);
                    continue;
                }
                self.renew(system, lineariser, (found, at))?;
                worst = self.find_correction(at.weight, system.nominals())?;
                is_new = true;
            }
            is_renewed = worst.1 > SLOW * last;
            self.before.copy_from_slice(unknown);
            was_new = is_new;
            unknown.iter_mut().zip(&self.rates).for_each(|(w, correction)| *w += correction);
            check_finite("the rate of state", at.time, unknown)?;
            if worst.1 <= TOLERANCE || (worst.1 <= FLOOR && worst.1 >= last) {
                self.place(at, unknown);
                return Ok(());
            }
            last = worst.1;
        }
        Err(SystemError::NotConverged { iterations: ITERATIONS, state: worst.0, correction: worst.1 })
    }

    /// Finds the matrix at the present states.
    fn renew<S: FirstOrderSystem>(
        &mut self,
        system: &mut S,
        lineariser: &mut Lineariser,
        (found, at): (&mut Linearisation, StagePoint<'_>),
    ) -> Result<(), SystemError> {
        let point = Point { time: at.time, states: &self.states, inputs: at.inputs };
        lineariser.of_rates(system, point, found)?;
        self.working.copy_from(&found.rates_by_states);
        self.factored = f64::NAN;
        Ok(())
    }

    /// Writes the correction into the rates; the state whose correction is largest, and how large it is.
    fn find_correction(&mut self, weight: f64, nominals: &[f64]) -> Result<(usize, f64), SystemError> {
        self.factorize(weight)?;
        self.rates.copy_from_slice(&self.residual);
        self.factors.solve(&mut self.rates);
        Ok(self.largest_correction(weight, nominals))
    }

    /// The matrix of the stage solved last is what the next step begins with.
    pub(crate) fn keep(&mut self) {
        self.kept.copy_from(&self.working);
        self.has_kept = true;
    }

    /// `x = x* + c_v w`.
    fn place(&mut self, at: StagePoint<'_>, unknown: &[f64]) {
        for ((x, explicit), w) in self.states.iter_mut().zip(at.explicit).zip(unknown) {
            *x = explicit + at.weight * w;
        }
    }

    /// Factorises `I − c_v A` if the factors are of another.
    fn factorize(&mut self, weight: f64) -> Result<(), SystemError> {
        if self.factored.to_bits() == weight.to_bits() {
            return Ok(());
        }
        fill(&mut self.matrix, &self.working, weight);
        self.factorizations += 1;
        self.factors.factorize(&self.matrix).map_err(|_| SystemError::Singular)?;
        self.factored = weight;
        Ok(())
    }

    /// The state whose correction is largest against its size, and how large it is.
    fn largest_correction(&self, weight: f64, nominals: &[f64]) -> (usize, f64) {
        let all = self.states.iter().zip(nominals).zip(&self.rates).enumerate();
        let shares = all
            .map(|(k, ((x, nominal), correction))| (k, (weight * correction).abs() / x.abs().max(*nominal)));
        shares.fold((0, 0.0), |most, one| if one.1 > most.1 { one } else { most })
    }
}

/// `I − weight A`.
pub(crate) fn fill(matrix: &mut DMatrix<f64>, a: &DMatrix<f64>, weight: f64) {
    matrix.copy_from(a);
    *matrix *= -weight;
    for k in 0..a.nrows() {
        matrix[(k, k)] += 1.0;
    }
}

/// Refuses numbers that are not finite.
pub(crate) fn check_finite(what: &'static str, time: f64, values: &[f64]) -> Result<(), SystemError> {
    match values.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(SystemError::NotFinite { what, index, time }),
        None => Ok(()),
    }
}
