//! The interface matrix of a cluster, `A = Σ s (Q χ + V) W s ρ + C`.

use cosimo_linear::{DenseLu, FactorizationError};
use nalgebra::DMatrix;

use super::add_rows_of_load;
use crate::interface_rows::InterfaceRow;
use crate::layout::{Cluster, Layout};

/// The interface matrix, factorised.
#[derive(Debug)]
pub(crate) struct InterfaceMatrix {
    matrix: DMatrix<f64>,
    lu: DenseLu,
}

impl InterfaceMatrix {
    pub(crate) fn new(cluster: &Cluster) -> Self {
        let m = cluster.unknowns.len();
        Self { matrix: DMatrix::zeros(m, m), lu: DenseLu::default() }
    }

    /// Sets up and factorises the matrix.
    ///
    /// # Errors
    /// The unknown, in the master's vectors, at which the matrix is singular.
    pub(crate) fn refresh(
        &mut self,
        layout: &Layout,
        cluster: &Cluster,
        rows: &[InterfaceRow],
    ) -> Result<(), usize> {
        let first = cluster.unknowns.start;
        self.matrix.fill(0.0);
        for &j in &cluster.joints {
            let joint = &layout.joints[j];
            for (own, share) in joint.sides.iter().zip(rows[j].share) {
                for l in 0..joint.size {
                    let load = (own.row + l, own.sign * share);
                    add_rows_of_load(layout, rows, own.subsystem, load, |row, value| {
                        self.matrix[(row - first, joint.first + l - first)] += value;
                    });
                }
            }
            let relaxation = &rows[j].relaxation;
            let mut block =
                self.matrix.view_mut((joint.first - first, joint.first - first), relaxation.shape());
            block += relaxation;
        }
        self.lu.factorize(&self.matrix).map_err(|error| match error {
            FactorizationError::Singular { column } => first + column,
            _ => first,
        })
    }

    /// Overwrites `x`, one value an unknown of the cluster, with `A⁻¹ x`.
    pub(crate) fn solve(&mut self, x: &mut [f64]) {
        if !x.is_empty() {
            self.lu.solve(x);
        }
    }
}
