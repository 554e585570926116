//! Loads of one segment of a blade on its two frames, for an induced velocity that does not follow them.

use nalgebra::{Matrix, Matrix3, Matrix6, SMatrix, Storage, U3, U6, Vector3};

use super::flow::Surroundings;
use super::geometry::Blade;
use super::point::{self, LoadDerivatives, MOTION, POSITION, ROTATION, SPIN, VELOCITY};
use super::segment::Segment;
use crate::error::AerodynamicError;
use crate::frame::FrameMotion;

/// Force (N) and moment (N m) on each of the two frames, along the axes of space.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct SegmentLoads(pub(crate) [[Vector3<f64>; 2]; 2]);

/// Derivatives of force and moment on the first frame of the indices by the second, along the axes of space.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct SegmentTangents {
    /// By positions and turns.
    pub(crate) position: [[Matrix6<f64>; 2]; 2],
    /// By velocities and angular velocities.
    pub(crate) velocity: [[Matrix6<f64>; 2]; 2],
}

impl Blade {
    /// Whether there are loads between a station, by its index, and the next.
    pub(crate) fn has_loads_from(&self, station: usize) -> bool {
        !self.points_from(station).is_empty()
    }

    /// The loads between a station, by its index, and the next, for the motion of both.
    pub(crate) fn segment_loads(
        &self,
        station: usize,
        frames: [&FrameMotion; 2],
        around: &Surroundings<'_>,
    ) -> Result<SegmentLoads, AerodynamicError> {
        let mut loads = SegmentLoads::default();
        let segment = Segment::new(frames[0], frames[1]);
        for point in self.points_from(station) {
            let at = segment.at(point.fraction);
            let flow = around.flow(point, &at)?;
            let of_point = around.section(point).loads(&flow.section);
            let wrench = point::wrench(&flow, [of_point.chordwise, of_point.normal, of_point.moment]);
            for (own, share) in loads.0.iter_mut().zip(at.shape) {
                let length = share * point.length;
                own.iter_mut().zip(&wrench).for_each(|(own, part)| *own += part * length);
            }
        }
        Ok(loads)
    }

    /// Their derivatives, and the loads.
    pub(crate) fn segment_tangents(
        &self,
        station: usize,
        frames: [&FrameMotion; 2],
        around: &Surroundings<'_>,
    ) -> Result<(SegmentLoads, SegmentTangents), AerodynamicError> {
        let (mut loads, mut tangents) = (SegmentLoads::default(), SegmentTangents::default());
        let segment = Segment::new(frames[0], frames[1]);
        for point in self.points_from(station) {
            let at = segment.at(point.fraction);
            let flow = around.flow(point, &at)?;
            let linearised = around.linearised(point, &flow);
            let parts = [&linearised.chordwise, &linearised.normal, &linearised.moment];
            let wrench = point::wrench(&flow, parts.map(|part| part.value));
            for (own, share) in loads.0.iter_mut().zip(at.shape) {
                let length = share * point.length;
                own.iter_mut().zip(&wrench).for_each(|(own, part)| *own += part * length);
            }
            let of_point = around.by_motion(&flow, &linearised)? * point.length;
            tangents.add(&at.shape, &segment.turns(point.fraction), &of_point);
        }
        Ok((loads, tangents))
    }
}

impl SegmentTangents {
    /// Adds the derivatives of a point.
    fn add(&mut self, shape: &[f64; 2], turns: &[Matrix3<f64>; 2], of: &LoadDerivatives<MOTION>) {
        let by = |first: usize| of.fixed_columns::<3>(first);
        for (j, weight) in shape.iter().enumerate() {
            let by_turn: SMatrix<f64, 6, 3> = by(ROTATION) * turns[j];
            for (i, share) in shape.iter().enumerate() {
                let both = share * weight;
                let (position, velocity) = (&mut self.position[i][j], &mut self.velocity[i][j]);
                add_columns(position, 0, &by(POSITION), both);
                add_columns(position, 3, &by_turn, *share);
                add_columns(velocity, 0, &by(VELOCITY), both);
                add_columns(velocity, 3, &by(SPIN), both);
            }
        }
    }
}

/// Adds `factor` times three columns.
fn add_columns<S: Storage<f64, U6, U3>>(
    matrix: &mut Matrix6<f64>,
    first: usize,
    columns: &Matrix<f64, U6, U3, S>,
    factor: f64,
) {
    for j in 0..3 {
        for i in 0..6 {
            matrix[(i, first + j)] += factor * columns[(i, j)];
        }
    }
}
