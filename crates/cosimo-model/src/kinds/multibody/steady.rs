//! A multibody system alone, made ready for an equilibrium at rest or in a steady turn.

use std::fmt;

use cosimo_multibody::spatial::SpatialSystem;
use nalgebra::Vector3;

use super::build::{equations, equations_in_air, prescribed_at_start};
use super::geometry::Geometry;
use super::inputs::Inputs;
use super::spec::{
    JointFreedom, JointSpec, LoadAxes, LoadSizeSpec, MotionSpec, MultibodySpec, TimeFunctionSpec,
};
use crate::build_error::BuildError;
use crate::kinds::body_ref::BodyRef;
use crate::kinds::unit;
use crate::spec::SizeOverTime;
use cosimo_mechanics::TimeFunction;

/// Sine of the angle to the axis of a turn from which a direction counts as across it.
const ACROSS: f64 = 1e-9;

/// The equations of motion of a multibody subsystem for an equilibrium.
#[derive(Debug)]
pub struct SteadySystem {
    /// The equations.
    pub equations: SpatialSystem,
    /// Time of the start (s), at which they are taken.
    pub time: f64,
    /// What differs from the system that runs.
    pub changes: Vec<SteadyChange>,
}

/// What is left out or replaced for an equilibrium.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SteadyChange {
    /// Gravity across the axis of the turn is left out.
    Gravity,
    /// A load in the axes of the world across the axis of the turn is left out.
    Load {
        /// Name of the body.
        body: String,
    },
    /// A prescribed angle about the axis follows the turn.
    Follows {
        /// Name of the joint.
        joint: String,
    },
    /// A prescribed motion is held where it is at the start.
    Held {
        /// Name of the joint.
        joint: String,
    },
    /// The air is quasi-steady: its inflow stays as it is in the equilibrium.
    QuasiSteadyAir,
    /// The air is left out.
    NoAir,
    /// Ports and inputs carry no loads: the other subsystems are not there.
    Alone {
        /// How many ports.
        ports: usize,
        /// How many inputs.
        inputs: usize,
    },
}

impl fmt::Display for SteadyChange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Gravity => write!(f, "gravity across the axis of the turn is left out"),
            Self::Load { body } => {
                write!(f, "a load on `{body}` in a fixed direction across the axis of the turn is left out")
            }
            Self::Follows { joint } => write!(f, "joint `{joint}` follows the turn"),
            Self::Held { joint } => write!(f, "joint `{joint}` is held where it is at the start"),
            Self::QuasiSteadyAir => {
                write!(f, "the air is quasi-steady: the inflow stays as it is in the equilibrium")
            }
            Self::NoAir => write!(f, "the air is left out"),
            Self::Alone { ports, inputs } => {
                let s = |count: usize| if count == 1 { "" } else { "s" };
                let (of_ports, of_inputs) = (s(*ports), s(*inputs));
                write!(f, "loads of {ports} port{of_ports} and {inputs} input{of_inputs} are zero")
            }
        }
    }
}

impl MultibodySpec {
    /// The equations of motion of the system alone, as they are at the time `start` (s); `name` is what errors call it.
    pub(crate) fn spatial_system(&self, name: &str, start: f64) -> Result<SpatialSystem, BuildError> {
        equations(self, (name, [start; 2]), &mut Inputs::default())
    }

