//! The description of an FMU: `modelDescription.xml` of FMI 2.0 and 3.0 in one form, and the terminals of FMI 3.0.
//!
//! [`parse`] reads what the standards define and ignores the rest: unknown elements and attributes, annotations, namespaces.
//! Mistakes with one sensible reading become [`ModelDescription::findings`], the others a [`DescriptionError`] that tells the
//! place in the file. Times are in seconds.

mod error;
mod face;
mod guard;
pub(crate) mod reader;
mod references;
mod start;
mod structure;
mod terminals;
mod types;
pub(crate) mod units;
mod variable;
mod variable_reader;

use std::borrow::Cow;
use std::collections::BTreeMap;

pub use error::{DescriptionError, Finding, Place, Problem};
pub use face::Face;
pub use start::Start;
pub use structure::{DependencyKind, ModelStructure, Unknown};
pub use terminals::{Terminal, TerminalMember, TerminalStreamMember, parse_terminals};
pub use types::{EnumerationItem, EnumerationType};
pub use units::{BaseUnit, DisplayUnit, Unit};
pub use variable::{
    Alias, Causality, ClockDetails, Dimension, Initial, IntervalVariability, Variability, Variable,
    VariableKind,
};

use reader::{Element, Source, words};
use types::Types;

/// Major version of FMI.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FmiVersion {
    /// FMI 2.0.
    V2,
    /// FMI 3.0.
    V3,
}

/// How the names of variables are built.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum VariableNaming {
    /// Names are texts.
    #[default]
    Flat,
    /// Names are paths with dots, indices and `der(...)`.
    Structured,
}

words!(VariableNaming, "`flat` or `structured`", "flat" => Flat, "structured" => Structured);

/// What the author of the FMU suggests for a simulation, in seconds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DefaultExperiment {
    /// Time of the start.
    pub start: Option<f64>,
    /// Time of the end.
    pub stop: Option<f64>,
    /// Relative tolerance of integration.
    pub tolerance: Option<f64>,
    /// Step of communication, or of a solver of fixed step.
    pub step: Option<f64>,
}

/// What an FMU says of itself.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelDescription {
    /// Version of the standard.
    pub version: FmiVersion,
    /// Name of the model.
    pub model_name: String,
    /// What the binary checks against its own: `guid` of FMI 2, `instantiationToken` of FMI 3.
    pub token: String,
    /// What it is, in words.
    pub description: Option<String>,
    /// Who made the model.
    pub author: Option<String>,
    /// Version of the model.
    pub model_version: Option<String>,
    /// Copyright.
    pub copyright: Option<String>,
    /// License.
    pub license: Option<String>,
    /// Tool that exported it.
    pub generation_tool: Option<String>,
    /// Date and time of the export.
    pub generation_date: Option<String>,
    /// How names of variables are built.
    pub variable_naming: VariableNaming,
    /// Co-simulation, if the FMU has it.
    pub co_simulation: Option<Face>,
    /// Model exchange, if the FMU has it.
    pub model_exchange: Option<Face>,
    /// Whether the FMU has scheduled execution (FMI 3).
    pub has_scheduled_execution: bool,
    /// Units of the variables.
    pub units: Vec<Unit>,
    /// Enumerations of the variables.
    pub enumerations: Vec<EnumerationType>,
    /// Names of the categories of messages.
    pub log_categories: Vec<String>,
    /// What the author suggests.
    pub default_experiment: DefaultExperiment,
    /// The variables, in the order of the file.
    pub variables: Vec<Variable>,
    /// What depends on what.
    pub structure: ModelStructure,
    /// Number of event indicators (FMI 2), or of variables that are event indicators (FMI 3).
    pub number_of_event_indicators: usize,
    /// Terminals (FMI 3); empty until [`parse_terminals`] fills them in.
    pub terminals: Vec<Terminal>,
    /// Mistakes in the file that were tolerated.
    pub findings: Vec<Finding>,
}

impl ModelDescription {
    /// The indices of the variables by their names, aliases among them.
    #[must_use]
    pub fn names(&self) -> BTreeMap<&str, usize> {
        let mut map = BTreeMap::new();
        for (index, variable) in self.variables.iter().enumerate() {
            map.insert(variable.name.as_str(), index);
            map.extend(variable.aliases.iter().map(|alias| (alias.name.as_str(), index)));
        }
        map
    }

    /// The indices of the continuous states in the order of the state vector; `None` where the file does not tell the state
    /// of a derivative.
    #[must_use]
    pub fn states(&self) -> Vec<Option<usize>> {
        let derivatives = self.structure.derivatives.iter();
        derivatives.map(|unknown| self.variables.get(unknown.variable)?.derivative_of).collect()
    }

    /// Groups of variables that share one value: those of FMI 2 with one value reference and one type in the binary. Groups
    /// of one are left out.
    #[must_use]
    pub fn alias_groups(&self) -> Vec<Vec<usize>> {
        let mut groups: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        for (index, variable) in self.variables.iter().enumerate() {
            let kind = match variable.kind {
                VariableKind::Enumeration(_) => VariableKind::Int32,
                kind => kind,
            };
            groups.entry((kind, variable.reference)).or_default().push(index);
        }
        groups.into_values().filter(|group| group.len() > 1).collect()
    }

