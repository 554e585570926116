//! Bushings in Newton's iteration of a step.

use crate::condensation::Condensation;
use crate::linearisation::Linearisation;
use crate::linearisation::affine_model::AffineModel;
use crate::linearisation::coupling_residual::CouplingResidual;
use crate::rows::StepRows;
use crate::topology::Topology;
use crate::topology::joint::Joint;

/// Begins Newton's iteration with the bushings as they are at the start of the step.
pub(crate) fn begin_bushings(topology: &Topology, linearisation: &mut Linearisation, rows: &StepRows) {
    let start = rows.start();
    for (_, frame) in topology.bushings() {
        linearisation.frames[frame.index].take_end(frame, start);
    }
}

/// Takes the loads of the bushings from the end rows found. The difference from the loads that led there is given
/// as the velocity that it would cause at the ports.
pub(crate) fn reevaluate_bushings(
    topology: &Topology,
    linearisation: &mut Linearisation,
    condensation: &Condensation,
    rows: &StepRows,
) -> CouplingResidual {
    let mut coupling_residual = CouplingResidual::default();
    let end = rows.end();
    for (j, frame) in topology.bushings() {
        let (joint, row) = (&topology.joints[j], &condensation.rows[j]);
        let state = &mut linearisation.frames[frame.index];
        let couple = state.couples[1];
        let force = state.take_end(frame, end);
        for (k, unknown) in joint.unknowns().enumerate() {
            let mut wrong = force[k] - rows.unknowns[unknown] / row.load_weight;
            if k >= 3 {
                wrong = wrong.abs() + (state.couples[1][k - 3] - couple[k - 3]).abs();
            }
            note_wrong_force(&linearisation.models, joint, k, wrong.abs(), &mut coupling_residual);
        }
    }
    coupling_residual
}

/// Notes by how much a wrong load (N, N m) of a joint changes the rates of its sides.
fn note_wrong_force(
    models: &[AffineModel],
    joint: &Joint,
    k: usize,
    wrong: f64,
    coupling_residual: &mut CouplingResidual,
) {
    for side in &joint.sides {
        let model = &models[side.subsystem];
        let inverse_mass = model.inverse_mass[(side.row + k, side.row + k)];
        coupling_residual.note(wrong * model.weights.end * inverse_mass.abs(), side.global_row + k);
    }
}
