//! References from variables, and from what depends on what, to variables.

use std::collections::BTreeMap;

use super::error::{DescriptionError, Problem};
use super::reader::Element;
use super::variable::Variable;
use super::version::FmiVersion;

/// Finds variables as the version names them: by index from one in FMI 2, by value reference in FMI 3.
pub(super) struct Lookup {
    version: FmiVersion,
    count: usize,
    references: BTreeMap<u32, usize>,
}

impl Lookup {
    /// For these variables, each with its element. Value references of FMI 3 have to be unique.
    pub(super) fn new(
        version: FmiVersion,
        variables: &[Variable],
        elements: &[Element<'_>],
    ) -> Result<Self, DescriptionError> {
        let mut references = BTreeMap::new();
        let by_reference = if version == FmiVersion::V3 { variables } else { &[] };
        for (index, (variable, element)) in by_reference.iter().zip(elements).enumerate() {
            let reference = variable.reference;
            if let Some(other) = references.insert(reference, index) {
                let other = variables[other].name.clone();
                return Err(element.fail(Problem::DuplicateReference {
                    element: element.label(),
                    reference,
                    other,
                }));
            }
        }
        Ok(Self { version, count: variables.len(), references })
    }

    /// The index of the variable that `attribute` of the element names with `number`.
    pub(super) fn find(
        &self,
        element: Element<'_>,
        attribute: &'static str,
        number: u32,
    ) -> Result<usize, DescriptionError> {
        let (found, by) = match self.version {
            FmiVersion::V2 => ((number as usize).checked_sub(1).filter(|at| *at < self.count), "index"),
            FmiVersion::V3 => (self.references.get(&number).copied(), "value reference"),
        };
        found.ok_or_else(|| {
            element.fail(Problem::Reference { element: element.label(), attribute, by, number })
        })
    }

    /// The index of the variable that `attribute` of the element names, if it is given.
    fn get(&self, element: Element<'_>, attribute: &'static str) -> Result<Option<usize>, DescriptionError> {
        let number = element.get(attribute)?;
        number.map(|number| self.find(element, attribute, number)).transpose()
    }
}

/// Fills in what refers to other variables, and checks the value references that stay as they are.
pub(super) fn resolve(
    variables: &mut [Variable],
    elements: &[Element<'_>],
    lookup: &Lookup,
) -> Result<(), DescriptionError> {
    for (variable, element) in variables.iter_mut().zip(elements) {
        variable.derivative_of = lookup.get(*element, "derivative")?;
        variable.previous = lookup.get(*element, "previous")?;
        for clock in &variable.clocks {
            lookup.find(*element, "clocks", *clock)?;
        }
        for dimension in element.children_of("Dimension") {
            lookup.get(dimension, "valueReference")?;
        }
    }
    Ok(())
}
