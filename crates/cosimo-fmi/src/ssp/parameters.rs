//! Reading of parameter sets (`.ssv`) and parameter mappings (`.ssm`).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::error::{SspError, SspProblem};
use super::load::{Loader, version};
use super::scope::Scope;
use super::transformation::Transformation;
use super::tree::Given;
use super::units;
use super::value::ParameterValue;
use crate::description::reader::{Element, Value};
use crate::description::{DescriptionError, Problem, Unit};

/// An entry of a mapping.
struct Entry {
    target: String,
    transformation: Option<Transformation>,
    suppress: bool,
}

/// The mapping by the names of its sources.
type Mapping = BTreeMap<String, Vec<Entry>>;

/// Reads the values that a system or component is given.
pub(super) fn bindings(
    loader: &mut Loader,
    scope: Scope<'_>,
    element: Element<'_>,
) -> Result<Vec<Given>, SspError> {
    let mut all = Vec::new();
    for binding in element.listed("ParameterBindings", "ParameterBinding") {
        let set = content(loader, scope, binding, SET, read_set)?;
        let mapping = binding.child("ParameterMapping");
        let mapping =
            mapping.map(|element| content(loader, scope, element, MAPPING, read_mapping)).transpose()?;
        let (prefix, mapping) = (binding.text("prefix"), mapping.flatten().unwrap_or_default());
        let mut used = BTreeSet::new();
        for mut given in set.unwrap_or_default() {
            given.name.insert_str(0, prefix);
            let Some((source, entries)) = mapping.get_key_value(&given.name) else {
                all.push(given);
                continue;
            };
            used.insert(source);
            for entry in entries {
                loader.count(&given.place, 1 + given.value.len())?;
                let (name, transformation) = (entry.target.clone(), entry.transformation.clone());
                all.push(Given { name, transformation, suppress: entry.suppress, ..given.clone() });
            }
        }
        for source in mapping.keys().filter(|source| !used.contains(source)) {
            binding.note(format!(
                "the mapping of `{source}` is ignored: the parameter set has no such parameter"
            ));
        }
    }
    Ok(all)
}

