//! Warnings of joints and contacts, each given once.

use crate::WarningPlace;
use crate::contacts::names::ContactNames;
use crate::contacts::near::touch_on_the_way;
use crate::execution::slot::CallSlot;
use crate::rows::StepRows;
use crate::topology::Topology;
use crate::topology::joint::Side;
use crate::warnings::Warnings;

/// Warns at a communication point (s) of clusters whose impacts the plain problem takes against the settings.
pub(crate) fn warn_of_plain_impacts(topology: &Topology, warnings: &mut Warnings, time: f64) {
    for joint in topology.clusters.iter().filter_map(|cluster| cluster.plain_because_of) {
        let joint = &topology.joints[joint];
        let is_micro = |side: &&Side| topology.takes_micro_steps(side.subsystem);
        let captures = |side: &&Side| {
            let layout = &topology.subsystems[side.subsystem];
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
            joint.name, topology.subsystems[side.subsystem].name
        );
        warnings.warn(time, WarningPlace::Interface(joint.name.clone()), text);
    }
}

/// Warns at a communication point (s), once, of contacts that the step just solved passes through, where the plain problem takes the impacts.
pub(crate) fn warn_of_passed_contacts(
    names: ContactNames<'_>,
    slots: &[CallSlot],
    rows: &StepRows,
    warnings: &mut Warnings,
    time: f64,
) {
    if slots.iter().all(|slot| slot.touches.is_empty()) {
        return;
    }
    for (c, contact) in names.topology.contacts.iter().enumerate() {
        let is_open = rows.end_positions[contact.global_row] > 0.0;
        if !is_open || touch_on_the_way(names.topology, slots, c).is_none() {
            continue;
        }
        let name = names.of(c);
        let text = format!(
            "contact `{name}` is passed through: its bodies meet in the middle of a step and are apart at its end, where the plain \
             problem looks; use impacts = \"sub-step\" with scheme = \"condensed\", or a smaller step"
        );
        if !warnings.contains(&text) {
            warnings.warn(time, WarningPlace::Contact(name), text);
        }
    }
}
