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
        let mut last = f64::INFINITY;
        let mut worst = (0, f64::INFINITY);
        for iteration in 0..ITERATIONS {
            self.place(at, unknown);
            let point = Point { time: at.time, states: &self.states, inputs: at.inputs };
            system.rates(point, &mut self.rates)?;
            check_finite("the rate of state", at.time, &self.rates)?;
            if n == 0 {
                return Ok(());
            }
            if std::mem::take(&mut is_renewed) {
                lineariser.of_rates(system, point, found)?;
                self.working.copy_from(&found.rates_by_states);
                self.factored = f64::NAN;
            }
            self.factorize(at.weight)?;
            self.rates.iter_mut().zip(unknown.iter()).for_each(|(rate, w)| *rate -= w);
            self.factors.solve(&mut self.rates);
            unknown.iter_mut().zip(&self.rates).for_each(|(w, correction)| *w += correction);
            self.iterations += 1;
            worst = self.largest_correction(at.weight, system.nominals());
            check_finite("the rate of state", at.time, unknown)?;
            if worst.1 <= TOLERANCE || (worst.1 <= FLOOR && worst.1 >= last) {
                self.place(at, unknown);
                return Ok(());
            }
            is_renewed = iteration > 0 && worst.1 > SLOW * last;
            last = worst.1;
        }
        Err(SystemError::NotConverged { iterations: ITERATIONS, state: worst.0, correction: worst.1 })
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