    /// The number of elements of each variable at the start, sizes given by variables at their start values; `None` where a
    /// size has no start value.
    #[must_use]
    pub fn initial_sizes(&self) -> Vec<Option<u64>> {
        start::initial_sizes(&self.variables)
    }
}

/// Reads a description. `file` is the name of the file, for errors.
///
/// # Errors
///
/// If the text is no XML, is of another version, lacks what the standard requires, or contradicts itself.
pub fn parse(text: &str, file: &str) -> Result<ModelDescription, DescriptionError> {
    let source = Source::new(text, file);
    let document = source.document()?;
    let mut description = read(Element::root(&document, &source))?;
    drop(document);
    description.findings = source.into_findings();
    Ok(description)
}

/// The text of a file: UTF-8, or Latin-1 if the file declares that.
///
/// # Errors
///
/// If it is neither.
pub fn decode<'a>(bytes: &'a [u8], file: &str) -> Result<Cow<'a, str>, DescriptionError> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(Cow::Borrowed(text)),
        Err(error) => error,
    };
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(100)]).to_ascii_lowercase();
    if ["iso-8859-1", "windows-1252", "latin1"].iter().any(|name| head.contains(name)) {
        return Ok(Cow::Owned(bytes.iter().map(|byte| char::from(*byte)).collect()));
    }
    let before = &bytes[..error.valid_up_to()];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
    Err(DescriptionError {
        place: Place { file: file.to_owned(), line, column },
        problem: Box::new(Problem::Encoding),
    })
}

fn read(root: Element<'_>) -> Result<ModelDescription, DescriptionError> {
    let version = read_version(root)?;
    let types = Types::read(root, version)?;
    let units = units::read(root)?;
    let (variables, lookup) = variable_reader::read(root, version, &types, &units)?;
    let structure = structure::read(root, version, &lookup, &variables)?;
    let face = |tag| root.child(tag).map(|element| face::read(element, version)).transpose();
    let (co_simulation, model_exchange) = (face("CoSimulation")?, face("ModelExchange")?);
    let has_scheduled_execution = root.child("ScheduledExecution").is_some();
    if co_simulation.is_none() && model_exchange.is_none() && !has_scheduled_execution {
        return Err(root.fail(Problem::NoFace));
    }
    Ok(ModelDescription {
        version,
        model_name: root.require("modelName")?,
        token: root.require(if version == FmiVersion::V2 { "guid" } else { "instantiationToken" })?,
        description: root.get("description")?,
        author: root.get("author")?,
        model_version: root.get("version")?,
        copyright: root.get("copyright")?,
        license: root.get("license")?,
        generation_tool: root.get("generationTool")?,
        generation_date: root.get("generationDateAndTime")?,
        variable_naming: root.get("variableNamingConvention")?.unwrap_or_default(),
        co_simulation,
        model_exchange,
        has_scheduled_execution,
        units,
        enumerations: types.enumerations,
        log_categories: root
            .listed("LogCategories", "Category")
            .map(|category| category.require("name"))
            .collect::<Result<_, _>>()?,
        default_experiment: root
            .child("DefaultExperiment")
            .map_or_else(|| Ok(DefaultExperiment::default()), read_experiment)?,
        number_of_event_indicators: match version {
            FmiVersion::V2 => root.get::<u32>("numberOfEventIndicators")?.unwrap_or(0) as usize,
            FmiVersion::V3 => structure.event_indicators.len(),
        },
        variables,
        structure,
        terminals: Vec::new(),
        findings: Vec::new(),
    })
}

/// The version. What comes after 2.0 and 3.0 keeps what these define, by the rules of the standard for minor versions.
fn read_version(root: Element<'_>) -> Result<FmiVersion, DescriptionError> {
    if root.tag() != "fmiModelDescription" {
        let found = root.tag().to_owned();
        return Err(root.fail(Problem::Root { found, expected: "fmiModelDescription" }));
    }
    let text: String = root.require("fmiVersion")?;
    let (version, known) = match text.split('.').next() {
        Some("1") => return Err(root.fail(Problem::Fmi1)),
        Some("2") => (FmiVersion::V2, "2.0"),
        Some("3") => (FmiVersion::V3, "3.0"),
        _ => return Err(root.fail(Problem::Version(text))),
    };
    let released = text.strip_prefix(known).is_some_and(|rest| {
        rest.is_empty()
            || rest.strip_prefix('.').is_some_and(|patch| patch.bytes().all(|byte| byte.is_ascii_digit()))
    });
    if !released {
        root.note(format!("the FMI version is `{text}`; read as {known}"));
    }
    Ok(version)
}

fn read_experiment(element: Element<'_>) -> Result<DefaultExperiment, DescriptionError> {
    Ok(DefaultExperiment {
        start: element.get("startTime")?,
        stop: element.get("stopTime")?,
        tolerance: element.get("tolerance")?,
        step: element.get("stepSize")?,
    })
}
