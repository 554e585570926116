//! Reading of system structure descriptions (`.ssd`).

use std::path::Path;

use super::error::{SspError, SspProblem, hint};
use super::load::{Loader, STRUCTURE, Structure, version};
use super::outline::{Connector, ConnectorKind, Dimension, Experiment, MaybeImplementation};
use super::scope::{Readers, Scope};
use super::source::Package;
use super::transformation::Transformation;
use super::tree::{Content, Part, Port, Wire, WireEnd};
use super::{parameters, reference, units};
use crate::description::reader::Element;
use crate::description::{EnumerationItem, EnumerationType, FmiVersion, Problem, VariableKind};

/// How systems within systems are read.
const READERS: Readers = Readers { part, structure };

/// Longer names count more than once, as they are kept several times.
const LONG: usize = 100;

/// Reads the system of a file: an archive, a folder, or a description beside its resources.
pub(super) fn open(loader: &mut Loader, path: &Path) -> Result<Structure, SspError> {
    let absolute = std::path::absolute(path).map_err(|error| SspError::in_file(path.display(), error))?;
    let label = path.display().to_string();
    if absolute.is_dir() {
        return outermost(loader, &Package { root: absolute, name: label }, STRUCTURE);
    }
    if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("ssd")) {
        let package = loader.package(&absolute, &label)?;
        return outermost(loader, &package, STRUCTURE);
    }
    let name = absolute.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let root = absolute.parent().unwrap_or(&absolute).to_owned();
    let around = path.parent().map(|folder| folder.display().to_string()).unwrap_or_default();
    outermost(loader, &Package { root, name: around }, &name)
}

fn outermost(loader: &mut Loader, package: &Package, file: &str) -> Result<Structure, SspError> {
    loader.open.push(package.key(file, ""));
    structure(loader, package, file)
}

/// Reads a description of a system.
fn structure(loader: &mut Loader, package: &Package, file: &str) -> Result<Structure, SspError> {
    if !package.path(file).is_file() {
        let hint = other_structure(package, file);
        let problem = SspProblem::NoStructure { file: file.to_owned(), hint };
        return Err(SspError::in_file(&package.name, problem));
    }
    loader.with_file(package, file, |loader, root| read(loader, package, file, root))
}

/// Where the description of a package may be instead, in words.
fn other_structure(package: &Package, file: &str) -> String {
    let entries = std::fs::read_dir(&package.root).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    if let Some(name) = names.iter().find(|name| name.ends_with(".ssd")) {
        return format!(", but a `{name}`; rename it");
    }
    match names.iter().find(|name| package.path(name).join(file).is_file()) {
        Some(name) => format!(", but one in `{name}`; zip what is in that folder, not the folder"),
        None => "; this is no system".to_owned(),
    }
}

/// Reads a file.
fn read(
    loader: &mut Loader,
    package: &Package,
    file: &str,
    root: Element<'_>,
) -> Result<Structure, SspError> {
    const ROOT: &str = "SystemStructureDescription";
    if root.tag() != ROOT {
        return Err(root.fail(Problem::Root { found: root.tag().to_owned(), expected: ROOT }).into());
    }
    let version = version(root)?;
    let units = units::read(loader, root)?;
    for element in root.listed("Enumerations", "Enumeration") {
        enumeration(loader, element)?;
    }
    let missing = || root.fail(Problem::MissingElement { element: root.label(), missing: "System" });
    let system = root.child("System").ok_or_else(missing)?;
    let systems = reference::systems(system);
    let scope = Scope { package, file, units: &units, systems: &systems };
    let part = part(loader, scope, system)?;
    let experiment = root.child("DefaultExperiment").map(|element| {
        Ok::<_, SspError>(Experiment { start: element.get("startTime")?, stop: element.get("stopTime")? })
    });
    let experiment = experiment.transpose()?.unwrap_or_default();
    Ok(Structure { version, name: root.require("name")?, part, experiment })
}

fn enumeration(loader: &mut Loader, element: Element<'_>) -> Result<(), SspError> {
    let item = |item: Element<'_>| {
        Ok(EnumerationItem { name: item.require("name")?, value: item.require("value")?, description: None })
    };
    let items = element.children_of("Item").map(item).collect::<Result<_, SspError>>()?;
    let new = EnumerationType { name: element.require("name")?, items };
    loader.count(&element.place(), 1)?;
    match loader.enumeration_names.get(&new.name) {
        Some(known) if loader.enumerations[*known] == new => {}
        Some(_) => element.note("another enumeration has this name; this one is left out"),
        None => {
            loader.enumeration_names.insert(new.name.clone(), loader.enumerations.len());
            loader.enumerations.push(new);
        }
    }
    Ok(())
}

