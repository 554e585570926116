//! The equations of motion of a multibody system.

use cosimo_mechanics::TimeFunction;
use cosimo_multibody::spatial::{
    Bearing, Body, BodyLoad, FilmStation, Force, ForceKind, Frame, Joint, JointKind, ModelElement, RigidBody,
    Sensor, SensorKind, SpatialModel, SpatialSystem,
};
use nalgebra::{Matrix6, Vector3};

use super::contact::with_contact;
use super::gear::{with_gear, with_mesh, with_rope};
use crate::build_error::BuildError;
use crate::kinds::inertia::inertia;
use crate::kinds::multibody::beam::beam;
use crate::kinds::multibody::geometry::{Geometry, frames};
use crate::kinds::multibody::inputs::Inputs;
use crate::kinds::multibody::spec::{
    BeamSpec, FilmSpec, ForceLaw, JointFreedom, JointSpec, LoadActionSpec, LoadAxes, LoadSizeSpec,
    MeasureSpec, MotionSpec, MultibodySpec, SensorSpec, Side, SpatialBodySpec, SpatialLoadSpec,
    TimeFunctionSpec,
};
use crate::kinds::shape::ShapeSpec;
use crate::kinds::{rotation, unit};
use crate::spec::MatrixSpec;

/// The equations of motion of the subsystem of this name, with the state at the start as it is written, over a span
/// of time (s); what signals give is added to the inputs.
pub(crate) fn equations(
    system: &MultibodySpec,
    of: (&str, [f64; 2]),
    inputs: &mut Inputs,
) -> Result<SpatialSystem, BuildError> {
    spatial_model(system, of, inputs)?.build().map_err(BuildError::part(of.0))
}

/// The model that they are built from.
pub(super) fn spatial_model(
    system: &MultibodySpec,
    (name, span): (&str, [f64; 2]),
    inputs: &mut Inputs,
) -> Result<SpatialModel, BuildError> {
    let mut model = SpatialModel::new().with_gravity(system.gravity);
    for spec in &system.bodies {
        model = model.with_body(body(spec, name)?);
    }
    for spec in &system.beams {
        model = model.with_elements(elements(spec, name)?);
    }
    for joint in &system.joints {
        let [first, second] = frames(&system.bodies, &joint.place);
        let at_start = Geometry::of(&system.bodies, &joint.place);
        let unit = joint.freedom.units()[0];
        let kind = Prescribed { at_start, span, unit, inputs }.joint(&joint.freedom);
        model = model.with_joint(Joint::new(&joint.name, kind, first, second));
    }
    for force in &system.forces {
        let [first, second] = frames(&system.bodies, &force.place);
        let at_start = Geometry::of(&system.bodies, &force.place);
        let kind = kind_of_force(&force.law, &at_start, inputs);
        let built = Force::new(&force.name, kind, first, second);
        model = model.with_force(placed(built, &force.law));
    }
    for (index, spec) in system.loads.iter().enumerate() {
        let size = size_of_load(spec, name, inputs)?;
        model = model.with_force(load(system, index, spec, size));
    }
    for spec in &system.contacts {
        model = with_contact(model, system, spec);
    }
    for sensor in &system.sensors {
        model = model.with_sensor(placed_sensor(system, sensor));
    }
    for gear in &system.gears {
        model = with_gear(model, system, gear);
    }
    for gear in &system.gears {
        model = with_mesh(model, system, gear);
    }
    for rope in &system.ropes {
        model = with_rope(model, system, rope);
    }
    Ok(model)
}

fn body(spec: &SpatialBodySpec, subsystem: &str) -> Result<Body, BuildError> {
    let refuse =
        |source| BuildError::Body { subsystem: subsystem.to_owned(), body: spec.name.clone(), source };
    let properties = RigidBody::new(spec.mass, inertia(&spec.inertia)).map_err(refuse)?;
    let orientation = rotation(spec.orientation);
    let spin = orientation.inverse() * Vector3::from(spec.angular_velocity);
    let body = Body::new(&spec.name, properties)
        .with_centre_of_mass(spec.centre_of_mass)
        .with_position(spec.position)
        .with_orientation(orientation)
        .with_velocity(spec.velocity, spin);
    Ok(spec.shapes.iter().map(ShapeSpec::build).fold(body, Body::with_shape))
}

