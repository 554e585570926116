//! Ports at body points.

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
    /// Arm of the point.
    pub(super) fn arm(&self) -> &Vector3<f64> {
        match self {
            Self::Along { arm, .. } | Self::Point { arm } | Self::Frame { arm, .. } => arm,
        }
    }

    /// Number of its rows.
    pub(super) fn size(&self) -> usize {
        match self {
            Self::Along { .. } => 1,
            Self::Point { .. } => 3,
            Self::Frame { .. } => 6,
        }
    }

    /// Force and moment in world axes of these loads on its rows.
    pub(super) fn load(&self, loads: &[f64]) -> [Vector3<f64>; 2] {
        let vector = |k: usize| Vector3::new(loads[k], loads[k + 1], loads[k + 2]);
        match self {
            Self::Along { direction, .. } => [direction * loads[0], Vector3::zeros()],
            Self::Point { .. } => [vector(0), Vector3::zeros()],
            Self::Frame { .. } => [vector(0), vector(3)],
        }
    }

    /// Writes what is so of the point and of the turn into its rows.
    pub(super) fn write(&self, of_point: &Vector3<f64>, of_turn: &Vector3<f64>, out: &mut [f64]) {
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
    pub(super) fn orientation(&self) -> Option<&UnitQuaternion<f64>> {
        if let Self::Frame { orientation, .. } = self { Some(orientation) } else { None }
    }

    /// The port with a unit direction.
    pub(super) fn checked(mut self) -> Result<Self, String> {
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
