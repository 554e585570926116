//! Impacts of the plain problem at Tikhonov joints, which are rigid to them.
//!
//! The ends of a joint that gives way to loads move apart by `r = c λ̇`. At an impact their rates meet, as those of a rigid joint do: besides
//! what the contact impulses make, `X P`, the joint passes `Â⁻¹ r`, and contacts see the rates of the bodies joined rigidly,
//!
//! ```text
//!   Û = U − Xᵀ r
//! ```
//!
//! before and after. Newton's law between them takes energy out, and so does meeting.

use crate::InterfaceLaw;
use crate::condensation::Condensation;
use crate::storage::linearisation::LinearisedModel;
use crate::storage::rows::StepRows;
use crate::topology::Cluster;
use crate::topology::joint::Joint;

/// What the contacts of a problem see of a step with an impact, by contact row, and what its joints pass, by unknown of its cluster.
#[derive(Debug, Default)]
pub(crate) struct LockedJoints {
    pub(crate) start_rates: Vec<f64>,
    pub(crate) end_rates: Vec<f64>,
    /// `r` at the end of the step (m/s), of which [`Condensation::solve_impacts`] makes `Â⁻¹ r` (N s).
    pub(crate) unknowns: Vec<f64>,
}

impl LockedJoints {
    /// Those of a step of a cluster whose contacts would see these rates at its start and end.
    pub(crate) fn see(
        &mut self,
        model: LinearisedModel<'_>,
        (condensation, number): (&Condensation, usize),
        rows: &StepRows,
        [start, end]: [&[f64]; 2],
    ) {
        let cluster = &model.topology.clusters[number];
        self.see_start(model, (condensation, number), rows, start);
        self.end_rates.clear();
        self.end_rates.extend_from_slice(end);
        read_partings(model, cluster, &mut self.unknowns, |j, joint, k| {
            let (row, unknown) = (&condensation.rows[j], joint.first + k);
            row.lag * (rows.unknowns[unknown] / row.load_weight - rows.relaxed_forces[unknown])
        });
        condensation.impacts(number).subtract_partings(&self.unknowns, &mut self.end_rates);
    }

    /// The rates before the impact alone.
    pub(crate) fn see_start(
        &mut self,
        model: LinearisedModel<'_>,
        (condensation, number): (&Condensation, usize),
        rows: &StepRows,
        start: &[f64],
    ) {
        let cluster = &model.topology.clusters[number];
        read_partings(model, cluster, &mut self.unknowns, |_, joint, k| {
            joint.difference(k, &rows.start_velocities)
        });
        self.start_rates.clear();
        self.start_rates.extend_from_slice(start);
        condensation.impacts(number).subtract_partings(&self.unknowns, &mut self.start_rates);
    }
}

/// The rates `r` at which the ends of Tikhonov joints part, by unknown of the cluster; zero of other joints.
fn read_partings(
    model: LinearisedModel<'_>,
    cluster: &Cluster,
    partings: &mut Vec<f64>,
    rate: impl Fn(usize, &Joint, usize) -> f64,
) {
    partings.clear();
    partings.resize(cluster.unknowns.len(), 0.0);
    for &j in &cluster.joints {
        let joint = &model.topology.joints[j];
        if matches!(joint.law, InterfaceLaw::Tikhonov { .. }) {
            let first = joint.first - cluster.unknowns.start;
            (0..joint.size).for_each(|k| partings[first + k] = rate(j, joint, k));
        }
    }
}
