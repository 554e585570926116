//! Elements of XML that the versions of FMI have in common.

use std::collections::BTreeSet;

use crate::description::{Causality, ExportedVariable, InnerImpacts, UnitDescription, Variability};
use crate::layout::Placed;
use crate::names::structured;
use crate::protocol::{Severity, Value};
use crate::units::{BASE, base_unit};
use crate::xml::{Element, number};

/// Name of the annotation of mechanical ports.
const MECHANICAL: &str = "org.cosimo.mechanical";

/// Unit of the time.
pub(super) const SECOND: &str = "s";

/// The root element; `token` is the name of the attribute of the token, and the token.
pub(super) fn root(
    unit: &UnitDescription,
    version: &str,
    token: (&'static str, &str),
    vectors: bool,
) -> Element {
    let legal = |variable: &ExportedVariable| {
        structured(&variable.name)
            && (vectors || variable.dimension.is_none() || structured(&format!("{}[1]", variable.name)))
    };
    let convention = if unit.variables.iter().all(legal) { "structured" } else { "flat" };
    Element::new("fmiModelDescription")
        .with("fmiVersion", version)
        .with("modelName", &unit.name)
        .with(token.0, token.1)
        .maybe("description", Some(&unit.description))
        .maybe("generationTool", Some(&unit.tool))
        .with("variableNamingConvention", convention)
}

/// All units of variables.
pub(super) fn unit_definitions(unit: &UnitDescription) -> Element {
    let names: BTreeSet<&str> =
        unit.variables.iter().filter_map(|variable| variable.unit.as_deref()).chain([SECOND]).collect();
    Element::new("UnitDefinitions").children(names.into_iter().map(unit_definition))
}

fn unit_definition(name: &str) -> Element {
    let element = Element::new("Unit").with("name", name);
    let Some(unit) = base_unit(name) else { return element };
    let mut base = Element::new("BaseUnit");
    for (name, exponent) in BASE.into_iter().zip(unit.exponents) {
        base = base.maybe(name, (exponent != 0).then_some(exponent));
    }
    base = base.maybe("factor", (unit.factor != 1.0).then(|| number(unit.factor)));
    element.child(base.maybe("offset", (unit.offset != 0.0).then(|| number(unit.offset))))
}

pub(super) fn log_categories() -> Element {
    let category = |severity: Severity| {
        let description = match severity {
            Severity::Information => "What the model has to say",
            Severity::Warning => "What is doubtful",
            Severity::Error => "What has failed",
        };
        Element::new("Category").with("name", severity.category()).with("description", description)
    };
    Element::new("LogCategories").children(Severity::ALL.map(category))
}

pub(super) fn default_experiment(unit: &UnitDescription) -> Element {
    let experiment = &unit.experiment;
    Element::new("DefaultExperiment")
        .maybe("startTime", experiment.start.map(number))
        .maybe("stopTime", experiment.stop.map(number))
        .maybe("tolerance", experiment.tolerance.map(number))
        .maybe("stepSize", experiment.step.map(number))
}

/// What the convention of mechanical ports has to say besides terminals: `list` is the element of all annotations, `one` that of one, with the
/// attribute of its name.
pub(super) fn annotations(
    unit: &UnitDescription,
    list: &'static str,
    (one, name): (&'static str, &'static str),
) -> Option<Element> {
    let is_captured = unit.inner_impacts? == InnerImpacts::Captured;
    let impacts = Element::new("InnerImpacts").maybe("captured", is_captured.then_some(true));
    Some(Element::new(list).child(Element::new(one).with(name, MECHANICAL).child(impacts)))
}

/// The attributes that variables have in both versions.
pub(super) fn common(element: Element, name: &str, reference: usize, variable: &ExportedVariable) -> Element {
    let causality = match variable.causality {
        Causality::Parameter => "parameter",
        Causality::Input => "input",
        Causality::Output => "output",
        Causality::Local => "local",
    };
    let variability = match variable.variability {
        Variability::Fixed => "fixed",
        Variability::Tunable => "tunable",
        Variability::Discrete => "discrete",
        Variability::Continuous => "continuous",
    };
    element
        .with("name", name)
        .with("valueReference", reference)
        .maybe("description", Some(&variable.description))
        .with("causality", causality)
        .with("variability", variability)
}

/// The attribute `initial`, which inputs do not have.
pub(super) fn initial(variable: &ExportedVariable) -> Option<&'static str> {
    match variable.causality {
        Causality::Parameter => Some("exact"),
        Causality::Input => None,
        Causality::Output | Causality::Local => Some("calculated"),
    }
}

/// Whether the start values are told.
pub(super) fn has_start(variable: &ExportedVariable) -> bool {
    matches!(variable.causality, Causality::Parameter | Causality::Input)
}

pub(super) fn value(value: &Value) -> String {
    match value {
        Value::Real(real) => number(*real),
        Value::Integer(integer) => integer.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        Value::Text(text) => text.clone(),
    }
}

pub(super) fn outputs<'a>(placed: &'a [Placed<'a>]) -> impl Iterator<Item = &'a Placed<'a>> {
    placed.iter().filter(|placed| placed.variable.causality == Causality::Output)
}

/// Numbers with spaces between them, the least first.
pub(super) fn list(numbers: impl Iterator<Item = usize>) -> String {
    let sorted: BTreeSet<usize> = numbers.collect();
    let texts: Vec<String> = sorted.iter().map(usize::to_string).collect();
    texts.join(" ")
}
