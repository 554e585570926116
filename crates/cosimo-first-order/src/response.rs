//! How the rows answer to impulses, and load ports to motion.

use cosimo_dynamics::Stage;
use cosimo_linear::DenseLu;
use nalgebra::DMatrix;

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
            fill(&mut self.matrix, &self.found.rates_by_states, weight);
            self.of.1 = f64::NAN;
            self.factors.factorize(&self.matrix).map_err(|_| SystemError::Singular)?;
            self.of.0.copy_from(&self.found.rates_by_states);
            self.of.1 = weight;
            self.factorizations += 1;
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

    /// Change of output `i` at the end for a unit of input `j` at the stage, both by their places in the selection: what comes by the states,
    /// and what feeds through.
    pub(crate) fn entry(&self, i: usize, j: usize) -> (f64, f64) {
        let c = self.found.outputs_by_states.row(i);
        let by_states = c.iter().zip(self.states.column(j).iter()).map(|(c, x)| c * x).sum();
        (by_states, self.found.outputs_by_inputs[(i, j)])
    }

    /// Writes `W = C (I − c_v A)⁻¹ B + D/d_v`; whether it is another than before.
    pub(crate) fn write_inverse_mass(&self, stage: &Stage, out: &mut DMatrix<f64>) -> bool {
        let mut is_new = false;
        for j in 0..out.ncols() {
            for i in 0..out.nrows() {
                let (by_states, direct) = self.entry(i, j);
                let value = by_states + if direct == 0.0 { 0.0 } else { direct / stage.end_velocity };
                is_new |= value.to_bits() != out[(i, j)].to_bits();
                out[(i, j)] = value;
            }
        }
        is_new
    }
}
