//! What impulses inside a step see of a cluster with Tikhonov joints: these give way to loads over the step alone, impacts pass
//! rigidly. Results then do not depend on how the constant compares with the square of the step.

use super::contact_matrices::ContactMatrices;
use super::equations::Equations;
use super::interface_matrix::InterfaceMatrix;
use crate::InterfaceLaw;
use crate::laws::equation::InterfaceRow;
use crate::linearisation::LinearisedModel;
use crate::time::part::Mode;
use crate::topology::{Cluster, Topology};

/// The interface and contact matrices of a cluster with all of its joints rigid that pass impulses.
#[derive(Debug)]
pub(super) struct ImpactMatrices {
    /// Of all joints of the model.
    rows: Vec<InterfaceRow>,
    matrix: InterfaceMatrix,
    pub(super) contacts: ContactMatrices,
}

impl ImpactMatrices {
    /// Those of a cluster with contacts and Tikhonov joints; others need none.
    pub(super) fn of(topology: &Topology, cluster: &Cluster) -> Option<Box<Self>> {
        let is_relaxed = |j: &usize| matches!(topology.joints[*j].law, InterfaceLaw::Tikhonov { .. });
        let is_needed = !cluster.contacts.is_empty() && cluster.joints.iter().any(is_relaxed);
        is_needed.then(|| {
            Box::new(Self {
                rows: topology.joints.iter().map(InterfaceRow::new).collect(),
                matrix: InterfaceMatrix::new(cluster),
                contacts: ContactMatrices::new(cluster),
            })
        })
    }

    /// Overwrites a right-hand side with the unknowns.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        self.matrix.solve(x);
    }

    /// Brings them up to date in a step of this mode.
    pub(super) fn refresh(&mut self, model: LinearisedModel<'_>, cluster: &Cluster, mode: Mode, damps: bool) {
        let mode = match mode {
            Mode::Step(size) | Mode::Start { size, .. } => Mode::Locked(size),
            other => other,
        };
        for &j in &cluster.joints {
            self.rows[j].set(model, &model.topology.joints[j], mode);
        }
        let equations = Equations { model, cluster, rows: &self.rows };
        // What is singular is relaxed; matrices that are singular in spite of that are told of where the step is solved.
        let _ = self.matrix.refresh(equations);
        self.contacts.refresh(equations, &mut self.matrix, damps);
    }
}
