//! What can be recorded of a multibody system.

use super::spec::{BeamSpec, ForceLaw, ForceSpec, MeasureSpec, MultibodySpec, SensorSpec};
use crate::kinds::contact_law::contact_quantities;
use crate::spec::{QuantityName, QuantityRole, quantity};

/// What a body shows of its centre of mass and orientation, in world axes.
const OF_BODY: [(&str, &str, QuantityRole); 13] = [
    ("x", "m", QuantityRole::Position),
    ("y", "m", QuantityRole::Position),
    ("z", "m", QuantityRole::Position),
    ("qw", "", QuantityRole::Position),
    ("qx", "", QuantityRole::Position),
    ("qy", "", QuantityRole::Position),
    ("qz", "", QuantityRole::Position),
    ("vx", "m/s", QuantityRole::Velocity),
    ("vy", "m/s", QuantityRole::Velocity),
    ("vz", "m/s", QuantityRole::Velocity),
    ("wx", "rad/s", QuantityRole::Velocity),
    ("wy", "rad/s", QuantityRole::Velocity),
    ("wz", "rad/s", QuantityRole::Velocity),
];

/// What a joint does to its second body: force, and moment about the second frame's point, in world axes.
const OF_JOINT: [(&str, &str, QuantityRole); 6] = [
    ("fx", "N", QuantityRole::Force),
    ("fy", "N", QuantityRole::Force),
    ("fz", "N", QuantityRole::Force),
    ("mx", "N m", QuantityRole::Force),
    ("my", "N m", QuantityRole::Force),
    ("mz", "N m", QuantityRole::Force),
];

/// What the impulses of the constraints in a step do to the second body of a joint.
const OF_JOINT_IMPULSES: [(&str, &str, QuantityRole); 6] = [
    ("px", "N s", QuantityRole::Impulse),
    ("py", "N s", QuantityRole::Impulse),
    ("pz", "N s", QuantityRole::Impulse),
    ("lx", "N m s", QuantityRole::Impulse),
    ("ly", "N m s", QuantityRole::Impulse),
    ("lz", "N m s", QuantityRole::Impulse),
];

/// Impulses of the joints, of nonsmooth integrators.
pub(super) fn of_joint_impulses(system: &MultibodySpec) -> Vec<QuantityName> {
    system.joints.iter().flat_map(|joint| of(&joint.name, &OF_JOINT_IMPULSES)).collect()
}

/// What a sensor shows.
fn of_sensor(measure: &MeasureSpec) -> &'static [(&'static str, &'static str, QuantityRole)] {
    use QuantityRole::{Position, Velocity};
    match measure {
        MeasureSpec::Point { .. } => &[
            ("x", "m", Position),
            ("y", "m", Position),
            ("z", "m", Position),
            ("vx", "m/s", Velocity),
            ("vy", "m/s", Velocity),
            ("vz", "m/s", Velocity),
        ],
        MeasureSpec::Distance(_) => &[("distance", "m", Position), ("rate", "m/s", Velocity)],
        MeasureSpec::Displacement(_) => &[("displacement", "m", Position), ("rate", "m/s", Velocity)],
        MeasureSpec::Angle { .. } => &[("angle", "rad", Position), ("rate", "rad/s", Velocity)],
    }
}

/// Parts of an owner by name, unit and role.
type Parts = [(&'static str, &'static str, QuantityRole)];

fn of(owner: &str, parts: &Parts) -> Vec<QuantityName> {
    parts.iter().map(|(part, unit, role)| quantity(format!("{owner}.{part}"), *unit, *role)).collect()
}

/// What the sensors show, which is output as well.
pub(super) fn of_sensors(system: &MultibodySpec) -> impl Iterator<Item = QuantityName> {
    let of_one = |sensor: &SensorSpec| of(&sensor.name, of_sensor(&sensor.measure));
    system.sensors.iter().flat_map(of_one)
}

/// Those of the bodies, the joints, the largest violations of the joints, the sensors, then the forces and the stress resultants of the
/// elements of beams, which are as those of joints, those of the air, then those of the contacts.
pub(super) fn quantities(system: &MultibodySpec) -> Vec<QuantityName> {
    let bodies = system.bodies.iter().flat_map(|body| of(&body.name, &OF_BODY));
    let joints = system.joints.iter().flat_map(|joint| of(&joint.name, &OF_JOINT));
    let residuals = [("residual", "m"), ("residual_rate", "m/s"), ("residual_acceleration", "m/s²")];
    let residuals = residuals.map(|(name, unit)| quantity(name, unit, QuantityRole::Residual));
    // What actuators do is their signal.
    let is_shown =
        |force: &&ForceSpec| !matches!(force.law, ForceLaw::LinearActuator(_) | ForceLaw::RotaryActuator(_));
    let forces = system.forces.iter().filter(is_shown).flat_map(|force| of(&force.name, &OF_JOINT));
    let elements = |beam: &BeamSpec| {
        let name = beam.name.clone();
        (1..beam.stations.len()).flat_map(move |number| of(&format!("{name}.{number}"), &OF_JOINT))
    };
    let elements = system.beams.iter().flat_map(elements);
    let air = system.aerodynamics.iter().flat_map(|air| air.quantities().iter().cloned());
    let contacts = system.contacts.iter();
    let contacts = contacts.flat_map(|contact| contact_quantities(&contact.name, contact.slips()));
    let of_bodies = bodies.chain(joints).chain(residuals);
    of_bodies.chain(of_sensors(system)).chain(forces).chain(elements).chain(air).chain(contacts).collect()
}
