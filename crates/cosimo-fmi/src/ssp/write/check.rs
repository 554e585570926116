//! Whether a system can be written.

use std::collections::BTreeSet;

use crate::description::VariableKind;
use crate::ssp::Transformation;
use crate::ssp::error::SspProblem;
use crate::ssp::outline::{
    Component, Connection, ConnectorKind, Endpoint, Implementation, Outline, Parameter, SspVersion,
};
use crate::ssp::value::ParameterValue;

pub(super) fn check(outline: &Outline) -> Result<(), SspProblem> {
    let mut names = BTreeSet::new();
    for component in &outline.components {
        if component.name.is_empty() {
            return Err(wrong("", "a component has no name; give it one"));
        }
        if !names.insert(component.name.as_str()) {
            return Err(wrong(&component.name, "another component has this name; rename one of them"));
        }
    }
    for component in &outline.components {
        check_connectors(outline, component)?;
        for parameter in &component.parameters {
            check_parameter(outline, component, parameter, &names)?;
        }
    }
    let mut inputs = BTreeSet::new();
    for connection in &outline.connections {
        check_connection(outline, connection)?;
        if !inputs.insert(&connection.to) {
            return Err(wrong(&connection.to.connector, "two connections lead to it; remove one of them"));
        }
    }
    Ok(())
}

fn check_connection(outline: &Outline, connection: &Connection) -> Result<(), SspProblem> {
    check_end(outline, &connection.from)?;
    check_end(outline, &connection.to)?;
    match &connection.transformation {
        Some(Transformation::Integer(pairs)) if outline.version == SspVersion::V1 => {
            match pairs.iter().all(|(source, target)| short(*source) && short(*target)) {
                true => Ok(()),
                false => {
                    let what = "a table of whole numbers of more than 32 bits";
                    Err(SspProblem::NeedsV2 { what, name: connection.to.connector.clone() })
                }
            }
        }
        _ => Ok(()),
    }
}

/// Whether SSP 1.0 has the number.
fn short(value: i64) -> bool {
    i32::try_from(value).is_ok()
}

fn wrong(name: &str, why: &str) -> SspProblem {
    SspProblem::Outline { name: name.to_owned(), why: why.to_owned() }
}

fn check_end(outline: &Outline, end: &Endpoint) -> Result<(), SspProblem> {
    let missing =
        || wrong(&end.connector, "a connection leads to a component that does not exist; correct its index");
    let component = outline.components.get(end.component).ok_or_else(missing)?;
    match component.connectors.iter().any(|connector| connector.name == end.connector) {
        true => Ok(()),
        false => Err(wrong(&end.connector, &format!("`{}` has no such connector; add it", component.name))),
    }
}

fn check_connectors(outline: &Outline, component: &Component) -> Result<(), SspProblem> {
    let v1 = outline.version == SspVersion::V1;
    let needs = |what| Err(SspProblem::NeedsV2 { what, name: component.name.clone() });
    if v1 && component.implementation == Some(Implementation::ScheduledExecution) {
        return needs("scheduled execution");
    }
    for connector in &component.connectors {
        use ConnectorKind::{CalculatedParameter, Inout, Input, Output, Parameter};
        if v1 && ![Input, Output, Inout, Parameter, CalculatedParameter].contains(&connector.kind) {
            return needs("this kind of a connector");
        }
        if v1 && !connector.dimensions.is_empty() {
            return needs("a connector that is an array");
        }
        if connector.unit.is_some() && !connector.value_type.is_some_and(VariableKind::is_float) {
            return Err(wrong(
                &connector.name,
                "it has a unit; give it the type of a floating point number too",
            ));
        }
        match connector.value_type {
            Some(VariableKind::Enumeration(index)) if index >= outline.enumerations.len() => {
                return Err(wrong(&connector.name, "its enumeration does not exist; correct the index"));
            }
            Some(kind) if v1 && super::structure::tag(kind).1 => return needs("this type of a connector"),
            _ => {}
        }
    }
    Ok(())
}

fn check_parameter(
    outline: &Outline,
    component: &Component,
    parameter: &Parameter,
    names: &BTreeSet<&str>,
) -> Result<(), SspProblem> {
    let full = format!("{}.{}", component.name, parameter.name);
    let mut prefixes = full.match_indices('.').rev().map(|(at, _)| &full[..at]);
    if prefixes.find(|prefix| names.contains(prefix)) != Some(&component.name) {
        return Err(wrong(
            &full,
            "this is also the name of a parameter of another component; rename a component",
        ));
    }
    let expected = parameter.dimensions.iter().copied().fold(1, u64::saturating_mul);
    if parameter.value.len() as u64 != expected {
        let (element, found) = (full, parameter.value.len());
        return Err(SspProblem::Length { element, expected, found });
    }
    let long = |values: &[i64]| !values.iter().all(|value| short(*value));
    let what = match &parameter.value {
        _ if !parameter.dimensions.is_empty() => "the array",
        ParameterValue::Integer(values) if long(values) => "the whole number of more than 32 bits",
        _ => return Ok(()),
    };
    match outline.version {
        SspVersion::V1 => Err(SspProblem::NeedsV2 { what, name: full }),
        SspVersion::V2 => Ok(()),
    }
}
