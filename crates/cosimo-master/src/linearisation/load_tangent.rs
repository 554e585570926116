//! The tangent of the loads on one body, and its effect on the body's answer to impulses.

use cosimo_linear::DenseLu;
use cosimo_subsystem::{LoadWeights, RowMatrix};
use nalgebra::DMatrix;

/// Tangents of the loads on the rows of a body, and its own `W` without them.
#[derive(Debug, Clone)]
pub(crate) struct LoadTangent {
    /// `∂λ₁/∂z₁` (N/m), `r × r`; of the sources whose tangents enter.
    position: DMatrix<f64>,
    /// `∂λ₁/∂ż₁` (N s/m), `r × r`.
    velocity: DMatrix<f64>,
    /// The same while they are collected.
    next: [DMatrix<f64>; 2],
    /// `W` of the body alone (1/kg).
    pub(crate) own: DMatrix<f64>,
    /// `B` (kg).
    pub(crate) rate: DMatrix<f64>,
    matrix: DMatrix<f64>,
    lu: DenseLu,
    column: Vec<f64>,
}

impl LoadTangent {
    /// No tangent yet, of a body with so many rows.
    pub(crate) fn zeros(rows: usize) -> Self {
        let zero = DMatrix::zeros(rows, rows);
        Self {
            position: zero.clone(),
            velocity: zero.clone(),
            next: [zero.clone(), zero.clone()],
            own: zero.clone(),
            rate: zero.clone(),
            matrix: zero,
            lu: DenseLu::default(),
            column: vec![0.0; rows],
        }
    }

    /// Takes the body's own `W`.
    pub(crate) fn take_own(&mut self, matrix: &RowMatrix) {
        match matrix {
            RowMatrix::Dense(dense) => self.own.copy_from(dense),
            RowMatrix::Blocks(_) | RowMatrix::Sparse(_) => {
                let r = self.own.nrows();
                let entries = (0..r).flat_map(|column| (0..r).map(move |row| (row, column)));
                self.own
                    .iter_mut()
                    .zip(entries)
                    .for_each(|(own, (row, column))| *own = matrix.entry(row, column));
            }
        }
    }

    /// Begins to collect new tangents.
    pub(crate) fn begin(&mut self) {
        self.next.iter_mut().for_each(|matrix| matrix.fill(0.0));
    }

    /// Adds tangents of the load on row `row` with respect to the motion of row `column`.
    pub(crate) fn add(&mut self, row: usize, column: usize, [position, velocity]: [f64; 2]) {
        let [of_position, of_velocity] = &mut self.next;
        of_position[(row, column)] += position;
        of_velocity[(row, column)] += velocity;
    }

    /// Takes the tangents collected; says whether they are new.
    pub(crate) fn finish(&mut self) -> bool {
        let [position, velocity] = &mut self.next;
        let is_new = *position != self.position || *velocity != self.velocity;
        std::mem::swap(position, &mut self.position);
        std::mem::swap(velocity, &mut self.velocity);
        is_new
    }

    /// Change of the load on row `row` for a move of all rows by `moves` (m): `∂λ₁/∂z₁ δz`.
    pub(crate) fn of_move(&self, row: usize, moves: impl Iterator<Item = f64>) -> f64 {
        self.position.row(row).iter().zip(moves).map(|(k, dz)| k * dz).sum()
    }

    /// `B` for a step rule with these weights.
    pub(crate) fn set_rate(&mut self, weights: LoadWeights) {
        let entries = self.position.iter().zip(self.velocity.iter());
        for (rate, (k, d)) in self.rate.iter_mut().zip(entries) {
            *rate = weights.end * (weights.position * k + d);
        }
    }

    /// Writes `W' = (I − W B)⁻¹ W`. Where that is singular, which a smaller step is not, the body's own `W`.
    pub(crate) fn condense(&mut self, out: &mut DMatrix<f64>) {
        let r = self.own.nrows();
        self.matrix.fill_with_identity();
        self.matrix.gemm(-1.0, &self.own, &self.rate, 1.0);
        if self.lu.factorize(&self.matrix).is_err() {
            out.copy_from(&self.own);
            return;
        }
        for k in 0..r {
            self.column.copy_from_slice(self.own.column(k).as_slice());
            self.lu.solve(&mut self.column);
            out.column_mut(k).copy_from_slice(&self.column);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_dashpot_to_the_ground_adds_its_damping_to_the_mass() {
        let (mass, damping, h) = (2.0, 3.0, 0.1);
        let weights = LoadWeights { end: 0.5 * h, start: 0.5 * h, position: 0.5 * h, damping: 0.5 * h };
        let mut tangent = LoadTangent::zeros(1);
        tangent.own[(0, 0)] = 1.0 / mass;
        for is_new in [true, false] {
            tangent.begin();
            tangent.add(0, 0, [0.0, -damping]);
            assert!(tangent.finish() == is_new);
        }
        tangent.set_rate(weights);
        let mut out = DMatrix::zeros(1, 1);
        tangent.condense(&mut out);
        assert!((out[(0, 0)] - 1.0 / (mass + 0.5 * h * damping)).abs() < 1e-15);
    }
}
