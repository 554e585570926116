//! Where rows are, in words.

use super::names::ContactNames;
use crate::ResidualPlace;
use crate::topology::Topology;
use crate::topology::joint::Side;

/// The contact that a row is the gap or a slip of.
pub(crate) fn contact_of_row(topology: &Topology, row: usize) -> Option<usize> {
    let rows = &topology.contact_rows;
    topology.contacts.iter().position(|contact| contact.rows().any(|own| rows[own].global_row == row))
}

/// Where a row is.
pub(crate) fn place_of_row(names: ContactNames<'_>, row: usize) -> ResidualPlace {
    let topology = names.topology;
    let is_at = |side: &&Side, size: usize| (side.global_row..side.global_row + size).contains(&row);
    let joined = topology
        .joints
        .iter()
        .find_map(|joint| joint.sides.iter().find(|side| is_at(side, joint.size)).map(|side| (joint, side)));
    if let Some((joint, side)) = joined {
        return ResidualPlace::Interface { name: joint.name.clone(), side: side.label.clone() };
    }
    let member = topology.subsystems.iter().position(|member| member.rows.contains(&row));
    let name = member.map_or_else(String::new, |i| topology.subsystems[i].name.clone());
    if let Some(load) = topology.load_joints.iter().find(|joint| joint.rows().contains(&row)) {
        return ResidualPlace::Interface { name: load.name.clone(), side: name };
    }
    match contact_of_row(topology, row) {
        Some(contact) => ResidualPlace::Contact(names.of(contact)),
        None if member.is_some() => ResidualPlace::Subsystem(name),
        None => ResidualPlace::Unknown,
    }
}
