//! Unilateral contacts as the multibody library takes them.

use cosimo_multibody::spatial::{Contact, ContactPool, ContactShape, Frame, SpatialModel};

use crate::kinds::multibody::geometry::{frame, frames};
use crate::kinds::multibody::spec::{
    BodyFrameSpec, ContactShapeSpec, MatchedBodies, MultibodySpec, PlaceSpec, Side, SpatialContactSpec,
};

/// The model with this contact, or with this pool of contacts.
pub(super) fn with_contact(
    model: SpatialModel,
    system: &MultibodySpec,
    spec: &SpatialContactSpec,
) -> SpatialModel {
    let between = |place: &PlaceSpec, shape: ContactShape| {
        let [first, second] = frames(&system.bodies, place);
        Contact::new(&spec.name, shape, first, second)
    };
    let on = |frame_spec: &BodyFrameSpec| frame(&system.bodies, frame_spec);
    let members = |matched: &MatchedBodies| -> Vec<Frame> {
        matched.bodies.iter().map(|body| on(&BodyFrameSpec::origin_of(*body))).collect()
    };
    match &spec.shape {
        ContactShapeSpec::SpherePlane { place, radius } => {
            model.with_contact(between(place, ContactShape::SpherePlane { radius: *radius }))
        }
        ContactShapeSpec::SphereSphere { place, radii } => {
            model.with_contact(between(place, ContactShape::SphereSphere { radii: *radii }))
        }
        ContactShapeSpec::SpheresOnPlane { first, second, radius, capacity } => {
            let shape = ContactShape::SpherePlane { radius: *radius };
            let pool = ContactPool::new(&spec.name, shape, vec![on(first)], members(second));
            model.with_contact_pool(pool.with_capacity(*capacity as usize))
        }
        ContactShapeSpec::SpheresOnSpheres { between: [first, second], radii, capacity } => {
            let shape = ContactShape::SphereSphere { radii: *radii };
            let pool = ContactPool::new(&spec.name, shape, members(first), members(second));
            model.with_contact_pool(pool.with_capacity(*capacity as usize))
        }
        ContactShapeSpec::Stop { sensor, limit, side } => {
            // An index out of range gives an empty name, which the model refuses.
            let sensor = system.sensors.get(*sensor).map_or("", |sensor| sensor.name.as_str());
            let stop = match side {
                Side::Upper => Contact::upper_stop,
                Side::Lower => Contact::lower_stop,
            };
            model.with_contact(stop(spec.name.clone(), sensor.to_owned(), *limit))
        }
    }
}
