//! Winds in plain words.

use cosimo_mechanics::TimeFunction;
use nalgebra::{Matrix3, Vector3};
use serde::{Deserialize, Serialize};

use super::SpecError;
use super::error::{finite, positive};
use crate::wind::{
    CosineGust, FrontProfile, LinearWind, ShearWind, TravellingFront, UniformWind, VaryingWind, Wind, WindSum,
};

/// The wind. Velocities are in m/s, along the axes of space.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "snake_case", tag = "kind", deny_unknown_fields)]
#[non_exhaustive]
pub enum WindSpec {
    /// Still air.
    #[default]
    Still,
    /// The same everywhere, always.
    Uniform {
        /// Velocity (m/s).
        velocity: [f64; 3],
    },
    /// A front that travels, see [`TravellingFront`].
    Front {
        /// Direction of the velocity.
        perturbation_direction: [f64; 3],
        /// Direction `f` of the front.
        front_direction: [f64; 3],
        /// Velocity of the front (m/s).
        front_velocity: f64,
        /// Shape of the front.
        profile: FrontSpec,
    },
    /// One period of `1 − cos` over time.
    Gust {
        /// Largest velocity (m/s).
        peak: [f64; 3],
        /// Begin (s).
        start: f64,
        /// Duration (s).
        duration: f64,
    },
    /// A velocity with a gradient.
    Linear {
        /// Velocity (m/s) at the origin of the wind.
        velocity: [f64; 3],
        /// Gradient (1/s), rows `∂u_i/∂x_j`.
        gradient: [[f64; 3]; 3],
        /// Origin (m). Default: that of space.
        #[serde(default)]
        origin: [f64; 3],
    },
    /// Wind over ground.
    Shear {
        /// Velocity (m/s) at the height of reference.
        velocity: [f64; 3],
        /// Height of reference (m).
        reference_height: f64,
        /// Exponent (–).
        exponent: f64,
        /// Direction upwards.
        up: [f64; 3],
        /// Height of the ground (m). Default: zero.
        #[serde(default)]
        ground: f64,
    },
    /// A velocity over time.
    Table {
        /// Times (s).
        times: Vec<f64>,
        /// Velocities (m/s).
        velocities: Vec<[f64; 3]>,
    },
    /// A velocity whose components are functions of time: steps, ramps, sines, chirps, curves.
    Varying {
        /// Components of the velocity (m/s).
        velocity: [TimeFunction; 3],
    },
    /// Several at once.
    Sum {
        /// The winds.
        winds: Vec<WindSpec>,
    },
}

/// The shape of a front.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "shape", deny_unknown_fields)]
#[non_exhaustive]
pub enum FrontSpec {
    /// One period of `1 − cos`.
    OneMinusCosine {
        /// Largest velocity (m/s).
        peak: f64,
        /// Length (m).
        length: f64,
    },
    /// From zero to the peak over a length.
    Step {
        /// Velocity behind the front (m/s).
        peak: f64,
        /// Length (m).
        length: f64,
    },
}

impl WindSpec {
    /// The wind.
    ///
    /// # Errors
    /// The first rule that it breaks.
    pub fn build(&self) -> Result<Box<dyn Wind>, SpecError> {
        Ok(match self {
            Self::Still => Box::new(UniformWind::default()),
            Self::Uniform { velocity } => Box::new(UniformWind(vector("velocity", velocity)?)),
            Self::Front { perturbation_direction, front_direction, front_velocity, profile } => {
                Box::new(front([perturbation_direction, front_direction], *front_velocity, *profile)?)
            }
            Self::Gust { peak, start, duration } => {
                finite("start", *start)?;
                positive("duration", *duration)?;
                Box::new(CosineGust { peak: vector("peak", peak)?, start: *start, duration: *duration })
            }
            Self::Linear { velocity, gradient, origin } => Box::new(LinearWind {
                velocity: vector("velocity", velocity)?,
                gradient: matrix("gradient", gradient)?,
                origin: vector("origin", origin)?,
            }),
            Self::Shear { velocity, reference_height, exponent, up, ground } => {
                Box::new(shear([velocity, up], [*reference_height, *exponent, *ground])?)
            }
            Self::Table { times, velocities } => {
                let along =
                    |k: usize| TimeFunction::table(times.clone(), velocities.iter().map(|v| v[k]).collect());
                Box::new(VaryingWind { velocity: [along(0)?, along(1)?, along(2)?] })
            }
            Self::Varying { velocity } => {
                velocity.iter().try_for_each(|component| finite("velocity", component.value(0.0)))?;
                Box::new(VaryingWind { velocity: velocity.clone() })
            }
            Self::Sum { winds } => {
                Box::new(WindSum(winds.iter().map(Self::build).collect::<Result<_, _>>()?))
            }
        })
    }
}

fn front(
    [perturbation, front]: [&[f64; 3]; 2],
    front_velocity: f64,
    profile: FrontSpec,
) -> Result<TravellingFront, SpecError> {
    finite("front_velocity", front_velocity)?;
    Ok(TravellingFront {
        perturbation_direction: direction("perturbation_direction", perturbation)?,
        front_direction: direction("front_direction", front)?,
        front_velocity,
        profile: profile.build()?,
    })
}

fn shear(
    [velocity, up]: [&[f64; 3]; 2],
    [reference_height, exponent, ground]: [f64; 3],
) -> Result<ShearWind, SpecError> {
    positive("reference_height", reference_height)?;
    positive("exponent", exponent)?;
    finite("ground", ground)?;
    let velocity = vector("velocity", velocity)?;
    Ok(ShearWind { velocity, reference_height, exponent, up: direction("up", up)?, ground })
}

impl FrontSpec {
    fn build(self) -> Result<FrontProfile, SpecError> {
        let (Self::OneMinusCosine { peak, length } | Self::Step { peak, length }) = self;
        finite("peak", peak)?;
        positive("length", length)?;
        Ok(match self {
            Self::OneMinusCosine { .. } => FrontProfile::OneMinusCosine { peak, length },
            Self::Step { .. } => FrontProfile::Step { peak, length },
        })
    }
}

fn vector(parameter: &'static str, found: &[f64; 3]) -> Result<Vector3<f64>, SpecError> {
    found.iter().try_for_each(|x| finite(parameter, *x))?;
    Ok(Vector3::from(*found))
}

fn matrix(parameter: &'static str, rows: &[[f64; 3]; 3]) -> Result<Matrix3<f64>, SpecError> {
    rows.iter().flatten().try_for_each(|x| finite(parameter, *x))?;
    Ok(Matrix3::from_fn(|i, j| rows[i][j]))
}

/// A unit vector along three numbers.
pub(super) fn direction(parameter: &'static str, found: &[f64; 3]) -> Result<Vector3<f64>, SpecError> {
    let along = Vector3::from(*found).try_normalize(f64::MIN_POSITIVE);
    let along = along.filter(|v| v.iter().all(|x| x.is_finite()));
    along.ok_or(SpecError::Direction { parameter })
}
