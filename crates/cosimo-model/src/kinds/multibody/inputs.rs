//! Inputs of a multibody system: forces, loads and motions that signals give.

use cosimo_mechanics::TimeInput;
use cosimo_subsystem::{Hold, SignalInput};

use super::spec::{ForceLaw, LoadSizeSpec, MotionSpec, MultibodySpec, SignalSpec, TimeFunctionSpec};
use crate::spec::SignalShape;

/// The inputs as messages and connections see them: motions, forces, loads.
pub(super) fn inputs(system: &MultibodySpec) -> Vec<SignalShape> {
    let motions = system.joints.iter().filter_map(|joint| match joint.freedom.motion()? {
        // A motion that nothing is connected to stays where it starts.
        MotionSpec::Position(TimeFunctionSpec::Signal(name)) => Some(SignalShape {
            name: name.clone(),
            unit: unit_of(joint.freedom.units()[0]),
            is_required: false,
        }),
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
    let loads = system.loads.iter().filter_map(|load| match &load.size {
        LoadSizeSpec::Signal(signal) => Some(required(signal, load.action.unit())),
        LoadSizeSpec::Known(_) => None,
    });
    motions.chain(forces).chain(loads).collect()
}

/// A unit as signals have it: empty for a number.
fn unit_of(unit: &str) -> String {
    if unit == "–" { String::new() } else { unit.to_owned() }
}

/// Inputs with what they drive over time, as the equations of motion are built.
#[derive(Debug, Default)]
pub(super) struct Inputs {
    pub(super) list: Vec<(SignalInput, TimeInput)>,
}

impl Inputs {
    /// That of a force (N) or a moment (N m), which must be connected.
    pub(super) fn load(&mut self, signal: &SignalSpec, unit: &str) -> TimeInput {
        let SignalSpec { name, hold } = signal.clone();
        self.add(SignalInput { name, unit: unit.to_owned(), hold, default: None })
    }

    /// That of a motion that stands at `start`.
    pub(super) fn motion(&mut self, name: &str, unit: &str, start: f64) -> TimeInput {
        let (name, unit) = (name.to_owned(), unit_of(unit));
        self.add(SignalInput { name, unit, hold: Hold::Smooth, default: Some(start) })
    }

    fn add(&mut self, signal: SignalInput) -> TimeInput {
        let input = TimeInput::held(signal.default.unwrap_or(0.0));
        self.list.push((signal, input.clone()));
        input
    }
}
