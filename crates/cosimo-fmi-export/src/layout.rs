//! Numbers and value references of variables.
//!
//! Scalars are numbered in the order of the description, the elements of vectors one after another. Value reference 0 is the
//! time, that of a scalar is its number plus one, that of a vector that of its first element, in both versions of FMI.

use crate::description::{Causality, ExportedVariable, UnitDescription, Variability};
use crate::protocol::{Role, Sheet};

/// Name of the independent variable.
pub(crate) const TIME: &str = "time";

/// Value reference of the independent variable.
pub(crate) const TIME_REFERENCE: usize = 0;

/// A variable with its value reference.
pub(crate) struct Placed<'a> {
    pub(crate) variable: &'a ExportedVariable,
    /// Value reference of its first scalar.
    pub(crate) reference: usize,
}

impl Placed<'_> {
    /// Value references of its scalars.
    pub(crate) fn scalars(&self) -> std::ops::Range<usize> {
        self.reference..self.reference + self.variable.count()
    }
}

/// All variables with their value references.
pub(crate) fn placed(unit: &UnitDescription) -> Vec<Placed<'_>> {
    let mut next = TIME_REFERENCE + 1;
    let place = |variable| {
        let reference = next;
        next += ExportedVariable::count(variable);
        Placed { variable, reference }
    };
    unit.variables.iter().map(place).collect()
}

/// The variables as the shim sees them: vectors, or their scalars.
pub(crate) fn add_to(sheet: &mut Sheet, unit: &UnitDescription, vectors: bool) {
    for variable in &unit.variables {
        let (kind, role, count) = (variable.kind(), role(variable), variable.count());
        if vectors {
            sheet.push(kind, role, count);
        } else {
            (0..count).for_each(|_| sheet.push(kind, role, 1));
        }
    }
}

fn role(variable: &ExportedVariable) -> Role {
    match variable.causality {
        _ if variable.is_clock => Role::Clock,
        Causality::Parameter if variable.variability == Variability::Tunable => Role::Tunable,
        Causality::Parameter => Role::Parameter,
        Causality::Input => Role::Input,
        Causality::Output if variable.dependencies.is_empty() => Role::Output,
        Causality::Output => Role::Feedthrough,
        Causality::Local => Role::Local,
    }
}
