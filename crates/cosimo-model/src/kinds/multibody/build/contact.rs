//! Unilateral contacts as the multibody library takes them.

use cosimo_multibody::spatial::{Contact, ContactShape};

use crate::kinds::multibody::geometry::frames;
use crate::kinds::multibody::spec::{ContactShapeSpec, MultibodySpec, Side, SpatialContactSpec};

/// The contact of the model.
pub(super) fn contact(system: &MultibodySpec, spec: &SpatialContactSpec) -> Contact {
    match &spec.shape {
        ContactShapeSpec::SpherePlane { place, radius } => {
            let [first, second] = frames(&system.bodies, place);
            Contact::new(&spec.name, ContactShape::SpherePlane { radius: *radius }, first, second)
        }
        ContactShapeSpec::SphereSphere { place, radii } => {
            let [first, second] = frames(&system.bodies, place);
            Contact::new(&spec.name, ContactShape::SphereSphere { radii: *radii }, first, second)
        }
        ContactShapeSpec::Stop { sensor, limit, side } => {
            // An index out of range gives an empty name, which the model refuses.
            let sensor = system.sensors.get(*sensor).map_or("", |sensor| sensor.name.as_str());
            let stop = match side {
                Side::Upper => Contact::upper_stop,
                Side::Lower => Contact::lower_stop,
            };
            stop(spec.name.clone(), sensor.to_owned(), *limit)
        }
    }
}
