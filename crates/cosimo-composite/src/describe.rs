//! What a composite says about itself.

use cosimo_master::{Connection, Impacts, Master};
use cosimo_subsystem::scene::{Appearance, Body};
use cosimo_subsystem::{
    Capabilities, Description, InverseMass, PortSpec, Quantity, SignalInput, SignalOutput, Subsystem,
};

use crate::enclose::{OpenInput, is_outside};
use crate::feed_through::SignalGraph;
use crate::open_rows::OpenRows;

/// The description of a composite, and the signals behind its outputs.
pub(crate) fn describe(
    name: &str,
    (master, open, inputs): (&Master, &OpenRows, &[OpenInput]),
    connections: &[Connection],
    [can_save, has_one_rule]: [bool; 2],
) -> Description {
    let ports = open.ports.iter().map(|port| {
        let owner = &master.subsystems()[port.subsystem].description().name;
        PortSpec { name: format!("{owner}.{}", port.spec.name), ..port.spec.clone() }
    });
    Description {
        ports: ports.collect(),
        inputs: inputs.iter().filter_map(|input| described_input(master, input)).collect(),
        outputs: outputs(master, inputs, connections),
        quantities: quantities(master).map(|(_, quantity)| quantity).collect(),
        capabilities: capabilities(master, [can_save, has_one_rule]),
        appearance: appearance(master),
        ..Description::new(name)
    }
}

/// The subsystems of the model, without what stands outside.
fn own(master: &Master) -> impl Iterator<Item = &dyn Subsystem> {
    master.subsystems().iter().map(AsRef::as_ref).filter(|own| !is_outside(&own.description().name))
}

fn described_input(master: &Master, input: &OpenInput) -> Option<SignalInput> {
    let owner = own(master).find(|own| own.description().name == input.subsystem)?;
    let found = owner.description().inputs.iter().find(|own| own.name == input.name)?;
    Some(SignalInput { name: input.path(), ..found.clone() })
}

/// All outputs; each feeds through from the open inputs that reach it at once.
fn outputs(master: &Master, inputs: &[OpenInput], connections: &[Connection]) -> Vec<SignalOutput> {
    let subsystems: Vec<&Description> = own(master).map(Subsystem::description).collect();
    let graph = SignalGraph { subsystems: &subsystems, connections, inputs };
    let of = |owner: &&Description| {
        let described = |output: &SignalOutput| SignalOutput {
            name: format!("{}.{}", owner.name, output.name),
            unit: output.unit.clone(),
            feed_through: graph.reaching(&owner.name, &output.name),
        };
        owner.outputs.iter().map(described).collect::<Vec<_>>()
    };
    subsystems.iter().flat_map(of).collect()
}

/// Everything that a run of the model could record, by its place among the labels of the master.
pub(crate) fn quantities(master: &Master) -> impl Iterator<Item = (usize, Quantity)> {
    let all = master.labels().into_iter().enumerate().filter(|(_, label)| !is_outside(&label.owner));
    all.map(|(place, label)| {
        (place, Quantity { name: format!("{}.{}", label.owner, label.name), unit: label.unit })
    })
}

fn capabilities(master: &Master, [can_save, has_one_rule]: [bool; 2]) -> Capabilities {
    let all = |is: fn(&Capabilities) -> bool| own(master).all(|own| is(&own.description().capabilities));
    let has_contacts = own(master).any(|own| !own.description().contacts.is_empty());
    let any = |is: fn(&Capabilities) -> bool| own(master).any(|own| is(&own.description().capabilities));
    let is_plain = matches!(master.config().impacts, Impacts::Plain { .. });
    let captures = has_contacts && is_plain || any(|own| own.captures_impacts);
    let is_exact = can_save && master.has_step_response() && has_one_rule;
    Capabilities {
        inverse_mass: if is_exact { InverseMass::Exact } else { InverseMass::Unknown },
        // Affine or not, a step under trial costs as much as one that is taken; and impacts of others come between its steps.
        is_affine: false,
        can_roll_back: can_save,
        takes_jumps: can_save && !has_contacts && all(|own| own.takes_impulses || own.takes_jumps),
        has_variable_step: all(|own| own.has_variable_step),
        captures_impacts: captures,
        keeps_impacts: has_contacts && !is_plain || any(|own| own.keeps_impacts),
        ..Capabilities::default()
    }
}

fn appearance(master: &Master) -> Appearance {
    let scene = master.scene();
    let bodies = scene.bodies.iter().map(|own| Body { name: own.full_name(), shapes: own.shapes.clone() });
    Appearance { bodies: bodies.collect(), links: scene.links, contacts: scene.contacts, up: scene.up }
}
