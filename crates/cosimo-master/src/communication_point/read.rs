//! What the master reads at a communication point: rows, contacts, frames, forces of springs.

use cosimo_subsystem::Subsystem;

use crate::WarningPlace;
use crate::condensation::Condensation;
use crate::laws::forces::JointForces;
use crate::linearisation::{Linearisation, LinearisedModel};
use crate::motion::Motion;
use crate::rows::{StepRows, copy_rows};
use crate::topology::Topology;
use crate::warnings::Warnings;

/// Takes over the rows of all subsystems at the present communication point.
pub(crate) fn read_rows(topology: &Topology, subsystems: &[Box<dyn Subsystem>], rows: &mut StepRows) {
    for (member, subsystem) in topology.subsystems.iter().zip(subsystems) {
        let own = subsystem.rows();
        let positions = &mut rows.start_positions[member.rows.clone()];
        let velocities = &mut rows.start_velocities[member.rows.clone()];
        copy_rows(Motion { positions: &own.positions, velocities: &own.velocities }, positions, velocities);
    }
    read_contacts(topology, subsystems, rows);
}

/// Takes over the rows of the communication point just reached.
pub(crate) fn take_next_rows(topology: &Topology, subsystems: &[Box<dyn Subsystem>], rows: &mut StepRows) {
    std::mem::swap(&mut rows.start_positions, &mut rows.next_positions);
    std::mem::swap(&mut rows.start_velocities, &mut rows.next_velocities);
    read_contacts(topology, subsystems, rows);
}

/// What follows from the rows at the present communication point for the contacts.
#[inline]
fn read_contacts(topology: &Topology, subsystems: &[Box<dyn Subsystem>], rows: &mut StepRows) {
    for (k, row) in topology.contact_rows.iter().enumerate() {
        if let Some(contact) = row.gap_of {
            rows.start_gaps[contact] = rows.start_positions[row.global_row];
        }
        rows.start_rates[k] = rows.start_velocities[row.global_row];
    }
    if rows.has_absent {
        read_absent_contacts(topology, subsystems, rows);
    }
    if rows.has_scales {
        read_scales(topology, subsystems, rows);
    }
    if !rows.own_rates[0].is_empty() {
        read_own_rates(topology, subsystems, rows);
    }
}

/// Moves the contacts that are absent out of reach.
fn read_absent_contacts(topology: &Topology, subsystems: &[Box<dyn Subsystem>], rows: &mut StepRows) {
    for (layout, subsystem) in topology.subsystems.iter().zip(subsystems) {
        for (c, is_absent) in layout.contacts.clone().zip(&subsystem.rows().absent) {
            for row in topology.contacts[c].rows() {
                rows.is_absent_row[topology.contact_rows[row].global_row] = *is_absent;
                rows.start_rates[row] = if *is_absent { 0.0 } else { rows.start_rates[row] };
            }
            rows.start_gaps[c] = if *is_absent { f64::INFINITY } else { rows.start_gaps[c] };
        }
    }
}

/// What gaps and their rates are differences of.
fn read_scales(topology: &Topology, subsystems: &[Box<dyn Subsystem>], rows: &mut StepRows) {
    for (layout, subsystem) in topology.subsystems.iter().zip(subsystems) {
        for (c, scale) in layout.contacts.clone().zip(&subsystem.rows().scales) {
            (rows.lengths[c], rows.speeds[c]) = (scale.length, scale.speed);
        }
    }
}

fn read_own_rates(topology: &Topology, subsystems: &[Box<dyn Subsystem>], rows: &mut StepRows) {
    rows.own_rates.swap(0, 1);
    for (own, row) in rows.own_rates[0].iter_mut().zip(&topology.contact_rows) {
        let rows = subsystems[row.subsystem].rows();
        *own = rows.surface_velocities.get(row.row).copied().unwrap_or(0.0);
    }
}

/// What follows from the rows at the present communication point for the joints: frames, and forces of springs.
pub(crate) fn read_joints(
    topology: &Topology,
    subsystems: &[Box<dyn Subsystem>],
    rows: &StepRows,
    linearisation: &mut Linearisation,
    condensation: &mut Condensation,
    joints: &mut JointForces,
) {
    for &j in &topology.frames {
        let joint = &topology.joints[j];
        if let Some(frame) = &joint.frame {
            let state = &mut linearisation.frames[frame.index];
            state.read(frame, subsystems, rows.start());
            // The tangents of a bushing turn with its frame.
            let cluster = topology.subsystems[joint.sides[0].subsystem].cluster;
            condensation.note(cluster, frame.is_compliant);
        }
    }
    read_spring_forces(linearisation.of(topology), condensation, rows, joints);
}

/// Forces of the compliant joints at the present communication point.
fn read_spring_forces(
    model: LinearisedModel<'_>,
    condensation: &Condensation,
    rows: &StepRows,
    joints: &mut JointForces,
) {
    let start = rows.start();
    for coordinate in condensation.coordinates.iter().filter(|own| !own.passes_impulses && own.is_single) {
        let force = coordinate.spring_force(condensation.law(coordinate), start);
        joints.end[coordinate.unknown()] = force;
    }
    for &j in &condensation.coupled {
        let joint = &model.topology.joints[j];
        for k in 0..joint.size {
            if let Some(force) = model.spring_force(joint, k, start) {
                joints.end[joint.first + k] = force;
            }
        }
    }
}

/// Warns at a communication point (s), once, of bushings that come to half a turn.
pub(crate) fn warn_of_turned_bushings(model: LinearisedModel<'_>, warnings: &mut Warnings, time: f64) {
    if model.topology.frames.is_empty() {
        return;
    }
    for (j, frame) in model.topology.bushings() {
        let is_too_far = model.frames[frame.index].is_turned_too_far(frame);
        if is_too_far && !std::mem::replace(&mut warnings.turned_frames[frame.index], true) {
            let name = model.topology.joints[j].name.clone();
            let text = format!(
                "interface `{name}` is turned by almost half a turn: beyond it the bushing takes the shorter way round \
                 and its moment changes sign; use a smaller load, a stiffer bushing, or a joint that leaves the \
                 axis free"
            );
            warnings.warn(time, WarningPlace::Interface(name), text);
        }
    }
}
