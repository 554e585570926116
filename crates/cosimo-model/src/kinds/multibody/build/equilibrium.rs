//! The equilibrium in which a run starts.

use cosimo_mechanics::TimeFunction;
use cosimo_multibody::modes::{Equilibrium, Turning};
use cosimo_multibody::spatial::{Joint, JointKind};

use super::equations::spatial_model;
use crate::build_error::BuildError;
use crate::kinds::multibody::geometry::{Geometry, frames};
use crate::kinds::multibody::inputs::Inputs;
use crate::kinds::multibody::spec::{EquilibriumSpec, MeasureSpec, MultibodySpec, SensorSpec};

/// Positions and velocities of the equilibrium at the time `start` (s).
pub(super) fn equilibrium(
    system: &MultibodySpec,
    spec: &EquilibriumSpec,
    (name, start): (&str, f64),
) -> Result<[Vec<f64>; 2], BuildError> {
    let mut model = spatial_model(system, (name, [start; 2]), &mut Inputs::default())?;
    for sensor in spec.held.iter().filter_map(|index| system.sensors.get(*index)) {
        model = held(system, sensor).into_iter().fold(model, |model, joint| model.with_joint(joint));
    }
    let held = model.build().map_err(BuildError::part(name))?;
    let turning = Turning::about_origin(spec.turning);
    let found = Equilibrium::find(&held, start, &held.initial_position(), turning);
    let found = found.map_err(|source| BuildError::Equilibrium { subsystem: name.to_owned(), source })?;
    Ok([found.q, found.v])
}

/// A joint that keeps what a sensor measures.
fn held(system: &MultibodySpec, sensor: &SensorSpec) -> Option<Joint> {
    let (MeasureSpec::Distance(place) | MeasureSpec::Displacement(place) | MeasureSpec::Angle { place, .. }) =
        &sensor.measure
    else {
        return None;
    };
    let at_start = Geometry::of(&system.bodies, place);
    let kind = match &sensor.measure {
        MeasureSpec::Distance(_) => JointKind::Distance(TimeFunction::Constant(at_start.distance)),
        MeasureSpec::Displacement(_) => {
            JointKind::Displacement(TimeFunction::Constant(at_start.displacement))
        }
        _ => JointKind::Angle(TimeFunction::Constant(at_start.angle)),
    };
    let [first, second] = frames(&system.bodies, place);
    Some(Joint::new(format!("held {}", sensor.name), kind, first, second))
}
