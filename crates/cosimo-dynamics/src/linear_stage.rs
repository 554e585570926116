//! The implicit stage of a linear system.

use cosimo_linear::{Factorization, FactorizationError, StructuredMatrix};
use nalgebra::DMatrix;

use crate::{ConstraintLevel, EquationsOfMotion, LinearSystem, MotionState, Prediction, Stage};

/// The factorised stage of a linear system: solved by one back-substitution a step.
#[derive(Debug, Default)]
pub(crate) struct LinearStage {
    factorization: Factorization,
    /// `(c_v, c_q)` that the factors belong to.
    coefficients: Option<(f64, f64)>,
    /// Coefficients whose factorisation was counted in the run that the state was restored from.
    counted: Option<(f64, f64)>,
    count: u64,
    unknowns: Vec<f64>,
    kkt: DMatrix<f64>,
}

impl LinearStage {
    /// Factorises `[J Φᵀ; Φ 0]` where the stage's coefficients have changed; says whether it did.
    pub(crate) fn prepare(
        &mut self,
        system: &LinearSystem,
        stage: &Stage,
    ) -> Result<bool, FactorizationError> {
        let coefficients = (stage.velocity, stage.position);
        if self.coefficients == Some(coefficients) {
            return Ok(false);
        }
        self.coefficients = None;
        let (n, m) = (system.coordinates(), system.constraints.len());
        self.unknowns.resize(n + m, 0.0);
        let terms =
            [(1.0, &system.mass), (stage.velocity, &system.damping), (stage.position, &system.stiffness)];
        if n > 0 && terms.iter().all(|(f, matrix)| *f == 0.0 || matches!(matrix, StructuredMatrix::Zero(_))) {
            return Err(FactorizationError::Singular { column: 0 });
        }
        if m == 0 {
            self.factorization.factorize_sum(&terms)?;
        } else {
            if self.kkt.nrows() != n + m {
                self.kkt = DMatrix::zeros(n + m, n + m);
            }
            self.kkt.fill(0.0);
            for (factor, matrix) in terms {
                matrix.add_to_dense(factor, &mut self.kkt);
            }
            for (k, row) in system.constraints.iter().enumerate() {
                for &(j, w) in &row.weights {
                    self.kkt[(n + k, j)] += w;
                    self.kkt[(j, n + k)] += w;
                }
            }
            self.factorization.factorize_dense(&self.kkt)?;
        }
        self.coefficients = Some(coefficients);
        self.count += u64::from(self.counted.take() != Some(coefficients));
        Ok(true)
    }

    /// Factorisations so far.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Does not count the next factorisation if it is that of these coefficients: a run that goes on from a saved state
    /// has the counts of one without a break.
    pub(crate) fn count_as_done(&mut self, coefficients: (f64, f64)) {
        self.counted = Some(coefficients).filter(|_| self.coefficients != Some(coefficients));
    }

    /// Solves for the stage's unknown `u` without loads; `state` is the start of the step of size `h`.
    pub(crate) fn solve_free(
        &mut self,
        system: &LinearSystem,
        stage: &Stage,
        (state, h, level): (&MotionState, f64, ConstraintLevel),
        prediction: &Prediction,
        u: &mut [f64],
    ) {
        let t = state.time + stage.time_share * h;
        system.total_force(t, &prediction.stage_q, &prediction.stage_v, u);
        if system.constraints.is_empty() {
            self.factorization.solve(u);
            return;
        }
        let (force, rows) = self.unknowns.split_at_mut(u.len());
        force.copy_from_slice(u);
        for (residual, row) in rows.iter_mut().zip(&system.constraints) {
            *residual = match level {
                ConstraintLevel::Position => (row.offset - row.dot(&prediction.end_q)) / stage.end_position,
                ConstraintLevel::Velocity => {
                    -(row.dot(&prediction.end_v) + (row.dot(&state.q) - row.offset) / h) / stage.end_velocity
                }
            };
        }
        self.factorization.solve(&mut self.unknowns);
        u.copy_from_slice(&self.unknowns[..u.len()]);
    }

    /// Overwrites `x`, a generalised load of length `n`, with `J⁻¹ x` on the constrained motions.
    pub(crate) fn solve_load(&mut self, x: &mut [f64]) {
        let n = x.len();
        if self.unknowns.len() == n {
            self.factorization.solve(x);
            return;
        }
        self.unknowns[..n].copy_from_slice(x);
        self.unknowns[n..].fill(0.0);
        self.factorization.solve(&mut self.unknowns);
        x.copy_from_slice(&self.unknowns[..n]);
    }
}
