//! A model with what stands outside: its open ends are joined to subsystems that show what is given.

use cosimo_master::{Assembly, Connection, Interface, InterfaceLaw};
use cosimo_subsystem::{PortSpec, Subsystem};

use crate::outside::{Given, GivenInputs, GivenLoads, GivenSignals, Listener, PORT};

/// Name of the subsystem of all given signals, and beginning of the names of those of loads: no subsystem of a model file can have it.
const OUTSIDE: &str = "outside world";
/// Name of the subsystem that listens to all outputs.
const LISTENER: &str = "outside listener";

/// An input that is connected to nothing.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenInput {
    /// Name of its subsystem.
    pub subsystem: String,
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
}

impl OpenInput {
    /// `subsystem.input`.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}.{}", self.subsystem, self.name)
    }
}

/// Opens a port of a subsystem: loads act on it that are given from the place `first` on, one per row. Its response can be
/// [asked for](cosimo_master::Master::step_response).
pub fn open_port(assembly: &mut Assembly, subsystem: &str, port: &PortSpec, (given, first): (&Given, usize)) {
    let name = format!("{OUTSIDE} {}", assembly.open.len());
    let loads =
        GivenLoads::new(&name, PortSpec { name: PORT.to_owned(), ..port.clone() }, given.clone(), first);
    assembly.subsystems.push(Box::new(loads));
    let end = (subsystem.to_owned(), port.name.clone());
    let label = format!("{OUTSIDE} on {subsystem}.{}", port.name);
    let mut joint = Interface::new(label, "", "", InterfaceLaw::Load);
    (joint.a, joint.b) = (end.clone(), (name, PORT.to_owned()));
    assembly.interfaces.push(joint);
    assembly.open.push(end);
}

/// Feeds signals that are given from the place `first` on to open inputs, and all outputs to a listener: those that feed nothing are not
/// exchanged.
pub fn open_signals(assembly: &mut Assembly, inputs: &[OpenInput], (given, first): (&Given, usize)) {
    let Assembly { subsystems, connections, .. } = assembly;
    if !inputs.is_empty() {
        let outputs = inputs.iter().map(|input| (input.path(), input.unit.clone())).collect();
        let fed = std::mem::take(subsystems).into_iter().map(|own| feed(own, inputs, (given, first)));
        *subsystems = fed.collect();
        subsystems.push(Box::new(GivenSignals::new(OUTSIDE, outputs, given.clone(), first)));
        let connection = |path: String| Connection::new(&format!("{OUTSIDE}.{path}"), &path);
        connections.extend(inputs.iter().map(|input| connection(input.path())));
    }
    let outputs: Vec<(String, String)> = subsystems.iter().flat_map(|own| outputs_of(own.as_ref())).collect();
    let listened = outputs.iter().filter(|(path, _)| !is_outside(path)).cloned().collect::<Vec<_>>();
    if !listened.is_empty() {
        connections
            .extend(listened.iter().map(|(path, _)| Connection::new(path, &format!("{LISTENER}.{path}"))));
        subsystems.push(Box::new(Listener::new(LISTENER, listened)));
    }
}

/// Whether a subsystem, an interface or a signal of an opened model is of what stands outside.
#[must_use]
pub fn is_outside(name: &str) -> bool {
    name.starts_with(OUTSIDE) || name.starts_with(LISTENER)
}

/// All outputs of a subsystem, with their units.
fn outputs_of(subsystem: &dyn Subsystem) -> Vec<(String, String)> {
    let description = subsystem.description();
    let all = description.outputs.iter();
    all.map(|output| (format!("{}.{}", description.name, output.name), output.unit.clone())).collect()
}

/// Inputs from outside follow the courses that are given: nothing is to be extrapolated.
fn feed(
    subsystem: Box<dyn Subsystem>,
    inputs: &[OpenInput],
    (given, first): (&Given, usize),
) -> Box<dyn Subsystem> {
    let description = subsystem.description();
    let place = |name: &String| {
        let is_own = |input: &OpenInput| input.subsystem == description.name && input.name == *name;
        inputs.iter().position(is_own).map(|place| first + place)
    };
    let places: Vec<Option<usize>> = description.inputs.iter().map(|input| place(&input.name)).collect();
    if places.iter().any(Option::is_some) {
        Box::new(GivenInputs::new(subsystem, places, given.clone()))
    } else {
        subsystem
    }
}
