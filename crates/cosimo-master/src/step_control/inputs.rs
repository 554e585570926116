//! Inputs over time that are known beforehand.
//!
//! A step sees the inputs of a subsystem at its ends. A pulse between them changes nothing that could be judged, so that a
//! control which only looks at answers goes over it. Subsystems therefore declare their inputs
//! ([`Excitation`](cosimo_subsystem::Excitation)), and a step is tried only in a size of which the inputs hide no more than
//! the tolerance: by halving, so that the sizes stay on their grid and a table finer than that, or too weak to matter,
//! costs no steps.

use cosimo_subsystem::{MacroStep, Subsystem};

use super::error::ErrorControl;
use crate::WarningPlace;
use crate::simulation::Simulation;

/// The largest size (s), this one or one on the grid below it, whose ends show the inputs up to the tolerance; the
/// smallest where none does.
pub(super) fn seen_size(sim: &Simulation<'_>, control: &ErrorControl, mut size: f64) -> f64 {
    let hides = |size: f64| hides_inputs(sim, control, MacroStep { time: sim.state.clock.now, size });
    while control.sizes.can_shrink(size) && hides(size).is_some() {
        size = control.sizes.size_below(0.5 * size);
    }
    size
}

/// A subsystem of which a step hides more than the tolerance.
fn hides_inputs<'a>(
    sim: &'a Simulation<'_>,
    control: &ErrorControl,
    step: MacroStep,
) -> Option<&'a dyn Subsystem> {
    let hides = |subsystem: &&dyn Subsystem| {
        let inputs = &subsystem.description().excitations;
        !inputs.iter().all(|input| input.unseen(step) <= control.tolerance())
    };
    sim.subsystems.all.iter().map(|subsystem| &**subsystem as &dyn Subsystem).find(hides)
}

/// Warns, once, of a step from `time` of this size (s) that hides inputs all the same.
pub(super) fn warn_of_unseen(sim: &mut Simulation<'_>, control: &mut ErrorControl, time: f64, size: f64) {
    let Some(subsystem) = hides_inputs(sim, control, MacroStep { time, size }) else { return };
    if control.warns_of_inputs() {
        let name = subsystem.description().name.clone();
        let text = format!(
            "step from {time} s: an input over time of subsystem `{name}` changes faster than the smallest step allowed, \
             {size:e} s, shows; allow more max_refinements"
        );
        sim.warn(WarningPlace::Subsystem(name), text);
    }
}
