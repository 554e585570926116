//! The rows of body points and frames.

use std::ops::Range;

use cosimo_multibody::spatial::{BodyChange, BodyState, PointImpulse};
use nalgebra::{UnitQuaternion, Vector3};

/// A port of a body; arms point from the centre of mass, in body axes (m).
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum BodyPort {
    /// The position of a body point along a direction of world axes, which is normalised: 1 coordinate.
    Along {
        /// Arm of the point.
        arm: Vector3<f64>,
        /// Direction in world axes.
        direction: Vector3<f64>,
    },
    /// The position of a body point in world axes: 3 coordinates.
    Point {
        /// Arm of the point.
        arm: Vector3<f64>,
    },
    /// A body point and the orientation of a frame fixed to the body: 6 coordinates,
    /// [`PortSpec::frame`](cosimo_subsystem::PortSpec::frame).
    Frame {
        /// Arm of the point.
        arm: Vector3<f64>,
        /// Turns vectors of the frame into body vectors.
        orientation: UnitQuaternion<f64>,
    },
}

impl BodyPort {
    /// A body point along a direction.
    #[must_use]
    pub fn along(arm: impl Into<Vector3<f64>>, direction: impl Into<Vector3<f64>>) -> Self {
        Self::Along { arm: arm.into(), direction: direction.into() }
    }

    /// A body point.
    #[must_use]
    pub fn point(arm: impl Into<Vector3<f64>>) -> Self {
        Self::Point { arm: arm.into() }
    }

    /// A frame at a body point, in body axes.
    #[must_use]
    pub fn frame(arm: impl Into<Vector3<f64>>) -> Self {
        Self::Frame { arm: arm.into(), orientation: UnitQuaternion::identity() }
    }

    /// Arm of the point.
    pub(crate) fn arm(&self) -> &Vector3<f64> {
        match self {
            Self::Along { arm, .. } | Self::Point { arm } | Self::Frame { arm, .. } => arm,
        }
    }

    /// Number of its rows.
    pub(crate) fn size(&self) -> usize {
        match self {
            Self::Along { .. } => 1,
            Self::Point { .. } => 3,
            Self::Frame { .. } => 6,
        }
    }

    /// Force and moment in world axes of these loads on its rows.
    pub(crate) fn load(&self, loads: &[f64]) -> [Vector3<f64>; 2] {
        let vector = |k: usize| Vector3::new(loads[k], loads[k + 1], loads[k + 2]);
        match self {
            Self::Along { direction, .. } => [direction * loads[0], Vector3::zeros()],
            Self::Point { .. } => [vector(0), Vector3::zeros()],
            Self::Frame { .. } => [vector(0), vector(3)],
        }
    }

    /// Writes what is so of the point and of the turn into its rows.
    pub(crate) fn write(&self, of_point: &Vector3<f64>, of_turn: &Vector3<f64>, out: &mut [f64]) {
        match self {
            Self::Along { direction, .. } => out[0] = direction.dot(of_point),
            Self::Point { .. } => out.copy_from_slice(of_point.as_slice()),
            Self::Frame { .. } => {
                out[..3].copy_from_slice(of_point.as_slice());
                out[3..].copy_from_slice(of_turn.as_slice());
            }
        }
    }

    /// Orientation of the frame in the body, if it is one.
    pub(crate) fn orientation(&self) -> Option<&UnitQuaternion<f64>> {
        if let Self::Frame { orientation, .. } = self { Some(orientation) } else { None }
    }

    /// The port with a unit direction.
    pub(crate) fn checked(mut self) -> Result<Self, String> {
        if self.orientation().is_some_and(|turned| !((turned.as_ref().norm() - 1.0).abs() <= 1e-9)) {
            return Err("its quaternion is not of unit length".to_owned());
        }
        if self.arm().iter().any(|x| !x.is_finite()) {
            return Err("its point is not finite".to_owned());
        }
        if let Self::Along { direction, .. } = &mut self {
            let unit = direction.try_normalize(0.0).filter(|unit| unit.iter().all(|x| x.is_finite()));
            *direction = unit.ok_or("its direction is zero or not finite")?;
        }
        Ok(self)
    }
}

/// The rows of all ports.
#[derive(Debug, Clone)]
pub(super) struct PortRows {
    ports: Vec<BodyPort>,
    rows: usize,
}

impl PortRows {
    pub(super) fn new(ports: Vec<BodyPort>) -> Self {
        let rows = ports.iter().map(BodyPort::size).sum();
        Self { ports, rows }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.rows
    }

    fn each(&self) -> impl Iterator<Item = (Range<usize>, &BodyPort)> {
        self.ports.iter().scan(0, |next, port| {
            let first = *next;
            *next += port.size();
            Some((first..*next, port))
        })
    }

    /// The loads on the rows as impulses on body points, one per port.
    pub(super) fn impulses(&self, loads: &[f64], out: &mut Vec<PointImpulse>) {
        out.clear();
        out.extend(self.each().map(|(rows, port)| {
            let [force, moment] = port.load(&loads[rows]);
            PointImpulse { arm: *port.arm(), force, moment }
        }));
    }

    /// Calls `tell` with every row and its unit impulse.
    pub(super) fn units(&self, mut tell: impl FnMut(usize, PointImpulse)) {
        for (rows, port) in self.each() {
            let mut unit = [0.0; 6];
            for (k, row) in rows.enumerate() {
                unit[k] = 1.0;
                let [force, moment] = port.load(&unit);
                unit[k] = 0.0;
                tell(row, PointImpulse { arm: *port.arm(), force, moment });
            }
        }
    }

    /// Positions of the rows, with this rotation vector for frames.
    pub(super) fn positions(&self, state: &BodyState, rotation: &Vector3<f64>, out: &mut [f64]) {
        self.write(|arm| state.point(arm), rotation, out);
    }

    /// Velocities of the rows.
    pub(super) fn velocities(&self, state: &BodyState, out: &mut [f64]) {
        self.write(|arm| state.point_velocity(arm), &state.angular_velocity_in_world(), out);
    }

    /// Change of the velocities of the rows.
    pub(super) fn changes(&self, state: &BodyState, change: &BodyChange, out: &mut [f64]) {
        let omega = state.angular_velocity_in_world();
        let of_point = |arm: &Vector3<f64>| change.of_point(&(state.orientation * arm), &omega);
        self.write(of_point, &change.angular_velocity, out);
    }

    fn write(
        &self,
        of_point: impl Fn(&Vector3<f64>) -> Vector3<f64>,
        angular: &Vector3<f64>,
        out: &mut [f64],
    ) {
        for (rows, port) in self.each() {
            port.write(&of_point(port.arm()), angular, &mut out[rows]);
        }
    }

    /// Orientations of the frames.
    pub(super) fn orientations(&self, state: &BodyState, out: &mut Vec<UnitQuaternion<f64>>) {
        out.clear();
        let frames = self.ports.iter().filter_map(BodyPort::orientation);
        out.extend(frames.map(|orientation| state.orientation * orientation));
    }
}
