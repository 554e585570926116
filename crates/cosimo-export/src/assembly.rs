//! The model with what stands outside.

use cosimo_master::{Assembly, Connection, Interface, InterfaceLaw, Master};
use cosimo_model::ModelSpec;
use cosimo_subsystem::Subsystem;

use crate::ExportModelError;
use crate::contacts::{LooseContacts, OpenContact, port_of};
use crate::exposed::Open;
use crate::outside::{Given, GivenLoads, GivenSignals, HeldInputs, Listener, PORT};

/// Name of the subsystem of all given signals, and beginning of the names of those of loads: no subsystem of a file can have it.
const OUTSIDE: &str = "outside world";
/// Name of the subsystem that listens to all outputs.
const LISTENER: &str = "outside listener";

/// Builds the master of a model whose open ports and inputs are set by `given`: loads first, port by port, then signals, then loads
/// of contacts that are left to others.
pub(crate) fn assemble(
    model: &ModelSpec,
    open: &Open,
    loose: &[OpenContact],
    given: &Given,
) -> Result<Master, ExportModelError> {
    let mut assembly = Assembly {
        subsystems: model.build_subsystems()?.into_iter().map(|own| loosen(own, loose)).collect(),
        interfaces: model.build_interfaces(),
        connections: model.build_connections(),
        open: Vec::new(),
    };
    let mut first = 0;
    for port in &open.ports {
        let (subsystem, shape) = (port.subsystem.clone(), &port.shape);
        open_port(
            &mut assembly,
            (subsystem, shape.name.clone()),
            (shape.size, shape.is_frame),
            (given, first),
        );
        first += shape.size;
    }
    connect_signals(&mut assembly, open, (given, first));
    first = open.count();
    for contact in loose {
        for row in contact.rows() {
            open_port(&mut assembly, (contact.owner.clone(), port_of(row)), (1, false), (given, first));
            first += 1;
        }
    }
    let built = Master::assemble(assembly, model.build_config(), model.time.start);
    Ok(built.map_err(cosimo_model::BuildError::from)?)
}

fn loosen(subsystem: Box<dyn Subsystem>, loose: &[OpenContact]) -> Box<dyn Subsystem> {
    let is_loose = loose.iter().any(|contact| contact.owner == subsystem.description().name);
    if is_loose { Box::new(LooseContacts::new(subsystem)) } else { subsystem }
}

/// Lets given loads act on a port.
fn open_port(
    assembly: &mut Assembly,
    port: (String, String),
    (size, is_frame): (usize, bool),
    (given, first): (&Given, usize),
) {
    let name = format!("{OUTSIDE} {}", assembly.open.len());
    assembly.subsystems.push(Box::new(GivenLoads::new(&name, (size, is_frame), given.clone(), first)));
    let label = format!("{OUTSIDE} on {}.{}", port.0, port.1);
    let mut joint = Interface::new(label, "", "", InterfaceLaw::Load);
    (joint.a, joint.b) = (port.clone(), (name, PORT.to_owned()));
    assembly.interfaces.push(joint);
    assembly.open.push(port);
}

/// Feeds given signals to open inputs, and all outputs to a listener: those that feed nothing are not exchanged.
fn connect_signals(assembly: &mut Assembly, open: &Open, (given, first): (&Given, usize)) {
    let Assembly { subsystems, connections, .. } = assembly;
    if !open.inputs.is_empty() {
        let outputs = open.inputs.iter().map(|input| (input.path(), input.unit.clone())).collect();
        let held = std::mem::take(subsystems).into_iter().map(|subsystem| hold_inputs(subsystem, open));
        *subsystems = held.collect();
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
