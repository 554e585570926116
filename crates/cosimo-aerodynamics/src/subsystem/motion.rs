//! From the motion of load ports to that of frames.

use cosimo_subsystem::PortState;
use nalgebra::{DMatrix, Vector3};

use crate::frame::{FrameMotion, rotation_tangent};

/// Number of coordinates of a frame.
const FRAME: usize = 6;

/// Takes the motion of all ports; each is a frame.
pub(super) fn read(state: &PortState, frames: &mut [FrameMotion]) {
    let vector = |values: &[f64], first: usize| Vector3::from_column_slice(&values[first..first + 3]);
    for (k, frame) in frames.iter_mut().enumerate() {
        let first = FRAME * k;
        *frame = FrameMotion {
            position: vector(&state.positions, first),
            orientation: state.orientations[k],
            velocity: vector(&state.velocities, first),
            angular_velocity: vector(&state.velocities, first + 3),
        };
    }
}

/// From derivatives by turns at the end to those by the rotation vectors of the step, `δθ = T(φ) δφ`.
pub(super) fn by_rotation_vectors(end: &PortState, tangent: &mut DMatrix<f64>) {
    for first in (0..end.positions.len()).step_by(FRAME) {
        let turned = Vector3::from_column_slice(&end.positions[first + 3..first + FRAME]);
        let by_vector = rotation_tangent(&turned);
        let mut columns = tangent.fixed_columns_mut::<3>(first + 3);
        for mut row in columns.row_iter_mut() {
            let turned = row.clone_owned() * by_vector;
            row.copy_from(&turned);
        }
    }
}
