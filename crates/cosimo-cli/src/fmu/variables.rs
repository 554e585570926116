//! The variables of a unit.

use cosimo_fmi::description::{
    Causality, Dimension, ModelDescription, Start, Variability, Variable, VariableKind,
};
use serde::Serialize;

/// Start values of an array that are shown.
const SHOWN: usize = 3;

/// A variable as it is told.
#[derive(Debug, Serialize)]
pub(crate) struct VariableReport {
    pub(crate) name: String,
    pub(crate) causality: &'static str,
    pub(crate) variability: &'static str,
    /// With the sizes of an array at the start.
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) unit: Option<String>,
    /// The first of the start values, as a text.
    pub(crate) start: Option<String>,
    pub(crate) description: Option<String>,
}

impl VariableReport {
    /// All of them, in the order of the file.
    pub(crate) fn all(description: &ModelDescription) -> Vec<Self> {
        description.variables.iter().map(|variable| Self::of(variable, description)).collect()
    }

    fn of(variable: &Variable, description: &ModelDescription) -> Self {
        Self {
            name: variable.name.clone(),
            causality: causality(variable.causality),
            variability: variability(variable.variability),
            kind: kind(variable, description),
            unit: variable.unit.clone(),
            start: variable.start.as_ref().map(start),
            description: variable.description.clone(),
        }
    }

    /// What is listed first: parameters, inputs, outputs, then the others.
    pub(crate) fn rank(&self) -> usize {
        let order = ["structuralParameter", "parameter", "input", "output"];
        order.iter().position(|causality| *causality == self.causality).unwrap_or(order.len())
    }
}

/// The type, and the sizes of an array at the start.
fn kind(variable: &Variable, description: &ModelDescription) -> String {
    let name = match variable.kind {
        VariableKind::Enumeration(index) => description
            .enumerations
            .get(index)
            .map_or_else(|| "Enumeration".to_owned(), |kind| kind.name.clone()),
        other => format!("{other:?}"),
    };
    if variable.dimensions.is_empty() {
        return name;
    }
    let sizes = variable.dimensions.iter().map(|dimension| size(*dimension, description));
    format!("{name}[{}]", sizes.collect::<Vec<_>>().join(","))
}

fn size(dimension: Dimension, description: &ModelDescription) -> String {
    match dimension {
        Dimension::Fixed(size) => size.to_string(),
        Dimension::Variable(reference) => {
            let mut all = description.variables.iter();
            let given = all.find(|variable| variable.reference == reference);
            given.and_then(|variable| variable.start.as_ref()).map_or_else(|| "?".to_owned(), start)
        }
    }
}

/// Start values in words: the first few of many.
fn start(start: &Start) -> String {
    match start {
        Start::Float(values) => list(values, |x| plain(*x)),
        Start::Int(values) => list(values, i64::to_string),
        Start::UInt(values) => list(values, u64::to_string),
        Start::Boolean(values) => list(values, bool::to_string),
        Start::String(values) => list(values, |text| format!("\"{text}\"")),
        Start::Binary(values) => list(values, |bytes| format!("{} bytes", bytes.len())),
    }
}

/// A number as short as it can be.
pub(super) fn plain(x: f64) -> String {
    if x == 0.0 || (1e-5..1e9).contains(&x.abs()) { x.to_string() } else { format!("{x:e}") }
}

fn list<T>(values: &[T], text: impl Fn(&T) -> String) -> String {
    let shown = values.iter().take(SHOWN).map(text).collect::<Vec<_>>().join(", ");
    if values.len() > SHOWN { format!("{shown}, …") } else { shown }
}

fn causality(causality: Causality) -> &'static str {
    match causality {
        Causality::Parameter => "parameter",
        Causality::CalculatedParameter => "calculatedParameter",
        Causality::Input => "input",
        Causality::Output => "output",
        Causality::Local => "local",
        Causality::Independent => "independent",
        Causality::StructuralParameter => "structuralParameter",
    }
}

fn variability(variability: Variability) -> &'static str {
    match variability {
        Variability::Constant => "constant",
        Variability::Fixed => "fixed",
        Variability::Tunable => "tunable",
        Variability::Discrete => "discrete",
        Variability::Continuous => "continuous",
    }
}
