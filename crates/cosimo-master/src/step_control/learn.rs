//! What a control by energy learns of a step.

use cosimo_subsystem::Subsystem;

use crate::WarningPlace;
use crate::energy::Energy;
use crate::step_size::control::Control;
use crate::step_size::energy::EnergyControl;
use crate::step_size::pi::SizeBounds;
use crate::topology::Topology;
use crate::warnings::Warnings;

/// A control by energy of steps within bounds from a time (s) on; none where a subsystem has a fixed step.
pub(super) fn energy_control(
    topology: &Topology,
    subsystems: &[Box<dyn Subsystem>],
    energy: &Energy,
    bounds: SizeBounds,
    (warnings, time): (&mut Warnings, f64),
) -> Control {
    let fixed = subsystems.iter().find(|s| !s.description().capabilities.has_variable_step);
    if let Some(name) = fixed.map(|s| s.description().name.clone()) {
        let text = format!(
            "the energy at the interfaces cannot control the step: subsystem `{name}` has a fixed one; watch the energy \
             monitor, and make the step smaller if it grows"
        );
        warnings.warn(time, WarningPlace::Subsystem(name), text);
        return Control::Fixed;
    }
    let seen = (0..topology.joints.len()).map(|j| energy.monitor.joint(j).created).collect();
    Control::Energy(EnergyControl::new(bounds, topology.config.energy_tolerance, seen))
}

/// Shows a control by energy what a step of this size has done, which has led to a time (s).
pub(super) fn learn_energy(
    control: &mut EnergyControl,
    subsystems: &[Box<dyn Subsystem>],
    energy: &Energy,
    warnings: &mut Warnings,
    (time, size): (f64, f64),
) {
    let mut created = 0.0;
    for (j, seen) in control.seen.iter_mut().enumerate() {
        let sum = energy.monitor.joint(j).created;
        created += (sum - *seen).abs();
        *seen = sum;
    }
    if control.learn(size, created, energy.present(subsystems)) {
        let text = format!(
            "step from {time} s: the interfaces create more energy than energy_tolerance allows, and the step is the \
             smallest allowed, {size:e} s; allow more max_refinements, or make the joints softer"
        );
        warnings.warn(time, WarningPlace::Model, text);
    }
}
