//! Opens the ends of a model: loads from outside act on its open ports, given signals feed the inputs that nothing feeds.

use cosimo_master::{Assembly, Connection};
use cosimo_subsystem::{Description, Subsystem};

use crate::CompositeError;
use crate::enclose::{OpenInput, open_signals};
use crate::open_rows::{OpenPort, OpenRows};
use crate::opened::Opened;
use crate::outside::Given;
use crate::outside_loads::SharedLoads;

/// What is open of a model, and what is given there.
pub(crate) struct Opening {
    pub(crate) open: OpenRows,
    pub(crate) inputs: Vec<OpenInput>,
    pub(crate) given: Given,
    pub(crate) outside: SharedLoads,
    /// The connections of the model itself.
    pub(crate) connections: Vec<Connection>,
}

/// Opens the ports that [`Assembly::open`] names, and all inputs that nothing feeds.
pub(crate) fn open_ends(name: &str, model: &mut Assembly) -> Result<Opening, CompositeError> {
    let ends = std::mem::take(&mut model.open);
    let open = open_rows(name, model, &ends)?;
    let inputs = open_inputs(model);
    let (given, outside) = (Given::zeros(inputs.len()), SharedLoads::zeros(open.count()));
    for (k, input) in inputs.iter().enumerate() {
        given.set(k, default_of(model, input));
    }
    let connections = model.connections.clone();
    open_ports(model, &open, &outside);
    model.open = ends;
    open_signals(model, &inputs, (&given, 0));
    Ok(Opening { open, inputs, given, outside, connections })
}

/// Lets loads from outside act on the open ports.
fn open_ports(model: &mut Assembly, open: &OpenRows, outside: &SharedLoads) {
    let all = std::mem::take(&mut model.subsystems).into_iter().enumerate().map(|(index, own)| {
        let rows = open.rows_of(index);
        match rows.is_empty() {
            true => own,
            false => Box::new(Opened::new(own, rows, outside.clone())) as Box<dyn Subsystem>,
        }
    });
    model.subsystems = all.collect();
}

/// The open ports by their rows.
fn open_rows(name: &str, model: &Assembly, ends: &[(String, String)]) -> Result<OpenRows, CompositeError> {
    let find = |(owner, port): &(String, String)| {
        let composite = name.to_owned();
        let path = format!("{owner}.{port}");
        let subsystem = model.subsystems.iter().position(|own| own.description().name == *owner);
        let description = subsystem.map(|index| model.subsystems[index].description());
        if description.is_some_and(|own| own.load_ports.iter().any(|own| own.name == *port)) {
            return Err(CompositeError::LoadPort { composite, port: path });
        }
        let found = description.and_then(|own| Some((own, own.port_index(port)?)));
        let (Some(subsystem), Some((own, index))) = (subsystem, found) else {
            return Err(CompositeError::UnknownPort { composite, port: path, known: known_ports(model) });
        };
        let first = own.port_row(index);
        let frame = own.frames().find(|(row, _)| *row == first).map(|(_, place)| place);
        Ok(OpenPort { subsystem, first, frame, spec: own.ports[index].clone() })
    };
    Ok(OpenRows { ports: ends.iter().map(find).collect::<Result<_, _>>()? })
}

fn known_ports(model: &Assembly) -> String {
    let all = model.subsystems.iter().flat_map(|own| {
        let description = own.description();
        description.ports.iter().map(move |port| format!("`{}.{}`", description.name, port.name))
    });
    let all: Vec<String> = all.collect();
    if all.is_empty() { "none".to_owned() } else { all.join(", ") }
}

/// The inputs that nothing feeds.
fn open_inputs(model: &Assembly) -> Vec<OpenInput> {
    let all = model.subsystems.iter().flat_map(|own| {
        let Description { name, inputs, .. } = own.description();
        inputs.iter().map(|input| OpenInput {
            subsystem: name.clone(),
            name: input.name.clone(),
            unit: input.unit.clone(),
        })
    });
    let is_fed = |input: &OpenInput| {
        model.connections.iter().any(|own| own.to.0 == input.subsystem && own.to.1 == input.name)
    };
    all.filter(|input| !is_fed(input)).collect()
}

/// The value of an input as long as nobody sets it.
fn default_of(model: &Assembly, input: &OpenInput) -> f64 {
    let owner = model.subsystems.iter().find(|own| own.description().name == input.subsystem);
    let mut inputs = owner.iter().flat_map(|own| &own.description().inputs);
    inputs.find(|own| own.name == input.name).and_then(|own| own.default).unwrap_or(0.0)
}
