//! The flow at a Gauss point.

use nalgebra::{Matrix3, SVector, Vector3};

use super::geometry::Point;
use super::segment::Interpolated;
use crate::error::AerodynamicError;
use crate::inflow::{Annulus, Disk, UNKNOWNS};
use crate::section::{Air, LAGS, Lags, Memory, Section, SectionFlow, TipLoss, Unsteady};
use crate::wind::Wind;

/// Where the induced velocity at a section comes from.
#[derive(Debug, Clone, Copy)]
pub enum Induced {
    /// A field over the disk: mean and gradients along the axes of the disk (m/s at radius `R`).
    Field {
        /// Mean and gradients (m/s).
        values: SVector<f64, UNKNOWNS>,
        /// `R` (m).
        radius: f64,
        /// Loss of lift at the tip, if there is any.
        tip_loss: Option<TipLoss>,
    },
    /// Momentum theory of the section's own annulus.
    Annulus(Annulus),
}

/// What surrounds a blade.
#[derive(Debug, Clone, Copy)]
pub struct Surroundings<'a> {
    /// The wind.
    pub wind: &'a dyn Wind,
    /// Time (s).
    pub time: f64,
    /// The air.
    pub air: Air,
    /// The disk that the blade turns in.
    pub disk: &'a Disk,
    /// The induced velocity.
    pub induced: Induced,
    /// What lags behind in the sections.
    pub unsteady: Unsteady,
    /// What is known of it.
    pub memory: BladeMemory<'a>,
}

/// What the Gauss points of a blade remember.
#[derive(Debug, Clone, Copy)]
pub enum BladeMemory<'a> {
    /// Flow is as if steady.
    Steady,
    /// Separation point and two lags of the normal velocity (m/s) of each Gauss point; where the first is negative all are those of
    /// steady flow.
    Held(&'a [[f64; 3]]),
    /// The same with their rates at the start of a step with half this size (s): they are stepped by the trapezoidal rule.
    Stepped(&'a [Lags], f64),
}

impl BladeMemory<'_> {
    /// Of Gauss point `k`.
    fn of(&self, k: usize) -> Memory {
        match *self {
            Self::Steady => Memory::Held([-1.0; LAGS]),
            Self::Held(points) => Memory::Held(points[k]),
            Self::Stepped(starts, half) => Memory::Stepped(starts[k], half),
        }
    }
}

/// What is observed at a Gauss point.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PointState {
    /// Angle of attack (rad).
    pub alpha: f64,
    /// Mach number (–).
    pub mach: f64,
    /// Induced velocity (m/s).
    pub induced: f64,
    /// Separation point (–), 1 for attached flow, and two lags of the normal velocity (m/s), each with its rate.
    pub lags: Lags,
}

/// Geometry and velocities at a Gauss point, in space.
pub(super) struct PointFlow {
    /// Chord, normal and pitch axis.
    pub(super) axes: [Vector3<f64>; 3],
    /// Quarter chord from the line through the frames (m).
    pub(super) offset: Vector3<f64>,
    /// Quarter chord from the hub (m).
    pub(super) from_hub: Vector3<f64>,
    /// Velocity of the quarter chord through the air, without the induced one (m/s).
    pub(super) relative: Vector3<f64>,
    pub(super) angular_velocity: Vector3<f64>,
    /// Position of the quarter chord (m).
    pub(super) position: Vector3<f64>,
    pub(super) section: SectionFlow<f64>,
}

impl Surroundings<'_> {
    /// The section at a point.
    pub(super) fn section<'b>(&self, point: &'b Point) -> Section<'b> {
        let (unsteady, memory) = (self.unsteady, self.memory.of(point.index));
        let tip_loss = match &self.induced {
            Induced::Field { tip_loss, .. } => *tip_loss,
            Induced::Annulus(_) => None,
        };
        Section {
            chord: point.chord,
            airfoil: point.airfoil.as_ref(),
            air: self.air,
            tip_loss,
            unsteady,
            memory,
        }
    }

    /// The gradient of the wind (1/s).
    pub(super) fn wind_gradient(&self, position: &Vector3<f64>) -> Result<Matrix3<f64>, AerodynamicError> {
        wind_gradient(self.wind, position, self.time)
    }

    /// The flow at a point.
    pub(super) fn flow(&self, point: &Point, at: &Interpolated) -> Result<PointFlow, AerodynamicError> {
        let motion = &at.motion;
        let axes = motion.orientation.to_rotation_matrix().into_inner() * point.axes;
        let axes: [Vector3<f64>; 3] = std::array::from_fn(|k| axes.column(k).into_owned());
        let offset = motion.orientation * point.offset;
        let position = motion.position + offset;
        let from_hub = position - self.disk.centre;
        let wind = wind_velocity(self.wind, &position, self.time)?;
        let relative = motion.velocity + motion.angular_velocity.cross(&offset) - wind;
        let axis = self.disk.axis;
        let across = from_hub - axis * axis.dot(&from_hub);
        let mut section = SectionFlow {
            chordwise: relative.dot(&axes[0]),
            normal: relative.dot(&axes[1]),
            pitch_rate: motion.angular_velocity.dot(&axes[2]),
            axis_chordwise: axis.dot(&axes[0]),
            axis_normal: axis.dot(&axes[1]),
            radius: across.norm(),
            induced: 0.0,
            climb: 0.0,
            edgewise: 0.0,
            speed: 0.0,
        };
        self.disk.flow.write(&mut section);
        section.induced = self.induced(point, &section, &from_hub)?;
        let angular_velocity = motion.angular_velocity;
        Ok(PointFlow { axes, offset, from_hub, relative, angular_velocity, position, section })
    }

    fn induced(
        &self,
        point: &Point,
        flow: &SectionFlow<f64>,
        from_hub: &Vector3<f64>,
    ) -> Result<f64, AerodynamicError> {
        match &self.induced {
            Induced::Field { values, radius, .. } => {
                let [first, second] = self.disk.axes;
                let along = values[1] * first.dot(from_hub) + values[2] * second.dot(from_hub);
                Ok(values[0] + along / radius)
            }
            Induced::Annulus(annulus) => {
                annulus.induced(&self.section(point), flow).ok_or(AerodynamicError::InflowNotFound {
                    time: self.time,
                    what: "the momentum of an annulus",
                })
            }
        }
    }
}

/// The velocity of the wind, checked (m/s).
pub(crate) fn wind_velocity(
    wind: &dyn Wind,
    position: &Vector3<f64>,
    time: f64,
) -> Result<Vector3<f64>, AerodynamicError> {
    let velocity = wind.velocity(position, time);
    if velocity.iter().all(|x| x.is_finite()) { Ok(velocity) } else { Err(not_finite(position, time)) }
}

/// Its gradient, checked (1/s).
pub(crate) fn wind_gradient(
    wind: &dyn Wind,
    position: &Vector3<f64>,
    time: f64,
) -> Result<Matrix3<f64>, AerodynamicError> {
    let gradient = wind.gradient(position, time);
    if gradient.iter().all(|x| x.is_finite()) { Ok(gradient) } else { Err(not_finite(position, time)) }
}

fn not_finite(position: &Vector3<f64>, time: f64) -> AerodynamicError {
    AerodynamicError::WindNotFinite { x: position.x, y: position.y, z: position.z, time }
}
