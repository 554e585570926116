//! Warnings of joints, each given once.

use crate::laws::equation::Mode;
use crate::simulation::Simulation;
use crate::storage::linearisation::AffineModel;
use crate::topology::joint::{Joint, Side};
use crate::{InterfaceLaw, WarningPlace};

/// Inverse mass of one side of a joint, relative to that of the other, below which the side counts as held.
const HELD: f64 = 1e-9;

/// Warns, once, of bushings that come to half a turn.
pub(crate) fn warn_of_turned_bushings(sim: &mut Simulation<'_>) {
    for (j, frame) in sim.topology.bushings() {
        let is_too_far = sim.storage.linearisation.frames[frame.index].is_turned_too_far(frame);
        if is_too_far && !std::mem::replace(&mut sim.state.warnings.turned_frames[frame.index], true) {
            let name = sim.topology.joints[j].name.clone();
            let text = format!(
                "interface `{name}` is turned by almost half a turn: beyond it the bushing takes the shorter way round \
                 and its moment changes sign; use a smaller load, a stiffer bushing, or a joint that leaves the \
                 axis free"
            );
            sim.warn(WarningPlace::Interface(name), text);
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
            ". The inverse mass of subsystems among them is differenced or learnt, which may be too coarse for that: \
             make one of these joints a Tikhonov joint if the iteration does not end"
        } else {
            ""
        };
        let text = format!(
            "the interfaces {} are redundant: they form a loop that holds something twice. They are relaxed a \
             little and share the load; the motion does not depend on it, the force of each of them does{advice}",
            crate::error::list_names(&names)
        );
        if !sim.state.warnings.contains(&text) {
            let names = names.into_iter().map(str::to_owned).collect();
            sim.warn(WarningPlace::Interfaces(names), text);
        }
    }
}

/// Warns, once, of Tikhonov joints that are not rigid for the step in use.
pub(crate) fn warn_of_soft_tikhonov_joints(sim: &mut Simulation<'_>) {
    if std::mem::replace(&mut sim.state.warnings.has_checked_softness, true) {
        return;
    }
    let Mode::Step(h) = sim.storage.condensation.mode() else { return };
    for joint in &sim.topology.joints {
        let InterfaceLaw::Tikhonov { constant } = joint.law else { continue };
        let relaxation = constant / (h * h);
        let models = &sim.storage.linearisation.models;
        let inverse_masses = (0..joint.size).filter_map(|k| least_inverse_mass(models, joint, k));
        let inverse_mass = inverse_masses.fold(f64::INFINITY, f64::min);
        if relaxation > 1e-3 * inverse_mass {
            let text = format!(
                "interface `{}`: c/h² = {relaxation:.3e} 1/kg is not small against the ports' smallest inverse \
                 mass {inverse_mass:.3e} 1/kg: the joint transmits only the inertia h²/c = {:.3e} kg a step; \
                 use a smaller constant, or a rigid joint",
                joint.name,
                1.0 / relaxation
            );
            sim.warn(WarningPlace::Interface(joint.name.clone()), text);
        }
    }
}

/// The smaller inverse mass of the two sides of a joint in coordinate `k` (1/kg). A side that a motion or a joint holds has no
/// mass to transmit; `None` where both are held.
fn least_inverse_mass(models: &[AffineModel], joint: &Joint, k: usize) -> Option<f64> {
    let of_side = |side: &Side| {
        let at = side.row + k;
        models[side.subsystem].inverse_mass[(at, at)]
    };
    let [a, b] = [0, 1].map(|side: usize| of_side(&joint.sides[side]));
    let largest = a.max(b);
    [a, b].into_iter().filter(|w| *w > HELD * largest).reduce(f64::min)
}
