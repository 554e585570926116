//! Variables by their names, and how they cross the C interface.

use std::collections::BTreeMap;

use super::{UnitError, Value};
use crate::binary::Width;
use crate::description::{Causality, FmiVersion, ModelDescription, Start, Variable, VariableKind};

/// How a variable crosses the C interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Crossing {
    Float64,
    Float32,
    Integer(Width),
    Unsigned64,
    Boolean,
}

/// An element of a variable: its index in the description, and its place in the array.
pub(crate) type Element = (usize, usize);

/// Finds variables by name.
pub(crate) struct Names<'a> {
    pub(crate) description: &'a ModelDescription,
    names: BTreeMap<&'a str, usize>,
    sizes: Vec<Option<u64>>,
}

impl<'a> Names<'a> {
    pub(crate) fn new(description: &'a ModelDescription) -> Self {
        Self { description, names: description.names(), sizes: description.initial_sizes() }
    }

    /// With the sizes of arrays that follow from these values of structural parameters.
    pub(crate) fn with_sizes(description: &'a ModelDescription, given: &BTreeMap<String, Value>) -> Self {
        let mut names = Self::new(description);
        let structural = given.iter().filter_map(|(name, value)| {
            let index = names.get(name)?;
            let Value::Integer(size) = value else { return None };
            let is_size = description.variables[index].causality == Causality::StructuralParameter;
            is_size.then_some((index, u64::try_from(*size).ok()?))
        });
        let mut changed: Option<ModelDescription> = None;
        for (index, size) in structural {
            changed.get_or_insert_with(|| description.clone()).variables[index].start =
                Some(Start::UInt(vec![size]));
        }
        if let Some(changed) = changed {
            names.sizes = changed.initial_sizes();
        }
        names
    }

    pub(crate) fn unit(&self) -> &'a str {
        &self.description.model_name
    }

    pub(crate) fn variable(&self, index: usize) -> &'a Variable {
        &self.description.variables[index]
    }

    /// The variable of this name, if there is one.
    pub(crate) fn get(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    pub(crate) fn find(&self, name: &str) -> Result<usize, UnitError> {
        self.get(name).ok_or_else(|| self.unknown(name))
    }

    fn unknown(&self, name: &str) -> UnitError {
        let similar = |other: &&str| (strsim::jaro_winkler(name, other), (*other).to_owned());
        let best = self.names.keys().map(similar).max_by(|a, b| a.0.total_cmp(&b.0));
        UnitError::UnknownVariable {
            unit: self.unit().to_owned(),
            name: name.to_owned(),
            suggestion: best.filter(|(likeness, _)| *likeness > 0.75).map(|(_, name)| name),
        }
    }

    pub(crate) fn bad(&self, index: usize, reason: impl Into<String>) -> UnitError {
        let (unit, name) = (self.unit().to_owned(), self.variable(index).name.clone());
        UnitError::BadVariable { unit, name, reason: reason.into() }
    }

    /// Number of elements at the start.
    pub(crate) fn count(&self, index: usize) -> Result<usize, UnitError> {
        let count = self.sizes[index].and_then(|count| usize::try_from(count).ok());
        count.ok_or_else(|| self.bad(index, "has a size that is not known before the start"))
    }

    /// The elements that a name stands for: one of an array by `name[i]` from 1 on, all of them by the name alone; also where they are
    /// variables of their own, as in FMI 2.
    pub(crate) fn elements(&self, name: &str) -> Result<Vec<Element>, UnitError> {
        if let Some(index) = self.get(name) {
            return Ok((0..self.count(index)?).map(|k| (index, k)).collect());
        }
        let parts = name.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
        let place =
            parts.and_then(|(base, place)| Some((self.get(base)?, place.trim().parse::<usize>().ok()?)));
        match place {
            Some((index, place)) if (1..=self.count(index)?).contains(&place) => Ok(vec![(index, place - 1)]),
            _ => {
                let scalars: Vec<Element> =
                    (1..).map_while(|k| Some((self.get(&format!("{name}[{k}]"))?, 0))).collect();
                if scalars.is_empty() { Err(self.unknown(name)) } else { Ok(scalars) }
            }
        }
    }

    /// The name of an element.
    pub(crate) fn element_name(&self, (index, k): Element) -> String {
        let variable = self.variable(index);
        if variable.dimensions.is_empty() {
            variable.name.clone()
        } else {
            format!("{}[{}]", variable.name, k + 1)
        }
    }

    pub(crate) fn unit_of(&self, index: usize) -> String {
        self.variable(index).unit.clone().filter(|unit| unit != "1").unwrap_or_default()
    }

    /// How a variable crosses the interface; none of texts, bytes and clocks.
    pub(crate) fn crossing(&self, index: usize) -> Option<Crossing> {
        let is_old = self.description.version == FmiVersion::V2;
        Some(match self.variable(index).kind {
            VariableKind::Float64 => Crossing::Float64,
            VariableKind::Float32 => Crossing::Float32,
            VariableKind::Boolean => Crossing::Boolean,
            VariableKind::Enumeration(_) if is_old => Crossing::Integer(Width::I32),
            VariableKind::Enumeration(_) | VariableKind::Int64 => Crossing::Integer(Width::I64),
            VariableKind::Int8 => Crossing::Integer(Width::I8),
            VariableKind::Int16 => Crossing::Integer(Width::I16),
            VariableKind::Int32 => Crossing::Integer(Width::I32),
            VariableKind::UInt8 => Crossing::Integer(Width::U8),
            VariableKind::UInt16 => Crossing::Integer(Width::U16),
            VariableKind::UInt32 => Crossing::Integer(Width::U32),
            VariableKind::UInt64 => Crossing::Unsigned64,
            VariableKind::String | VariableKind::Binary | VariableKind::Clock => return None,
        })
    }
}
