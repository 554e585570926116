//! Scalars in calls that take whole variables.

use super::UnitError;
use super::names::{Crossing, Element, Names};

/// Value references of variables, and where scalars stand among the values of all of them.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Scalars {
    /// Value references, one a variable.
    pub(crate) references: Vec<u32>,
    /// Number of values.
    pub(crate) count: usize,
    /// Places of the scalars among them.
    pub(crate) places: Vec<usize>,
}

impl Scalars {
    /// Those of these elements; none where one is no number of 64 bits.
    pub(crate) fn of(names: &Names<'_>, elements: &[Element]) -> Result<Option<Self>, UnitError> {
        let mut found = Self::default();
        let mut firsts: Vec<(usize, usize)> = Vec::new();
        for (variable, k) in elements {
            if names.crossing(*variable) != Some(Crossing::Float64) {
                return Ok(None);
            }
            let known = firsts.iter().find(|(other, _)| other == variable).map(|(_, first)| *first);
            let first = match known {
                Some(first) => first,
                None => {
                    let first = found.count;
                    firsts.push((*variable, first));
                    found.references.push(names.variable(*variable).reference);
                    found.count += names.count(*variable)?;
                    first
                }
            };
            found.places.push(first + k);
        }
        Ok(Some(found))
    }
}
