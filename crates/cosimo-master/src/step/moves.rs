//! Moves of the ends that close the gaps of joints that pass impulses.
//!
//! Such a joint makes the rates of both sides agree at the end of a step. Two rules make positions of them that are `O(h²)` apart, and
//! rows that turn open a gap of `O(h³)` a step; of a Tikhonov joint the gap is `ĝ = c (λ₀ + λ)/2`. The ends are moved together:
//!
//! | closing | by | |
//! |---|---|---|
//! | free | one side, no force of which depends on its position | `W m = ∓(g₁ − ĝ)` |
//! | seen | one or both sides, whose stages see it; the rates of the row are those with it, see `laws/equation` | `ΣY y = g₁ − ĝ`, `m = ∓y` |
//! | alike | all sides, by the least move in the metric of the iteration matrices | `A y = g₁`, `m = ∓ρ y` |
//! | alike, beside joints closed otherwise | both sides, joint by joint, a share of the gap | `k ΣY y = g₁`, `k` the most joints of a side |
//!
//! Where both sides integrate alike there is nothing to close but what turning rows and round-off leave. Sides that act by mean loads
//! take that as moments of impulses inside the step, `Δz = W m`, `Δż = 0`. A light linear subsystem at the end of a chain, as the mass of a
//! stop on a mechanism is, closes the gap of its only joint by itself: that is the least move up to the ratio of the masses, it is
//! exact, and the mechanism, whose answer to a move is expensive, is left where it is. In a cluster with joints that are closed otherwise the least move would
//! count on moves at those, which are not made: each gap is closed by itself, to a share with which moves of one subsystem for several joints do not
//! overshoot, as `A ≤ k diag A`.

use crate::InterfaceLaw;
use crate::condensation::Condensation;
use crate::execution::slot::CallSlot;
use crate::execution::subsystems::Subsystems;
use crate::laws::closing_moves::{closing_weights, moving_sides};
use crate::linearisation::affine_model::AffineModel;
use crate::linearisation::end_rows::set_end_rows;
use crate::linearisation::{LinearisedModel, takes_means};
use crate::rows::StepRows;
use crate::topology::Cluster;
use crate::topology::joint::{Closing, Joint, MOST_CLOSED, Side};
use crate::topology::subsystem::SubsystemLayout;

/// Units of round-off of a position in a gap that is closed.
const ROUND_OFF: f64 = 8.0;
/// How many times the inverse mass of the other side a subsystem has that closes the gap of its joint by itself.
const LIGHT: f64 = 9.0;

/// Adds what closes the gaps of joints to the loads of the step of size `h` (s) to be committed; says whether there is any.
pub(super) fn close_gaps(
    model: LinearisedModel<'_>,
    condensation: &mut Condensation,
    rows: &mut StepRows,
    subsystems: &mut Subsystems,
    h: f64,
) -> bool {
    if std::mem::take(&mut subsystems.has_moves) {
        subsystems.slots.iter_mut().for_each(|slot| slot.loads.clear_moves());
        rows.moved.fill(0.0);
    }
    let mut has_moved = false;
    for index in 0..model.topology.clusters.len() {
        if is_due(model, index) {
            read_end_gaps(model, rows, index, h);
            has_moved |= move_single_joints(model, rows, subsystems, index);
            has_moved |= move_together(model, condensation, rows, subsystems, (index, h));
        }
    }
    if has_moved {
        note_moved_ends(model, rows, &subsystems.slots);
    }
    has_moved
}

/// By how much the ends of Tikhonov joints are moved: their forces do work there.
fn note_moved_ends(
    LinearisedModel { topology, models, .. }: LinearisedModel<'_>,
    rows: &mut StepRows,
    slots: &[CallSlot],
) {
    let is_relaxed = |joint: &&Joint| matches!(joint.law, InterfaceLaw::Tikhonov { .. });
    for joint in topology.joints.iter().filter(is_relaxed) {
        for side in &joint.sides {
            let (model, moves) = (&models[side.subsystem], &slots[side.subsystem].loads.moves);
            for k in 0..joint.size {
                let parts = moves.iter().enumerate().filter(|(_, own)| **own != 0.0);
                rows.moved[side.global_row + k] =
                    parts.map(|(l, own)| model.move_mass(side.row + k, l) * own).sum();
            }
        }
    }
}

