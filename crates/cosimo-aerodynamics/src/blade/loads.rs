//! Loads of a blade on its frames.

use nalgebra::{DMatrix, DVector, Matrix3, SMatrix, SVector, Vector3};

use super::flow::{Induced, PointFlow, PointState, Surroundings};
use super::geometry::{Blade, Point};
use super::point::{
    self, FLOW, HUB, HUB_POSITION, LoadDerivatives, MOTION, POSITION, ROTATION, SPIN, VELOCITY,
};
use super::segment::Segment;
use crate::error::AerodynamicError;
use crate::frame::FrameMotion;
use crate::number::{Dual, Number};

/// Columns of what the rotor passes on: field (3), flow through the disk (5), position (3) and turn (3) of the hub.
pub(crate) const HUB_COLUMNS: usize = HUB;
/// Number of coordinates of a frame.
const FRAME: usize = 6;

/// Loads on the frames of a blade: force (N) and moment (N m) of each, along the axes of space.
#[derive(Debug, Clone)]
pub struct BladeLoads {
    /// Six numbers per frame.
    pub loads: DVector<f64>,
    /// Their derivatives by mean and gradients of the field; zero where sections have annuli of their own.
    pub by_field: DMatrix<f64>,
    /// What is observed at the Gauss points.
    pub points: Vec<PointState>,
}

/// Tangents of the loads of a blade.
#[derive(Debug, Clone)]
pub struct BladeTangents {
    /// By positions and turns (along the axes of space) of the frames.
    pub position: DMatrix<f64>,
    /// By velocities and angular velocities.
    pub velocity: DMatrix<f64>,
    /// By field, flow through the disk, position and turn of the hub.
    pub hub: DMatrix<f64>,
}

impl BladeLoads {
    /// Room for the loads of a blade.
    #[must_use]
    pub fn new(blade: &Blade) -> Self {
        let size = FRAME * blade.stations;
        Self {
            loads: DVector::zeros(size),
            by_field: DMatrix::zeros(size, 3),
            points: vec![PointState::default(); blade.points.len()],
        }
    }

    /// The loads for the motion of the frames.
    ///
    /// # Errors
    /// A wind that is not finite, or an annulus whose equation was not solved.
    pub fn evaluate(
        &mut self,
        blade: &Blade,
        frames: &[FrameMotion],
        around: &Surroundings<'_>,
    ) -> Result<(), AerodynamicError> {
        self.loads.fill(0.0);
        self.by_field.fill(0.0);
        for (k, point) in blade.points.iter().enumerate() {
            let at = segment(frames, point).at(point.fraction);
            let flow = around.flow(point, &at)?;
            let loads = around.section(point).loads(&flow.section.induced_variable(flow.section.induced));
            let by_field = around.induced_by_field(&flow.from_hub);
            self.add((point, &at.shape), &flow, &[loads.chordwise, loads.normal, loads.moment], &by_field);
            self.points[k] = PointState {
                alpha: loads.alpha,
                mach: loads.mach,
                induced: flow.section.induced,
                lags: loads.lags,
            };
        }
        Ok(())
    }

    /// Adds the loads of a point to the frames of its segment.
    fn add(
        &mut self,
        (point, shape): (&Point, &[f64; 2]),
        flow: &PointFlow,
        parts: &[Dual<1>; 3],
        by_field: &Vector3<f64>,
    ) {
        let wrench = point::wrench(flow, parts.map(Number::value));
        let by_induced = point::wrench(flow, parts.map(|part| part.by[0]));
        for (end, share) in shape.iter().enumerate() {
            let (row, length) = (FRAME * (point.station + end), share * point.length);
            for j in 0..2 {
                let mut own = self.loads.fixed_rows_mut::<3>(row + 3 * j);
                own += wrench[j] * length;
                let mut own = self.by_field.fixed_view_mut::<3, 3>(row + 3 * j, 0);
                own += by_induced[j] * by_field.transpose() * length;
            }
        }
    }
}

