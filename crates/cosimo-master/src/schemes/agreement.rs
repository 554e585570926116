//! Whether sweeps agree, and why they do not.

use super::cluster_stage::{ClusterStage, Iterate};
use super::corrections::Corrections;
use super::local_matrix::JointEquations;
use super::not_converged::{not_converged, row_not_converged};
use super::stage::Stage;
use super::sweep::Sweep;
use crate::StepError;
use crate::contacts::names::ContactNames;
use crate::contacts::unsolved::Unsettled;
use crate::linearisation::LinearisedModel;
use crate::linearisation::coupling_residual::OF_SOLVERS;
use crate::rows::StepRows;
use crate::time::part::StepPart;
use crate::topology::joint::Side;

/// Velocity change, against the size of velocities and positions at a joint, below which there is only round-off.
const ROUND_OFF: f64 = 8.0 * f64::EPSILON;

/// Decides which clusters agree; says whether all do. Their iterates stay, and with them their answers, as long as subsystems are affine:
/// those of others go on moving.
pub(crate) fn settle(
    model: LinearisedModel<'_>,
    rows: &StepRows,
    stage: &mut Stage,
    sweep: &Sweep,
    iterate: Iterate<'_>,
) -> bool {
    let topology = model.topology;
    for own in stage.clusters.iter_mut().filter(|cluster| !cluster.is_settled) {
        let is_converged = own.corrections.residual <= topology.config.tolerance;
        let joints = &topology.clusters[own.cluster].joints;
        if is_converged || is_round_off(model, rows, joints, sweep, iterate) {
            own.settle(is_converged);
        }
    }
    let all = stage.clusters.iter().all(|cluster| cluster.is_settled);
    let is_affine = model.affine_clusters.iter().all(|is_affine| *is_affine);
    let goes_on = |cluster: &&mut ClusterStage| !all && !is_affine && cluster.is_settled;
    stage.clusters.iter_mut().filter(goes_on).for_each(|cluster| cluster.is_settled = false);
    all
}

/// Whether the last correction moves no port by more than the round-off of its motion, and what the solvers of subsystems leave
/// in it. Where forces are zero no change is small against them.
fn is_round_off(
    LinearisedModel { topology, models, .. }: LinearisedModel<'_>,
    rows: &StepRows,
    joints: &[usize],
    sweep: &Sweep,
    iterate: Iterate<'_>,
) -> bool {
    joints.iter().map(|&j| &topology.joints[j]).all(|joint| {
        (0..joint.size).all(|k| {
            let rounding = |own: &Side| {
                let (q, v) =
                    (rows.end_positions[own.global_row + k], rows.end_velocities[own.global_row + k]);
                let model = &models[own.subsystem];
                let of_solver = if model.is_affine { 0.0 } else { OF_SOLVERS * (1.0 + v.abs()) };
                ROUND_OFF * (v.abs() + q.abs() / model.weights.position) + of_solver
            };
            let floor: f64 = joint.sides.iter().map(rounding).sum();
            let change = |entry: usize| (iterate.answer[entry] - iterate.x[entry]).abs();
            let unknown = joint.first + k;
            let motion = rows.unknowns.len() + unknown;
            let is_at_rest = |inverse_mass: f64| change(motion) * inverse_mass <= floor;
            // A force is found from motions that are known to their rounding, by the inverse mass of the side that finds it.
            sweep.motion_inverse_mass(motion).filter(|_| motion < iterate.answer.len()).is_none_or(is_at_rest)
                && change(unknown) * sweep.found_by(unknown) <= floor
        })
    })
}

/// What is wrong where so many sweeps have not agreed, or subsystems have not told the truth in the last one: at this row, with this relative
/// coupling residual (–).
pub(crate) fn not_agreed(
    names: ContactNames<'_>,
    stage: &Stage,
    untrue: Option<(usize, f64)>,
    iterations: u32,
    part: StepPart,
) -> StepError {
    let (topology, step) = (names.topology, (part.time, part.size));
    let worst = stage.worst().map(|cluster| &cluster.corrections);
    let agrees = worst.is_none_or(|own| own.residual <= topology.config.tolerance);
    match (untrue.filter(|_| agrees), worst) {
        (None, Some(own)) => not_converged(topology, step, unsettled(own), own.contraction()),
        (found, _) => {
            let (worst, residual) = found.unwrap_or_default();
            row_not_converged(names, step, Unsettled { iterations, worst, residual })
        }
    }
}

/// Where sweeps have been given up.
fn unsettled(corrections: &Corrections) -> Unsettled {
    let Corrections { count, worst, residual, .. } = *corrections;
    Unsettled { iterations: count, worst, residual }
}

/// What is wrong where a subsystem cannot follow the forces of a sweep because sweeps drive them apart.
pub(crate) fn diverged(
    joints: JointEquations<'_>,
    sweep: &Sweep,
    stage: &Stage,
    part: StepPart,
) -> Option<StepError> {
    let (topology, step) = (joints.model.topology, (part.time, part.size));
    let own = stage.worst().map(|own| &own.corrections);
    // Accelerated sweeps that diverge do not grow with every one of them.
    let grows =
        |own: &&Corrections| [own.contraction(), own.growth()].into_iter().find(|factor| *factor > 1.0);
    if let Some((corrections, factor)) = own.and_then(|own| Some((own, grows(&own)?))) {
        return Some(not_converged(topology, step, unsettled(corrections), factor));
    }
    // Nothing has agreed yet.
    let (factor, worst) = slowest(joints, sweep);
    let iterations = 1 + stage.worst().map_or(0, |own| own.corrections.count);
    let found = Unsettled { iterations, worst, residual: 1.0 };
    (factor > 1.0).then(|| not_converged(topology, step, found, factor))
}

/// The largest factor by which a sweep multiplies the error of a force, from the inverse masses of both sides, and the unknown.
fn slowest(joints: JointEquations<'_>, sweep: &Sweep) -> (f64, usize) {
    let LinearisedModel { topology, models, .. } = joints.model;
    let mut worst = (0.0_f64, 0);
    for force in sweep.local.iter().flat_map(|local| &local.found) {
        let (joint, k) = (&topology.joints[force.joint], force.coordinate);
        let row = &joints.condensation.rows[force.joint];
        let answer = |side: usize| {
            let (own, model) = (&joint.sides[side], &models[joint.sides[side].subsystem]);
            let inverse_mass = &model.inverse_mass;
            let known = inverse_mass.has_row(own.row + k);
            let w = if known { inverse_mass.entry(own.row + k, own.row + k) } else { 0.0 };
            row.answer(model.weights.position, k, k) * w * row.share[side]
        };
        let factor = answer(1 - force.side) / (answer(force.side) + row.relaxation[(k, k)]);
        if factor > worst.0 {
            worst = (factor, force.unknown);
        }
    }
    let of_sweep = if sweep.iterates_motions() { worst.0.sqrt() } else { worst.0 };
    (of_sweep, worst.1)
}