    /// The same for an equilibrium that turns with the angular velocity `spin` (rad/s, world axes) about an axis through the
    /// world's origin, see [`ModelSpec::steady_system`](crate::ModelSpec::steady_system).
    pub(crate) fn steady_system(
        &self,
        name: &str,
        start: f64,
        (spin, has_air): (Vector3<f64>, bool),
    ) -> Result<SteadySystem, BuildError> {
        let (mut system, mut changes) = (self.clone(), Vec::new());
        for joint in &mut system.joints {
            let prescribed = prescribed_at_start(self, start, joint);
            changes.extend(prescribed.and_then(|value| hold(self, joint, (start, value), spin)));
        }
        hold_loads(&mut system, start);
        if spin != Vector3::zeros() {
            changes.extend(leave_out_across(&mut system, spin.normalize()));
        }
        let (ports, inputs) = (self.ports.len(), super::inputs::inputs(self).len());
        if ports + inputs > 0 {
            changes.push(SteadyChange::Alone { ports, inputs });
        }
        if let Some(air) = &mut system.aerodynamics {
            air.settle_inflow();
            changes.push(if has_air { SteadyChange::QuasiSteadyAir } else { SteadyChange::NoAir });
        }
        let build = if has_air {
            equations_in_air(&system, (name, start))
        } else {
            system.spatial_system(name, start)
        };
        Ok(SteadySystem { equations: build?, time: start, changes })
    }
}

/// Makes what a joint prescribes, which is `value` at the time of the start, stand or follow the turn.
fn hold(
    system: &MultibodySpec,
    joint: &mut JointSpec,
    (time, value): (f64, f64),
    spin: Vector3<f64>,
) -> Option<SteadyChange> {
    let rate = following(system, joint, spin).unwrap_or(0.0);
    let name = joint.name.clone();
    let motion = joint.freedom.motion_mut()?;
    let is_constant =
        matches!(motion, MotionSpec::Position(TimeFunctionSpec::Known(TimeFunction::Constant(_))));
    let follows = TimeFunction::linear(value - rate * time, rate);
    let function = if rate == 0.0 { TimeFunction::Constant(value) } else { follows };
    *motion = MotionSpec::Position(TimeFunctionSpec::Known(function));
    match (rate == 0.0, is_constant) {
        (false, _) => Some(SteadyChange::Follows { joint: name }),
        (true, false) => Some(SteadyChange::Held { joint: name }),
        (true, true) => None,
    }
}

/// The rate (rad/s) at which the angle of a joint between the ground and a body follows a turn about its axis.
fn following(system: &MultibodySpec, joint: &JointSpec, spin: Vector3<f64>) -> Option<f64> {
    let JointFreedom::Angle(_) = joint.freedom else { return None };
    let sign = match joint.place.bodies() {
        [BodyRef::Ground, BodyRef::Body(_)] => 1.0,
        [BodyRef::Body(_), BodyRef::Ground] => -1.0,
        _ => return None,
    };
    let axis = Geometry::of(&system.bodies, &joint.place).axis;
    (axis.cross(&spin).norm() <= ACROSS * spin.norm()).then(|| sign * axis.dot(&spin))
}

/// Loads over time stay as they are at the start.
fn hold_loads(system: &mut MultibodySpec, start: f64) {
    for load in &mut system.loads {
        if let Some(size) = load.function() {
            let value = TimeFunction::Constant(size.value(start));
            load.size = LoadSizeSpec::Known(SizeOverTime::Function { value });
        }
    }
}

/// Removes what keeps a direction of the world across the axis.
fn leave_out_across(system: &mut MultibodySpec, axis: Vector3<f64>) -> Vec<SteadyChange> {
    let mut changes = Vec::new();
    let gravity = Vector3::from(system.gravity);
    let along = axis * axis.dot(&gravity);
    if (gravity - along).norm() > ACROSS * gravity.norm() {
        system.gravity = along.into();
        changes.push(SteadyChange::Gravity);
    }
    let bodies = &system.bodies;
    system.loads.retain(|load| {
        let is_across = Vector3::from(unit(load.action.direction())).cross(&axis).norm() > ACROSS;
        let is_left_out = load.axes == LoadAxes::World && is_across;
        if is_left_out {
            let body = bodies.get(load.body).map(|body| body.name.clone()).unwrap_or_default();
            changes.push(SteadyChange::Load { body });
        }
        !is_left_out
    });
    changes
}
