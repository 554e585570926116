//! Inputs over time that are known beforehand.
//!
//! A step sees the inputs of a subsystem at its ends. A pulse between them changes nothing that could be judged, so that a
//! control which only looks at answers goes over it. Subsystems therefore declare their inputs
//! ([`Excitation`](cosimo_subsystem::Excitation)), and a step is tried only in a size of which the inputs hide no more than
//! the tolerance: by halving, so that the sizes stay on their grid and a table finer than that, or too weak to matter,
//! costs no steps.

use cosimo_subsystem::{MacroStep, Subsystem};

use crate::WarningPlace;
use crate::step_size::error::ErrorControl;
use crate::time::part::TakenStep;
use crate::warnings::Warnings;

/// The largest size (s), this one or one on the grid below it, of a step from a time (s) whose ends show the inputs up to the tolerance; the
/// smallest where none does.
pub(super) fn seen_size(
    subsystems: &[Box<dyn Subsystem>],
    control: &ErrorControl,
    time: f64,
    mut size: f64,
) -> f64 {
    let hides = |size: f64| hides_inputs(subsystems, control, MacroStep { time, size });
    while control.sizes.can_shrink(size) && hides(size).is_some() {
        size = control.sizes.size_below(0.5 * size);
    }
    size
}

/// A subsystem of which a step hides more than the tolerance.
fn hides_inputs<'a>(
    subsystems: &'a [Box<dyn Subsystem>],
    control: &ErrorControl,
    step: MacroStep,
) -> Option<&'a dyn Subsystem> {
    let hides = |subsystem: &&dyn Subsystem| {
        let inputs = &subsystem.description().excitations;
        !inputs.iter().all(|input| input.unseen(step) <= control.tolerance())
    };
    subsystems.iter().map(|subsystem| &**subsystem as &dyn Subsystem).find(hides)
}

/// Warns, once, of a step taken that hides inputs all the same.
pub(super) fn warn_of_unseen(
    subsystems: &[Box<dyn Subsystem>],
    control: &mut ErrorControl,
    warnings: &mut Warnings,
    TakenStep { start, size, end }: TakenStep,
) {
    let step = MacroStep { time: start, size };
    let Some(subsystem) = hides_inputs(subsystems, control, step) else { return };
    if control.warns_of_inputs() {
        let name = subsystem.description().name.clone();
        let text = format!(
            "step from {start} s: an input over time of subsystem `{name}` changes faster than the smallest step allowed, \
             {size:e} s, shows; allow more max_refinements"
        );
        warnings.warn(end, WarningPlace::Subsystem(name), text);
    }
}
