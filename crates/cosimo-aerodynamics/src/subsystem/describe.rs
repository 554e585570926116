//! What the subsystem says of itself.

use cosimo_subsystem::{Capabilities, Description, InverseMass, PortSpec, Quantity};

use crate::rotor::Rotor;

/// Ports, quantities and capabilities of a rotor.
pub(super) fn description(name: &str, rotor: &Rotor, records_sections: bool) -> Description {
    let stations = rotor.blade.stations();
    let blades = (1..=rotor.blades).flat_map(|b| (1..=stations).map(move |k| format!("blade_{b}_{k}")));
    let quantities = rotor.quantities(records_sections).into_iter();
    Description {
        load_ports: std::iter::once("hub".to_owned()).chain(blades).map(PortSpec::frame).collect(),
        quantities: quantities.map(|own| Quantity { name: own.name, unit: own.unit.to_owned() }).collect(),
        capabilities: Capabilities {
            inverse_mass: InverseMass::Exact,
            is_affine: false,
            can_roll_back: true,
            takes_impulses: false,
            has_variable_step: true,
            ..Capabilities::default()
        },
        ..Description::new(name)
    }
}
