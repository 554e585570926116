//! Inverse masses at an instant, for velocity jumps and moves of positions.

use cosimo_subsystem::cost::CallKind;

use super::not_solved::singular_interface;
use crate::StepError;
use crate::contacts::solve::refresh_all_contacts;
use crate::laws::equation::Mode;
use crate::simulation::Simulation;

/// Step size (s) that a projection prepares jumps for: so small that the masses alone decide.
pub(crate) const INSTANT: f64 = 1e-9;

/// Inverse masses and interface matrix of a velocity jump at the present communication point.
pub(crate) fn prepare_instant(sim: &mut Simulation<'_>, size: f64) -> Result<(), StepError> {
    let time = sim.state.clock.now;
    for (i, layout) in sim.topology.subsystems.iter().enumerate() {
        let (model, subsystem) = (&mut sim.storage.linearisation.models[i], &sim.subsystems.all[i]);
        if layout.rows.is_empty() {
            continue;
        }
        if !subsystem.description().capabilities.takes_impulses
            && layout.open.is_empty()
            && layout.contacts.is_empty()
            && layout.joints.iter().all(|port| !sim.topology.joints[port.joint].law.passes_impulses())
        {
            // No impulse reaches it.
            model.inverse_mass.scale(0.0);
            model.revision = None;
            continue;
        }
        let inverse_mass = &mut model.inverse_mass;
        let prepared = sim.subsystems.call((i, &layout.name), CallKind::Other, |subsystem| {
            inverse_mass.copy_from(subsystem.prepare_jump(size)?);
            Ok(())
        });
        prepared.map_err(|source| StepError::Subsystem { time, source })?;
        // The inverse mass of the next step is another one, whatever its revision says.
        model.revision = None;
    }
    let checked = sim.subsystems.check_inverse_masses(&sim.storage.linearisation.models);
    checked.map_err(|source| StepError::Subsystem { time, source })?;
    // Every inverse mass is another one.
    sim.storage.condensation.note_all();
    let model = sim.storage.linearisation.of(sim.topology);
    let refreshed = sim.storage.condensation.refresh(model, Mode::Instant);
    refreshed.map_err(|unknown| singular_interface(sim, unknown))?;
    refresh_all_contacts(sim);
    Ok(())
}

/// Lets velocities jump by these impulses on all rows (N s); returns the work of prescribed motions (J).
pub(crate) fn jump(sim: &mut Simulation<'_>, impulses: &[f64]) -> Result<f64, StepError> {
    let (time, mut work) = (sim.state.clock.now, 0.0);
    for (i, layout) in sim.topology.subsystems.iter().enumerate() {
        let own = &impulses[layout.rows.clone()];
        if own.iter().all(|impulse| *impulse == 0.0) {
            continue;
        }
        let jumped = sim.subsystems.call((i, &layout.name), CallKind::Other, |subsystem| subsystem.jump(own));
        jumped.map_err(|source| StepError::NotCommitted { time, source })?;
        work += sim.subsystems.all[i].jump_work();
    }
    Ok(work)
}
