//! The air on a rotor of the system.

use cosimo_aerodynamics::RotorElement;
use cosimo_multibody::spatial::{Frame, SpatialModel};

use crate::build_error::BuildError;
use crate::kinds::multibody::spec::{AerodynamicsSpec, CarriedFrameSpec, MultibodySpec};
use crate::kinds::rotation;

/// The model with its air, if it has any. The equilibrium in which a run starts is that without it.
pub(super) fn in_air(
    model: SpatialModel,
    system: &MultibodySpec,
    subsystem: &str,
) -> Result<SpatialModel, BuildError> {
    let Some(air) = &system.aerodynamics else { return Ok(model) };
    let nodes = nodes(system, air);
    let element = RotorElement::new(air.rotor().build().map_err(BuildError::part(subsystem))?);
    let element = if air.rotor().records_sections { element.with_sections() } else { element };
    Ok(model.with_element(air.name(), nodes, element))
}

/// The frames of the rotor, that of the hub first.
fn nodes(system: &MultibodySpec, air: &AerodynamicsSpec) -> Vec<Frame> {
    let frame = |own: &CarriedFrameSpec| {
        // An index out of range gives an empty name, which the model refuses.
        let body = system.bodies.get(own.body).map_or("", |body| body.name.as_str());
        Frame::on(body, own.point).with_orientation(rotation(own.orientation))
    };
    let frames = air.frames();
    std::iter::once(&frames.hub).chain(frames.blades.iter().flatten()).map(frame).collect()
}
