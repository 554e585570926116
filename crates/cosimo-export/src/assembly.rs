//! The model with what stands outside.

use cosimo_composite::{Given, open_port, open_signals};
use cosimo_master::{Assembly, Master, MasterConfig, Tangent};
use cosimo_model::{ModelSpec, PortShape};
use cosimo_subsystem::{PortSpec, Subsystem};

use crate::ExportModelError;
use crate::contacts::{LooseContacts, OpenContact, port_of};
use crate::exposed::{Open, OpenPort};
use crate::source::Source;

/// Builds the master of a model whose open ports and inputs are set by `given`: loads first, port by port, then signals, then loads
/// of contacts that are left to others.
pub(crate) fn assemble(
    (source, model): (&Source, &ModelSpec),
    open: &Open,
    loose: &[OpenContact],
    given: &Given,
) -> Result<Master, ExportModelError> {
    let mut assembly = Assembly {
        subsystems: source.subsystems(model)?.into_iter().map(|own| loosen(own, loose)).collect(),
        interfaces: model.build_interfaces(),
        connections: model.build_connections(),
        open: Vec::new(),
    };
    let mut first = 0;
    for OpenPort { subsystem, shape } in &open.ports {
        let PortShape { name, size, is_frame, .. } = shape;
        let spec = PortSpec { name: name.clone(), size: *size, is_frame: *is_frame };
        open_port(&mut assembly, subsystem, &spec, (given, first));
        first += size;
    }
    open_signals(&mut assembly, &open.inputs, (given, first));
    first = open.count();
    for contact in loose {
        for row in contact.rows() {
            open_port(&mut assembly, &contact.owner, &PortSpec::new(port_of(row), 1), (given, first));
            first += 1;
        }
    }
    // Hosts ask how the open ports answer now.
    let config = MasterConfig { tangent: Tangent::Exact, ..model.build_config() };
    let built = Master::assemble(assembly, config, model.time.start);
    Ok(built.map_err(cosimo_model::BuildError::from)?)
}

fn loosen(subsystem: Box<dyn Subsystem>, loose: &[OpenContact]) -> Box<dyn Subsystem> {
    let is_loose = loose.iter().any(|contact| contact.owner == subsystem.description().name);
    if is_loose { Box::new(LooseContacts::new(subsystem)) } else { subsystem }
}
