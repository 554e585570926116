//! Forces that balance the motion at an instant: at the start of a run, and after a velocity jump.
//!
//! Rules that begin anew balance the accelerations of their first step with the forces that act then. Those of rigid joints and of
//! closed contacts come from a tiny step with momentum rows: the impulses that keep gaps and joints closed over it, divided by its
//! size, are the forces.

use cosimo_nonsmooth::ImpactResolution;

use super::begin::begin;
use super::part::StepPart;
use super::solve::{retreat, solve};
use crate::laws::equation::Mode;
use crate::schemes::condensed::solve_interface;
use crate::setup::coupling_mode::CouplingMode;
use crate::simulation::Simulation;
use crate::{InterfaceLaw, StepError};

/// Size of the tiny step by which forces at an instant are found, as a share of the step (–).
pub const TINY: f64 = 1e-3;
/// Gap rates (m/s) up to which a contact that touches at the start is at rest.
const AT_REST: f64 = 1e-9;

/// Forces of rigid joints and of contacts at rest at the start of a run: rules without a past balance the accelerations of their start
/// with them, where all subsystems report their inverse mass; others would have to be evaluated for it.
pub(crate) fn find_initial_forces(sim: &mut Simulation<'_>, h: f64) -> Result<(), StepError> {
    open_relaxed_joints(sim);
    if all_report(sim) {
        if sim.topology.passes_impulses {
            find_joint_forces(sim, h)?;
        }
        find_forces_at_rest(sim, h);
    }
    Ok(())
}

/// The forces by which Tikhonov joints are open at the start, `g/c`.
fn open_relaxed_joints(sim: &mut Simulation<'_>) {
    let model = sim.storage.linearisation.of(sim.topology);
    for joint in &sim.topology.joints {
        let InterfaceLaw::Tikhonov { constant } = joint.law else { continue };
        for (k, unknown) in joint.unknowns().enumerate() {
            let gap = model.present_gap(joint, k, &sim.storage.rows.start_positions);
            sim.state.relaxed_forces[unknown] = gap / constant;
        }
    }
}

/// Whether all subsystems report their inverse mass and take steps of any size.
fn all_report(sim: &Simulation<'_>) -> bool {
    let is_exact =
        |mode: &CouplingMode| matches!(mode, CouplingMode::Exact | CouplingMode::ExactContradicted);
    sim.state.coupling.modes.iter().all(is_exact)
        && sim.subsystems.all.iter().all(|s| s.description().capabilities.has_variable_step)
}

fn find_joint_forces(sim: &mut Simulation<'_>, h: f64) -> Result<(), StepError> {
    let (size, step) = (TINY * h, h);
    let mode = Mode::Start { size, step };
    begin(sim, StepPart { time: sim.time(), size, macro_size: step, mode })?;
    let model = sim.storage.linearisation.of(sim.topology);
    let factorized = sim.storage.condensation.refresh(model, mode);
    if factorized.is_ok() {
        solve_interface(sim);
        take_joint_forces(sim, size);
    }
    sim.subsystems.discard();
    sim.storage.condensation.note_all();
    Ok(())
}

fn take_joint_forces(sim: &mut Simulation<'_>, tiny: f64) {
    for joint in sim.topology.joints.iter().filter(|joint| joint.law.passes_impulses()) {
        for unknown in joint.unknowns() {
            sim.state.end_forces[unknown] = sim.storage.rows.unknowns[unknown] / tiny;
        }
    }
    sim.state.has_instant_forces = true;
}

/// Closes contacts that touch without a rate and are pressed together, at subsystems whose rule remembers accelerations. Others close
/// in the first step.
fn find_forces_at_rest(sim: &mut Simulation<'_>, h: f64) {
    let rows = &sim.storage.rows;
    let rests = |(c, gap): (usize, usize)| {
        rows.start_gaps[c] <= rows.gap_rounding(c)
            && rows.start_rates[gap].abs() <= AT_REST
            && !rows.is_absent(c)
    };
    let mut is_any = false;
    for (c, contact) in sim.topology.contacts.iter().enumerate() {
        if rests((c, contact.gap)) {
            sim.state.contact_memory[c].load = f64::MIN_POSITIVE;
            is_any = true;
        }
    }
    if !is_any {
        return;
    }
    find_forces(sim, h);
    for (c, contact) in sim.topology.contacts.iter().enumerate() {
        let weights = sim.storage.linearisation.models[contact.subsystem].weights;
        if weights.are_of_mean(TINY * h) {
            contact.rows().for_each(|row| sim.state.contact_forces[row] = 0.0);
        }
        sim.state.contact_memory[c].load = sim.state.contact_forces[contact.gap];
    }
}

/// Forces of joints and closed contacts after the velocity jump just made, for rules that begin anew and remember accelerations.
pub(crate) fn find_instant_forces(sim: &mut Simulation<'_>, h: f64) {
    sim.state.contact_forces.fill(0.0);
    let is_closed = sim.state.contact_memory.iter().any(cosimo_nonsmooth::ContactMemory::is_closed);
    if is_closed && remembers_accelerations(sim, h) && all_report(sim) {
        find_forces(sim, h);
    }
}

/// The tiny step with the closed contacts. Forces that it does not find stay unknown: the step that follows says why.
fn find_forces(sim: &mut Simulation<'_>, h: f64) {
    let size = TINY * h;
    let part = StepPart { time: sim.time(), size, macro_size: h, mode: Mode::Start { size, step: h } };
    sim.storage.remembered.copy_from_slice(&sim.state.contact_memory);
    if solve(sim, part, ImpactResolution::ClosedOnly).is_ok() {
        let solution = sim.storage.contact_problems.solution();
        for (force, impulse) in sim.state.contact_forces.iter_mut().zip(&solution.sustained) {
            *force = impulse / part.size;
        }
        take_joint_forces(sim, part.size);
    }
    retreat(sim);
    sim.storage.condensation.note_all();
}

/// Whether a cluster with contacts that is not affine has a rule that remembers accelerations in a step of size `h` (s).
pub(crate) fn remembers_accelerations(sim: &Simulation<'_>, h: f64) -> bool {
    let linearisation = &sim.storage.linearisation;
    sim.topology.contacts.iter().any(|contact| {
        let cluster = sim.topology.subsystems[contact.subsystem].cluster;
        !linearisation.affine_clusters[cluster]
            && !linearisation.models[contact.subsystem].weights.are_of_mean(h)
    })
}