impl BladeTangents {
    /// Room for the tangents of a blade.
    #[must_use]
    pub fn new(blade: &Blade) -> Self {
        let size = FRAME * blade.stations;
        Self {
            position: DMatrix::zeros(size, size),
            velocity: DMatrix::zeros(size, size),
            hub: DMatrix::zeros(size, HUB_COLUMNS),
        }
    }

    /// The tangents of the loads for the motion of the frames.
    ///
    /// # Errors
    /// A wind that is not finite, or an annulus whose equation was not solved.
    pub fn evaluate(
        &mut self,
        blade: &Blade,
        frames: &[FrameMotion],
        around: &Surroundings<'_>,
    ) -> Result<(), AerodynamicError> {
        for matrix in [&mut self.position, &mut self.velocity, &mut self.hub] {
            matrix.fill(0.0);
        }
        for point in &blade.points {
            let segment = segment(frames, point);
            let at = segment.at(point.fraction);
            let flow = around.flow(point, &at)?;
            let loads = around.linearised(point, &flow);
            let of_motion = around.by_motion(&flow, &loads)? * point.length;
            self.add(point.station, &at.shape, &segment.turns(point.fraction), &of_motion);
            self.add_hub(point.station, &at.shape, &(around.by_hub(&flow, &loads) * point.length));
        }
        Ok(())
    }

    /// Adds the derivatives of a point to the frames of its segment.
    fn add(
        &mut self,
        station: usize,
        shape: &[f64; 2],
        turns: &[Matrix3<f64>; 2],
        of: &LoadDerivatives<MOTION>,
    ) {
        for (end, share) in shape.iter().enumerate() {
            let row = FRAME * (station + end);
            for (other, weight) in shape.iter().enumerate() {
                let column = FRAME * (station + other);
                let by_turn = of.fixed_columns::<3>(ROTATION) * turns[other] * *share;
                let both = share * weight;
                add(&mut self.position, (row, column), &(of.fixed_columns::<3>(POSITION) * both));
                add(&mut self.position, (row, column + 3), &by_turn);
                add(&mut self.velocity, (row, column), &(of.fixed_columns::<3>(VELOCITY) * both));
                add(&mut self.velocity, (row, column + 3), &(of.fixed_columns::<3>(SPIN) * both));
            }
        }
    }

    /// Adds those by what the rotor passes on.
    fn add_hub(&mut self, station: usize, shape: &[f64; 2], of: &LoadDerivatives<HUB>) {
        for (end, share) in shape.iter().enumerate() {
            let mut hub = self.hub.fixed_view_mut::<FRAME, HUB_COLUMNS>(FRAME * (station + end), 0);
            hub += of * *share;
        }
    }
}

/// Adds a block of six rows and three columns.
fn add(matrix: &mut DMatrix<f64>, place: (usize, usize), block: &SMatrix<f64, FRAME, 3>) {
    let mut own = matrix.fixed_view_mut::<FRAME, 3>(place.0, place.1);
    own += block;
}

fn segment<'a>(frames: &'a [FrameMotion], point: &Point) -> Segment<'a> {
    Segment::new(&frames[point.station], &frames[point.station + 1])
}

impl Surroundings<'_> {
    /// Derivative of the induced velocity by mean and gradients of the field.
    fn induced_by_field(&self, from_hub: &Vector3<f64>) -> SVector<f64, 3> {
        let Induced::Field { radius, .. } = &self.induced else { return SVector::zeros() };
        let [along, across] = self.disk.axes.map(|direction| direction.dot(from_hub) / radius);
        SVector::from([1.0, along, across])
    }
}

/// Columns of the flow through the disk and of the hub among those that the rotor passes on.
impl BladeTangents {
    pub(crate) const FLOW: usize = FLOW;
    pub(crate) const HUB: usize = HUB_POSITION;
}
