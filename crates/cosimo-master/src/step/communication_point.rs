//! What the master reads at a communication point: rows, contacts, frames, forces of springs.

use super::warnings::warn_of_turned_bushings;
use crate::motion::Motion;
use crate::simulation::Simulation;
use crate::storage::rows::copy_rows;

/// Takes over the rows of all subsystems at the present communication point.
pub(crate) fn read_rows(sim: &mut Simulation<'_>) {
    for (member, subsystem) in sim.topology.subsystems.iter().zip(&sim.subsystems.all) {
        let rows = subsystem.rows();
        let positions = &mut sim.storage.rows.start_positions[member.rows.clone()];
        let velocities = &mut sim.storage.rows.start_velocities[member.rows.clone()];
        copy_rows(Motion { positions: &rows.positions, velocities: &rows.velocities }, positions, velocities);
    }
    derive_from_rows(sim);
}

/// Takes over the rows of the communication point just reached.
pub(crate) fn take_next_rows(sim: &mut Simulation<'_>) {
    std::mem::swap(&mut sim.storage.rows.start_positions, &mut sim.storage.rows.next_positions);
    std::mem::swap(&mut sim.storage.rows.start_velocities, &mut sim.storage.rows.next_velocities);
    derive_from_rows(sim);
}

/// What follows from the rows at the present communication point: contacts, frames, forces of springs.
#[inline]
fn derive_from_rows(sim: &mut Simulation<'_>) {
    for (k, row) in sim.topology.contact_rows.iter().enumerate() {
        if let Some(contact) = row.gap_of {
            sim.storage.rows.start_gaps[contact] = sim.storage.rows.start_positions[row.global_row];
        }
        sim.storage.rows.start_rates[k] = sim.storage.rows.start_velocities[row.global_row];
    }
    read_absent_contacts(sim);
    read_scales(sim);
    read_own_rates(sim);
    if !sim.topology.joints.is_empty() {
        update_joints(sim);
    }
}

/// Moves the contacts that are absent out of reach.
fn read_absent_contacts(sim: &mut Simulation<'_>) {
    let rows = &mut sim.storage.rows;
    for (layout, subsystem) in sim.topology.subsystems.iter().zip(&sim.subsystems.all) {
        for (c, is_absent) in layout.contacts.clone().zip(&subsystem.rows().absent) {
            for row in sim.topology.contacts[c].rows() {
                rows.is_absent_row[sim.topology.contact_rows[row].global_row] = *is_absent;
                rows.start_rates[row] = if *is_absent { 0.0 } else { rows.start_rates[row] };
            }
            rows.start_gaps[c] = if *is_absent { f64::INFINITY } else { rows.start_gaps[c] };
        }
    }
}

/// What gaps and their rates are differences of.
fn read_scales(sim: &mut Simulation<'_>) {
    let rows = &mut sim.storage.rows;
    if !rows.has_scales {
        return;
    }
    for (layout, subsystem) in sim.topology.subsystems.iter().zip(&sim.subsystems.all) {
        for (c, scale) in layout.contacts.clone().zip(&subsystem.rows().scales) {
            (rows.lengths[c], rows.speeds[c]) = (scale.length, scale.speed);
        }
    }
}

/// What follows at the joints: frames, and forces of springs.
fn update_joints(sim: &mut Simulation<'_>) {
    let rows = sim.storage.rows.start();
    for &j in &sim.topology.frames {
        let joint = &sim.topology.joints[j];
        if let Some(frame) = &joint.frame {
            let state = &mut sim.storage.linearisation.frames[frame.index];
            state.read(frame, &sim.subsystems.all, rows);
            // The tangents of a bushing turn with its frame.
            let cluster = sim.topology.subsystems[joint.sides[0].subsystem].cluster;
            sim.storage.condensation.note(cluster, frame.is_compliant);
        }
    }
    read_spring_forces(sim);
    warn_of_turned_bushings(sim);
}

/// Forces of the compliant joints at the present communication point.
fn read_spring_forces(sim: &mut Simulation<'_>) {
    let (rows, condensation) = (&sim.storage.rows, &sim.storage.condensation);
    let state = rows.start();
    for coordinate in condensation.coordinates.iter().filter(|own| !own.passes_impulses && own.is_single) {
        let force = coordinate.spring_force(condensation.law(coordinate), state);
        sim.state.end_forces[coordinate.unknown()] = force;
    }
    let model = sim.storage.linearisation.of(sim.topology);
    for &j in &condensation.coupled {
        let joint = &sim.topology.joints[j];
        for k in 0..joint.size {
            if let Some(force) = model.spring_force(joint, k, state) {
                sim.state.end_forces[joint.first + k] = force;
            }
        }
    }
}

fn read_own_rates(sim: &mut Simulation<'_>) {
    if sim.storage.rows.own_rates[0].is_empty() {
        return;
    }
    sim.storage.rows.own_rates.swap(0, 1);
    for (own, row) in sim.storage.rows.own_rates[0].iter_mut().zip(&sim.topology.contact_rows) {
        let rows = sim.subsystems.all[row.subsystem].rows();
        *own = rows.own_velocities.get(row.row).copied().unwrap_or(0.0);
    }
}
