//! What a control by energy learns of a step.

use super::control::Control;
use super::energy::EnergyControl;
use super::pi::SizeBounds;
use crate::WarningPlace;
use crate::energy::limit::energy_of;
use crate::simulation::Simulation;

/// A control by energy of steps within bounds; none where a subsystem has a fixed step.
pub(super) fn energy_control(sim: &mut Simulation<'_>, bounds: SizeBounds) -> Control {
    let fixed = sim.subsystems.all.iter().find(|s| !s.description().capabilities.has_variable_step);
    if let Some(name) = fixed.map(|s| s.description().name.clone()) {
        let text = format!(
            "the energy at the interfaces cannot control the step: subsystem `{name}` has a fixed one; watch the energy \
             monitor, and make the step smaller if it grows"
        );
        sim.warn(WarningPlace::Subsystem(name), text);
        return Control::Fixed;
    }
    let seen = (0..sim.topology.joints.len()).map(|j| sim.state.monitor.joint(j).created).collect();
    Control::Energy(EnergyControl::new(bounds, sim.topology.config.energy_tolerance, seen))
}

/// Shows a control by energy what a step of this size has done.
pub(super) fn learn_energy(sim: &mut Simulation<'_>, size: f64) {
    if !matches!(sim.state.step_control, Some(Control::Energy(_))) {
        return;
    }
    let energy = energy_of(sim);
    let Some(Control::Energy(control)) = &mut sim.state.step_control else { return };
    let mut created = 0.0;
    for (j, seen) in control.seen.iter_mut().enumerate() {
        let sum = sim.state.monitor.joint(j).created;
        created += (sum - *seen).abs();
        *seen = sum;
    }
    if control.learn(size, created, energy) {
        let text = format!(
            "step from {} s: the interfaces create more energy than energy_tolerance allows, and the step is the \
             smallest allowed, {size:e} s; allow more max_refinements, or make the joints softer",
            sim.time()
        );
        sim.warn(WarningPlace::Model, text);
    }
}