/// Whether a cluster may have gaps to close.
fn is_due(model: LinearisedModel<'_>, index: usize) -> bool {
    let (topology, is_affine) = (model.topology, model.affine_clusters[index]);
    topology.clusters[index].joints.iter().any(|&j| topology.joints[j].closing.is_due(is_affine))
}

/// Whether a gap is more than round-off of the positions that it is the difference of.
fn is_open(joint: &Joint, k: usize, gap: f64, positions: &[f64]) -> bool {
    let position = positions[joint.sides[0].global_row + k].abs();
    gap.abs() > ROUND_OFF * f64::EPSILON * position.max(1.0)
}

/// Writes the gaps at the end of the step that are to be closed, `g₁ − ĝ`; zero where they are round-off.
fn read_end_gaps(model: LinearisedModel<'_>, rows: &mut StepRows, index: usize, h: f64) {
    let (cluster, is_affine) = (&model.topology.clusters[index], model.affine_clusters[index]);
    if is_affine {
        for &i in &cluster.members {
            set_end_rows(&model.models[i], rows);
        }
    }
    for joint in cluster.joints.iter().map(|&j| &model.topology.joints[j]) {
        let is_closed = joint.closing.is_due(is_affine);
        for (k, unknown) in joint.unknowns().enumerate() {
            let own = match &joint.law {
                InterfaceLaw::Rigid => model.end_gap(joint, k, &rows.end_positions),
                InterfaceLaw::Tikhonov { constant } => {
                    let mean = (rows.unknowns[unknown] - rows.impact_unknowns[unknown]) / h;
                    let force = 0.5 * (rows.relaxed_forces[unknown] + mean);
                    model.end_gap(joint, k, &rows.end_positions) - constant * force
                }
                _ => 0.0,
            };
            let is_open = is_closed && is_open(joint, k, own, &rows.end_positions);
            rows.end_gaps_of_joints[unknown] = if is_open { own } else { 0.0 };
        }
    }
}

/// Closes the gaps of joints that are closed by themselves; says whether there are any.
fn move_single_joints(
    model: LinearisedModel<'_>,
    rows: &mut StepRows,
    subsystems: &mut Subsystems,
    index: usize,
) -> bool {
    let topology = model.topology;
    let mut has_moved = false;
    for joint in topology.clusters[index].joints.iter().map(|&j| &topology.joints[j]) {
        let gaps = &mut rows.end_gaps_of_joints[joint.unknowns()];
        if gaps.iter().all(|gap| *gap == 0.0) {
            continue;
        }
        let sides = match joint.closing {
            Closing::Nothing => continue,
            Closing::Free(side) => [side == 0, side == 1],
            Closing::Seen(sides) => sides,
            Closing::Alike => match light_end(model, joint) {
                Some(side) => [side == 0, side == 1],
                None => continue,
            },
        };
        let sides = moving_sides(model, joint, sides);
        let weights = closing_weights(model, (joint, sides), gaps);
        gaps.fill(0.0);
        for (own, _) in joint.sides.iter().zip(sides).filter(|(_, moves)| *moves) {
            for (k, weight) in weights.iter().enumerate().take(joint.size) {
                subsystems.slots[own.subsystem].loads.moves[own.row + k] -= own.sign * weight;
            }
            subsystems.slots[own.subsystem].loads.has_moves = true;
        }
        (subsystems.has_moves, has_moved) = (true, true);
    }
    has_moved
}

/// The side of a joint that closes its gap by itself: of a linear subsystem without other joints, much lighter than the other.
fn light_end(model: LinearisedModel<'_>, joint: &Joint) -> Option<usize> {
    if joint.frame.is_some() || joint.size > MOST_CLOSED {
        return None;
    }
    let inverse_mass = |side: &Side, k: usize| {
        let (matrix, row) = (&model.models[side.subsystem].inverse_mass, side.row + k);
        if matrix.has_row(row) { matrix.entry(row, row) } else { f64::INFINITY }
    };
    let is_light = |own: &Side, other: &Side| {
        let layout = &model.topology.subsystems[own.subsystem];
        let mut coordinates = 0..joint.size;
        layout.joints.len() == 1
            && layout.takes_moves
            && model.models[own.subsystem].is_affine
            && coordinates.all(|k| inverse_mass(own, k) > LIGHT * inverse_mass(other, k))
    };
    let [a, b] = &joint.sides;
    if is_light(a, b) { Some(0) } else { is_light(b, a).then_some(1) }
}

