//! Builds rigid bodies in space.

mod aerodynamics;
mod contact;
mod equations;
mod equilibrium;
mod excitations;
mod gear;

use cosimo_impact::{ImpactSettings, Scheme};
use cosimo_multibody::spatial::SpatialSystem;
use cosimo_native::{
    Multibody, MultibodyBuilder, MultibodyPort, NonsmoothMechanism, SpatialContacts, SpatialMechanism,
    SpatialMechanismContact,
};
use cosimo_smooth::dae::Method;

use super::inputs::Inputs;
use super::spec::{MultibodySpec, PortPlaceSpec, SpatialContactSpec, SpatialPortSpec};
use crate::build_error::BuildError;
use crate::kinds::rigid_body::BodyPortShape;
use crate::kinds::{Frame, rotation, unit};
use crate::spec::SolverSpec;

use equations::spatial_model;
pub(super) use equations::{equations, prescribed_at_start};

/// The equations of motion of the subsystem with its air, which stands alone.
pub(super) fn equations_in_air(
    system: &MultibodySpec,
    (name, start): (&str, f64),
) -> Result<SpatialSystem, BuildError> {
    let model = spatial_model(system, (name, [start; 2]), &mut Inputs::default())?;
    aerodynamics::in_air(model, system, name)?.build().map_err(BuildError::part(name))
}

/// Builds the subsystem.
pub(super) fn build(system: &MultibodySpec, frame: &Frame<'_>) -> Result<Multibody, BuildError> {
    let mut inputs = Inputs::default();
    let model = spatial_model(system, (frame.name, [frame.start_time, frame.end_time]), &mut inputs)?;
    let built = aerodynamics::in_air(model, system, frame.name)?.build();
    let equations = built.map_err(BuildError::part(frame.name))?;
    let mut builder = MultibodyBuilder::new(frame.name, equations)
        .with_method(method(frame)?)
        .with_tolerance(system.tolerance)
        .with_newton(system.newton)
        .with_max_iterations(system.max_iterations as usize)
        .with_initial_time(frame.start_time)
        .with_longest_step(frame.longest_step);
    if frame.activation.is_none() {
        builder = builder.with_formulation(system.formulation);
    }
    if let SolverSpec::AdaptiveBdf { error_tolerance, .. } = frame.solver {
        builder = builder.with_error_tolerance(error_tolerance);
    }
    if let Some(spec) = &system.equilibrium {
        let [q, v] = equilibrium::equilibrium(system, spec, (frame.name, frame.start_time))?;
        builder = builder.with_initial_state(q, v);
    }
    for spec in &system.ports {
        builder = builder.with_port(&spec.name, port(system, spec));
    }
    for spec in &system.contacts {
        builder = builder.with_contact(&spec.name, frame.law(spec.law));
    }
    for excitation in excitations::excitations(system) {
        builder = builder.with_excitation(excitation);
    }
    for (signal, input) in inputs.list {
        builder = builder.with_input(signal, input);
    }
    Ok(builder.build()?)
}

/// Builds the subsystem with the contacts inside, stepped by a scheme.
pub(super) fn build_nonsmooth(
    system: &MultibodySpec,
    frame: &Frame<'_>,
    scheme: Scheme,
) -> Result<NonsmoothMechanism<SpatialSystem, SpatialContacts>, BuildError> {
    let mut inputs = Inputs::default();
    let model = spatial_model(system, (frame.name, [frame.start_time, frame.end_time]), &mut inputs)?;
    let built = aerodynamics::in_air(model, system, frame.name)?.build();
    let equations = built.map_err(BuildError::part(frame.name))?;
    let start = match &system.equilibrium {
        Some(spec) => Some(equilibrium::equilibrium(system, spec, (frame.name, frame.start_time))?),
        None => None,
    };
    let contact =
        |spec: &SpatialContactSpec| SpatialMechanismContact { name: spec.name.clone(), law: spec.law };
    let mechanism = SpatialMechanism {
        name: frame.name.to_owned(),
        system: equations,
        contacts: system.contacts.iter().map(contact).collect(),
        scheme,
        settings: ImpactSettings {
            tolerance: system.tolerance,
            max_iterations: system.max_iterations as usize,
            ..frame.impact_settings()
        },
        start: (frame.start_time, start),
        ports: system.ports.iter().map(|spec| (spec.name.clone(), port(system, spec))).collect(),
        inputs: inputs.list,
    };
    Ok(mechanism.build()?)
}

fn method(frame: &Frame<'_>) -> Result<Method, BuildError> {
    match frame.solver {
        SolverSpec::Theta { theta: 0.5 } => Ok(Method::Midpoint),
        SolverSpec::Theta { .. } if frame.activation.is_none() => Err(frame.refuse_solver()),
        _ => frame.method(),
    }
}

fn port(system: &MultibodySpec, spec: &SpatialPortSpec) -> MultibodyPort {
    // An index out of range gives an empty name, which the builder refuses.
    match &spec.place {
        PortPlaceSpec::Sensor(sensor) => {
            MultibodyPort::sensor(system.sensors.get(*sensor).map_or("", |sensor| sensor.name.as_str()))
        }
        PortPlaceSpec::Body { body, point, shape } => {
            let body = system.bodies.get(*body).map_or("", |body| body.name.as_str()).to_owned();
            let point = (*point).into();
            match *shape {
                BodyPortShape::Along(direction) => {
                    MultibodyPort::Along { body, point, direction: unit(direction).into() }
                }
                BodyPortShape::Point => MultibodyPort::Point { body, point },
                BodyPortShape::Frame(turned) => {
                    MultibodyPort::Frame { body, point, orientation: rotation(turned) }
                }
            }
        }
    }
}
