//! From the motion of load ports to that of frames.

use cosimo_subsystem::PortState;
use nalgebra::{DMatrix, RowVector3, Vector3};

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
        let rows = tangent.nrows();
        let columns = &mut tangent.as_mut_slice()[(first + 3) * rows..(first + FRAME) * rows];
        let (x, rest) = columns.split_at_mut(rows);
        let (y, z) = rest.split_at_mut(rows);
        for ((x, y), z) in x.iter_mut().zip(y).zip(z) {
            let turned = RowVector3::new(*x, *y, *z) * by_vector;
            (*x, *y, *z) = (turned.x, turned.y, turned.z);
        }
    }
}
