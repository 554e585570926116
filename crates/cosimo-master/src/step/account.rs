//! The account of a step that all subsystems have taken: energies, forces, contacts, and the rows of the next start.

use super::unsolved::{note_contact_problems, note_iteration};
use crate::communication_point::read::{read_joints, take_next_rows, warn_of_turned_bushings};
use crate::contacts::apply::report_gains;
use crate::contacts::names::ContactNames;
use crate::energy::books::{
    book_damping, book_joint_forces, book_loads, book_remembered_loads, read_affine_ends, read_explicit_ends,
    warn_of_swinging_forces,
};
use crate::energy::inner_impulses::StepSpan;
use crate::energy::monitor::JointWork;
use crate::simulation::Simulation;
use crate::time::part::TakenStep;

/// Books a part of a step of size `h` (s) that was just taken, with moves that close the gaps of joints or without, and goes on to the
/// communication point reached.
pub(super) fn account(sim: &mut Simulation, h: f64, has_moved: bool) {
    let (start, topology) = (sim.clock.now, &sim.topology);
    let (has_joints, has_loads) = (!topology.joints.is_empty(), !topology.load_joints.is_empty());
    let monitor = &mut sim.energy.monitor;
    for (i, slot) in sim.subsystems.slots.iter().enumerate() {
        monitor.book_subsystem(i, &slot.ledger);
    }
    sim.joints.are_of_instant = false;
    let all = &sim.subsystems.all;
    if has_joints || has_loads {
        read_affine_ends(&sim.linearisation, sim.subsystems.has_moments, &mut sim.rows);
        read_explicit_ends(topology, all, &sim.coupling.modes, &mut sim.rows);
        let model = sim.linearisation.of(topology);
        monitor.book_joints(JointWork { model, condensation: &sim.condensation, rows: &sim.rows, h });
    }
    if has_loads {
        book_loads(monitor, &mut sim.loads, sim.linearisation.of(topology), &sim.rows, h);
    }
    sim.clock.advance(h);
    let taken = TakenStep { start, size: h, end: sim.clock.now };
    take_next_rows(topology, all, &mut sim.rows);
    sim.contacts.note_rate_changes(topology, &sim.rows);
    if has_joints {
        let (linearisation, condensation) = (&mut sim.linearisation, &mut sim.condensation);
        read_joints(topology, all, &sim.rows, linearisation, condensation, &mut sim.joints);
        warn_of_turned_bushings(sim.linearisation.of(topology), &mut sim.warnings, taken.end);
        book_joint_forces(&mut sim.joints, &sim.condensation, &sim.rows, h);
        let impulses = &mut sim.joints.impulses;
        sim.contacts.problems.add_inner_joint_impulses(topology, &sim.condensation, impulses);
    }
    if sim.contacts.problems.solution().problems > 0 {
        book_contacts(sim, taken);
    } else {
        sim.contacts.forces.fill(0.0);
    }
    let names = ContactNames { topology: &sim.topology, subsystems: &sim.subsystems.all };
    if let Some(left) = sim.schemes.unsettled.take() {
        note_iteration(&mut sim.contacts, names, &mut sim.warnings, taken, left);
    }
    note_contact_problems(&mut sim.contacts, names, &mut sim.warnings, taken);
    sim.contacts.forget_absent(names, &sim.rows, taken.end);
    if has_moved && !sim.contacts.problems.solution().has_moments {
        sim.energy.monitor.follow_springs(sim.linearisation.of(&sim.topology), &sim.rows);
    }
}

/// Books what the contacts did in a part of a step that was just taken.
fn book_contacts(sim: &mut Simulation, taken: TakenStep) {
    let (model, h) = (sim.linearisation.of(&sim.topology), taken.size);
    let names = ContactNames { topology: &sim.topology, subsystems: &sim.subsystems.all };
    let (monitor, contacts) = (&mut sim.energy.monitor, &mut sim.contacts);
    contacts.add_impulses();
    book_remembered_loads(monitor, contacts, model, &sim.rows, h);
    monitor.book_obstacles(&sim.rows, contacts.problems.solution(), h);
    warn_of_swinging_forces(model, contacts, names, &mut sim.warnings, (taken.end, h));
    contacts.forces.copy_from_slice(&contacts.problems.solution().forces);
    if contacts.problems.solution().has_moments {
        let span = StepSpan { end: taken.end, size: h };
        book_damping(monitor, &sim.topology, &sim.condensation, &contacts.problems, &mut sim.rows, span);
    }
    let solution = contacts.problems.solution();
    monitor.close_step(model, &sim.rows, solution);
    sim.counters.count_contacts(solution);
    contacts.changes.extend(solution.changes.iter().map(|change| names.taken(change)));
    let (gains, at_stake) = (&mut sim.counters.impact_gains, sim.energy.guard.watch.at_stake);
    report_gains(solution, gains, at_stake, names, (&mut sim.warnings, taken.end));
    contacts.problems.open_met_joints(model, &sim.rows, h, &mut sim.joints.relaxed);
    for cluster in contacts.problems.met_clusters() {
        monitor.follow_tikhonov_joints(model, cluster, &sim.rows);
    }
}
