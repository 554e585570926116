//! What depends on what (FMI 2.0.5, 2.2.8; FMI 3.0.2, 2.4.8).

use super::error::DescriptionError;
use super::reader::{Element, words};
use super::references::Lookup;
use super::variable::Variable;
use super::version::FmiVersion;

/// What depends on what. Variables are named by their index into [`ModelDescription::variables`].
///
/// [`ModelDescription::variables`]: super::ModelDescription::variables
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelStructure {
    /// The outputs, in the order of the file.
    pub outputs: Vec<Unknown>,
    /// The derivatives of the continuous states, in the order of the state vector; see [`ModelDescription::states`].
    ///
    /// [`ModelDescription::states`]: super::ModelDescription::states
    pub derivatives: Vec<Unknown>,
    /// What is calculated at initialization.
    pub initial_unknowns: Vec<Unknown>,
    /// States that change at ticks of clocks (FMI 3).
    pub clocked_states: Vec<Unknown>,
    /// Event indicators (FMI 3).
    pub event_indicators: Vec<Unknown>,
}

/// A variable and what it depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// The variable.
    pub variable: usize,
    /// The variables it depends on, and how; `None` where the file does not say: then it may depend on all.
    pub dependencies: Option<Vec<(usize, DependencyKind)>>,
}

/// How a variable depends on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DependencyKind {
    /// Somehow.
    Dependent,
    /// With a constant factor.
    Constant,
    /// With a factor that is fixed after initialization.
    Fixed,
    /// With a factor that changes with tunable parameters.
    Tunable,
    /// With a factor that changes at events.
    Discrete,
}

words!(DependencyKind, "a list of `dependent`, `constant`, `fixed`, `tunable` and `discrete`",
    "dependent" => Dependent, "constant" => Constant, "fixed" => Fixed, "tunable" => Tunable, "discrete" => Discrete);

pub(super) fn read(
    root: Element<'_>,
    version: FmiVersion,
    lookup: &Lookup,
    variables: &[Variable],
) -> Result<ModelStructure, DescriptionError> {
    let Some(element) = root.child("ModelStructure") else {
        root.note("there is no <ModelStructure>, which the standard requires; read as an empty one");
        return Ok(ModelStructure::default());
    };
    let section = |list: &str, tag: &str| -> Result<Vec<Unknown>, DescriptionError> {
        match version {
            FmiVersion::V2 => {
                element.listed(list, "Unknown").map(|item| unknown(item, "index", lookup)).collect()
            }
            FmiVersion::V3 => {
                element.children_of(tag).map(|item| unknown(item, "valueReference", lookup)).collect()
            }
        }
    };
    let derivatives = section("Derivatives", "ContinuousStateDerivative")?;
    for variable in derivatives.iter().map(|unknown| &variables[unknown.variable]) {
        if variable.derivative_of.is_none() {
            let text = "is listed as a derivative but does not name its state; the state is not known";
            element.note(format!("variable `{}` {text}", variable.name));
        }
    }
    Ok(ModelStructure {
        outputs: section("Outputs", "Output")?,
        derivatives,
        initial_unknowns: section("InitialUnknowns", "InitialUnknown")?,
        clocked_states: section("", "ClockedState")?,
        event_indicators: section("", "EventIndicator")?,
    })
}

fn unknown(element: Element<'_>, name: &'static str, lookup: &Lookup) -> Result<Unknown, DescriptionError> {
    let variable = lookup.find(element, name, element.require(name)?)?;
    let Some(numbers) = element.get::<Vec<u32>>("dependencies")? else {
        return Ok(Unknown { variable, dependencies: None });
    };
    let mut kinds: Vec<DependencyKind> = element.get("dependenciesKind")?.unwrap_or_default();
    if kinds.len() != numbers.len() {
        if element.has("dependenciesKind") {
            element.note(
                "`dependenciesKind` has not as many words as `dependencies` has numbers; it is ignored",
            );
        }
        kinds = vec![DependencyKind::Dependent; numbers.len()];
    }
    let find = |number| lookup.find(element, "dependencies", number);
    let pairs = numbers.into_iter().zip(kinds).map(|(number, kind)| Ok((find(number)?, kind)));
    Ok(Unknown { variable, dependencies: Some(pairs.collect::<Result<_, _>>()?) })
}