/// The elements of a beam; its nodes are among the bodies.
fn elements(spec: &BeamSpec, subsystem: &str) -> Result<Vec<ModelElement>, BuildError> {
    let beam = beam(spec).map_err(|error| BuildError::Sections {
        subsystem: subsystem.to_owned(),
        beam: spec.name.clone(),
        source: Box::new(error),
    })?;
    beam.elements().map_err(Box::new).map_err(BuildError::part(subsystem))
}

/// What a joint prescribes at the time `start` (s): m, rad, or a cosine; `None` for a joint that prescribes nothing.
pub(crate) fn prescribed_at_start(system: &MultibodySpec, start: f64, joint: &JointSpec) -> Option<f64> {
    let at_start = Geometry::of(&system.bodies, &joint.place);
    let (unit, inputs) = (joint.freedom.units()[0], &mut Inputs::default());
    match (Prescribed { at_start, span: [start; 2], unit, inputs }).joint(&joint.freedom) {
        JointKind::Distance(motion)
        | JointKind::Angle(motion)
        | JointKind::Displacement(motion)
        | JointKind::DotProduct(motion)
        | JointKind::Coordinate { motion, .. } => Some(motion.value(start)),
        _ => None,
    }
}

/// What turns prescribed motions of a joint into functions of time.
struct Prescribed<'a> {
    at_start: Geometry,
    /// Times of the start and of the end (s).
    span: [f64; 2],
    /// Unit of what is prescribed.
    unit: &'static str,
    inputs: &'a mut Inputs,
}

impl Prescribed<'_> {
    fn joint(&mut self, freedom: &JointFreedom) -> JointKind {
        let Geometry { distance, angle, displacement, dot_product, .. } = self.at_start;
        match freedom {
            JointFreedom::Fixed => JointKind::Fixed,
            JointFreedom::Revolute => JointKind::Revolute,
            JointFreedom::Spherical => JointKind::Spherical,
            JointFreedom::Prismatic => JointKind::Prismatic,
            JointFreedom::Cylindrical => JointKind::Cylindrical,
            JointFreedom::Universal => JointKind::Universal,
            JointFreedom::Planar => JointKind::Planar,
            JointFreedom::Distance(motion) => JointKind::Distance(self.motion(motion, distance)),
            JointFreedom::Angle(motion) => JointKind::Angle(self.motion(motion, angle)),
            JointFreedom::Displacement(motion) => JointKind::Displacement(self.motion(motion, displacement)),
            JointFreedom::DotProduct(motion) => JointKind::DotProduct(self.motion(motion, dot_product)),
            JointFreedom::Coordinate { axis, motion } => JointKind::Coordinate {
                direction: unit(*axis),
                motion: self.motion(motion, self.at_start.along(*axis)),
            },
        }
    }

    /// The function of time of a number that is `position` at the start.
    fn motion(&mut self, motion: &MotionSpec, position: f64) -> TimeFunction {
        match motion {
            MotionSpec::Position(TimeFunctionSpec::Signal(name)) => {
                TimeFunction::Input(self.inputs.motion(name, self.unit, position))
            }
            MotionSpec::Position(TimeFunctionSpec::Known(function)) => function.clone(),
            // Speeds without integral are found where a file is read.
            MotionSpec::Speed(speed) => {
                let [start, end] = self.span;
                let motion = TimeFunction::with_speed(speed.clone(), position, start, end);
                motion.unwrap_or(TimeFunction::Constant(f64::NAN))
            }
        }
    }
}

/// With what of it is about the start.
fn placed(force: Force, law: &ForceLaw) -> Force {
    let turns = if let ForceLaw::TorsionSpring { turns, .. } | ForceLaw::Stop { turns, .. } = law {
        *turns
    } else {
        0
    };
    let force = force.with_turns(turns);
    match law {
        ForceLaw::Spring { length: None, .. } | ForceLaw::TorsionSpring { angle: None, .. } => {
            force.free_at_start()
        }
        _ => force,
    }
}

