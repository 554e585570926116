//! The interface equations of one cluster.

use cosimo_subsystem::{RowMatrix, SparseRows};

use crate::laws::equation::InterfaceRow;
use crate::linearisation::LinearisedModel;
use crate::topology::Cluster;

/// A cluster of the linearised model with its interface equations.
#[derive(Clone, Copy)]
pub(crate) struct Equations<'a> {
    pub(crate) model: LinearisedModel<'a>,
    pub(crate) cluster: &'a Cluster,
    /// Of all joints of the model.
    pub(crate) rows: &'a [InterfaceRow],
}

impl<'a> Equations<'a> {
    /// The inverse mass of the only subsystem, if it is sparse.
    pub(super) fn sparse_inverse_mass(&self) -> Option<&'a SparseRows> {
        match (&self.cluster.members[..], self.model.models) {
            (&[only], models) => match &models[only].inverse_mass {
                RowMatrix::Sparse(sparse) => Some(sparse),
                _ => None,
            },
            _ => None,
        }
    }

    /// Gives `sign · (Q χ + V) · W` for a load on one row of a subsystem, to every interface equation it takes part in.
    pub(super) fn add_rows_of_load(
        &self,
        subsystem: usize,
        load_row: usize,
        load: f64,
        mut add: impl FnMut(usize, f64),
    ) {
        let (topology, model) = (self.model.topology, &self.model.models[subsystem]);
        for port in &topology.subsystems[subsystem].joints {
            let (joint, row) = (&topology.joints[port.joint], &self.rows[port.joint]);
            let own = &joint.sides[port.side];
            for k in 0..joint.size {
                let sum: f64 = (0..joint.size)
                    .map(|l| {
                        row.answer(model.weights.position, k, l) * model.inverse_mass[(own.row + l, load_row)]
                    })
                    .sum();
                add(joint.first + k, own.sign * sum * load);
            }
        }
    }
}
