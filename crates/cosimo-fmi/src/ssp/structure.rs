//! Reading of system structure descriptions (`.ssd`).

use std::collections::BTreeMap;
use std::rc::Rc;

use super::error::{SspError, SspProblem, hint};
use super::load::{Loader, STRUCTURE, Structure, version};
use super::outline::{Connector, ConnectorKind, Dimension, Experiment, MaybeImplementation};
use super::source::{Package, Target, encode};
use super::transformation::Transformation;
use super::tree::{Content, Part, Port, Wire, WireEnd};
use super::{parameters, units};
use crate::description::reader::Element;
use crate::description::{EnumerationItem, EnumerationType, FmiVersion, Problem, Unit, VariableKind};

/// Longer names count more than once, as they are kept several times.
const LONG: usize = 100;

/// What elements of a file are read with.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) package: &'a Package,
    /// The file within the package.
    pub(super) file: &'a str,
    /// Units of the file.
    pub(super) units: &'a BTreeMap<String, Rc<Unit>>,
    root: Element<'a>,
}

/// Reads a file.
pub(super) fn read(
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
    let scope = Scope { package, file, units: &units, root };
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
    match loader.enumerations.iter().find(|known| known.name == new.name) {
        Some(known) if *known == new => {}
        Some(_) => element.note("another enumeration has this name; this one is left out"),
        None => loader.enumerations.push(new),
    }
    Ok(())
}

/// Reads a system, a component or a reference to a dictionary.
fn part(loader: &mut Loader, scope: Scope<'_>, element: Element<'_>) -> Result<Part, SspError> {
    loader.count(&element.place(), 1 + element.text("name").len() / LONG)?;
    let given = parameters::bindings(loader, scope, element)?;
    let content = match element.tag() {
        "System" => loader.deeper(&element.place(), |loader| system(loader, scope, element))?,
        "Component" => match component(loader, scope, element)? {
            Ok(content) => content,
            Err(mut part) => {
                part.name = element.require("name")?;
                part.label = element.label();
                part.place = element.place();
                part.given.extend(given);
                return Ok(part);
            }
        },
        _ => Content::Dictionary,
    };
    let ports = element.listed("Connectors", "Connector").map(|element| port(loader, scope, element));
    let ports = ports.collect::<Result<_, _>>()?;
    Ok(Part {
        name: element.require("name")?,
        label: element.label(),
        place: element.place(),
        ports,
        given,
        content,
    })
}

fn system(loader: &mut Loader, scope: Scope<'_>, element: Element<'_>) -> Result<Content, SspError> {
    let known =
        |part: &Element<'_>| matches!(part.tag(), "System" | "Component" | "SignalDictionaryReference");
    let parts = element.child("Elements").into_iter().flat_map(Element::children).filter(known);
    let parts = parts.map(|inner| part(loader, scope, inner)).collect::<Result<_, _>>()?;
    let wires = element.listed("Connections", "Connection").map(|inner| wire(loader, inner));
    Ok(Content::System { parts, wires: wires.collect::<Result<_, _>>()? })
}

/// Reads a component: an FMU, or else the system that it refers to.
fn component(
    loader: &mut Loader,
    scope: Scope<'_>,
    element: Element<'_>,
) -> Result<Result<Content, Part>, SspError> {
    let fail = |problem| SspError::new(&element.place(), problem);
    if !element.has("source") {
        let (what, instead) = ("a component without a source", "give an FMU by `source`");
        return Err(fail(SspProblem::Unsupported { element: element.label(), what, instead }));
    }
    let uri = element.text("source");
    let source = |why| SspProblem::Source { element: element.label(), uri: uri.to_owned(), why };
    match component_type(element) {
        "application/x-fmu-sharedlibrary" => {
            let target = scope.package.find(scope.file, uri).map_err(|why| fail(source(why)))?;
            let source = scope.package.path(&target.relative);
            let implementation = element.get::<MaybeImplementation>("implementation")?;
            Ok(Ok(Content::Fmu { source, implementation: implementation.and_then(|value| value.0) }))
        }
        "application/x-ssp-definition" if uri.starts_with('#') => {
            let id = &uri[1..];
            let inner =
                find_system(scope.root, id).ok_or_else(|| fail(source("is no `id` of a system".into())))?;
            let key = scope.package.key(scope.file, id);
            loader.within(key, element, |loader| part(loader, scope, inner)).map(Err)
        }
        kind @ ("application/x-ssp-definition" | "application/x-ssp-package") => {
            let target = scope.package.find(scope.file, uri).map_err(|why| fail(source(why)))?;
            referenced(loader, scope.package, target, kind.ends_with("package"), element).map(Err)
        }
        kind => {
            let instead = "an FMU, an .ssd or an .ssp, with the type of it";
            Err(fail(SspProblem::Kind { element: element.label(), kind: kind.to_owned(), instead }))
        }
    }
}

/// The type of a component. Without one it is an FMU, but for files whose names tell otherwise.
fn component_type<'a>(element: Element<'a>) -> &'a str {
    if element.has("type") {
        return element.text("type").trim();
    }
    let file = element.text("source").split('#').next().unwrap_or("").to_ascii_lowercase();
    let guessed = match file.rsplit('.').next() {
        Some("ssd") => "application/x-ssp-definition",
        Some("ssp") => "application/x-ssp-package",
        _ => return "application/x-fmu-sharedlibrary",
    };
    element.note(format!("the type is missing; read as `{guessed}`"));
    guessed
}

/// Reads the system of another file.
fn referenced(
    loader: &mut Loader,
    package: &Package,
    target: Target,
    packed: bool,
    element: Element<'_>,
) -> Result<Part, SspError> {
    let (mut package, mut file) = (package.clone(), target.relative);
    if packed {
        package = loader.package(&package.path(&file), &package.label(&file))?;
        file = STRUCTURE.to_owned();
        if let Some(name) = target.fragment {
            let found = package.find("", &encode(&name));
            let source = |why| SspProblem::Source { element: element.label(), uri: format!("#{name}"), why };
            file = found.map_err(|why| SspError::new(&element.place(), source(why)))?.relative;
        }
    }
    loader.within(package.key(&file, ""), element, |loader| Ok(loader.structure(&package, &file)?.part))
}

fn find_system<'a>(root: Element<'a>, id: &str) -> Option<Element<'a>> {
    let mut open: Vec<_> = root.children_of("System").collect();
    while let Some(element) = open.pop() {
        if element.text("id") == id {
            return Some(element);
        }
        open.extend(element.listed("Elements", "System"));
    }
    None
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
    let mut names = loader.enumerations.iter().map(|known| known.name.as_str());
    names.clone().position(|known| known == name).ok_or_else(|| {
        let (hint, what) = (hint(&name, &mut names), "enumeration".to_owned());
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