/// Closes the gaps that are left of joints whose sides integrate alike, all together; says whether there are any.
fn move_together(
    model: LinearisedModel<'_>,
    condensation: &mut Condensation,
    rows: &mut StepRows,
    subsystems: &mut Subsystems,
    (index, h): (usize, f64),
) -> bool {
    let topology = model.topology;
    let cluster = &topology.clusters[index];
    let own = cluster.unknowns.clone();
    if rows.end_gaps_of_joints[own.clone()].iter().all(|gap| *gap == 0.0) || !can_move(model, cluster, h) {
        return false;
    }
    let passes = |j: &&usize| topology.joints[**j].law.passes_impulses();
    let is_alike = |j: &usize| topology.joints[*j].closing == Closing::Alike;
    if cluster.joints.iter().filter(passes).all(is_alike) {
        condensation.solve_cluster(index, &mut rows.end_gaps_of_joints[own]);
    } else {
        share_out(model, cluster, &mut rows.end_gaps_of_joints);
    }
    let Subsystems { slots, has_moves, has_moments, .. } = subsystems;
    for joint in cluster.joints.iter().map(|&j| &topology.joints[j]).filter(|j| j.closing == Closing::Alike) {
        for own in &joint.sides {
            let model = &model.models[own.subsystem];
            let loads = &mut slots[own.subsystem].loads;
            let by_moments = moves_by_moments(&topology.subsystems[own.subsystem], model, h);
            let target = if by_moments { &mut loads.moments.position } else { &mut loads.moves };
            for (k, unknown) in joint.unknowns().enumerate() {
                target[own.row + k] -= own.sign * rows.end_gaps_of_joints[unknown];
            }
            if by_moments {
                (loads.has_moments, *has_moments) = (true, true);
            } else {
                (loads.has_moves, *has_moves) = (true, true);
            }
        }
    }
    true
}

/// Overwrites the gaps of joints whose sides integrate alike, beside others, by the moves that close a share of each.
fn share_out(model: LinearisedModel<'_>, cluster: &Cluster, gaps: &mut [f64]) {
    let joints = cluster.joints.iter().map(|&j| &model.topology.joints[j]);
    for joint in joints.filter(|joint| joint.closing == Closing::Alike) {
        let own = &mut gaps[joint.unknowns()];
        if joint.size > MOST_CLOSED || own.iter().all(|gap| *gap == 0.0) {
            own.fill(0.0);
            continue;
        }
        let joints_of = |side: &Side| model.topology.subsystems[side.subsystem].joints.len();
        let most = joints_of(&joint.sides[0]).max(joints_of(&joint.sides[1])) as f64;
        let weights = closing_weights(model, (joint, [true; 2]), own);
        own.iter_mut().zip(weights.iter()).for_each(|(gap, weight)| *gap = weight / most);
    }
}

/// Whether a side is moved by moments of impulses inside the step.
fn moves_by_moments(layout: &SubsystemLayout, model: &AffineModel, h: f64) -> bool {
    !model.is_affine && takes_means(model.weights, h) && layout.takes_impulses
}

/// Whether all joints of a cluster whose sides integrate alike hold subsystems that can be moved.
fn can_move(
    LinearisedModel { topology, models, .. }: LinearisedModel<'_>,
    cluster: &Cluster,
    h: f64,
) -> bool {
    let mut alike =
        cluster.joints.iter().map(|&j| &topology.joints[j]).filter(|joint| joint.closing == Closing::Alike);
    alike.all(|joint| {
        joint.sides.iter().all(|side| {
            let (layout, model) = (&topology.subsystems[side.subsystem], &models[side.subsystem]);
            moves_by_moments(layout, model, h) || (layout.takes_moves && !model.is_coarse)
        })
    })
}
