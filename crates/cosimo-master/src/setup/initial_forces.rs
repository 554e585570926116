//! Forces of rigid joints at the start of a run.

use super::coupling_mode::CouplingMode;
use crate::laws::equation::Mode;
use crate::schemes::condensed::solve_interface;
use crate::simulation::Simulation;
use crate::step::begin::begin;
use crate::step::part::StepPart;
use crate::{Discretisation, StepError};

/// Forces of rigid joints at the start: from a tiny step with impulse rows, whose impulse divided by its size is the force.
/// Position rows carry them on; rules without a past balance the accelerations of their start with them, where all
/// subsystems report their inverse mass: others would have to be evaluated for it.
pub(crate) fn find_initial_forces(sim: &mut Simulation<'_>, h: f64) -> Result<(), StepError> {
    let all_tell = sim
        .state
        .coupling
        .modes
        .iter()
        .all(|mode| matches!(mode, CouplingMode::Exact | CouplingMode::ExactContradicted))
        && sim.subsystems.all.iter().all(|s| s.description().capabilities.has_variable_step);
    let has_use = sim.topology.config.discretisation == Discretisation::Position || all_tell;
    if !(has_use && sim.topology.joints.iter().any(|joint| joint.law.passes_impulses())) {
        return Ok(());
    }
    let tiny = 1e-3 * h;
    begin(sim, StepPart { time: sim.time(), size: tiny, macro_size: h })?;
    let model = sim.storage.linearisation.of(sim.topology);
    let mode = Mode::Step { size: tiny, macro_size: h };
    let factorized = sim.storage.condensation.refresh(model, mode, Discretisation::Impulse);
    if factorized.is_ok() {
        solve_interface(sim);
        for joint in sim.topology.joints.iter().filter(|joint| joint.law.passes_impulses()) {
            for unknown in joint.unknowns() {
                sim.state.end_forces[unknown] = sim.storage.rows.unknowns[unknown] / tiny;
            }
        }
    }
    sim.subsystems.discard();
    sim.storage.condensation.note_all();
    Ok(())
}
