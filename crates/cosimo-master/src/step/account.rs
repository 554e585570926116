//! The account of a step that all subsystems have taken: energies, forces, contacts, and the rows of the next start.

use super::unsolved::{note_contact_problems, note_iteration};
use crate::CouplingMode;
use crate::communication_point::read::{read_joints, take_next_rows, warn_of_turned_bushings};
use crate::contacts::apply::report_gains;
use crate::contacts::names::ContactNames;
use crate::energy::accounts::{book_loads, warn_of_swinging_forces};
use crate::energy::monitor::JointWork;
use crate::execution::extrapolated::read_explicit_ends;
use crate::execution::subsystems::Subsystems;
use crate::linearisation::Linearisation;
use crate::linearisation::end_rows::read_affine_ends;
use crate::rows::StepRows;
use crate::simulation::StepContext;
use crate::time::part::TakenStep;
use crate::topology::Topology;

/// Accounts for a part of a step of size `h` (s) that was just taken, with moves that close the gaps of joints or without, and goes on to the
/// communication point reached.
pub(super) fn account(sim: &mut StepContext, h: f64, has_moved: bool) {
    let (start, topology, all) = (sim.clock.now, &sim.topology, &sim.subsystems.all);
    let (has_joints, has_loads) = (!topology.joints.is_empty(), !topology.load_joints.is_empty());
    let monitor = &mut sim.energy.monitor;
    monitor.book_subsystems(sim.subsystems.slots.iter().map(|slot| &slot.ledger));
    sim.joints.are_of_instant = false;
    if has_joints || has_loads {
        read_ends(topology, &sim.subsystems, &sim.linearisation, &sim.coupling.modes, &mut sim.rows);
        let (model, condensation) = (sim.linearisation.of(topology), &sim.condensation);
        let takes_loads = sim.schemes.iteration.is_some();
        monitor.book_joints(JointWork { model, condensation, rows: &sim.rows, h, takes_loads });
    }
    if has_loads {
        book_loads(monitor, &mut sim.loads, sim.linearisation.of(topology), &sim.rows, h);
    }
    sim.clock.advance(h);
    let taken = TakenStep { start, size: h, end: sim.clock.now };
    take_next_rows(topology, all, &mut sim.rows);
    if sim.contacts.are_chosen {
        sim.contacts.note_rate_changes(topology, &sim.rows);
    }
    let has_solved = sim.contacts.problems.solution().problems > 0;
    if has_joints {
        let (linearisation, condensation) = (&mut sim.linearisation, &mut sim.condensation);
        read_joints(topology, all, &sim.rows, linearisation, condensation, &mut sim.joints);
        warn_of_turned_bushings(sim.linearisation.of(topology), &mut sim.warnings, taken.end);
        sim.condensation.take_forces(&mut sim.joints, &sim.rows, h);
        if has_solved {
            let impulses = &mut sim.joints.impulses;
            sim.contacts.problems.add_inner_joint_impulses(topology, &sim.condensation, impulses);
        }
    }
    let (model, contacts) = (sim.linearisation.of(topology), &mut sim.contacts);
    let names = ContactNames { topology, subsystems: all };
    if has_solved {
        contacts.add_impulses();
        warn_of_swinging_forces(model, contacts, names, &mut sim.warnings, (taken.end, h));
        sim.energy.book_contacts(contacts, model, &sim.condensation, &mut sim.rows, taken);
        contacts.take_solution(names);
        let solution = contacts.problems.solution();
        sim.counters.count_contacts(solution);
        let (gains, at_stake) = (&mut sim.counters.impact_gains, sim.energy.guard.watch.at_stake);
        report_gains(solution, gains, at_stake, names, (&mut sim.warnings, taken.end));
        contacts.problems.open_met_joints(model, &sim.rows, h, &mut sim.joints.relaxed);
    } else {
        contacts.forces.fill(0.0);
    }
    if let Some(left) = sim.schemes.unsettled.take() {
        note_iteration(contacts, names, &mut sim.warnings, taken, left);
    }
    if has_solved {
        note_contact_problems(contacts, names, &mut sim.warnings, taken);
    }
    if sim.rows.has_absent {
        contacts.forget_absent(names, &sim.rows, taken.end);
    }
    if has_moved && !contacts.problems.solution().has_moments {
        sim.energy.monitor.follow_springs(model, &sim.rows);
    }
}

/// The end rows of subsystems that are affine, or that were stepped ahead with extrapolated loads.
#[inline]
fn read_ends(
    topology: &Topology,
    subsystems: &Subsystems,
    linearisation: &Linearisation,
    modes: &[CouplingMode],
    rows: &mut StepRows,
) {
    read_affine_ends(&linearisation.models, linearisation.is_affine, subsystems.has_moments, rows);
    if subsystems.are_extrapolated {
        read_explicit_ends(topology, &subsystems.all, modes, rows);
    }
}
