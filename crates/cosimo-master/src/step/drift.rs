//! Drift of rigid joints between nonlinear subsystems, taken out of the end of the step.
//!
//! A rigid joint of impulse rows closes the gap rate at the end of the step. Where rows are linear the gap is then closed
//! too; where they turn it opens by `O(h³)` a step. As bilateral constraints within a subsystem do, the positions at the
//! end are moved by the least, in the metric of the iteration matrices, that closes it:
//!
//! ```text
//!   A y = g₁        Δz = W m,  m = ∓ρ y        Δż = 0
//! ```
//!
//! The moves are given as moments of impulses inside the step, which subsystems take whose rule acts by mean loads.
//!
//! A light linear subsystem at the end of a chain, as the mass of a stop on a mechanism is, closes the gap of its only joint by
//! itself, `W m = ∓g₁` with its own `W`. That is the least move up to the ratio of the masses, it is exact, and the mechanism,
//! whose answer to a move is dear, is left where it is.

use nalgebra::{SMatrix, SVector};

use crate::simulation::Simulation;
use crate::storage::Storage;
use crate::storage::linearisation::{LinearisedModel, takes_means};
use crate::topology::Cluster;
use crate::topology::joint::{Joint, Side};
use crate::{Discretisation, InterfaceLaw};

/// Units of round-off of a position in a gap that is closed.
const ROUND_OFF: f64 = 8.0;
/// How many times the inverse mass of the other side a subsystem has that closes the gap of its joint by itself.
const LIGHT: f64 = 9.0;
/// Most coordinates of a joint that is closed in this way.
const FEW: usize = 6;

/// Adds what closes the gaps of rigid joints to the loads of the step to be committed; says whether there is any.
pub(crate) fn close_gaps(sim: &mut Simulation<'_>, h: f64) -> bool {
    if sim.storage.linearisation.is_affine || sim.topology.config.discretisation == Discretisation::Position {
        return false;
    }
    let mut has_moved = false;
    for index in 0..sim.topology.clusters.len() {
        let cluster = &sim.topology.clusters[index];
        if !can_move(sim, cluster, h) {
            continue;
        }
        read_end_gaps(sim, index);
        has_moved |= move_light_ends(sim, index);
        if has_open_gap(sim, index) {
            move_ends(sim, index);
            has_moved = true;
        }
    }
    has_moved
}

/// Whether all rigid joints of a cluster with a nonlinear member hold subsystems that can be moved.
fn can_move(sim: &Simulation<'_>, cluster: &Cluster, h: f64) -> bool {
    let models = &sim.storage.linearisation.models;
    let moves = |joint: &Joint| {
        joint.sides.iter().all(|side| {
            let takes_impulses = sim.subsystems.all[side.subsystem].description().capabilities.takes_impulses;
            takes_impulses && takes_means(models[side.subsystem].weights, h)
        })
    };
    let mut rigid = cluster.joints.iter().map(|&j| &sim.topology.joints[j]);
    cluster.members.iter().any(|&i| !models[i].is_affine)
        && rigid.all(|joint| !joint.law.passes_impulses() || moves(joint))
}

/// Writes the end gaps of a cluster's rigid joints.
fn read_end_gaps(sim: &mut Simulation<'_>, cluster: usize) {
    let model = sim.storage.linearisation.of(sim.topology);
    let rows = &mut sim.storage.rows;
    for &j in &sim.topology.clusters[cluster].joints {
        let joint = &sim.topology.joints[j];
        let is_rigid = joint.law == InterfaceLaw::Rigid;
        for (k, unknown) in joint.unknowns().enumerate() {
            let gap = if is_rigid { model.end_gap(joint, k, &rows.end_positions) } else { 0.0 };
            rows.end_gaps_of_joints[unknown] = gap;
        }
    }
}

/// Whether any of the end gaps of a cluster is more than round-off.
fn has_open_gap(sim: &Simulation<'_>, cluster: usize) -> bool {
    let joints = &sim.topology.clusters[cluster].joints;
    joints.iter().any(|&j| is_open(sim, &sim.topology.joints[j]))
}

