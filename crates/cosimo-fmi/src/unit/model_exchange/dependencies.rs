//! What a description says of derivatives.

use crate::description::{DependencyKind, ModelDescription, Unknown, VariableKind};
use crate::unit::running::Running;

/// Whether the description says of all rates, and of all outputs that are read, that they depend on states and inputs with constant factors.
pub(super) fn is_affine(description: &ModelDescription, running: &Running) -> bool {
    let ModelDescription { structure, variables, .. } = description;
    let is_constant = |unknown: &Unknown| {
        let kinds = unknown.dependencies.iter().flatten().map(|(_, kind)| kind);
        unknown.dependencies.is_some()
            && kinds.into_iter().all(|kind| matches!(kind, DependencyKind::Constant | DependencyKind::Fixed))
    };
    let is_told = |name: &String| {
        let told = structure.outputs.iter().find(|unknown| variables[unknown.variable].name == *name);
        told.is_some_and(is_constant)
    };
    structure.derivatives.iter().all(is_constant) && running.layout.read_names.iter().all(is_told)
}

/// Value references of the rates and of the states, where all are scalars.
pub(super) fn references(description: &ModelDescription) -> Option<(Vec<u32>, Vec<u32>)> {
    let scalar = |index: usize| {
        let variable = &description.variables[index];
        (variable.kind == VariableKind::Float64 && variable.dimensions.is_empty())
            .then_some(variable.reference)
    };
    let states: Option<Vec<u32>> = description.states().into_iter().map(|state| scalar(state?)).collect();
    let rates: Option<Vec<u32>> =
        description.structure.derivatives.iter().map(|unknown| scalar(unknown.variable)).collect();
    Some((states?, rates?))
}
