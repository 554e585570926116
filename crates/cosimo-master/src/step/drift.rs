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

use crate::simulation::Simulation;
use crate::storage::linearisation::takes_means;
use crate::topology::Cluster;
use crate::topology::joint::Joint;
use crate::{Discretisation, InterfaceLaw};

/// Units of round-off of a position in a gap that is closed.
const ROUND_OFF: f64 = 8.0;

/// Adds what closes the gaps of rigid joints to the loads of the step to be committed; says whether there is any.
pub(crate) fn close_gaps(sim: &mut Simulation<'_>, h: f64) -> bool {
    if sim.storage.linearisation.is_affine || sim.topology.config.discretisation == Discretisation::Position {
        return false;
    }
    let mut has_moved = false;
    for index in 0..sim.topology.clusters.len() {
        let cluster = &sim.topology.clusters[index];
        if can_move(sim, cluster, h) && read_end_gaps(sim, index) {
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

/// Writes the end gaps of a cluster's rigid joints; says whether any is more than round-off.
fn read_end_gaps(sim: &mut Simulation<'_>, cluster: usize) -> bool {
    let model = sim.storage.linearisation.of(sim.topology);
    let rows = &mut sim.storage.rows;
    let mut is_open = false;
    for &j in &sim.topology.clusters[cluster].joints {
        let joint = &sim.topology.joints[j];
        for (k, unknown) in joint.unknowns().enumerate() {
            rows.end_gaps_of_joints[unknown] = 0.0;
            if joint.law != InterfaceLaw::Rigid {
                continue;
            }
            let gap = model.end_gap(joint, k, &rows.end_positions);
            let position = rows.end_positions[joint.sides[0].global_row + k].abs();
            is_open |= gap.abs() > ROUND_OFF * f64::EPSILON * position.max(1.0);
            rows.end_gaps_of_joints[unknown] = gap;
        }
    }
    is_open
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
