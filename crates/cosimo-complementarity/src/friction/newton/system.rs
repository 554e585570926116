//! The linear problem of a Newton step, `(1 − P + P ρ (W + ε)) Δr = −Φ`.

use cosimo_linear::DenseLu;
use nalgebra::{DMatrix, SMatrix};

use crate::friction::scaled::matrix::ScaledMatrix;
use crate::friction::{FrictionProblem, Scaled, ScaledSystem};

/// `ρ` and `P`, contact by contact, and `ε`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pieces<'a> {
    pub(super) weights: &'a [f64],
    pub(super) slopes: &'a [f64],
    pub(super) proximal: f64,
}

impl Pieces<'_> {
    /// `P ρ` and `1 − P + P ρ ε` of a contact.
    fn of<const D: usize>(&self, contact: usize) -> (SMatrix<f64, D, D>, SMatrix<f64, D, D>) {
        let slope = SMatrix::from_column_slice(&self.slopes[contact * D * D..(contact + 1) * D * D]);
        let weight = self.weights[contact];
        (slope * weight, SMatrix::identity() - slope + slope * (weight * self.proximal))
    }
}

/// The full matrix and its factors.
#[derive(Debug, Clone, Default)]
pub(super) struct DenseSystem {
    matrix: DMatrix<f64>,
    lu: DenseLu,
}

/// A direct solver.
pub(super) enum System<'a, const D: usize> {
    /// In full.
    Few(&'a mut DenseSystem),
    /// By blocks that are not zero.
    Many(Box<SparseSystem<D>>),
}

/// The blocks and their factors.
pub(super) struct SparseSystem<const D: usize> {
    matrix: ScaledMatrix<D>,
    scaled: Vec<Scaled<D>>,
}

impl<'a, const D: usize> System<'a, D> {
    pub(super) fn few(memory: &'a mut DenseSystem) -> Self {
        Self::Few(memory)
    }

    pub(super) fn many(problem: &FrictionProblem<'_, D>) -> Self {
        let matrix = ScaledMatrix::new(problem.delassus.to_blocks());
        Self::Many(Box::new(SparseSystem { matrix, scaled: Vec::with_capacity(problem.contacts()) }))
    }

    /// False where the matrix is singular.
    pub(super) fn factorize(&mut self, problem: &FrictionProblem<'_, D>, pieces: Pieces<'_>) -> bool {
        match self {
            Self::Few(DenseSystem { matrix, lu }) => {
                let contacts = problem.contacts();
                if matrix.nrows() != contacts * D {
                    *matrix = DMatrix::zeros(contacts * D, contacts * D);
                }
                for row in 0..contacts {
                    let (left, block) = pieces.of::<D>(row);
                    for column in 0..contacts {
                        let mut part = left * problem.delassus.between(row, column);
                        if row == column {
                            part += block;
                        }
                        matrix.fixed_view_mut::<D, D>(row * D, column * D).copy_from(&part);
                    }
                }
                lu.factorize(matrix).is_ok()
            }
            Self::Many(system) => {
                let SparseSystem { matrix, scaled } = &mut **system;
                scaled.clear();
                scaled.extend((0..problem.contacts()).map(|contact| {
                    let (left, block) = pieces.of(contact);
                    Scaled { left, right: SMatrix::identity(), block }
                }));
                matrix.factorize(scaled).is_ok()
            }
        }
    }

    pub(super) fn solve(&mut self, x: &mut [f64]) {
        match self {
            Self::Few(memory) => memory.lu.solve(x),
            Self::Many(system) => system.matrix.solve(x),
        }
    }
}
