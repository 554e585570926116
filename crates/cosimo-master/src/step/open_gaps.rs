//! Gaps of rigid joints that come to be more than what steps leave open.
//!
//! Rates agree at a rigid joint at the end of every step, and moves close its gap where they can, see `topology/closing`. What is left open is of the size
//! of what its ends go in a step at most, as after an impact between rules that place it differently. A gap of [`STEPS`] ways of the fastest end of all is a
//! fault, and is told.

use crate::linearisation::LinearisedModel;
use crate::rows::StepRows;
use crate::time::part::TakenStep;
use crate::topology::Topology;
use crate::warnings::{OpenGaps, Warnings};
use crate::{InterfaceLaw, WarningPlace};

/// Ways of a step beyond which a gap is told.
const STEPS: f64 = 10.0;
/// Coordinates of a joint in one unit: those of a point, and turns.
const OF_A_UNIT: usize = 3;

/// Looks at the gaps after a macro step.
pub(super) fn watch_gaps(
    model: LinearisedModel<'_>,
    rows: &StepRows,
    warnings: &mut Warnings,
    TakenStep { size, end, .. }: TakenStep,
) {
    take_speeds(model.topology, rows, &mut warnings.open_gaps);
    for (j, joint) in model.topology.joints.iter().enumerate() {
        if joint.law != InterfaceLaw::Rigid || warnings.open_gaps.is_told[j] {
            continue;
        }
        let (speeds, tolerance) = (warnings.open_gaps.speeds, model.topology.config.initial_tolerance);
        let gap = |k: usize| model.present_gap(joint, k, &rows.start_positions).abs();
        let allowed = |k: usize| STEPS * size * speeds[unit_of(k)] + tolerance;
        let Some(k) = (0..joint.size).find(|k| gap(*k) > allowed(*k)) else { continue };
        let (name, open) = (joint.name.clone(), gap(k));
        let unit = if joint.frame.is_some() && k >= OF_A_UNIT { "rad" } else { "m" };
        let text = format!(
            "interface `{name}` is rigid and open by {open:.3e} {unit} in coordinate {k}, more than any end of an interface goes in {STEPS} steps: nothing \
             closes what solvers of its two sides make of one motion; use a smaller step, one solver on both sides, or subsystems with this joint alone"
        );
        warnings.open_gaps.is_told[j] = true;
        warnings.warn(end, WarningPlace::Interface(name), text);
    }
}

/// Takes up how fast the ends of joints have been: of all of them, as those of one may have come to rest in its directions and not in others.
fn take_speeds(topology: &Topology, rows: &StepRows, gaps: &mut OpenGaps) {
    let velocities = &rows.start_velocities;
    for joint in &topology.joints {
        for (side, k) in joint.sides.iter().flat_map(|side| (0..joint.size).map(move |k| (side, k))) {
            let own = &mut gaps.speeds[unit_of(k)];
            *own = own.max(velocities[side.global_row + k].abs());
        }
    }
}

/// Which of the units of a joint a coordinate has.
fn unit_of(k: usize) -> usize {
    usize::from(k >= OF_A_UNIT)
}
