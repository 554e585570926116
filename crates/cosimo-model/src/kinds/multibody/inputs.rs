//! Inputs of a multibody system: forces, loads and motions that signals give.

use cosimo_multibody::spatial::Course;
use cosimo_subsystem::{Hold, SignalInput};

use super::spec::{CourseSpec, ForceLaw, LoadCourseSpec, MotionSpec, MultibodySpec, SignalSpec};
use crate::spec::SignalShape;

/// The inputs as messages and connections see them: motions, forces, loads.
pub(super) fn inputs(system: &MultibodySpec) -> Vec<SignalShape> {
    let motions = system.joints.iter().filter_map(|joint| match joint.freedom.motion()? {
        // A motion that nothing is connected to stays where it starts.
        MotionSpec::Position(CourseSpec::Signal(name)) | MotionSpec::Speed(CourseSpec::Signal(name)) => {
            Some(SignalShape {
                name: name.clone(),
                unit: unit_of(joint.freedom.units()[0]),
                is_required: false,
            })
        }
        _ => None,
    });
    let required = |signal: &SignalSpec, unit: &str| SignalShape {
        name: signal.name.clone(),
        unit: unit.to_owned(),
        is_required: true,
    };
    let forces = system.forces.iter().filter_map(|force| match &force.law {
        ForceLaw::LinearActuator(signal) => Some(required(signal, "N")),
        ForceLaw::RotaryActuator(signal) => Some(required(signal, "N m")),
        _ => None,
    });
    let loads = system.loads.iter().filter_map(|load| match &load.course {
        LoadCourseSpec::Signal(signal) => Some(required(signal, load.action.unit())),
        LoadCourseSpec::Table(_) => None,
    });
    motions.chain(forces).chain(loads).collect()
}

/// A unit as signals have it: empty for a number.
fn unit_of(unit: &str) -> String {
    if unit == "–" { String::new() } else { unit.to_owned() }
}

/// Inputs with the courses that they drive, as the equations of motion are built.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    pub(super) list: Vec<(SignalInput, Course)>,
}

impl Inputs {
    /// The course of a force (N) or a moment (N m), which must be connected.
    pub(super) fn load(&mut self, signal: &SignalSpec, unit: &str) -> Course {
        let SignalSpec { name, hold } = signal.clone();
        self.add(SignalInput { name, unit: unit.to_owned(), hold, default: None })
    }

    /// The course of a motion that stands at `start`.
    pub(super) fn motion(&mut self, name: &str, unit: &str, start: f64) -> Course {
        let (name, unit) = (name.to_owned(), unit_of(unit));
        self.add(SignalInput { name, unit, hold: Hold::Smooth, default: Some(start) })
    }

    fn add(&mut self, input: SignalInput) -> Course {
        let course = Course::held(input.default.unwrap_or(0.0));
        self.list.push((input, course.clone()));
        course
    }
}
