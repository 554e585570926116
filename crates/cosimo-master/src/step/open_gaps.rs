//! Gaps of rigid joints that come to be more than what steps leave open.
//!
//! Rates agree at a rigid joint at the end of every step, and moves close its gap where they can, see `topology/closing`. What is left open is of the size
//! of what its ends go in a step at most, as after an impact between rules that place it differently. A gap of [`STEPS`] such ways is a fault, and is told.

use crate::simulation::Simulation;
use crate::state::warnings::OpenGap;
use crate::topology::joint::Joint;
use crate::{InterfaceLaw, WarningPlace};

/// Ways of a step beyond which a gap is told.
const STEPS: f64 = 10.0;
/// Coordinates of a joint in one unit: those of a point, and turns.
const OF_A_UNIT: usize = 3;

/// Looks at the gaps after a macro step of size `h` (s).
pub(crate) fn watch_gaps(sim: &mut Simulation<'_>, h: f64) {
    for (j, joint) in sim.topology.joints.iter().enumerate() {
        if joint.law != InterfaceLaw::Rigid {
            continue;
        }
        take_speeds(sim, j, joint);
        let OpenGap { speeds, is_told } = sim.state.warnings.open_gaps[j];
        if is_told {
            continue;
        }
        let model = sim.storage.linearisation.of(sim.topology);
        let gap = |k: usize| model.present_gap(joint, k, &sim.storage.rows.start_positions).abs();
        let allowed = |k: usize| STEPS * h * speeds[unit_of(k)] + sim.topology.config.initial_tolerance;
        let Some(k) = (0..joint.size).find(|k| gap(*k) > allowed(*k)) else { continue };
        let (name, open) = (joint.name.clone(), gap(k));
        let unit = if joint.frame.is_some() && k >= OF_A_UNIT { "rad" } else { "m" };
        let text = format!(
            "interface `{name}` is rigid and open by {open:.3e} {unit} in coordinate {k}, more than its ends go in {STEPS} steps: nothing closes what \
             solvers of its two sides make of one motion; use a smaller step, one solver on both sides, or subsystems with this joint alone"
        );
        sim.state.warnings.open_gaps[j].is_told = true;
        sim.warn(WarningPlace::Interface(name), text);
    }
}

/// Takes up how fast the ends of a joint have been.
fn take_speeds(sim: &mut Simulation<'_>, j: usize, joint: &Joint) {
    let velocities = &sim.storage.rows.start_velocities;
    for side in &joint.sides {
        for k in 0..joint.size {
            let own = &mut sim.state.warnings.open_gaps[j].speeds[unit_of(k)];
            *own = own.max(velocities[side.global_row + k].abs());
        }
    }
}

/// Which of the units of a joint a coordinate has.
fn unit_of(k: usize) -> usize {
    usize::from(k >= OF_A_UNIT)
}
