//! `modelDescription.xml` of FMI 2.0.5, where vectors are scalars.

use super::parts::{
    SECOND, annotations, common, default_experiment, has_start, initial, list, log_categories, outputs, root,
    unit_definitions, value,
};
use crate::description::{ExportedVariable, UnitDescription};
use crate::layout::{Placed, TIME, TIME_REFERENCE, placed};
use crate::protocol::Kind;
use crate::xml::Element;

pub(super) fn model_description(unit: &UnitDescription, token: &str) -> Element {
    let mut placed = placed(unit);
    placed.retain(|own| !own.variable.in_event_mode);
    root(unit, "2.0", ("guid", token), false)
        .child(co_simulation(unit))
        .child(unit_definitions(unit))
        .child(log_categories())
        .child(default_experiment(unit))
        .children(annotations(unit, "VendorAnnotations", ("Tool", "name")))
        .child(Element::new("ModelVariables").child(time()).children(placed.iter().flat_map(scalars)))
        .child(structure(&placed))
}

fn co_simulation(unit: &UnitDescription) -> Element {
    let capabilities = &unit.capabilities;
    Element::new("CoSimulation")
        .with("modelIdentifier", &unit.identifier)
        .with("canHandleVariableCommunicationStepSize", true)
        .with("canNotUseMemoryManagementFunctions", true)
        .with("canGetAndSetFMUstate", capabilities.can_save)
        .with("canSerializeFMUstate", capabilities.can_save && capabilities.can_serialise)
        .with("providesDirectionalDerivative", capabilities.derivatives)
}

fn time() -> Element {
    Element::new("ScalarVariable")
        .with("name", TIME)
        .with("valueReference", TIME_REFERENCE)
        .with("causality", "independent")
        .with("variability", "continuous")
        .child(Element::new("Real").with("unit", SECOND))
}

fn scalars<'a>(placed: &'a Placed<'a>) -> impl Iterator<Item = Element> + 'a {
    let variable = placed.variable;
    placed.scalars().enumerate().map(move |(element, reference)| {
        let name = match variable.dimension {
            Some(_) => format!("{}[{}]", variable.name, element + 1),
            None => variable.name.clone(),
        };
        common(Element::new("ScalarVariable"), &name, reference, variable)
            .maybe("initial", initial(variable))
            .child(typed(variable, element))
    })
}

fn typed(variable: &ExportedVariable, element: usize) -> Element {
    let name = match variable.kind() {
        Kind::Real => "Real",
        Kind::Integer => "Integer",
        Kind::Boolean => "Boolean",
        Kind::Text => "String",
    };
    let typed = match variable.start.get(element).filter(|_| has_start(variable)) {
        // An empty text is a start value too.
        Some(start) => Element::new(name).with("start", value(start)),
        None => Element::new(name),
    };
    typed.maybe("unit", variable.unit.as_ref())
}

/// Which outputs there are, and the inputs that they depend on; variables are named by their place in the list, from 1 on, of
/// which the time has the first.
fn structure(placed: &[Placed<'_>]) -> Element {
    let unknown = |reference: usize| Element::new("Unknown").with("index", reference + 1);
    let at_points = outputs(placed).flat_map(|output| {
        let inputs = output.variable.dependencies.iter().flat_map(|input| placed[*input].scalars());
        let inputs = list(inputs.map(|reference| reference + 1));
        output.scalars().map(move |reference| unknown(reference).with("dependencies", &inputs))
    });
    let initially = outputs(placed).flat_map(|output| output.scalars().map(unknown));
    Element::new("ModelStructure")
        .child_with_content(Element::new("Outputs").children(at_points))
        .child_with_content(Element::new("InitialUnknowns").children(initially))
}
