//! Sources of components: FMUs, and systems of this or other files.

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::error::{SspError, SspProblem};
use super::load::{Loader, STRUCTURE};
use super::scope::{Readers, Scope};
use super::source::{Target, encode};
use super::tree::Part;
use crate::description::reader::Element;

const FMU: &str = "application/x-fmu-sharedlibrary";
const DEFINITION: &str = "application/x-ssp-definition";
const PACKAGE: &str = "application/x-ssp-package";

/// The FMU of a component.
pub(super) fn fmu(scope: Scope<'_>, element: Element<'_>) -> Result<PathBuf, SspError> {
    let fail = |problem| Err(SspError::new(&element.place(), problem));
    if !element.has("source") {
        let (what, instead) = ("a component without a source", "give an FMU by `source`");
        return fail(SspProblem::Unsupported { element: element.label(), what, instead });
    }
    let kind = component_type(element);
    if kind != FMU {
        let instead = "an FMU, an .ssd or an .ssp, with the type of it";
        return fail(SspProblem::Kind { element: element.label(), kind: kind.to_owned(), instead });
    }
    Ok(scope.package.path(&find(scope, element)?.relative))
}

/// The system that a component refers to, if it does not have an FMU.
pub(super) fn read(
    loader: &mut Loader,
    scope: Scope<'_>,
    element: Element<'_>,
    readers: Readers,
) -> Result<Option<Part>, SspError> {
    if element.tag() != "Component" || !element.has("source") {
        return Ok(None);
    }
    match (component_type(element), element.text("source").strip_prefix('#')) {
        (DEFINITION, Some(id)) => {
            let missing =
                || source_error(element, element.text("source"), "is no `id` of a system".to_owned());
            let inner = *scope.systems.get(id).ok_or_else(missing)?;
            let key = scope.package.key(scope.file, id);
            loader.within(key, element, |loader| (readers.part)(loader, scope, inner)).map(Some)
        }
        (kind @ (DEFINITION | PACKAGE), _) => {
            read_file(loader, (scope, kind == PACKAGE), element, readers).map(Some)
        }
        _ => Ok(None),
    }
}

/// Reads the system of another file.
fn read_file(
    loader: &mut Loader,
    (scope, packed): (Scope<'_>, bool),
    element: Element<'_>,
    readers: Readers,
) -> Result<Part, SspError> {
    let Target { relative: mut file, fragment } = find(scope, element)?;
    let mut package = scope.package.clone();
    if packed {
        package = loader.package(&package.path(&file), &package.label(&file))?;
        file = STRUCTURE.to_owned();
        if let Some(name) = fragment {
            let found = package.find("", &encode(&name));
            file = found.map_err(|why| source_error(element, &format!("#{name}"), why))?.relative;
        }
    }
    loader.within(package.key(&file, ""), element, |loader| {
        Ok((readers.structure)(loader, &package, &file)?.part)
    })
}

fn find(scope: Scope<'_>, element: Element<'_>) -> Result<Target, SspError> {
    let uri = element.text("source");
    scope.package.find(scope.file, uri).map_err(|why| source_error(element, uri, why))
}

fn source_error(element: Element<'_>, uri: &str, why: String) -> SspError {
    let problem = SspProblem::Source { element: element.label(), uri: uri.to_owned(), why };
    SspError::new(&element.place(), problem)
}

/// The type of a component. Without one it is an FMU, but for files whose names tell otherwise.
fn component_type<'a>(element: Element<'a>) -> &'a str {
    if element.has("type") {
        return element.text("type").trim();
    }
    let file = element.text("source").split('#').next().unwrap_or("").to_ascii_lowercase();
    let guessed = match file.rsplit('.').next() {
        Some("" | "ssd") => DEFINITION,
        Some("ssp") => PACKAGE,
        _ => return FMU,
    };
    element.note(format!("the type is missing; read as `{guessed}`"));
    guessed
}

/// The system and those within, by their `id`; the first of those that have the same.
pub(super) fn systems(outermost: Element<'_>) -> BTreeMap<&str, Element<'_>> {
    let mut systems = BTreeMap::new();
    let mut open = vec![outermost];
    while let Some(element) = open.pop() {
        if element.has("id") {
            systems.entry(element.text("id")).or_insert(element);
        }
        open.extend(element.listed("Elements", "System"));
    }
    systems
}