/// Reads a system, a component or a reference to a dictionary. A component that refers to a system becomes that system.
fn part(loader: &mut Loader, scope: Scope<'_>, element: Element<'_>) -> Result<Part, SspError> {
    loader.count(&element.place(), 1 + element.text("name").len() / LONG)?;
    let given = parameters::bindings(loader, scope, element)?;
    let (ports, mut all, content) = match reference::read(loader, scope, element, READERS)? {
        Some(system) => (system.ports, system.given, system.content),
        None => {
            let ports = element.listed("Connectors", "Connector");
            let ports = ports.map(|element| port(loader, scope, element)).collect::<Result<_, _>>()?;
            (ports, Vec::new(), content(loader, scope, element)?)
        }
    };
    all.extend(given);
    let (name, label, place) = (element.require("name")?, element.label(), element.place());
    Ok(Part { name, label, place, ports, given: all, content })
}

fn content(loader: &mut Loader, scope: Scope<'_>, element: Element<'_>) -> Result<Content, SspError> {
    match element.tag() {
        "System" => loader.deeper(&element.place(), |loader| system(loader, scope, element)),
        "Component" => {
            let source = reference::fmu(scope, element)?;
            let implementation = element.get::<MaybeImplementation>("implementation")?;
            Ok(Content::Fmu { source, implementation: implementation.and_then(|value| value.0) })
        }
        _ => Ok(Content::Dictionary),
    }
}

fn system(loader: &mut Loader, scope: Scope<'_>, element: Element<'_>) -> Result<Content, SspError> {
    let known =
        |part: &Element<'_>| matches!(part.tag(), "System" | "Component" | "SignalDictionaryReference");
    let parts = element.child("Elements").into_iter().flat_map(Element::children).filter(known);
    let parts = parts.map(|inner| part(loader, scope, inner)).collect::<Result<_, _>>()?;
    let wires = element.listed("Connections", "Connection").map(|inner| wire(loader, inner));
    Ok(Content::System { parts, wires: wires.collect::<Result<_, _>>()? })
}

fn port(loader: &mut Loader, scope: Scope<'_>, element: Element<'_>) -> Result<Port, SspError> {
    loader.count(&element.place(), 1 + element.text("name").len() / LONG)?;
    let (mut value_type, mut unit) = (None, None);
    for child in element.children() {
        if child.tag() == "Clock" && child.has("name") {
            child.note("the clock of a connector is ignored: the FMU knows it");
            continue;
        }
        let of = |version| VariableKind::of(child.tag(), version);
        let Some(kind) = of(FmiVersion::V3).or_else(|| of(FmiVersion::V2)) else { continue };
        value_type = Some(match kind {
            VariableKind::Enumeration(_) => VariableKind::Enumeration(find_enumeration(loader, child)?),
            kind => kind,
        });
        unit = units::find([scope.units], child);
    }
    let connector = Connector {
        name: element.require("name")?,
        kind: element.require::<ConnectorKind>("kind")?,
        value_type,
        unit: unit.as_ref().map(|unit| unit.name.clone()),
        dimensions: element.children_of("Dimension").map(dimension).collect::<Result<_, _>>()?,
    };
    Ok(Port { connector, unit, label: element.label(), place: element.place() })
}

fn find_enumeration(loader: &Loader, element: Element<'_>) -> Result<usize, SspError> {
    let name: String = element.require("name")?;
    loader.enumeration_names.get(&name).copied().ok_or_else(|| {
        let hint = hint(&name, loader.enumeration_names.keys().map(String::as_str));
        let what = "enumeration".to_owned();
        SspError::new(&element.place(), SspProblem::Unknown { element: element.label(), what, name, hint })
    })
}

fn dimension(element: Element<'_>) -> Result<Dimension, SspError> {
    Ok(match (element.get("size")?, element.get("sizeConnector")?) {
        (Some(size), _) => Dimension::Size(size),
        (None, Some(name)) => Dimension::Connector(name),
        (None, None) => Dimension::Open,
    })
}

fn wire(loader: &mut Loader, element: Element<'_>) -> Result<Wire, SspError> {
    loader.count(&element.place(), 1)?;
    let wire = Wire {
        start: WireEnd {
            element: element.get("startElement")?,
            connector: element.require("startConnector")?,
        },
        end: WireEnd { element: element.get("endElement")?, connector: element.require("endConnector")? },
        transformation: Transformation::read(element)?,
        suppress: element.flag("suppressUnitConversion")?,
        place: element.place(),
    };
    if element.has("startIndices") || element.has("endIndices") {
        let (what, instead) = ("a connection of elements of an array", "connect the array as a whole");
        let problem = SspProblem::Unsupported { element: wire.to_string(), what, instead };
        return Err(SspError::new(&wire.place, problem));
    }
    Ok(wire)
}
