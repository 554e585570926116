//! Forces between bodies, and loads over time.

use cosimo_mechanics::{TimeFunction, TimeTable};
use cosimo_multibody::spatial::PenaltyLaw;
use cosimo_subsystem::Hold;
use serde::{Deserialize, Serialize};

use super::PlaceSpec;
use crate::spec::{MatrixSpec, SizeOverTime};

/// A force between two bodies.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ForceSpec {
    /// Name, unique among bodies, joints, forces and sensors.
    pub name: String,
    /// What it depends on.
    #[serde(flatten)]
    pub law: ForceLaw,
    /// Its frames.
    #[serde(flatten)]
    pub place: PlaceSpec,
}

/// What a force between two bodies depends on.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ForceLaw {
    /// Spring and damper along the line between the points.
    Spring {
        /// Stiffness (N/m), zero or positive.
        stiffness: f64,
        /// Damping (N s/m), zero or positive. Default: 0.
        damping: f64,
        /// Length at zero force (m), zero or positive; `None` is that at the start, of one that is projected. Default: that at
        /// the start.
        length: Option<f64>,
        /// Pull at that length (N). Default: 0.
        preload: f64,
    },
    /// Spring and damper about the axis.
    TorsionSpring {
        /// Stiffness (N m/rad), zero or positive.
        stiffness: f64,
        /// Damping (N m s/rad), zero or positive. Default: 0.
        damping: f64,
        /// Angle at zero moment (rad); `None` is that at the start, of one that is projected. Default: that at the start.
        angle: Option<f64>,
        /// Whole turns by which the angle is ahead of (−π, π] at the start. Default: 0.
        turns: i32,
    },
    /// Six displacements of the second frame in the axes of the first, three of the point and three turns, times matrices.
    Bushing {
        /// Stiffness (N/m, N, N m/rad), `6 × 6`, symmetric and positive semidefinite.
        stiffness: MatrixSpec,
        /// Damping (N s/m, N s, N m s/rad), likewise. Default: zero.
        damping: MatrixSpec,
    },
    /// The same with matrices of any symmetry; what the part of the stiffness that is not symmetric does is work from outside.
    #[serde(rename = "non-symmetric-bushing")]
    NonSymmetricBushing {
        /// Stiffness (N/m, N, N m/rad), `6 × 6`.
        stiffness: MatrixSpec,
        /// Damping (N s/m, N s, N m s/rad), likewise. Default: zero.
        damping: MatrixSpec,
    },
    /// The film of a journal bearing or a seal about the axis of the first frame, its housing.
    Bearing {
        /// Its matrices by speed, at least one entry, ascending; linear between them.
        film: Vec<FilmSpec>,
    },
    /// Contact of a sphere around the second point with the plane through the first one, whose normal is the axis.
    SpherePlane {
        /// Radius (m), zero or positive. Default: 0.
        radius: f64,
        /// Law of the force.
        #[serde(flatten)]
        law: PenaltyLaw,
    },
    /// Contact of two spheres around the points.
    SphereSphere {
        /// Radii (m), zero or positive.
        radii: [f64; 2],
        /// Law of the force.
        #[serde(flatten)]
        law: PenaltyLaw,
    },
    /// A stop of the angle about the axis.
    Stop {
        /// The angle (rad).
        limit: f64,
        /// Which angles are resisted. Default: those above it.
        side: Side,
        /// Law of the moment.
        #[serde(flatten)]
        law: PenaltyLaw,
        /// Whole turns by which the angle is ahead of (−π, π] at the start. Default: those at which it lies within the limits of
        /// the stops with the same frames, if there are two.
        turns: i32,
    },
    /// A force along the line between the points that an input gives (N), pushing them apart.
    LinearActuator(SignalSpec),
    /// A moment about the axis that an input gives (N m), on the second body; the first one feels the opposite.
    RotaryActuator(SignalSpec),
}

/// Matrices of a film at a speed of the shaft, in the axes of the first frame.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FilmSpec {
    /// Angular velocity of the second body against the first about the axis (rad/s). Default: 0.
    pub speed: f64,
    /// Stiffness (N/m), `3 × 3`, of any symmetry.
    pub stiffness: MatrixSpec,
    /// Damping (N s/m), likewise. Default: zero.
    pub damping: MatrixSpec,
}

/// Which side of a limit is resisted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Below it.
    Lower,
    /// Above it.
    #[default]
    Upper,
}

/// A number that an input gives.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SignalSpec {
    /// Name of the input, unique among bodies, joints, forces, sensors and inputs.
    #[serde(rename = "signal")]
    pub name: String,
    /// How it goes on between communication points. Default: linear.
    pub hold: Hold,
}

/// Where the size of a load comes from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum LoadSizeSpec {
    /// A function of time.
    Known(SizeOverTime),
    /// An input.
    Signal(SignalSpec),
}

impl SpatialLoadSpec {
    /// The table over time, if there is one.
    #[must_use]
    pub fn table(&self) -> Option<&TimeTable> {
        if let LoadSizeSpec::Known(size) = &self.size { size.table() } else { None }
    }

    /// The size over time, where no signal gives it; `None` of a table that is wrong, too.
    #[must_use]
    pub fn function(&self) -> Option<TimeFunction> {
        match &self.size {
            LoadSizeSpec::Known(size) => size.function().ok(),
            LoadSizeSpec::Signal(_) => None,
        }
    }
}

/// A force or moment over time on a body.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpatialLoadSpec {
    /// Index of the body in [`MultibodySpec::bodies`](super::MultibodySpec::bodies).
    pub body: usize,
    /// What acts.
    #[serde(flatten)]
    pub action: LoadActionSpec,
    /// In which axes the direction is given. Default: those of the world.
    pub axes: LoadAxes,
    /// Force (N) or moment (N m).
    #[serde(flatten)]
    pub size: LoadSizeSpec,
}

/// What a load is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(untagged)]
pub enum LoadActionSpec {
    /// A force.
    Force {
        /// Where it acts in the body's frame (m). Default: zero.
        point: [f64; 3],
        /// Its direction, not zero, of any length.
        direction: [f64; 3],
    },
    /// A moment.
    Moment {
        /// Its axis, not zero, of any length.
        #[serde(rename = "moment_axis")]
        axis: [f64; 3],
    },
}

impl LoadActionSpec {
    /// Direction of a force, axis of a moment.
    #[must_use]
    pub fn direction(&self) -> [f64; 3] {
        match *self {
            Self::Force { direction, .. } => direction,
            Self::Moment { axis } => axis,
        }
    }

    /// Unit of its size.
    #[must_use]
    pub fn unit(&self) -> &'static str {
        if let Self::Force { .. } = self { "N" } else { "N m" }
    }
}

/// Axes in which the direction of a load is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LoadAxes {
    /// Those of the world.
    #[default]
    World,
    /// Those of the body, with which it turns.
    Body,
}
