//! Ports and sensors.

use serde::Serialize;

use super::{LoadAxes, PlaceSpec};
use crate::kinds::rigid_body::BodyPortShape;
use crate::spec::PortShape;

/// A port.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpatialPortSpec {
    /// Name, unique among the ports.
    pub name: String,
    /// Where loads act.
    #[serde(flatten)]
    pub place: PortPlaceSpec,
}

/// Where the loads of a port act.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub enum PortPlaceSpec {
    /// Along the distance, displacement or angle that a sensor measures: its index in
    /// [`MultibodySpec::sensors`](super::MultibodySpec::sensors).
    #[serde(rename = "sensor")]
    Sensor(usize),
    /// At a point of a body.
    #[serde(untagged)]
    Body {
        /// Index of the body in [`MultibodySpec::bodies`](super::MultibodySpec::bodies).
        body: usize,
        /// The point in the body's frame (m). Default: zero.
        point: [f64; 3],
        /// What of it is joined; orientations are unit quaternions. Default: a frame.
        #[serde(flatten)]
        shape: BodyPortShape,
    },
}

impl SpatialPortSpec {
    /// The port as interfaces see it, among these sensors.
    pub(crate) fn shape(&self, sensors: &[SensorSpec]) -> PortShape {
        match &self.place {
            PortPlaceSpec::Body { shape, .. } => shape.named(&self.name),
            PortPlaceSpec::Sensor(sensor) => PortShape {
                is_angle: matches!(
                    sensors.get(*sensor),
                    Some(SensorSpec { measure: MeasureSpec::Angle { .. }, .. })
                ),
                is_relative: true,
                ..PortShape::new(&self.name, 1)
            },
        }
    }
}

/// A sensor.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SensorSpec {
    /// Name, unique among bodies, joints, forces and sensors.
    pub name: String,
    /// What it measures.
    #[serde(flatten)]
    pub measure: MeasureSpec,
}

/// What a sensor measures.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
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
        #[serde(flatten)]
        place: PlaceSpec,
        /// Whole turns by which it is ahead of (−π, π] at the start. Default: 0.
        turns: i32,
    },
    /// Acceleration (m/s²) of a point by the equations of motion.
    Acceleration {
        /// Index of the body in [`MultibodySpec::bodies`](super::MultibodySpec::bodies).
        body: usize,
        /// The point in the body's frame (m). Default: zero.
        point: [f64; 3],
        /// Along which axes. Default: those of the world.
        axes: LoadAxes,
        /// Whether it is less that of gravity, as an accelerometer measures it: 0 in free fall, `g` upwards at rest. Default: no.
        proper: bool,
    },
}

impl MeasureSpec {
    /// Whether it is one number, along which loads can act.
    #[must_use]
    pub fn is_scalar(&self) -> bool {
        !matches!(self, Self::Point { .. } | Self::Acceleration { .. })
    }
}
