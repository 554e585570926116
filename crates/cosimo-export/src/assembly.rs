//! The model with what stands outside.

use cosimo_master::{Assembly, Connection, Interface, InterfaceLaw, Master};
use cosimo_model::ModelSpec;
use cosimo_subsystem::Subsystem;

use crate::ExportModelError;
use crate::exposed::Open;
use crate::outside::{Given, GivenLoads, GivenSignals, HeldInputs, Listener, PORT};

/// Name of the subsystem of all given signals, and beginning of the names of those of loads: no subsystem of a file can have it.
const OUTSIDE: &str = "outside world";
/// Name of the subsystem that listens to all outputs.
const LISTENER: &str = "outside listener";

/// Builds the master of a model whose open ports and inputs are set by `given`: loads first, port by port, then signals.
pub(crate) fn assemble(model: &ModelSpec, open: &Open, given: &Given) -> Result<Master, ExportModelError> {
    let mut subsystems = model.build_subsystems()?;
    let (mut interfaces, mut connections) = (model.build_interfaces(), model.build_connections());
    let mut first = 0;
    for (index, port) in open.ports.iter().enumerate() {
        let name = format!("{OUTSIDE} {index}");
        let size = port.shape.size;
        subsystems.push(Box::new(GivenLoads::new(&name, (size, port.shape.is_frame), given.clone(), first)));
        let label = format!("{OUTSIDE} on {}", port.path());
        let mut joint = Interface::new(label, "", "", InterfaceLaw::Load);
        (joint.a, joint.b) = ((port.subsystem.clone(), port.shape.name.clone()), (name, PORT.to_owned()));
        interfaces.push(joint);
        first += size;
    }
    if !open.inputs.is_empty() {
        let outputs = open.inputs.iter().map(|input| (input.path(), input.unit.clone())).collect();
        subsystems = subsystems.into_iter().map(|subsystem| hold_inputs(subsystem, open)).collect();
        subsystems.push(Box::new(GivenSignals::new(OUTSIDE, outputs, given.clone(), first)));
        let connection = |path: String| Connection::new(&format!("{OUTSIDE}.{path}"), &path);
        connections.extend(open.inputs.iter().map(|input| connection(input.path())));
    }
    let outputs: Vec<(String, String)> = subsystems.iter().flat_map(|own| outputs_of(own.as_ref())).collect();
    let listened = outputs.iter().filter(|(path, _)| !path.starts_with(OUTSIDE)).cloned().collect::<Vec<_>>();
    if !listened.is_empty() {
        connections
            .extend(listened.iter().map(|(path, _)| Connection::new(path, &format!("{LISTENER}.{path}"))));
        subsystems.push(Box::new(Listener::new(LISTENER, listened)));
    }
    let assembly = Assembly { subsystems, interfaces, connections };
    let built = Master::assemble(assembly, model.build_config(), model.time.start);
    Ok(built.map_err(cosimo_model::BuildError::from)?)
}

/// All outputs of a subsystem, with their units.
fn outputs_of(subsystem: &dyn Subsystem) -> Vec<(String, String)> {
    let description = subsystem.description();
    let all = description.outputs.iter();
    all.map(|output| (format!("{}.{}", description.name, output.name), output.unit.clone())).collect()
}

/// Inputs from outside jump at communication points and are constant in between: nothing is to be extrapolated.
fn hold_inputs(subsystem: Box<dyn Subsystem>, open: &Open) -> Box<dyn Subsystem> {
    let description = subsystem.description();
    let is_open = |name: &String| {
        open.inputs.iter().any(|input| input.subsystem == description.name && input.name == *name)
    };
    let held: Vec<bool> = description.inputs.iter().map(|input| is_open(&input.name)).collect();
    if held.contains(&true) { Box::new(HeldInputs::new(subsystem, held)) } else { subsystem }
}
