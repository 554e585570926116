//! Writes rigid bodies in space.

mod aerodynamics;
mod beam;
mod contact;
mod place;

use cosimo_multibody::spatial::PenaltyLaw;

use aerodynamics::write_aerodynamics;
use beam::write_beam;
use contact::write_contact;
use place::{body_name, write_place};

use super::spec::{
    CourseSpec, ForceLaw, ForceSpec, JointFreedom, JointSpec, LoadCourseSpec, MeasureSpec, MotionSpec,
    MultibodySpec, PortPlaceSpec, SensorSpec, SignalSpec,
};
use crate::kinds::planar::BodyRef;
use crate::named::Choice;
use crate::write::{Literal, Writer, matrix, setting, write_time_table};

/// Writes the keys of a multibody system, then its tables.
pub(super) fn write(system: &MultibodySpec, writer: &mut Writer) {
    writer.entry("gravity", system.gravity);
    writer.raw("formulation", &setting(&system.formulation));
    writer.entry("tolerance", system.tolerance);
    writer.entry("newton", system.newton.name());
    writer.entry("max_iterations", system.max_iterations);
    write_bodies(system, writer);
    system.beams.iter().for_each(|beam| write_beam(beam, writer));
    system.joints.iter().for_each(|joint| write_joint(system, joint, writer));
    system.forces.iter().for_each(|force| write_force(system, force, writer));
    write_loads(system, writer);
    write_ports(system, writer);
    write_equilibrium(system, writer);
    write_aerodynamics(system, writer);
    system.sensors.iter().for_each(|sensor| write_sensor(system, sensor, writer));
    system.contacts.iter().for_each(|contact| write_contact(system, contact, writer));
}

fn write_bodies(system: &MultibodySpec, writer: &mut Writer) {
    for body in system.single_bodies() {
        writer.section("[[subsystem.body]]");
        writer.entry("name", &body.name);
        writer.entry("mass", body.mass);
        writer.raw("inertia", &matrix(&body.inertia));
        writer.entry("centre_of_mass", body.centre_of_mass);
        writer.entry("position", body.position);
        writer.entry("orientation", body.orientation);
        writer.entry("velocity", body.velocity);
        writer.entry("angular_velocity", body.angular_velocity);
    }
}

fn write_joint(system: &MultibodySpec, joint: &JointSpec, writer: &mut Writer) {
    writer.section("[[subsystem.joint]]");
    writer.entry("name", &joint.name);
    writer.entry("type", joint.freedom.name());
    let has_axes = match joint.freedom {
        JointFreedom::Spherical | JointFreedom::Distance(_) | JointFreedom::Coordinate { .. } => [false; 2],
        JointFreedom::Displacement(_) => [true, false],
        _ => [true; 2],
    };
    write_place(system, &joint.place, has_axes, writer);
    if let JointFreedom::Coordinate { axis, .. } = &joint.freedom {
        writer.entry("axis", *axis);
    }
    if let Some(motion) = joint.freedom.motion() {
        write_motion(motion, writer);
    }
}

/// Writes `motion` or `speed`; a table over time as a section of its own, after everything else.
fn write_motion(motion: &MotionSpec, writer: &mut Writer) {
    let (key, section, course) = match motion {
        MotionSpec::Position(course) => ("motion", "[subsystem.joint.motion]", course),
        MotionSpec::Speed(course) => ("speed", "[subsystem.joint.speed]", course),
    };
    match course {
        CourseSpec::Constant(value) => writer.entry(key, *value),
        CourseSpec::Linear { start, rate } => {
            writer.raw(key, &format!("{{ start = {}, rate = {} }}", start.literal(), rate.literal()));
        }
        CourseSpec::Harmonic { mean, amplitude, frequency, phase } => {
            let [mean, amplitude, frequency, phase] =
                [mean, amplitude, frequency, phase].map(Literal::literal);
            let numbers = format!("amplitude = {amplitude}, frequency = {frequency}, phase = {phase}");
            writer.raw(key, &format!("{{ mean = {mean}, {numbers} }}"));
        }
        CourseSpec::Signal(name) => writer.raw(key, &format!("{{ signal = {} }}", name.literal())),
        CourseSpec::Table { points, interpolation } => {
            writer.section(section);
            writer.entry("interpolation", interpolation.name());
            write_time_table(points, writer);
        }
    }
}

