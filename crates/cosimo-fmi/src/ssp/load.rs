//! Files and packages: opened once, within limits.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use tempfile::TempDir;

use super::error::{SspError, SspProblem};
use super::outline::{Experiment, SspVersion};
use super::source::Package;
use super::tree::Part;
use crate::archive;
use crate::description::reader::{Element, Source};
use crate::description::{EnumerationType, Finding, Place, Unit, decode};

/// The file of a package that describes the system.
pub(super) const STRUCTURE: &str = "SystemStructure.ssd";
/// How the namespaces of the standard begin.
const STANDARD: &str = "http://ssp-standard.org/";
/// Most bytes that all packages unpack to.
const MAX_UNPACKED: u64 = 4 << 30;
/// Most bytes of XML, files counted as often as they are referenced.
const MAX_TEXT: u64 = 512 << 20;
/// Most parts, connectors, connections and values, counted as often as they are referenced.
const MAX_ITEMS: u64 = 2_000_000;
/// Most levels of systems.
const MAX_DEPTH: u64 = 64;

/// What reading collects, and what is left of the limits.
pub(super) struct Loader {
    /// Where packages are unpacked.
    pub(super) folders: Vec<TempDir>,
    pub(super) findings: Vec<Finding>,
    /// Units of all files.
    pub(super) units: BTreeMap<String, Rc<Unit>>,
    /// Enumerations of all files.
    pub(super) enumerations: Vec<EnumerationType>,
    /// Their indices by their names.
    pub(super) enumeration_names: BTreeMap<String, usize>,
    /// Unpacked packages by their files.
    packages: BTreeMap<PathBuf, Package>,
    /// The systems that are being read, each within the one before.
    pub(super) open: Vec<String>,
    depth: u64,
    unpacked_left: u64,
    text_left: u64,
    items_left: u64,
}

/// What a file says of its system.
pub(super) struct Structure {
    pub(super) version: SspVersion,
    pub(super) name: String,
    pub(super) part: Part,
    pub(super) experiment: Experiment,
}

impl Loader {
    pub(super) fn new() -> Self {
        Self {
            folders: Vec::new(),
            findings: Vec::new(),
            units: BTreeMap::new(),
            enumerations: Vec::new(),
            enumeration_names: BTreeMap::new(),
            packages: BTreeMap::new(),
            open: Vec::new(),
            depth: 0,
            unpacked_left: MAX_UNPACKED,
            text_left: MAX_TEXT,
            items_left: MAX_ITEMS,
        }
    }

    /// Unpacks an archive, if that was not done before.
    pub(super) fn package(&mut self, path: &Path, name: &str) -> Result<Package, SspError> {
        if let Some(package) = self.packages.get(path) {
            return Ok(package.clone());
        }
        let folder = archive::unpack_file(path, &mut self.unpacked_left)
            .map_err(|problem| SspError::in_file(name, problem))?;
        let package = Package { root: folder.path().to_owned(), name: name.to_owned() };
        self.folders.push(folder);
        self.packages.insert(path.to_owned(), package.clone());
        Ok(package)
    }

    /// Reads an XML file by a function.
    pub(super) fn with_file<T>(
        &mut self,
        package: &Package,
        file: &str,
        read: impl FnOnce(&mut Self, Element<'_>) -> Result<T, SspError>,
    ) -> Result<T, SspError> {
        let label = package.label(file);
        let failed = |error| SspError::in_file(&label, SspProblem::Io(error));
        let mut bytes = Vec::new();
        let opened = File::open(package.path(file)).map_err(failed)?;
        opened.take(self.text_left + 1).read_to_end(&mut bytes).map_err(failed)?;
        let left = self.text_left.checked_sub(bytes.len() as u64);
        let much = SspProblem::TooMuch { what: "the bytes of XML", limit: MAX_TEXT };
        self.text_left = left.ok_or_else(|| SspError::in_file(&label, much))?;
        let text = decode(&bytes, &label)?;
        let source = Source::of_standard(&text, &label, STANDARD);
        let document = source.document()?;
        let value = read(self, Element::root(&document, &source))?;
        drop(document);
        self.findings.extend(source.into_findings());
        Ok(value)
    }

    /// Reads a system within others. `key` tells which it is: one within itself is an error.
    pub(super) fn within<T>(
        &mut self,
        key: String,
        element: Element<'_>,
        read: impl FnOnce(&mut Self) -> Result<T, SspError>,
    ) -> Result<T, SspError> {
        if self.open.contains(&key) {
            let problem =
                SspProblem::Cycle { element: element.label(), uri: element.text("source").to_owned() };
            return Err(SspError::new(&element.place(), problem));
        }
        self.open.push(key);
        let value = self.deeper(&element.place(), read)?;
        self.open.pop();
        Ok(value)
    }

    /// Reads something a level deeper.
    pub(super) fn deeper<T>(
        &mut self,
        place: &Place,
        read: impl FnOnce(&mut Self) -> Result<T, SspError>,
    ) -> Result<T, SspError> {
        if self.depth == MAX_DEPTH {
            let problem = SspProblem::TooMuch { what: "the levels of systems", limit: MAX_DEPTH };
            return Err(SspError::new(place, problem));
        }
        self.depth += 1;
        let value = read(self)?;
        self.depth -= 1;
        Ok(value)
    }

    /// Counts parts, connectors, connections or values.
    pub(super) fn count(&mut self, place: &Place, items: usize) -> Result<(), SspError> {
        let what = "the elements, connectors, connections and values";
        let problem = SspProblem::TooMuch { what, limit: MAX_ITEMS };
        self.items_left =
            self.items_left.checked_sub(items as u64).ok_or_else(|| SspError::new(place, problem))?;
        Ok(())
    }

    /// Adds a unit to those of all files.
    pub(super) fn add_unit(&mut self, unit: &Rc<Unit>, element: Element<'_>) {
        let known = self.units.entry(unit.name.clone()).or_insert_with(|| Rc::clone(unit));
        if known.base != unit.base {
            element
                .note(format!("another file defines the unit `{}` differently; each has its own", unit.name));
        }
    }
}

/// The version of a file. What comes after 1.0 and 2.0 keeps what these define.
pub(super) fn version(root: Element<'_>) -> Result<SspVersion, SspError> {
    let text: String = root.require("version")?;
    match text.trim().split('.').next() {
        Some("1") => Ok(SspVersion::V1),
        Some("2") => Ok(SspVersion::V2),
        _ => Err(SspError::new(&root.place(), SspProblem::Version(text))),
    }
}
