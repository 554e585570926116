//! How the end of a step answers to impulses.

use nalgebra::DMatrix;

use crate::matrices::{ContactJacobian, Response, StepMatrices};
use crate::planned_step::PlannedStep;

/// Answers to unit impulses on the rows of the active contacts,
///
/// ```text
///   jump  B = M⁻¹ Gᵀ        acceleration  A B,  A = J⁻¹ (e_v C + e_q K)        operator  Ŵ = G (1 − d_z A) B
/// ```
///
/// kept as long as what they are made of is the same.
#[derive(Debug)]
pub(super) struct Answers {
    /// Rows of the active contacts.
    pub(super) rows: Vec<usize>,
    pub(super) jump: Response,
    pub(super) acceleration: Response,
    pub(super) operator: DMatrix<f64>,
    origin: Option<Origin>,
}

/// What answers are made of: the matrices and directions of that number, with these weights.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Origin {
    factorizations: usize,
    takings: usize,
    by_jump: (f64, f64),
    imposed_weight: f64,
}

impl Answers {
    pub(super) fn new() -> Self {
        Self {
            rows: Vec::new(),
            jump: Response::default(),
            acceleration: Response::default(),
            operator: DMatrix::zeros(0, 0),
            origin: None,
        }
    }

    /// Takes over which rows are active.
    pub(super) fn activate(&mut self, rows: impl Iterator<Item = usize> + Clone) {
        if !rows.clone().eq(self.rows.iter().copied()) {
            self.rows.clear();
            self.rows.extend(rows);
            self.origin = None;
        }
    }

    /// Brings the answers up to date with matrices and directions.
    pub(super) fn update(
        &mut self,
        plan: &PlannedStep,
        (matrices, jacobian): (&mut StepMatrices, &ContactJacobian),
        (n, m): (usize, usize),
    ) {
        let (by_jump, imposed_weight) = (plan.balanced_by_jump(), plan.imposed_weight());
        let StepMatrices { factorizations, .. } = *matrices;
        let origin = Some(Origin { factorizations, takings: jacobian.takings, by_jump, imposed_weight });
        if self.origin == origin {
            return;
        }
        self.jump.solve(&mut matrices.mass, jacobian, &self.rows, (n, m));
        self.acceleration.begin(self.rows.len(), n + m);
        for k in 0..self.rows.len() {
            let column = self.acceleration.column_mut(k);
            matrices.tangent_product(by_jump, &self.jump.column(k)[..n], &mut column[..n]);
            matrices.step.solve(column);
        }
        self.jump.delassus(jacobian, &self.rows, &mut self.operator);
        for k in 0..self.rows.len() {
            for (i, &row) in self.rows.iter().enumerate() {
                self.operator[(i, k)] -= imposed_weight * jacobian.product(row, self.acceleration.column(k));
            }
        }
        self.origin = origin;
    }
}