fn is_open(sim: &Simulation<'_>, joint: &Joint) -> bool {
    let rows = &sim.storage.rows;
    joint.unknowns().enumerate().any(|(k, unknown)| {
        let position = rows.end_positions[joint.sides[0].global_row + k].abs();
        rows.end_gaps_of_joints[unknown].abs() > ROUND_OFF * f64::EPSILON * position.max(1.0)
    })
}

/// Closes the gaps of joints that have a light end by that end alone; says whether there are any.
fn move_light_ends(sim: &mut Simulation<'_>, index: usize) -> bool {
    let topology = sim.topology;
    let mut has_moved = false;
    for joint in topology.clusters[index].joints.iter().map(|&j| &topology.joints[j]) {
        if joint.law != InterfaceLaw::Rigid || !is_open(sim, joint) {
            continue;
        }
        let Storage { linearisation, rows, .. } = &mut *sim.storage;
        let model = linearisation.of(topology);
        let Some(end) = light_end(model, joint) else { continue };
        let gaps = &mut rows.end_gaps_of_joints[joint.unknowns()];
        let Some(moments) = closing_moments(model, (joint, end), gaps) else { continue };
        gaps.fill(0.0);
        let loads = &mut sim.subsystems.slots[end.subsystem].loads;
        let own = &mut loads.moments.position[end.row..end.row + joint.size];
        own.iter_mut().zip(&moments).for_each(|(moment, m)| *moment += m);
        (loads.has_moments, sim.storage.has_moments, has_moved) = (true, true, true);
    }
    has_moved
}

/// The side of a joint that closes its gap by itself: of a linear subsystem without other joints, much lighter than the other.
fn light_end<'a>(model: LinearisedModel<'_>, joint: &'a Joint) -> Option<&'a Side> {
    if joint.frame.is_some() || joint.size > FEW {
        return None;
    }
    let inverse_mass = |side: &Side, k: usize| {
        let (matrix, row) = (&model.models[side.subsystem].inverse_mass, side.row + k);
        if matrix.has_row(row) { matrix.entry(row, row) } else { f64::INFINITY }
    };
    let is_light = |own: &Side, other: &Side| {
        let is_end = model.topology.subsystems[own.subsystem].joints.len() == 1;
        let mut coordinates = 0..joint.size;
        is_end
            && model.models[own.subsystem].is_affine
            && coordinates.all(|k| inverse_mass(own, k) > LIGHT * inverse_mass(other, k))
    };
    let [a, b] = &joint.sides;
    if is_light(a, b) { Some(a) } else { is_light(b, a).then_some(b) }
}

/// `m` of `W m = −sign g`, by coordinate of the joint; none where `W` is not positive definite.
fn closing_moments(
    model: LinearisedModel<'_>,
    (joint, end): (&Joint, &Side),
    gaps: &[f64],
) -> Option<SVector<f64, FEW>> {
    let matrix = &model.models[end.subsystem].inverse_mass;
    let mut own = SMatrix::<f64, FEW, FEW>::identity();
    let mut moments = SVector::<f64, FEW>::zeros();
    for k in 0..joint.size {
        moments[k] = -end.sign * gaps[k];
        for l in 0..joint.size {
            own[(k, l)] = matrix.entry(end.row + k, end.row + l);
        }
    }
    own.cholesky().map(|factors| factors.solve(&moments))
}

fn move_ends(sim: &mut Simulation<'_>, index: usize) {
    let cluster = &sim.topology.clusters[index];
    let weights = &mut sim.storage.rows.end_gaps_of_joints;
    sim.storage.condensation.solve_cluster(index, &mut weights[cluster.unknowns.clone()]);
    for &j in &cluster.joints {
        let (joint, row) = (&sim.topology.joints[j], &sim.storage.condensation.rows[j]);
        if !joint.law.passes_impulses() {
            continue;
        }
        for (own, share) in joint.sides.iter().zip(row.share) {
            let loads = &mut sim.subsystems.slots[own.subsystem].loads;
            for (k, unknown) in joint.unknowns().enumerate() {
                loads.moments.position[own.row + k] -= own.sign * share * weights[unknown];
            }
            loads.has_moments = true;
            sim.storage.has_moments = true;
        }
    }
}
