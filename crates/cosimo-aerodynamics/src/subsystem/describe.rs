//! What the subsystem says of itself.

use cosimo_subsystem::{Capabilities, Description, InverseMass, PortSpec, Quantity};

use crate::rotor::Rotor;

/// Quantities of the rotor as a whole, with their units.
pub(super) const TOTALS: [(&str, &str); 6] = [
    ("thrust", "N"),
    ("torque", "N m"),
    ("power", "W"),
    ("inflow", "m/s"),
    ("inflow_gradient_1", "m/s"),
    ("inflow_gradient_2", "m/s"),
];

/// Ports, quantities and capabilities of a rotor.
pub(super) fn description(name: &str, rotor: &Rotor, records_sections: bool) -> Description {
    let stations = rotor.blade.stations();
    let blades = (1..=rotor.blades).flat_map(|b| (1..=stations).map(move |k| format!("blade_{b}_{k}")));
    let totals = TOTALS.map(|(name, unit)| Quantity { name: name.to_owned(), unit: unit.to_owned() });
    let sections = if records_sections { rotor.blade.radii().count() } else { 0 };
    let angles = (1..=rotor.blades).flat_map(|b| {
        (1..=sections).map(move |k| Quantity { name: format!("blade_{b}.alpha_{k}"), unit: "rad".to_owned() })
    });
    Description {
        load_ports: std::iter::once("hub".to_owned()).chain(blades).map(PortSpec::frame).collect(),
        quantities: totals.into_iter().chain(angles).collect(),
        capabilities: Capabilities {
            inverse_mass: InverseMass::Exact,
            is_affine: false,
            can_roll_back: true,
            takes_impulses: false,
            has_variable_step: true,
        },
        ..Description::new(name)
    }
}
