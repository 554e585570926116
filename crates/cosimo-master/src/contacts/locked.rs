//! Impacts at Tikhonov joints, which are rigid to them.
//!
//! The ends of a joint that gives way to loads move apart by `r = c λ̇`. At an impact their rates meet, as those of a rigid joint do: besides
//! what the contact impulses make, `X P`, the joint passes `Â⁻¹ r`, and contacts see the rates of the bodies joined rigidly,
//!
//! ```text
//!   Û = U − Xᵀ r
//! ```
//!
//! before and after. Newton's law between them takes energy out, and so does meeting. From there on the joint gives way anew: it is open
//! by its gap, and its rate begins at zero.
//!
//! | impacts | `r` |
//! |---|---|
//! | of the plain problem | that at the start before, that at the end after them |
//! | inside a step | grows linearly over the step, and is taken out at every impact |
//! | at a communication point | that of this point |

use cosimo_nonsmooth::Partings;

use crate::InterfaceLaw;
use crate::condensation::Condensation;
use crate::linearisation::LinearisedModel;
use crate::rows::StepRows;
use crate::topology::joint::Joint;

/// What the contacts of a problem see of a step with an impact, by contact row, and what its joints pass, by unknown of its cluster.
#[derive(Debug, Default)]
pub(crate) struct LockedJoints {
    /// `Û` at the start and the end of the step (m/s).
    pub(crate) rates: [Vec<f64>; 2],
    /// `Xᵀ r` at the start and the end of the step (m/s).
    partings: [Vec<f64>; 2],
    /// `r` at the start and the end of the step (m/s), of which [`Condensation::solve_impacts`] makes `Â⁻¹ r` (N s).
    pub(crate) unknowns: [Vec<f64>; 2],
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
        self.see_start(model, (condensation, number), rows, start);
        self.read_end(model, (condensation, number), rows);
        self.rates[1].clear();
        self.rates[1].extend_from_slice(end);
        condensation.impacts(number).subtract_partings(&self.unknowns[1], &mut self.rates[1]);
    }

    /// The rates before the impact alone.
    pub(crate) fn see_start(
        &mut self,
        model: LinearisedModel<'_>,
        (condensation, number): (&Condensation, usize),
        rows: &StepRows,
        start: &[f64],
    ) {
        self.read_start(model, number, rows);
        self.rates[0].clear();
        self.rates[0].extend_from_slice(start);
        condensation.impacts(number).subtract_partings(&self.unknowns[0], &mut self.rates[0]);
    }

    /// Finds what impacts inside the step take from the rates of so many contact rows, at its start and its end.
    pub(crate) fn part(
        &mut self,
        model: LinearisedModel<'_>,
        (condensation, number): (&Condensation, usize),
        rows: &StepRows,
        contact_rows: usize,
    ) {
        self.read_start(model, number, rows);
        self.read_end(model, (condensation, number), rows);
        for (parting, rates) in self.partings.iter_mut().zip(&self.unknowns) {
            parting.clear();
            parting.resize(contact_rows, 0.0);
            condensation.impacts(number).subtract_partings(rates, parting);
            parting.iter_mut().for_each(|rate| *rate = -*rate);
        }
    }

    /// What [`part`](Self::part) has found.
    pub(crate) fn partings(&self) -> Partings<'_> {
        Partings { start: &self.partings[0], end: &self.partings[1] }
    }

    fn read_start(&mut self, model: LinearisedModel<'_>, number: usize, rows: &StepRows) {
        read_partings(model, number, &mut self.unknowns[0], |_, joint, k| {
            joint.difference(k, &rows.start_velocities)
        });
    }

    /// `r` at the end, by the unknowns of the step.
    pub(super) fn read_end(
        &mut self,
        model: LinearisedModel<'_>,
        (condensation, number): (&Condensation, usize),
        rows: &StepRows,
    ) {
        read_partings(model, number, &mut self.unknowns[1], |j, joint, k| {
            let (row, unknown) = (&condensation.rows[j], joint.first + k);
            row.lag * (rows.unknowns[unknown] / row.load_weight - rows.relaxed_forces[unknown])
        });
    }
}

/// The rates `r` at which the ends of Tikhonov joints part, by unknown of the cluster; zero of other joints.
fn read_partings(
    model: LinearisedModel<'_>,
    number: usize,
    partings: &mut Vec<f64>,
    rate: impl Fn(usize, &Joint, usize) -> f64,
) {
    let cluster = &model.topology.clusters[number];
    partings.clear();
    partings.resize(cluster.unknowns.len(), 0.0);
    for &j in &cluster.joints {
        let joint = &model.topology.joints[j];
        if is_relaxed(joint) {
            let first = joint.first - cluster.unknowns.start;
            (0..joint.size).for_each(|k| partings[first + k] = rate(j, joint, k));
        }
    }
}

fn is_relaxed(joint: &Joint) -> bool {
    matches!(joint.law, InterfaceLaw::Tikhonov { .. })
}
