//! The states of a force law over a step, by the trapezoidal rule.

use cosimo_linear::DenseLu;
use cosimo_subsystem::{MacroStep, PortMotion};
use nalgebra::DMatrix;

use super::law::{ForceLaw, LawDerivatives, instant};

/// Newton's steps before the states count as not found.
const MAX_ITERATIONS: usize = 50;
/// Last change of the states (relative to their size, or to the change over the step).
const TOLERANCE: f64 = 1e-14;

/// The states at the end of a step, and how they follow the motion there.
#[derive(Debug)]
pub(super) struct StateStep {
    /// States at the end.
    pub(super) end: Vec<f64>,
    /// `∂s₁/∂z₁` and `∂s₁/∂ż₁`, `n × d`.
    pub(super) by_position: DMatrix<f64>,
    pub(super) by_velocity: DMatrix<f64>,
    start_rates: Vec<f64>,
    rates: Vec<f64>,
    residual: Vec<f64>,
    matrix: DMatrix<f64>,
    lu: DenseLu,
    column: Vec<f64>,
}

impl StateStep {
    pub(super) fn new(coordinates: usize, states: usize) -> Self {
        let zero = vec![0.0; states];
        Self {
            end: zero.clone(),
            by_position: DMatrix::zeros(states, coordinates),
            by_velocity: DMatrix::zeros(states, coordinates),
            start_rates: zero.clone(),
            rates: zero.clone(),
            residual: zero.clone(),
            matrix: DMatrix::zeros(states, states),
            lu: DenseLu::default(),
            column: zero,
        }
    }

    /// Solves `s₁ − s₀ − h/2 (g₀ + g₁) = 0`; says whether it was solved. The derivatives are left at the solution.
    pub(super) fn solve(
        &mut self,
        law: &dyn ForceLaw,
        (start, motion): (&[f64], &PortMotion),
        MacroStep { time, size }: MacroStep,
        derivatives: &mut LawDerivatives,
    ) -> bool {
        self.end.copy_from_slice(start);
        if start.is_empty() {
            law.derivatives(&instant(time + size, &motion.end, &self.end), derivatives);
            return true;
        }
        law.rates(&instant(time, &motion.start, start), &mut self.start_rates);
        for _ in 0..MAX_ITERATIONS {
            let at = instant(time + size, &motion.end, &self.end);
            law.rates(&at, &mut self.rates);
            law.derivatives(&at, derivatives);
            for (k, residual) in self.residual.iter_mut().enumerate() {
                *residual = start[k] + 0.5 * size * (self.start_rates[k] + self.rates[k]) - self.end[k];
            }
            if !self.factorize(size, derivatives) {
                return false;
            }
            self.lu.solve(&mut self.residual);
            let (mut change, mut scale) = (0.0_f64, f64::MIN_POSITIVE);
            for (s, correction) in self.end.iter_mut().zip(&self.residual) {
                *s += correction;
                change = change.max(correction.abs());
                scale = scale.max(s.abs());
            }
            if change <= TOLERANCE * scale {
                return self.follow(size, derivatives);
            }
        }
        false
    }

    /// `I − h/2 ∂g/∂s`.
    fn factorize(&mut self, size: f64, derivatives: &LawDerivatives) -> bool {
        self.matrix.fill_with_identity();
        for (entry, rate) in self.matrix.iter_mut().zip(derivatives.rate_state.iter()) {
            *entry -= 0.5 * size * rate;
        }
        self.lu.factorize(&self.matrix).is_ok()
    }

    /// How the states at the end follow the motion there.
    fn follow(&mut self, size: f64, derivatives: &LawDerivatives) -> bool {
        for (rates, out) in [
            (&derivatives.rate_position, &mut self.by_position),
            (&derivatives.rate_velocity, &mut self.by_velocity),
        ] {
            for k in 0..rates.ncols() {
                self.column
                    .iter_mut()
                    .zip(rates.column(k).iter())
                    .for_each(|(x, rate)| *x = 0.5 * size * rate);
                self.lu.solve(&mut self.column);
                out.column_mut(k).copy_from_slice(&self.column);
            }
        }
        true
    }
}
