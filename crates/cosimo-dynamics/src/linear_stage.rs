//! The implicit stage of a linear system.

use cosimo_linear::{Factorization, FactorizationError, StructuredMatrix};
use nalgebra::DMatrix;

use crate::explicit_parts::ExplicitParts;
use crate::factors::Factors;
use crate::rules::StepFormula;
use crate::{ConstraintLevel, LinearSystem, MotionState};

/// The factorised stage of a linear system: solved by one back-substitution a step.
#[derive(Debug, Default)]
pub(crate) struct LinearStage {
    factors: Factors,
    unknowns: Vec<f64>,
    kkt: DMatrix<f64>,
}

impl LinearStage {
    /// Brings the factors of `[J Φᵀ; Φ 0]` for this stage into use; says whether they are others than before.
    pub(crate) fn prepare(
        &mut self,
        system: &LinearSystem,
        formula: &StepFormula,
    ) -> Result<bool, FactorizationError> {
        let (kkt, unknowns) = (&mut self.kkt, &mut self.unknowns);
        self.factors.prepare((formula.stage_velocity(), formula.stage_position()), |factors| {
            unknowns.resize(system.coordinates() + system.constraints.len(), 0.0);
            factorize(system, formula, factors, kkt)
        })
    }

    /// Factorisations so far.
    pub(crate) fn count(&self) -> u64 {
        self.factors.count()
    }

    /// A step of this size (s) is taken with the factors in use.
    pub(crate) fn note_step(&mut self, size: f64) {
        self.factors.note_step(size);
    }

    /// Appends [`SAVED`](crate::factors::SAVED) values that record which factors are current.
    pub(crate) fn save(&self, out: &mut Vec<f64>) {
        self.factors.save(out);
    }

    /// Goes back to where these values were saved.
    pub(crate) fn restore(&mut self, saved: &[f64]) {
        self.factors.restore(saved);
    }

    /// Solves for the stage's unknown `u` without loads; `state` is the start of the step of size `h`.
    pub(crate) fn solve_free(
        &mut self,
        system: &LinearSystem,
        formula: &StepFormula,
        (state, h, level): (&MotionState, f64, ConstraintLevel),
        explicit: &ExplicitParts,
        u: &mut [f64],
    ) {
        let t = state.time + formula.stage.time * h;
        system.total_force(t, &explicit.stage_q, &explicit.velocity, u);
        if system.constraints.is_empty() {
            self.factors.solve(u);
            return;
        }
        let (force, rows) = self.unknowns.split_at_mut(u.len());
        force.copy_from_slice(u);
        for (residual, row) in rows.iter_mut().zip(&system.constraints) {
            *residual = match level {
                ConstraintLevel::Position => (row.offset - row.dot(&explicit.end_q)) / formula.end.position,
                ConstraintLevel::Velocity => {
                    -(row.dot(&explicit.velocity) + (row.dot(&state.q) - row.offset) / h)
                        / formula.end.velocity
                }
            };
        }
        self.factors.solve(&mut self.unknowns);
        u.copy_from_slice(&self.unknowns[..u.len()]);
    }

    /// Overwrites `x`, a generalised load of length `n`, with `J⁻¹ x` on the constrained motions.
    pub(crate) fn solve_load(&mut self, x: &mut [f64]) {
        let n = x.len();
        if self.unknowns.len() == n {
            self.factors.solve(x);
            return;
        }
        self.unknowns[..n].copy_from_slice(x);
        self.unknowns[n..].fill(0.0);
        self.factors.solve(&mut self.unknowns);
        x.copy_from_slice(&self.unknowns[..n]);
    }
}

/// Factorises `M + c_v C + c_q K`, bordered by the constraints where there are any, in the buffer `kkt`.
fn factorize(
    system: &LinearSystem,
    formula: &StepFormula,
    factors: &mut Factorization,
    kkt: &mut DMatrix<f64>,
) -> Result<(), FactorizationError> {
    let (n, m) = (system.coordinates(), system.constraints.len());
    let (c_v, c_q) = (formula.stage_velocity(), formula.stage_position());
    let terms = [(1.0, &system.mass), (c_v, &system.damping), (c_q, &system.stiffness)];
    if n > 0 && terms.iter().all(|(f, matrix)| *f == 0.0 || matches!(matrix, StructuredMatrix::Zero(_))) {
        return Err(FactorizationError::Singular { column: 0 });
    }
    if m == 0 {
        return factors.factorize_sum(&terms);
    }
    if kkt.nrows() != n + m {
        *kkt = DMatrix::zeros(n + m, n + m);
    }
    kkt.fill(0.0);
    for (factor, matrix) in terms {
        matrix.add_to_dense(factor, kkt);
    }
    for (k, row) in system.constraints.iter().enumerate() {
        for &(j, w) in &row.weights {
            kkt[(n + k, j)] += w;
            kkt[(j, n + k)] += w;
        }
    }
    factors.factorize_dense(kkt)
}
