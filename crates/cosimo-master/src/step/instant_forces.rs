//! Forces that balance the motion at an instant: at the start of a run, and after a velocity jump.
//!
//! Rules that begin anew balance the accelerations of their first step with the forces that act then. Those of rigid joints and of
//! closed contacts come from a tiny step with momentum rows: the impulses that keep gaps and joints closed over it, divided by its
//! size, are the forces.

use cosimo_nonsmooth::ImpactResolution;

use cosimo_subsystem::Subsystem;

use super::begin::begin;
use super::solve::solve;
use crate::contacts::Contacts;
use crate::contacts::state::ContactState;
use crate::execution::coupling_mode::CouplingMode;
use crate::linearisation::LinearisedModel;
use crate::rows::StepRows;
use crate::simulation::StepContext;
use crate::time::part::{Mode, StepPart};
use crate::topology::Topology;
use crate::{InterfaceLaw, StepError};

/// Size of the tiny step by which forces at an instant are found, as a share of the step (–).
pub const TINY: f64 = 1e-3;
/// Gap rates (m/s) up to which a contact that touches at the start is at rest.
const AT_REST: f64 = 1e-9;

/// The tiny step at a communication point (s) before steps of size `h` (s).
fn tiny_part(time: f64, h: f64) -> StepPart {
    let size = TINY * h;
    StepPart { time, size, macro_size: h, mode: Mode::Start { size, step: h } }
}

/// Forces of rigid joints and of contacts at rest at the start of a run: rules without a past balance the accelerations of their start
/// with them, where all subsystems report their inverse mass; others would have to be evaluated for it.
pub(super) fn find_initial_forces(sim: &mut StepContext, h: f64) -> Result<(), StepError> {
    open_relaxed_joints(sim.linearisation.of(&sim.topology), &sim.rows, &mut sim.joints.relaxed);
    if !all_report(&sim.coupling.modes, &sim.subsystems.all) {
        return Ok(());
    }
    if sim.topology.passes_impulses {
        let part = tiny_part(sim.clock.now, h);
        begin(sim, part)?;
        let model = sim.linearisation.of(&sim.topology);
        if sim.condensation.refresh(model, part.mode).is_ok() {
            sim.condensation.solve_without_contacts(model, &mut sim.rows);
            sim.joints.take_instant(&sim.topology, &sim.rows.unknowns, part.size);
        }
        sim.subsystems.discard();
        sim.condensation.note_all();
    }
    if close_at_rest(&mut sim.contacts, &sim.topology, &sim.rows) {
        find_forces(sim, h);
        take_forces_at_rest(&mut sim.contacts, sim.linearisation.of(&sim.topology), h);
    }
    Ok(())
}

/// The forces by which Tikhonov joints are open at the start, `g/c`.
fn open_relaxed_joints(model: LinearisedModel<'_>, rows: &StepRows, forces: &mut [f64]) {
    for joint in &model.topology.joints {
        let InterfaceLaw::Tikhonov { constant } = joint.law else { continue };
        for (k, unknown) in joint.unknowns().enumerate() {
            forces[unknown] = model.present_gap(joint, k, &rows.start_positions) / constant;
        }
    }
}

/// Whether all subsystems report their inverse mass and take steps of any size.
fn all_report(modes: &[CouplingMode], subsystems: &[Box<dyn Subsystem>]) -> bool {
    let is_exact =
        |mode: &CouplingMode| matches!(mode, CouplingMode::Exact | CouplingMode::ExactContradicted);
    modes.iter().all(is_exact) && subsystems.iter().all(|s| s.description().capabilities.has_variable_step)
}

/// Closes contacts that touch without a rate and are pressed together; says whether there are any. Others close in the first step.
fn close_at_rest(contacts: &mut Contacts, topology: &Topology, rows: &StepRows) -> bool {
    let mut is_any = false;
    for (c, contact) in topology.contacts.iter().enumerate() {
        if rows.start_gaps[c] <= rows.gap_rounding(c)
            && rows.start_rates[contact.gap].abs() <= AT_REST
            && !rows.is_absent(c)
        {
            contacts.state.memory[c].load = f64::MIN_POSITIVE;
            is_any = true;
        }
    }
    is_any
}

/// Keeps the forces of contacts of subsystems whose rule remembers accelerations in a step of size `h` (s).
fn take_forces_at_rest(contacts: &mut Contacts, model: LinearisedModel<'_>, h: f64) {
    for (c, contact) in model.topology.contacts.iter().enumerate() {
        if model.models[contact.subsystem].weights.are_of_mean(TINY * h) {
            contact.rows().for_each(|row| contacts.forces[row] = 0.0);
        }
        contacts.state.memory[c].load = contacts.forces[contact.gap];
    }
}

/// Whether forces of joints and closed contacts are wanted after a velocity jump: for rules that begin anew and remember accelerations in
/// steps of size `h` (s).
pub(crate) fn needs_instant_forces(
    model: LinearisedModel<'_>,
    contacts: &ContactState,
    modes: &[CouplingMode],
    subsystems: &[Box<dyn Subsystem>],
    h: f64,
) -> bool {
    contacts.memory.iter().any(cosimo_nonsmooth::ContactMemory::is_closed)
        && remembers_accelerations(model, h)
        && all_report(modes, subsystems)
}

/// The tiny step with the closed contacts. Forces that it does not find stay unknown: the step that follows says why.
pub(crate) fn find_forces(sim: &mut StepContext, h: f64) {
    let part = tiny_part(sim.clock.now, h);
    sim.contacts.remember();
    if solve(sim, part, ImpactResolution::ClosedOnly).is_ok() {
        let solution = sim.contacts.problems.solution();
        for (force, impulse) in sim.contacts.forces.iter_mut().zip(&solution.sustained) {
            *force = impulse / part.size;
        }
        sim.joints.take_instant(&sim.topology, &sim.rows.unknowns, part.size);
    }
    sim.subsystems.discard();
    sim.contacts.recall();
    sim.condensation.note_all();
}

/// Whether a cluster with contacts that is not affine has a rule that remembers accelerations in a step of size `h` (s).
fn remembers_accelerations(model: LinearisedModel<'_>, h: f64) -> bool {
    let LinearisedModel { topology, models, affine_clusters, .. } = model;
    topology.contacts.iter().any(|contact| {
        let cluster = topology.subsystems[contact.subsystem].cluster;
        !affine_clusters[cluster] && !models[contact.subsystem].weights.are_of_mean(h)
    })
}
