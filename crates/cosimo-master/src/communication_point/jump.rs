//! Inverse masses at an instant, for velocity jumps and moves of positions.

use cosimo_subsystem::SubsystemError;
use cosimo_subsystem::cost::CallKind;

use crate::StepError;
use crate::condensation::Condensation;
use crate::contacts::Contacts;
use crate::execution::subsystems::Subsystems;
use crate::linearisation::Linearisation;
use crate::time::part::Mode;
use crate::topology::Topology;

/// Inverse masses and interface matrix of a velocity jump at the present communication point (s), for steps of this size (s) that follow.
pub(crate) fn prepare_instant(
    topology: &Topology,
    subsystems: &mut Subsystems,
    linearisation: &mut Linearisation,
    condensation: &mut Condensation,
    contacts: &Contacts,
    (time, size): (f64, f64),
) -> Result<(), StepError> {
    let prepared = prepare_jumps(topology, subsystems, linearisation, size);
    prepared.map_err(|source| StepError::Subsystem { time, source })?;
    // Every inverse mass is another one.
    condensation.note_all();
    let model = linearisation.of(topology);
    condensation.update(model, Mode::Instant, time)?;
    contacts.refresh_matrices(model, condensation);
    Ok(())
}

/// Inverse masses of the subsystems.
fn prepare_jumps(
    topology: &Topology,
    subsystems: &mut Subsystems,
    linearisation: &mut Linearisation,
    size: f64,
) -> Result<(), SubsystemError> {
    for (i, layout) in topology.subsystems.iter().enumerate() {
        let model = &mut linearisation.models[i];
        if layout.rows.is_empty() {
            continue;
        }
        if !subsystems.all[i].description().capabilities.takes_impulses
            && layout.open.is_empty()
            && layout.contacts.is_empty()
            && layout.joints.iter().all(|port| !topology.joints[port.joint].law.passes_impulses())
        {
            // No impulse reaches it.
            model.inverse_mass.scale(0.0);
            model.revision = None;
            continue;
        }
        let inverse_mass = &mut model.inverse_mass;
        subsystems.call((i, &layout.name), CallKind::Other, |subsystem| {
            inverse_mass.copy_from(subsystem.prepare_jump(size)?);
            Ok(())
        })?;
        // The inverse mass of the next step is another one, whatever its revision says.
        model.revision = None;
    }
    subsystems.check_inverse_masses(&linearisation.models)
}

/// Lets velocities jump by these impulses on all rows (N s) at a communication point (s); returns the work of prescribed motions (J).
pub(crate) fn jump(
    topology: &Topology,
    subsystems: &mut Subsystems,
    impulses: &[f64],
    time: f64,
) -> Result<f64, StepError> {
    let mut work = 0.0;
    for (i, layout) in topology.subsystems.iter().enumerate() {
        let own = &impulses[layout.rows.clone()];
        if own.iter().all(|impulse| *impulse == 0.0) {
            continue;
        }
        let jumped = subsystems.call((i, &layout.name), CallKind::Other, |subsystem| subsystem.jump(own));
        jumped.map_err(|source| StepError::NotCommitted { time, source })?;
        work += subsystems.all[i].jump_work();
    }
    Ok(work)
}
