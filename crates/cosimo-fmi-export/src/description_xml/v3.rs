//! `modelDescription.xml` and `terminalsAndIcons.xml` of FMI 3.0.2.

use super::parts::{
    SECOND, annotations, common, default_experiment, has_start, initial, list, log_categories, outputs, root,
    unit_definitions, value,
};
use crate::description::{ExportedVariable, TerminalSpec, UnitDescription};
use crate::layout::{Placed, TIME, TIME_REFERENCE, placed};
use crate::protocol::Kind;
use crate::xml::Element;

const VERSION: &str = "3.0";

pub(super) fn model_description(unit: &UnitDescription, token: &str) -> Element {
    let placed = placed(unit);
    root(unit, VERSION, ("instantiationToken", token), true)
        .child(co_simulation(unit))
        .child(unit_definitions(unit))
        .child(log_categories())
        .child(default_experiment(unit))
        .child(Element::new("ModelVariables").child(time()).children(variables(&placed)))
        .child(structure(&placed))
        .children(annotations(unit, "Annotations", ("Annotation", "type")))
}

fn co_simulation(unit: &UnitDescription) -> Element {
    let capabilities = &unit.capabilities;
    Element::new("CoSimulation")
        .with("modelIdentifier", &unit.identifier)
        .with("canHandleVariableCommunicationStepSize", true)
        .with("canGetAndSetFMUState", capabilities.can_save)
        .with("canSerializeFMUState", capabilities.can_save && capabilities.can_serialise)
        .with("providesDirectionalDerivatives", capabilities.derivatives)
        .with("hasEventMode", capabilities.has_event_mode)
        .with("mightReturnEarlyFromDoStep", capabilities.might_return_early)
}

fn time() -> Element {
    Element::new("Float64")
        .with("name", TIME)
        .with("valueReference", TIME_REFERENCE)
        .with("causality", "independent")
        .with("variability", "continuous")
        .with("unit", SECOND)
}

fn variables<'a>(placed: &'a [Placed<'a>]) -> impl Iterator<Item = Element> + 'a {
    let clock = |own: &Placed<'_>| own.variable.clock.map(|index| placed[index].reference);
    placed.iter().map(move |own| variable(own).maybe("clocks", clock(own)))
}

fn variable(placed: &Placed<'_>) -> Element {
    let variable = placed.variable;
    if variable.is_clock {
        let clock = common(Element::new("Clock"), &variable.name, placed.reference, variable);
        return clock.with("intervalVariability", "triggered");
    }
    let kind = variable.kind();
    let name = match kind {
        Kind::Real => "Float64",
        Kind::Integer => "Int32",
        Kind::Boolean => "Boolean",
        Kind::Text => "String",
    };
    let element = common(Element::new(name), &variable.name, placed.reference, variable)
        .maybe("initial", initial(variable))
        .maybe("unit", variable.unit.as_ref());
    let dimension = variable.dimension.map(|count| Element::new("Dimension").with("start", count));
    match (has_start(variable), kind) {
        (false, _) => element.children(dimension),
        (true, Kind::Text) => element.children(dimension).children(text_starts(variable)),
        (true, _) => {
            let starts: Vec<String> = variable.start.iter().map(value).collect();
            element.with("start", starts.join(" ")).children(dimension)
        }
    }
}

fn text_starts(variable: &ExportedVariable) -> impl Iterator<Item = Element> {
    variable.start.iter().map(|start| Element::new("Start").with("value", value(start)))
}

/// Which outputs there are, and the inputs that they depend on.
fn structure(placed: &[Placed<'_>]) -> Element {
    let unknown = |name, output: &Placed<'_>| Element::new(name).with("valueReference", output.reference);
    let at_points = outputs(placed).map(|output| {
        let inputs = output.variable.dependencies.iter().map(|input| placed[*input].reference);
        unknown("Output", output).with("dependencies", list(inputs))
    });
    let initially = outputs(placed).map(|output| unknown("InitialUnknown", output));
    Element::new("ModelStructure").children(at_points).children(initially)
}

/// `terminalsAndIcons.xml`, where there are terminals.
pub(crate) fn terminals_and_icons(unit: &UnitDescription) -> Option<String> {
    if unit.terminals.is_empty() {
        return None;
    }
    let terminals = unit.terminals.iter().map(|own| terminal(unit, own));
    let root = Element::new("fmiTerminalsAndIcons").with("fmiVersion", VERSION);
    Some(root.child(Element::new("Terminals").children(terminals)).document())
}

fn terminal(unit: &UnitDescription, terminal: &TerminalSpec) -> Element {
    let members = terminal.members.iter().map(|member| {
        Element::new("TerminalMemberVariable")
            .with("variableName", &unit.variables[member.variable].name)
            .with("memberName", &member.name)
            .with("variableKind", &member.kind)
    });
    Element::new("Terminal")
        .with("name", &terminal.name)
        .with("matchingRule", &terminal.matching_rule)
        .maybe("terminalKind", terminal.kind.as_ref())
        .maybe("description", Some(&terminal.description))
        .children(members)
}
