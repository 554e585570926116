//! The rows of body points and frames.

use cosimo_multibody::spatial::{BodyChange, BodyState, PointImpulse};
use nalgebra::{UnitQuaternion, Vector3};

/// A port of a body; arms point from the centre of mass, in body axes (m).
#[derive(Debug, Clone, Copy, PartialEq)]
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
    fn arm(&self) -> &Vector3<f64> {
        match self {
            Self::Along { arm, .. } | Self::Point { arm } | Self::Frame { arm, .. } => arm,
        }
    }

    fn size(&self) -> usize {
        match self {
            Self::Along { .. } => 1,
            Self::Point { .. } => 3,
            Self::Frame { .. } => 6,
        }
    }

    /// The port with a unit direction.
    pub(super) fn checked(mut self) -> Result<Self, String> {
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

    fn each(&self) -> impl Iterator<Item = (usize, &BodyPort)> {
        self.ports.iter().scan(0, |next, port| {
            let first = *next;
            *next += port.size();
            Some((first, port))
        })
    }

    /// The loads on the rows as impulses on body points, one a port.
    pub(super) fn impulses(&self, loads: &[f64], out: &mut Vec<PointImpulse>) {
        out.clear();
        out.extend(self.each().map(|(first, port)| {
            let own = &loads[first..first + port.size()];
            let vector = |k: usize| Vector3::new(own[k], own[k + 1], own[k + 2]);
            let (force, moment) = match port {
                BodyPort::Along { direction, .. } => (direction * own[0], Vector3::zeros()),
                BodyPort::Point { .. } => (vector(0), Vector3::zeros()),
                BodyPort::Frame { .. } => (vector(0), vector(3)),
            };
            PointImpulse { arm: *port.arm(), force, moment }
        }));
    }

    /// Calls `tell` with every row and its unit impulse.
    pub(super) fn units(&self, mut tell: impl FnMut(usize, PointImpulse)) {
        for (first, port) in self.each() {
            for k in 0..port.size() {
                let axis = |from: usize| {
                    if (from..from + 3).contains(&k) { Vector3::ith(k - from, 1.0) } else { Vector3::zeros() }
                };
                let force = if let BodyPort::Along { direction, .. } = port { *direction } else { axis(0) };
                tell(first + k, PointImpulse { arm: *port.arm(), force, moment: axis(3) });
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
        for (first, port) in self.each() {
            let point = of_point(port.arm());
            match port {
                BodyPort::Along { direction, .. } => out[first] = direction.dot(&point),
                BodyPort::Point { .. } => out[first..first + 3].copy_from_slice(point.as_slice()),
                BodyPort::Frame { .. } => {
                    out[first..first + 3].copy_from_slice(point.as_slice());
                    out[first + 3..first + 6].copy_from_slice(angular.as_slice());
                }
            }
        }
    }

    /// Orientations of the frames.
    pub(super) fn orientations(&self, state: &BodyState, out: &mut Vec<UnitQuaternion<f64>>) {
        out.clear();
        out.extend(self.ports.iter().filter_map(|port| match port {
            BodyPort::Frame { orientation, .. } => Some(state.orientation * orientation),
            _ => None,
        }));
    }
}
