//! What elements of a file are read with.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::error::SspError;
use super::load::{Loader, Structure};
use super::source::Package;
use super::tree::Part;
use crate::description::Unit;
use crate::description::reader::Element;

/// What elements of a file are read with.
#[derive(Clone, Copy)]
pub(super) struct Scope<'a> {
    pub(super) package: &'a Package,
    /// The file within the package.
    pub(super) file: &'a str,
    /// Units of the file.
    pub(super) units: &'a BTreeMap<String, Rc<Unit>>,
    /// Systems of the file by their `id`.
    pub(super) systems: &'a BTreeMap<&'a str, Element<'a>>,
}

/// What reads the systems that a component refers to: those of the same file and those of others.
#[derive(Clone, Copy)]
pub(super) struct Readers {
    pub(super) part: fn(&mut Loader, Scope<'_>, Element<'_>) -> Result<Part, SspError>,
    pub(super) structure: fn(&mut Loader, &Package, &str) -> Result<Structure, SspError>,
}