fn write_force(system: &MultibodySpec, force: &ForceSpec, writer: &mut Writer) {
    writer.section("[[subsystem.force]]");
    writer.entry("name", &force.name);
    writer.entry("type", force.law.name());
    let has_axes = match force.law {
        ForceLaw::Spring { .. } | ForceLaw::SphereSphere { .. } | ForceLaw::LinearActuator(_) => [false; 2],
        ForceLaw::SpherePlane { .. } => [true, false],
        _ => [true; 2],
    };
    write_place(system, &force.place, has_axes, writer);
    match &force.law {
        ForceLaw::Spring { stiffness, damping, length, preload } => {
            writer.entry("stiffness", *stiffness);
            writer.entry("damping", *damping);
            length.iter().for_each(|length| writer.entry("length", *length));
            writer.entry("preload", *preload);
        }
        ForceLaw::TorsionSpring { stiffness, damping, angle, turns } => {
            writer.entry("stiffness", *stiffness);
            writer.entry("damping", *damping);
            angle.iter().for_each(|angle| writer.entry("angle", *angle));
            writer.entry("turns", *turns);
        }
        ForceLaw::Bushing { stiffness, damping } => {
            writer.raw("stiffness", &matrix(stiffness));
            writer.raw("damping", &matrix(damping));
        }
        ForceLaw::SpherePlane { radius, law } => {
            writer.entry("radius", *radius);
            write_penalty(law, writer);
        }
        ForceLaw::SphereSphere { radii, law } => {
            writer.entry("radii", *radii);
            write_penalty(law, writer);
        }
        ForceLaw::LinearActuator(signal) | ForceLaw::RotaryActuator(signal) => write_signal(signal, writer),
        ForceLaw::Stop { limit, is_upper, law, turns } => {
            writer.entry("limit", *limit);
            writer.entry("side", if *is_upper { "upper" } else { "lower" });
            write_penalty(law, writer);
            writer.entry("turns", *turns);
        }
    }
}

fn write_signal(signal: &SignalSpec, writer: &mut Writer) {
    writer.entry("signal", &signal.name);
    writer.entry("hold", signal.hold.name());
}

fn write_penalty(law: &PenaltyLaw, writer: &mut Writer) {
    let (name, stiffness, exponent, restitution) = match *law {
        PenaltyLaw::KelvinVoigt { stiffness, damping } => {
            writer.entry("law", "kelvin-voigt");
            writer.entry("stiffness", stiffness);
            return writer.entry("damping", damping);
        }
        PenaltyLaw::Hertz { stiffness, exponent } => ("hertz", stiffness, exponent, None),
        PenaltyLaw::HuntCrossley { stiffness, exponent, restitution } => {
            ("hunt-crossley", stiffness, exponent, Some(restitution))
        }
        PenaltyLaw::LankaraniNikravesh { stiffness, exponent, restitution } => {
            ("lankarani-nikravesh", stiffness, exponent, Some(restitution))
        }
        PenaltyLaw::Flores { stiffness, exponent, restitution } => {
            ("flores", stiffness, exponent, Some(restitution))
        }
    };
    writer.entry("law", name);
    writer.entry("stiffness", stiffness);
    writer.entry("exponent", exponent);
    if let Some(restitution) = restitution {
        writer.entry("restitution", restitution);
    }
}

fn write_loads(system: &MultibodySpec, writer: &mut Writer) {
    for load in &system.loads {
        writer.section("[[subsystem.load]]");
        writer.entry("body", body_name(system, BodyRef::Body(load.body)));
        if load.is_moment {
            writer.entry("moment_axis", load.direction);
        } else {
            writer.entry("point", load.point);
            writer.entry("direction", load.direction);
        }
        writer.entry("axes", if load.follows_body { "body" } else { "world" });
        match &load.course {
            LoadCourseSpec::Table(table) => write_time_table(table, writer),
            LoadCourseSpec::Signal(signal) => write_signal(signal, writer),
        }
    }
}

fn write_equilibrium(system: &MultibodySpec, writer: &mut Writer) {
    let Some(equilibrium) = &system.equilibrium else { return };
    writer.section("[subsystem.equilibrium]");
    let held = equilibrium.held.iter().filter_map(|sensor| system.sensors.get(*sensor));
    writer.entry("held", held.map(|sensor| sensor.name.clone()).collect::<Vec<_>>());
    writer.entry("turning", equilibrium.turning);
}

fn write_ports(system: &MultibodySpec, writer: &mut Writer) {
    for port in &system.ports {
        writer.section("[[subsystem.port]]");
        writer.entry("name", &port.name);
        match &port.place {
            PortPlaceSpec::Body { body, point, shape } => {
                writer.entry("body", body_name(system, BodyRef::Body(*body)));
                writer.entry("point", *point);
                shape.write(writer);
            }
            PortPlaceSpec::Sensor(sensor) => {
                let name = system.sensors.get(*sensor).map_or("", |sensor| &sensor.name);
                writer.entry("sensor", name);
            }
        }
    }
}

fn write_sensor(system: &MultibodySpec, sensor: &SensorSpec, writer: &mut Writer) {
    writer.section("[[subsystem.sensor]]");
    writer.entry("name", &sensor.name);
    writer.entry("type", sensor.measure.name());
    match &sensor.measure {
        MeasureSpec::Point { body, point } => {
            writer.entry("body", body_name(system, BodyRef::Body(*body)));
            writer.entry("point", *point);
        }
        MeasureSpec::Distance(place) => write_place(system, place, [false; 2], writer),
        MeasureSpec::Displacement(place) => write_place(system, place, [true, false], writer),
        MeasureSpec::Angle { place, turns } => {
            write_place(system, place, [true; 2], writer);
            writer.entry("turns", *turns);
        }
    }
}
