//! Ports and sensors.

use super::PlaceSpec;
use crate::kinds::rigid_body::BodyPortShape;
use crate::spec::PortShape;

/// A port.
#[derive(Debug, Clone, PartialEq)]
pub struct SpatialPortSpec {
    /// Name, unique among the ports.
    pub name: String,
    /// Where loads act.
    pub place: PortPlaceSpec,
}

/// Where the loads of a port act.
#[derive(Debug, Clone, PartialEq)]
pub enum PortPlaceSpec {
    /// At a point of a body.
    Body {
        /// Index of the body in [`MultibodySpec::bodies`](super::MultibodySpec::bodies).
        body: usize,
        /// The point in the body's frame (m). Default: zero.
        point: [f64; 3],
        /// What of it is joined; orientations are unit quaternions. Default: a frame.
        shape: BodyPortShape,
    },
    /// Along the distance, displacement or angle that a sensor measures: its index in
    /// [`MultibodySpec::sensors`](super::MultibodySpec::sensors).
    Sensor(usize),
}

impl SpatialPortSpec {
    /// The port as interfaces see it, among these sensors.
    pub(crate) fn shape(&self, sensors: &[SensorSpec]) -> PortShape {
        match &self.place {
            PortPlaceSpec::Body { shape, .. } => shape.named(&self.name),
            PortPlaceSpec::Sensor(sensor) => PortShape {
                name: self.name.clone(),
                size: 1,
                is_flat: false,
                is_frame: false,
                is_angle: matches!(
                    sensors.get(*sensor),
                    Some(SensorSpec { measure: MeasureSpec::Angle { .. }, .. })
                ),
                is_load: false,
            },
        }
    }
}

/// A sensor.
#[derive(Debug, Clone, PartialEq)]
pub struct SensorSpec {
    /// Name, unique among bodies, joints, forces and sensors.
    pub name: String,
    /// What it measures.
    pub measure: MeasureSpec,
}

/// What a sensor measures.
#[derive(Debug, Clone, PartialEq)]
pub enum MeasureSpec {
    /// Position (m) and velocity (m/s) of a point.
    Point {
        /// Index of the body in [`MultibodySpec::bodies`](super::MultibodySpec::bodies).
        body: usize,
        /// The point in the body's frame (m). Default: zero.
        point: [f64; 3],
    },
    /// Distance of two points (m) and its rate.
    Distance(PlaceSpec),
    /// Way of the second point along the axis (m) and its rate.
    Displacement(PlaceSpec),
    /// Angle about the axis from `x` to `x` (rad), which counts turns, and its rate.
    Angle {
        /// The frames.
        place: PlaceSpec,
        /// Whole turns by which it is ahead of (−π, π] at the start. Default: 0.
        turns: i32,
    },
}

impl MeasureSpec {
    /// Whether it is one number, along which loads can act.
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Self::Point { .. })
    }

    /// Name in the file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Point { .. } => "point",
            Self::Distance(_) => "distance",
            Self::Displacement(_) => "displacement",
            Self::Angle { .. } => "angle",
        }
    }
}
