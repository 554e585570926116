//! What is done about an interface that creates more energy in a step than allowed.

use cosimo_subsystem::Subsystem;

use super::books::joint_balance;
use super::monitor::JointBalance;
use crate::schemes::response::end_rows_with_loads;
use crate::setup::coupling_mode::CouplingMode;
use crate::simulation::Simulation;
use crate::{EnergyAction, SetupError, StepError, WarningPlace};

/// A joint that created more than allowed.
struct Excess {
    joint: usize,
    created: f64,
    allowed: f64,
}

/// Refuses to guard by halving what cannot be taken back.
pub(crate) fn check_energy_action(sim: &Simulation<'_>) -> Result<(), SetupError> {
    if sim.topology.config.energy_action != EnergyAction::Halve {
        return Ok(());
    }
    for (subsystem, mode) in sim.subsystems.all.iter().zip(&sim.state.coupling.modes) {
        let description = subsystem.description();
        if !description.capabilities.can_roll_back || *mode == CouplingMode::Explicit {
            return Err(SetupError::NoRollback { subsystem: description.name.clone() });
        }
    }
    Ok(())
}

/// Begins a macro step: takes up the energy there is.
pub(crate) fn take_up_energy(sim: &mut Simulation<'_>) {
    if matches!(sim.topology.config.energy_action, EnergyAction::None | EnergyAction::Ignore) {
        return;
    }
    let energy = energy_of(sim);
    sim.state.energy_guard.take_up(energy);
}

/// Energy of the model without regard to the sign of the potential energies of subsystems (J).
pub(crate) fn energy_of(sim: &Simulation<'_>) -> f64 {
    let energy = |s: &dyn Subsystem| s.energy().kinetic + s.energy().potential.abs();
    sim.subsystems.all.iter().map(|s| energy(s.as_ref())).sum::<f64>() + sim.state.monitor.stored()
}

/// Begins a part of a step that may be rejected.
pub(crate) fn remember_contacts(sim: &mut Simulation<'_>) {
    if matches!(sim.topology.config.energy_action, EnergyAction::Stop | EnergyAction::Halve) {
        sim.storage.guarded.copy_from_slice(&sim.state.contact_memory);
    }
}

/// Rejects the part of a step just solved, of size `h` (s), if an interface creates too much energy in it.
pub(crate) fn admit_energy(sim: &mut Simulation<'_>, h: f64) -> Result<(), StepError> {
    let is_halved = match sim.topology.config.energy_action {
        EnergyAction::None | EnergyAction::Ignore | EnergyAction::Warn => return Ok(()),
        EnergyAction::Stop if sim.state.coupling.modes.contains(&CouplingMode::Explicit) => return Ok(()),
        EnergyAction::Stop => false,
        EnergyAction::Halve => true,
    };
    if sim.storage.linearisation.is_affine {
        end_rows_with_loads(sim);
    }
    // Halves share what is allowed; where nothing is halved, parts that were taken count.
    let share = if is_halved { (h / sim.storage.macro_size).min(1.0) } else { 1.0 };
    let found = (0..sim.topology.joints.len()).find_map(|joint| {
        let JointBalance { created, passed, .. } = joint_balance(sim, joint, h);
        let before = if is_halved { 0.0 } else { sim.state.monitor.created_in_step(joint) };
        let (created, allowed) =
            (before + created, share * sim.state.energy_guard.allowed(&sim.topology.config, passed));
        (created > allowed).then_some(Excess { joint, created, allowed })
    });
    match found {
        None => Ok(()),
        Some(excess) => {
            sim.subsystems.discard();
            sim.state.contact_memory.copy_from_slice(&sim.storage.guarded);
            let start = sim.state.clock.now;
            Err(too_much_energy(sim, &excess, start, h))
        }
    }
}

/// Looks at what the interfaces have created in the macro step just taken, from `time` and of size `h` (s).
pub(crate) fn watch_energy(sim: &mut Simulation<'_>, time: f64, h: f64) -> Result<(), StepError> {
    let action = sim.topology.config.energy_action;
    if matches!(action, EnergyAction::None | EnergyAction::Ignore | EnergyAction::Halve) {
        return Ok(());
    }
    for joint in 0..sim.topology.interfaces() {
        let created = sim.state.monitor.created_in_step(joint);
        let allowed =
            sim.state.energy_guard.allowed(&sim.topology.config, sim.state.monitor.passed_in_step(joint));
        if created <= allowed {
            continue;
        }
        let excess = Excess { joint, created, allowed };
        if action == EnergyAction::Stop {
            return Err(too_much_energy(sim, &excess, time, h));
        }
        if sim.state.energy_guard.count(joint) == 1 {
            warn_of_energy(sim, &excess, time, h);
        }
    }
    Ok(())
}

fn too_much_energy(sim: &mut Simulation<'_>, excess: &Excess, time: f64, size: f64) -> StepError {
    let Excess { joint, created, allowed } = *excess;
    sim.state.energy_guard.count(joint);
    let interface = sim.topology.interface_name(joint).to_owned();
    StepError::EnergyCreated {
        time,
        size,
        interface,
        created,
        allowed,
        action: sim.topology.config.energy_action,
        is_explicit: sim.state.coupling.modes.contains(&CouplingMode::Explicit),
    }
}

fn warn_of_energy(sim: &mut Simulation<'_>, excess: &Excess, time: f64, size: f64) {
    let Excess { joint, created, allowed } = *excess;
    let name = sim.topology.interface_name(joint).to_owned();
    let text = format!(
        "interface `{name}` created {created:.3e} J in the step from {time} s of {size:e} s, more than the {allowed:.3e} J \
         that energy_limit and energy_tolerance allow; further such steps are counted in the summary"
    );
    sim.warn(WarningPlace::Interface(name), text);
}
