//! Warnings of joints, each given once.

use crate::InterfaceLaw;
use crate::laws::equation::Mode;
use crate::simulation::Simulation;
use crate::storage::linearisation::AffineModel;
use crate::topology::joint::{Joint, Side};

/// Compliance of a row, relative to the largest of its joint, below which nothing but round-off moves it.
const HELD: f64 = 1e-12;

/// Warns, once, of bushings that come to half a turn.
pub(crate) fn warn_of_turned_bushings(sim: &mut Simulation<'_>) {
    for (j, frame) in sim.topology.bushings() {
        let is_too_far = sim.storage.linearisation.frames[frame.index].is_turned_too_far(frame);
        if is_too_far && !std::mem::replace(&mut sim.state.warnings.turned_frames[frame.index], true) {
            sim.state.warnings.push(format!(
                "interface `{}` is turned by almost half a turn: beyond it the bushing takes the shorter way round \
                 and its moment changes sign; use a smaller load, a stiffer bushing, or a joint that leaves the \
                 axis free",
                sim.topology.joints[j].name
            ));
        }
    }
}

/// Warns, once, of joints that hold what others hold already.
pub(crate) fn warn_of_redundant_joints(sim: &mut Simulation<'_>) {
    for joints in sim.storage.condensation.take_redundant() {
        let names: Vec<&str> = joints.iter().map(|&j| sim.topology.joints[j].name.as_str()).collect();
        let is_coarse = |&j: &usize| {
            let sides = &sim.topology.joints[j].sides;
            sides.iter().any(|side| sim.storage.linearisation.models[side.subsystem].is_coarse)
        };
        let advice = if joints.iter().any(is_coarse) {
            ". The compliance of subsystems among them is differenced or learnt, which may be too coarse for that: \
             make one of these joints a Tikhonov joint if the iteration does not end"
        } else {
            ""
        };
        let text = format!(
            "the interfaces {} are redundant: they form a loop that holds something twice. They are relaxed a \
             little and share the load; the motion does not depend on it, the force of each of them does{advice}",
            crate::error::list_names(&names)
        );
        sim.state.warnings.push_once(text);
    }
}

/// Warns, once, of Tikhonov joints that are not rigid for the step in use.
pub(crate) fn warn_of_soft_tikhonov_joints(sim: &mut Simulation<'_>) {
    if std::mem::replace(&mut sim.state.warnings.has_checked_softness, true) {
        return;
    }
    let Mode::Step { macro_size: h, .. } = sim.storage.condensation.mode() else { return };
    for joint in &sim.topology.joints {
        let InterfaceLaw::Tikhonov { constant } = joint.law else { continue };
        let relaxation = constant / (h * h);
        let inverse_masses =
            || (0..joint.size).map(|k| inverse_mass(&sim.storage.linearisation.models, joint, k));
        // Rows that motions or joints hold on both sides have no mass to transmit.
        let least = HELD * inverse_masses().fold(0.0, f64::max);
        let inverse_mass = inverse_masses().filter(|w| *w > least).fold(f64::INFINITY, f64::min);
        if relaxation > 1e-3 * inverse_mass {
            let text = format!(
                "interface `{}`: c/h² = {relaxation:.3e} 1/kg is not small against the smallest inverse mass \
                 of the two ports together, {inverse_mass:.3e} 1/kg: the joint transmits only the inertia h²/c = {:.3e} kg a step; \
                 use a smaller constant, or a rigid joint",
                joint.name,
                1.0 / relaxation
            );
            sim.state.warnings.push(text);
        }
    }
}

/// Inverse mass of a row of a joint (1/kg), that of both sides together: a side that can hardly move is no weakness of the
/// joint where the other one moves.
fn inverse_mass(models: &[AffineModel], joint: &Joint, row: usize) -> f64 {
    let of_side = |side: &Side| {
        let at = side.row + row;
        models[side.subsystem].compliance[(at, at)]
    };
    joint.sides.iter().map(of_side).sum()
}
