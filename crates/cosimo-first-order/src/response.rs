//! How the rows answer to impulses, and load ports to motion.

use cosimo_dynamics::StepFormula;
use cosimo_linear::DenseLu;
use cosimo_mechanics::ImpulseMoments;
use nalgebra::{DMatrix, DVector};

use crate::stage::fill;
use crate::{Linearisation, SystemError};

/// `(I − c_v A)⁻¹ B` and what is made of it.
#[derive(Debug)]
pub(crate) struct Sensitivity {
    /// Derivatives where the last step was linearised.
    pub(crate) found: Linearisation,
    matrix: DMatrix<f64>,
    factors: DenseLu,
    /// `A` and `c_v` of the factors.
    of: (DMatrix<f64>, f64),
    states: DMatrix<f64>,
    column: Vec<f64>,
    /// Of every state whether an impulse on a row acts on it.
    acts: Vec<bool>,
    pub(crate) factorizations: u64,
}

impl Sensitivity {
    pub(crate) fn new(found: Linearisation) -> Self {
        let n = found.rates_by_states.nrows();
        Self {
            matrix: DMatrix::zeros(n, n),
            factors: DenseLu::default(),
            of: (DMatrix::zeros(n, n), f64::NAN),
            states: DMatrix::zeros(n, found.rates_by_inputs.ncols()),
            column: vec![0.0; n],
            acts: vec![false; n],
            factorizations: 0,
            found,
        }
    }

    /// Solves for the columns of `(I − c_v A)⁻¹ B`.
    pub(crate) fn solve(&mut self, weight: f64) -> Result<(), SystemError> {
        let n = self.found.rates_by_states.nrows();
        if n == 0 {
            return Ok(());
        }
        if self.of.1.to_bits() != weight.to_bits() || self.of.0 != self.found.rates_by_states {
            self.factorize(weight)?;
        }
        let driving = &self.found.rates_by_inputs;
        for (i, acts) in self.acts.iter_mut().enumerate() {
            *acts = driving.row(i).iter().any(|b| *b != 0.0);
        }
        for j in 0..self.states.ncols() {
            for (x, b) in self.column.iter_mut().zip(self.found.rates_by_inputs.column(j).iter()) {
                *x = *b;
            }
            self.factors.solve(&mut self.column);
            self.states.column_mut(j).copy_from_slice(&self.column);
        }
        Ok(())
    }

    fn factorize(&mut self, weight: f64) -> Result<(), SystemError> {
        fill(&mut self.matrix, &self.found.rates_by_states, weight);
        self.of.1 = f64::NAN;
        self.factors.factorize(&self.matrix).map_err(|_| SystemError::Singular)?;
        self.of.0.copy_from(&self.found.rates_by_states);
        self.of.1 = weight;
        self.factorizations += 1;
        Ok(())
    }

    /// Change of output `i` at the end for a unit of input `j` at the stage, both by their places in the selection: what comes by the states,
    /// and what feeds through.
    pub(crate) fn entry(&self, i: usize, j: usize) -> (f64, f64) {
        let c = self.found.outputs_by_states.row(i);
        let by_states = c.iter().zip(self.states.column(j).iter()).map(|(c, x)| c * x).sum();
        (by_states, self.found.outputs_by_inputs[(i, j)])
    }

    /// Adds to states what impulses inside the step, told by their moments about its end, make of them:
    ///
    /// ```text
    ///   δx = S Σξ + Q A S Σ(s − c) ξ + S₂ Σ(c − s) ξ + Q A S₂ Σ(s − c)(c − s/2) ξ      S = (I − c A)⁻¹ B
    ///   S₂ = −(I − c A)⁻¹ (I − Q) A (I − Q) S
    /// ```
    ///
    /// with `c = c_v`. `Q` keeps the states that no impulse acts on: positions, whose rates are velocities.
    pub(crate) fn add_moments(&mut self, weight: f64, moments: &ImpulseMoments, states: &mut [f64]) {
        let n = states.len();
        let acts = &self.acts;
        let sum =
            |of: &[f64]| DVector::from_fn(n, |i, _| (0..of.len()).map(|j| self.states[(i, j)] * of[j]).sum());
        let a = &self.found.rates_by_states;
        let kept = |mut x: DVector<f64>, wanted: bool| {
            x.iter_mut().zip(acts).filter(|(_, acts)| **acts != wanted).for_each(|(x, _)| *x = 0.0);
            x
        };
        let later = |position: &[f64], velocity: &[f64]| -> Vec<f64> {
            position.iter().zip(velocity).map(|(p, v)| p - weight * v).collect()
        };
        let damped = |of: &[f64]| {
            let mut x = -kept(a * kept(sum(of), true), true);
            self.factors.solve(x.as_mut_slice());
            x
        };
        let ImpulseMoments { velocity, velocity_damped, position, position_damped } = moments;
        let change = sum(velocity)
            + kept(a * sum(&later(position, velocity)), false)
            + damped(velocity_damped)
            + kept(a * damped(&later(position_damped, velocity_damped)), false);
        states.iter_mut().zip(change.iter()).for_each(|(x, change)| *x += change);
    }

    /// Writes `W₂ = C S₂`.
    pub(crate) fn write_damped(&mut self, out: &mut DMatrix<f64>) {
        let (n, r) = (self.states.nrows(), out.ncols());
        for j in 0..r {
            for i in 0..n {
                let a = &self.found.rates_by_states;
                let driving = (0..n).filter(|k| self.acts[*k]);
                let rate: f64 = driving.map(|k| a[(i, k)] * self.states[(k, j)]).sum();
                self.column[i] = if self.acts[i] { -rate } else { 0.0 };
            }
            self.factors.solve(&mut self.column);
            for i in 0..out.nrows() {
                let c = self.found.outputs_by_states.row(i);
                out[(i, j)] = c.iter().zip(&self.column).map(|(c, x)| c * x).sum();
            }
        }
    }

    /// Writes `W = C (I − c_v A)⁻¹ B + D/d_v`; whether it is another than before.
    pub(crate) fn write_inverse_mass(&self, formula: &StepFormula, out: &mut DMatrix<f64>) -> bool {
        let mut is_new = false;
        for j in 0..out.ncols() {
            for i in 0..out.nrows() {
                let (by_states, direct) = self.entry(i, j);
                let value = by_states + if direct == 0.0 { 0.0 } else { direct / formula.end.velocity };
                is_new |= value.to_bits() != out[(i, j)].to_bits();
                out[(i, j)] = value;
            }
        }
        is_new
    }
}
