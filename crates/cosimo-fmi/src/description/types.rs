//! Types that variables are declared with (FMI 2.0.5, 2.2.3; FMI 3.0.2, 2.4.4).

use std::collections::BTreeMap;

use super::error::{DescriptionError, Problem};
use super::reader::Element;
use super::variable::VariableKind;
use super::version::FmiVersion;

/// An enumeration.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumerationType {
    /// Name of the type.
    pub name: String,
    /// Its values.
    pub items: Vec<EnumerationItem>,
}

/// A value of an enumeration.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumerationItem {
    /// Name of the value.
    pub name: String,
    /// Its number.
    pub value: i64,
    /// What it means.
    pub description: Option<String>,
}

/// The declared types by the tag of their variables and their name.
pub(super) struct Types<'a> {
    elements: BTreeMap<(&'a str, &'a str), Declared<'a>>,
    pub(super) enumerations: Vec<EnumerationType>,
}

/// A declared type: the element with the attributes that variables take from it, and its index if it is an enumeration.
#[derive(Clone, Copy)]
pub(super) struct Declared<'a> {
    pub(super) element: Element<'a>,
    pub(super) enumeration: usize,
}

impl<'a> Types<'a> {
    pub(super) fn read(root: Element<'a>, version: FmiVersion) -> Result<Self, DescriptionError> {
        let mut types = Self { elements: BTreeMap::new(), enumerations: Vec::new() };
        for outer in root.child("TypeDefinitions").into_iter().flat_map(Element::children) {
            match version {
                FmiVersion::V2 => {
                    let known = |inner: &Element<'a>| VariableKind::of(inner.tag(), version).is_some();
                    outer
                        .children()
                        .filter(known)
                        .try_for_each(|inner| types.add(outer, inner, inner.tag()))?;
                }
                FmiVersion::V3 => {
                    let tag = outer.tag().strip_suffix("Type");
                    tag.map_or(Ok(()), |tag| types.add(outer, outer, tag))?;
                }
            }
        }
        Ok(types)
    }

    /// Adds the type named by `outer` with the attributes of `element`, for variables of the kind `tag`.
    fn add(
        &mut self,
        outer: Element<'a>,
        element: Element<'a>,
        tag: &'a str,
    ) -> Result<(), DescriptionError> {
        let name: String = outer.require("name")?;
        let declared = Declared { element, enumeration: self.enumerations.len() };
        if self.elements.insert((tag, outer.text("name")), declared).is_some() {
            return Err(outer.fail(Problem::DuplicateName { element: outer.label(), name }));
        }
        if tag == "Enumeration" {
            let items = element.children_of("Item").map(read_item).collect::<Result<_, _>>()?;
            self.enumerations.push(EnumerationType { name, items });
        }
        Ok(())
    }

    /// The type that the attribute `declaredType` of a variable names.
    pub(super) fn of(&self, variable: Element<'a>) -> Result<Option<Declared<'a>>, DescriptionError> {
        if !variable.has("declaredType") {
            return Ok(None);
        }
        let name = variable.text("declaredType");
        let found = self.elements.get(&(variable.tag(), name)).copied();
        let missing = || Problem::Type { element: variable.label(), declared: name.to_owned() };
        found.map(Some).ok_or_else(|| variable.fail(missing()))
    }
}

fn read_item(element: Element<'_>) -> Result<EnumerationItem, DescriptionError> {
    Ok(EnumerationItem {
        name: element.require("name")?,
        value: element.require("value")?,
        description: element.get("description")?,
    })
}
