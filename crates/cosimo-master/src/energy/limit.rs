//! What is done about an interface that creates more energy in a step than allowed.

use cosimo_subsystem::Subsystem;

use super::Energy;
use super::guard::EnergyGuard;
use super::monitor::{JointBalance, JointWork};
use crate::execution::coupling_mode::CouplingMode;
use crate::time::part::TakenStep;
use crate::topology::Topology;
use crate::warnings::Warnings;
use crate::{EnergyAction, MasterConfig, SetupError, StepError, WarningPlace};

/// A joint that created more than allowed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Excess {
    joint: usize,
    created: f64,
    allowed: f64,
}

/// Refuses to guard by halving what cannot be taken back.
pub(crate) fn check_energy_action(
    config: &MasterConfig,
    subsystems: &[Box<dyn Subsystem>],
    modes: &[CouplingMode],
) -> Result<(), SetupError> {
    if config.energy_action != EnergyAction::Halve {
        return Ok(());
    }
    for (subsystem, mode) in subsystems.iter().zip(modes) {
        let description = subsystem.description();
        if !description.capabilities.can_roll_back || *mode == CouplingMode::Explicit {
            return Err(SetupError::NoRollback { subsystem: description.name.clone() });
        }
    }
    Ok(())
}

/// Whether parts of a step are looked at before they are taken.
pub(crate) fn guards_parts(action: EnergyAction, modes: &[CouplingMode]) -> bool {
    match action {
        EnergyAction::None | EnergyAction::Ignore | EnergyAction::Warn => false,
        EnergyAction::Stop => !modes.contains(&CouplingMode::Explicit),
        EnergyAction::Halve => true,
    }
}

impl Energy {
    /// The first interface that creates too much energy in the part just solved of a macro step of this size (s).
    pub(crate) fn excess_of_part(&self, work: JointWork<'_>, macro_size: f64) -> Option<Excess> {
        let (topology, h) = (work.model.topology, work.h);
        let is_halved = topology.config.energy_action == EnergyAction::Halve;
        // Halves share what is allowed; where nothing is halved, parts that were taken count.
        let share = if is_halved { (h / macro_size).min(1.0) } else { 1.0 };
        (0..topology.joints.len()).find_map(|joint| {
            let coordinates = &work.condensation.coordinates[topology.joints[joint].coordinates()];
            let JointBalance { created, passed, .. } = self.monitor.of_joint(work, coordinates);
            let before = if is_halved { 0.0 } else { self.monitor.created_in_step(joint) };
            let (created, allowed) = (before + created, share * self.guard.allowed(&topology.config, passed));
            (created > allowed).then_some(Excess { joint, created, allowed })
        })
    }

    /// Looks at what the interfaces have created in a macro step.
    ///
    /// # Errors
    /// One has created more than allowed, and that is to stop the run.
    pub(crate) fn watch_interfaces(
        &mut self,
        topology: &Topology,
        modes: &[CouplingMode],
        warnings: &mut Warnings,
        taken: TakenStep,
    ) -> Result<(), StepError> {
        let action = topology.config.energy_action;
        if matches!(action, EnergyAction::None | EnergyAction::Ignore | EnergyAction::Halve) {
            return Ok(());
        }
        for joint in 0..topology.interfaces() {
            self.watch_interface(joint, topology, modes, warnings, taken)?;
        }
        Ok(())
    }

    fn watch_interface(
        &mut self,
        joint: usize,
        topology: &Topology,
        modes: &[CouplingMode],
        warnings: &mut Warnings,
        taken: TakenStep,
    ) -> Result<(), StepError> {
        let created = self.monitor.created_in_step(joint);
        let allowed = self.guard.allowed(&topology.config, self.monitor.passed_in_step(joint));
        if created <= allowed {
            return Ok(());
        }
        let excess = Excess { joint, created, allowed };
        if topology.config.energy_action == EnergyAction::Stop {
            return Err(self.guard.too_much(excess, topology, modes, (taken.start, taken.size)));
        }
        if self.guard.count(joint) == 1 {
            warn_of_energy(topology, warnings, excess, taken);
        }
        Ok(())
    }
}

impl EnergyGuard {
    /// The error of a step from a time and of a size (s) in which an interface creates too much.
    pub(crate) fn too_much(
        &mut self,
        Excess { joint, created, allowed }: Excess,
        topology: &Topology,
        modes: &[CouplingMode],
        (time, size): (f64, f64),
    ) -> StepError {
        self.count(joint);
        StepError::EnergyCreated {
            time,
            size,
            interface: topology.interface_name(joint).to_owned(),
            created,
            allowed,
            action: topology.config.energy_action,
            is_explicit: modes.contains(&CouplingMode::Explicit),
        }
    }
}

fn warn_of_energy(
    topology: &Topology,
    warnings: &mut Warnings,
    Excess { joint, created, allowed }: Excess,
    TakenStep { start, size, end }: TakenStep,
) {
    let name = topology.interface_name(joint).to_owned();
    let text = format!(
        "interface `{name}` created {created:.3e} J in the step from {start} s of {size:e} s, more than the {allowed:.3e} J \
         that energy_limit and energy_tolerance allow; further such steps are counted in the summary"
    );
    warnings.warn(end, WarningPlace::Interface(name), text);
}
