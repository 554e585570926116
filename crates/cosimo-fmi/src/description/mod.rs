//! The description of an FMU: `modelDescription.xml` of FMI 2.0 and 3.0 in one form, and the terminals of FMI 3.0.
//!
//! [`parse`] reads what the standards define and ignores the rest: unknown elements and attributes, annotations, namespaces.
//! Mistakes with one sensible reading become [`ModelDescription::findings`], the others a [`DescriptionError`] that tells the
//! place in the file. Times are in seconds.

mod error;
mod face;
mod guard;
mod model;
pub(crate) mod reader;
mod references;
mod start;
mod start_reader;
mod structure;
mod terminal;
mod terminals;
mod types;
pub(crate) mod units;
mod variable;
mod variable_reader;
mod version;

use crate::convention::MECHANICAL;
use std::borrow::Cow;

pub use error::{DescriptionError, Finding, Place, Problem};
pub use face::Face;
pub use model::{DefaultExperiment, InnerImpacts, ModelDescription, VariableNaming};
pub use start::Start;
pub use structure::{DependencyKind, ModelStructure, Unknown};
pub use terminal::{Terminal, TerminalMember, TerminalStreamMember};
pub use terminals::parse_terminals;
pub use types::{EnumerationItem, EnumerationType};
pub use units::{BaseUnit, DisplayUnit, Unit};
pub use variable::{
    Alias, Causality, ClockDetails, Dimension, Initial, IntervalVariability, Variability, Variable,
    VariableKind,
};
pub use version::FmiVersion;

use reader::{Element, Source};
use types::Types;

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
        inner_impacts: inner_impacts(root)?,
        variables,
        structure,
        terminals: Vec::new(),
        findings: Vec::new(),
    })
}

/// What the annotation of mechanical ports says of contacts inside.
fn inner_impacts(root: Element<'_>) -> Result<Option<InnerImpacts>, DescriptionError> {
    let all = |list, one| root.children_of(list).flat_map(move |own| own.children_of(one));
    let old = all("VendorAnnotations", "Tool").filter(|own| own.text("name") == MECHANICAL);
    let new = all("Annotations", "Annotation").filter(|own| own.text("type") == MECHANICAL);
    let Some(found) = old.chain(new).find_map(|own| own.child("InnerImpacts")) else { return Ok(None) };
    Ok(Some(if found.flag("captured")? { InnerImpacts::Captured } else { InnerImpacts::AtInstants }))
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
