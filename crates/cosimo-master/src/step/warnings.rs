//! Warnings of joints and contacts, each given once.

use crate::WarningPlace;
use crate::contacts::near::touch_on_the_way;
use crate::simulation::Simulation;
use crate::topology::joint::Side;

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

/// Warns of clusters whose impacts the plain problem takes against the settings.
pub(crate) fn warn_of_plain_impacts(sim: &mut Simulation<'_>) {
    for joint in sim.topology.clusters.iter().filter_map(|cluster| cluster.plain_because_of) {
        let joint = &sim.topology.joints[joint];
        let is_micro = |side: &&Side| sim.topology.takes_micro_steps(side.subsystem);
        let captures = |side: &&Side| {
            let layout = &sim.topology.subsystems[side.subsystem];
            layout.captures_impacts || layout.captures_contacts
        };
        let (side, what, remedy) = match joint.sides.iter().find(is_micro) {
            Some(side) => (side, "takes micro steps", "leave out its micro_steps"),
            None => match joint.sides.iter().find(captures) {
                Some(side) => {
                    (side, "captures impacts by a scheme of its own", "give it a solver without `scheme`")
                }
                None => continue,
            },
        };
        let text = format!(
            "interface `{}` passes impulses of contacts to subsystem `{}`, which {what}: the plain problem takes the impacts there, with order \
             one (impacts = \"plain\"); {remedy} for impacts at their instants",
            joint.name, sim.topology.subsystems[side.subsystem].name
        );
        sim.warn(WarningPlace::Interface(joint.name.clone()), text);
    }
}

/// Warns, once, of contacts that the step just solved passes through, where the plain problem takes the impacts.
pub(crate) fn warn_of_passed_contacts(sim: &mut Simulation<'_>) {
    if sim.subsystems.slots.iter().all(|slot| slot.touches.is_empty()) {
        return;
    }
    for (c, contact) in sim.topology.contacts.iter().enumerate() {
        let is_open = sim.storage.rows.end_positions[contact.global_row] > 0.0;
        if !is_open || touch_on_the_way(sim.topology, &sim.subsystems.slots, c).is_none() {
            continue;
        }
        let name = sim.contact_names().of(c);
        let text = format!(
            "contact `{name}` is passed through: its bodies meet in the middle of a step and are apart at its end, where the plain \
             problem looks; use impacts = \"sub-step\" with scheme = \"condensed\", or a smaller step"
        );
        if !sim.state.warnings.contains(&text) {
            sim.warn(WarningPlace::Contact(name), text);
        }
    }
}
