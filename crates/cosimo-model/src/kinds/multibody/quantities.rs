//! What can be recorded of a multibody system.

use super::spec::{BeamSpec, ForceLaw, ForceSpec, GearSpec, MeasureSpec, MultibodySpec, SensorSpec};
use crate::kinds::contact_law::{contact_quantities, pool_quantities};
use crate::kinds::rigid_body::OF_BODY;
use crate::spec::{Group, QuantityName, QuantityRole, grouped, quantity};

/// What a joint does to its second body: force, and moment about the second frame's point, in world axes.
const OF_JOINT: [Group; 2] =
    [("fx fy fz", "N", QuantityRole::Force), ("mx my mz", "N m", QuantityRole::Force)];

/// What the impulses of the constraints in a step do to the second body of a joint.
const OF_JOINT_IMPULSES: [Group; 2] =
    [("px py pz", "N s", QuantityRole::Impulse), ("lx ly lz", "N m s", QuantityRole::Impulse)];

/// Impulses of the joints, of nonsmooth integrators.
pub(super) fn of_joint_impulses(system: &MultibodySpec) -> Vec<QuantityName> {
    system.joints.iter().flat_map(|joint| grouped(&joint.name, &OF_JOINT_IMPULSES)).collect()
}

/// What a sensor shows.
fn of_sensor(measure: &MeasureSpec) -> Vec<Group> {
    use QuantityRole::{Acceleration, Position, Velocity};
    let [value, rate] = match measure {
        MeasureSpec::Point { .. } => [("x y z", "m", Position), ("vx vy vz", "m/s", Velocity)],
        MeasureSpec::Distance(_) => [("distance", "m", Position), ("rate", "m/s", Velocity)],
        MeasureSpec::Displacement(_) => [("displacement", "m", Position), ("rate", "m/s", Velocity)],
        MeasureSpec::Angle { .. } => [("angle", "rad", Position), ("rate", "rad/s", Velocity)],
        MeasureSpec::Acceleration { .. } => return vec![("ax ay az", "m/s²", Acceleration)],
    };
    vec![value, rate]
}

/// What the sensors show, which is output as well.
pub(super) fn of_sensors(system: &MultibodySpec) -> impl Iterator<Item = QuantityName> {
    let of_one = |sensor: &SensorSpec| grouped(&sensor.name, &of_sensor(&sensor.measure));
    system.sensors.iter().flat_map(of_one)
}

/// Unit of the load of a gear on its second coordinate.
fn unit_of_load(system: &MultibodySpec, gear: &GearSpec) -> &'static str {
    let second = system.sensors.get(gear.sensors[1]);
    if second.is_some_and(|sensor| matches!(sensor.measure, MeasureSpec::Angle { .. })) { "N m" } else { "N" }
}

/// Those of the bodies, the joints, the largest violations of the joints, the sensors, then the forces and the stress resultants of the
/// elements of beams, which are as those of joints, those of the air, then those of the contacts.
pub(super) fn quantities(system: &MultibodySpec) -> Vec<QuantityName> {
    let bodies = system.bodies.iter().flat_map(|body| grouped(&body.name, &OF_BODY));
    let joints = system.joints.iter().flat_map(|joint| grouped(&joint.name, &OF_JOINT));
    let residuals = [("residual", "m"), ("residual_rate", "m/s"), ("residual_acceleration", "m/s²")];
    let residuals = residuals.map(|(name, unit)| quantity(name, unit, QuantityRole::Residual));
    // What actuators do is their signal.
    let is_shown =
        |force: &&ForceSpec| !matches!(force.law, ForceLaw::LinearActuator(_) | ForceLaw::RotaryActuator(_));
    let forces = system.forces.iter().filter(is_shown).flat_map(|force| grouped(&force.name, &OF_JOINT));
    let elements = |beam: &BeamSpec| {
        let name = beam.name.clone();
        (1..beam.stations.len()).flat_map(move |number| grouped(&format!("{name}.{number}"), &OF_JOINT))
    };
    let elements = system.beams.iter().flat_map(elements);
    let air = system.aerodynamics.iter().flat_map(|air| air.quantities().iter().cloned());
    let contacts = system.contacts.iter();
    let contacts = contacts.flat_map(|contact| match contact.is_pool() {
        true => pool_quantities(&contact.name),
        false => contact_quantities(&contact.name, contact.slips()),
    });
    let of_gear = |gear: &GearSpec| {
        let unit = unit_of_load(system, gear);
        quantity(format!("{}.load", gear.name), unit, QuantityRole::Force)
    };
    let gears = system.gears.iter().filter(|gear| gear.is_exact()).map(of_gear);
    let lossy = system.gears.iter().filter(|gear| !gear.is_exact());
    let meshes = lossy
        .flat_map(|gear| [of_gear(gear), quantity(format!("{}.loss", gear.name), "W", QuantityRole::Force)]);
    let of_rope: [Group; 2] =
        [("tension", "N", QuantityRole::Force), ("length", "m", QuantityRole::Position)];
    let ropes = system.ropes.iter().flat_map(|rope| grouped(&rope.name, &of_rope));
    let elements = elements.chain(meshes).chain(ropes);
    let of_bodies = bodies.chain(joints).chain(residuals).chain(gears);
    of_bodies.chain(of_sensors(system)).chain(forces).chain(elements).chain(air).chain(contacts).collect()
}