/// A kind of content: its type, the element around it if it is within the file, its root element.
type Kind = (&'static str, Option<&'static str>, &'static str);
const SET: Kind = ("application/x-ssp-parameter-set", Some("ParameterValues"), "ParameterSet");
const MAPPING: Kind = ("application/x-ssp-parameter-mapping", None, "ParameterMapping");

/// Reads what an element contains, or the file that it refers to.
fn content<T>(
    loader: &mut Loader,
    scope: Scope<'_>,
    element: Element<'_>,
    (kind, around, root): Kind,
    read: fn(&mut Loader, Scope<'_>, Element<'_>) -> Result<T, SspError>,
) -> Result<Option<T>, SspError> {
    let label = element.label();
    let fail = |problem| SspError::new(&element.place(), problem);
    if element.has("type") && element.text("type").trim() != kind {
        let kind = element.text("type").to_owned();
        return Err(fail(SspProblem::Kind { element: label, kind, instead: "a file of the types of SSP" }));
    }
    if !element.has("source") {
        let around = around.map_or(Some(element), |tag| element.child(tag));
        return around
            .and_then(|around| around.child(root))
            .map(|root| read(loader, scope, root))
            .transpose();
    }
    if element.text("sourceBase").trim() == "component" {
        let (what, instead) =
            ("a file within a component", "copy it into the folder `resources` of the system");
        return Err(fail(SspProblem::Unsupported { element: label, what, instead }));
    }
    let uri = element.text("source");
    let target = scope.package.find(scope.file, uri);
    let target =
        target.map_err(|why| fail(SspProblem::Source { element: label, uri: uri.to_owned(), why }))?;
    let value = loader.with_file(scope.package, &target.relative, |loader, found| {
        if found.tag() != root {
            let problem = Problem::Root { found: found.tag().to_owned(), expected: root };
            return Err(found.fail(problem).into());
        }
        read(loader, scope, found)
    })?;
    Ok(Some(value))
}

fn read_set(loader: &mut Loader, scope: Scope<'_>, root: Element<'_>) -> Result<Vec<Given>, SspError> {
    version(root)?;
    let units = [&units::read(loader, root)?, scope.units];
    let mut names = BTreeSet::new();
    let mut set = Vec::new();
    for element in root.listed("Parameters", "Parameter") {
        let given = read_parameter(loader, units, element)?;
        if !names.insert(given.name.clone()) {
            let problem = SspProblem::DuplicateName { element: element.label(), name: given.name };
            return Err(SspError::new(&element.place(), problem));
        }
        set.push(given);
    }
    Ok(set)
}

fn read_parameter(
    loader: &mut Loader,
    units: [&BTreeMap<String, Rc<Unit>>; 2],
    element: Element<'_>,
) -> Result<Given, SspError> {
    let found =
        element.children().find_map(|child| read_value(child).transpose().map(|value| (child, value)));
    let missing = "Real> or <Integer> or <Boolean> or <String> or <Enumeration> or <Binary";
    let missing = || element.fail(Problem::MissingElement { element: element.label(), missing });
    let (child, value) = found.ok_or_else(missing)?;
    let value = value?;
    loader.count(&element.place(), 1 + value.len())?;
    let sizes = element.children_of("Dimension").map(|dimension| dimension.require("size"));
    let dimensions: Vec<u64> = sizes.collect::<Result<_, _>>()?;
    let expected = dimensions.iter().copied().fold(1, u64::saturating_mul);
    if value.len() as u64 != expected {
        let problem = SspProblem::Length { element: element.label(), expected, found: value.len() };
        return Err(SspError::new(&element.place(), problem));
    }
    Ok(Given {
        name: element.require("name")?,
        value,
        unit: units::find(units, child),
        dimensions,
        transformation: None,
        suppress: false,
        place: element.place(),
    })
}

/// The value of an element; `None` if it is none.
fn read_value(element: Element<'_>) -> Result<Option<ParameterValue>, DescriptionError> {
    Ok(Some(match element.tag() {
        "Real" | "Float64" | "Float32" => ParameterValue::Real(element.require("value")?),
        "Integer" | "Int8" | "UInt8" | "Int16" | "UInt16" | "Int32" | "UInt32" | "Int64" | "UInt64" => {
            ParameterValue::Integer(element.require("value")?)
        }
        "Boolean" => ParameterValue::Boolean(element.require("value")?),
        "String" => ParameterValue::String(texts(element)?),
        "Enumeration" => ParameterValue::Enumeration(texts(element)?),
        "Binary" => ParameterValue::Binary(texts(element)?.into_iter().map(|Bytes(bytes)| bytes).collect()),
        _ => return Ok(None),
    }))
}

/// One value as an attribute, or any number as elements.
fn texts<T: Value>(element: Element<'_>) -> Result<Vec<T>, DescriptionError> {
    if let Some(value) = element.get("value")? {
        return Ok(vec![value]);
    }
    element.children_of("Value").map(|value| value.require("value")).collect()
}

/// Bytes as hexadecimal digits.
struct Bytes(Vec<u8>);

impl Value for Bytes {
    const EXPECTED: &'static str = "bytes of two hexadecimal digits each";
    fn read(text: &str) -> Option<Self> {
        let digit = |byte: &u8| char::from(*byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        let byte = |pair: &[u8]| match pair {
            [high, low] => Some(digit(high)? << 4 | digit(low)?),
            _ => None,
        };
        text.trim().as_bytes().chunks(2).map(byte).collect::<Option<_>>().map(Self)
    }
}

fn read_mapping(loader: &mut Loader, _: Scope<'_>, root: Element<'_>) -> Result<Mapping, SspError> {
    version(root)?;
    let mut mapping = Mapping::new();
    for element in root.children_of("MappingEntry") {
        loader.count(&element.place(), 1)?;
        let entry = Entry {
            target: element.require("target")?,
            transformation: Transformation::read(element)?,
            suppress: element.flag("suppressUnitConversion")?,
        };
        mapping.entry(element.require("source")?).or_default().push(entry);
    }
    Ok(mapping)
}
