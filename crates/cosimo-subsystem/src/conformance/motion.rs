//! The motion of load ports in a run.

use nalgebra::{UnitQuaternion, Vector3};

use super::Conformance;
use crate::{Description, MacroStep, PortMotion, PortState};

/// The motion of all load ports over a step.
pub(super) fn motion_over(
    setup: &Conformance<'_>,
    description: &Description,
    MacroStep { time, size }: MacroStep,
) -> PortMotion {
    let mut motion = PortMotion {
        start: state_at(setup, description, time),
        end: state_at(setup, description, time + size),
    };
    for (first, place) in description.frames_of_loads() {
        motion.start.positions[first + 3..first + 6].fill(0.0);
        let turn = motion.end.orientations[place] * motion.start.orientations[place].inverse();
        motion.end.positions[first + 3..first + 6].copy_from_slice(turn.scaled_axis().as_slice());
    }
    motion
}

/// The same with a little more of it at the end: another motion from the same start.
pub(super) fn moved_on(motion: &PortMotion, description: &Description) -> PortMotion {
    let mut other = motion.clone();
    let translations = (0..description.load_coordinates()).filter(|k| !is_turn(description, *k));
    for (k, own) in translations.enumerate() {
        other.end.positions[own] += 1e-3 * (1.0 + (0.618 * k as f64).fract());
        other.end.velocities[own] -= 0.3 * (1.0 + (0.618 * k as f64).fract());
    }
    other
}

/// Whether a load coordinate is one of the turns of a frame.
pub(super) fn is_turn(description: &Description, coordinate: usize) -> bool {
    description.frames_of_loads().any(|(first, _)| (first + 3..first + 6).contains(&coordinate))
}

fn state_at(setup: &Conformance<'_>, description: &Description, time: f64) -> PortState {
    let mut state = PortState::zeros(description.load_coordinates(), description.load_frames());
    for k in 0..state.positions.len() {
        [state.positions[k], state.velocities[k]] = setup.motion(k, time);
    }
    for (first, place) in description.frames_of_loads() {
        state.positions[first + 4..first + 6].fill(0.0);
        state.velocities[first + 4..first + 6].fill(0.0);
        let angle = Vector3::new(state.positions[first + 3], 0.0, 0.0);
        state.orientations[place] = UnitQuaternion::from_scaled_axis(angle);
    }
    state
}