/// Springs that are free at the start are reported as such.
fn kind_of_force(law: &ForceLaw, at_start: &Geometry, inputs: &mut Inputs) -> ForceKind {
    match law {
        ForceLaw::Spring { stiffness, damping, length, preload } => ForceKind::Spring {
            stiffness: *stiffness,
            damping: *damping,
            free_length: length.unwrap_or(at_start.distance),
            preload: *preload,
        },
        ForceLaw::TorsionSpring { stiffness, damping, angle, .. } => ForceKind::TorsionSpring {
            stiffness: *stiffness,
            damping: *damping,
            free_angle: angle.unwrap_or(at_start.angle),
        },
        ForceLaw::Bushing { stiffness, damping } => {
            ForceKind::Bushing { stiffness: Box::new(six(stiffness)), damping: Box::new(six(damping)) }
        }
        ForceLaw::NonSymmetricBushing { stiffness, damping } => ForceKind::NonSymmetricBushing {
            stiffness: Box::new(six(stiffness)),
            damping: Box::new(six(damping)),
        },
        ForceLaw::Bearing { film } => {
            ForceKind::Bearing(Bearing { stations: film.iter().map(station).collect() })
        }
        ForceLaw::SpherePlane { radius, law } => ForceKind::SpherePlane { radius: *radius, law: *law },
        ForceLaw::SphereSphere { radii, law } => ForceKind::SphereSphere { radii: *radii, law: *law },
        ForceLaw::Stop { limit, side, law, .. } => {
            ForceKind::Stop { limit: *limit, is_upper: *side == Side::Upper, law: *law }
        }
        ForceLaw::LinearActuator(signal) => {
            ForceKind::LinearActuator(TimeFunction::Input(inputs.load(signal, "N")))
        }
        ForceLaw::RotaryActuator(signal) => {
            ForceKind::RotaryActuator(TimeFunction::Input(inputs.load(signal, "N m")))
        }
    }
}

fn station(film: &FilmSpec) -> FilmStation {
    let three = |matrix: &MatrixSpec| matrix.to_dense().fixed_view::<3, 3>(0, 0).into_owned();
    FilmStation { speed: film.speed, stiffness: three(&film.stiffness), damping: three(&film.damping) }
}

fn six(matrix: &MatrixSpec) -> Matrix6<f64> {
    matrix.to_dense().fixed_view::<6, 6>(0, 0).into_owned()
}

/// The size of a load over time.
fn size_of_load(
    spec: &SpatialLoadSpec,
    subsystem: &str,
    inputs: &mut Inputs,
) -> Result<TimeFunction, BuildError> {
    match &spec.size {
        LoadSizeSpec::Known(size) => {
            size.function().map_err(|source| BuildError::Load { subsystem: subsystem.to_owned(), source })
        }
        LoadSizeSpec::Signal(signal) => Ok(TimeFunction::Input(inputs.load(signal, spec.action.unit()))),
    }
}

/// A load on a body of the system.
fn load(system: &MultibodySpec, index: usize, spec: &SpatialLoadSpec, size: TimeFunction) -> Force {
    let (point, is_moment) = match spec.action {
        LoadActionSpec::Force { point, .. } => (point, false),
        LoadActionSpec::Moment { .. } => ([0.0; 3], true),
    };
    let direction = Vector3::from(unit(spec.action.direction()));
    let load = BodyLoad { direction, follows: spec.axes == LoadAxes::Body, is_moment, size };
    // An index out of range gives an empty name, which the model refuses.
    let body = system.bodies.get(spec.body).map_or("", |body| body.name.as_str());
    let (first, second) = (Frame::ground([0.0; 3]), Frame::on(body, point));
    Force::new(format!("load {index}"), ForceKind::Load(load), first, second)
}

fn placed_sensor(system: &MultibodySpec, sensor: &SensorSpec) -> Sensor {
    let (kind, [first, second]) = match &sensor.measure {
        MeasureSpec::Point { body, point } => {
            let body = system.bodies.get(*body).map_or("", |body| body.name.as_str());
            (SensorKind::Way, [Frame::ground([0.0; 3]), Frame::on(body, *point)])
        }
        MeasureSpec::Acceleration { body, point, axes, proper } => {
            let body = system.bodies.get(*body).map_or("", |body| body.name.as_str());
            let kind = SensorKind::Acceleration { on_body: *axes == LoadAxes::Body, proper: *proper };
            (kind, [Frame::ground([0.0; 3]), Frame::on(body, *point)])
        }
        MeasureSpec::Distance(place) => (SensorKind::Distance, frames(&system.bodies, place)),
        MeasureSpec::Displacement(place) => (SensorKind::Displacement, frames(&system.bodies, place)),
        MeasureSpec::Angle { place, .. } => (SensorKind::Angle, frames(&system.bodies, place)),
    };
    let turns = if let MeasureSpec::Angle { turns, .. } = &sensor.measure { *turns } else { 0 };
    Sensor::new(&sensor.name, kind, first, second).with_turns(turns)
}
