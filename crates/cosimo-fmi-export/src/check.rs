//! What a description must be.

use std::collections::BTreeSet;

use crate::description::{Causality, ExportedVariable, UnitDescription, Variability};
use crate::error::ExportError;
use crate::layout::TIME;
use crate::protocol::{Kind, Value};

/// Checks a description.
pub(crate) fn check(unit: &UnitDescription) -> Result<(), ExportError> {
    let first = unit.identifier.chars().next();
    let word = unit.identifier.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if !word || first.is_none_or(|first| first.is_ascii_digit()) {
        return Err(ExportError::Identifier(unit.identifier.clone()));
    }
    let mut names = BTreeSet::new();
    for variable in &unit.variables {
        if !is_name(&variable.name) {
            return Err(ExportError::Name(variable.name.clone()));
        }
        // FMI 2 has the names of elements.
        let elements =
            (1..=variable.dimension.unwrap_or(0)).map(|element| format!("{}[{element}]", variable.name));
        for name in elements.chain([variable.name.clone()]) {
            if let Some(twice) = names.replace(name) {
                return Err(ExportError::Twice(twice));
            }
        }
        let told = |problem| ExportError::Variable { name: variable.name.clone(), problem };
        check_variable(variable).map_err(told)?;
        check_dependencies(unit, variable).map_err(told)?;
    }
    check_event_mode(unit)?;
    check_terminals(unit)
}

/// Variables of event mode, which FMI 2 does not have, come last, and clocks are among them.
fn check_event_mode(unit: &UnitDescription) -> Result<(), ExportError> {
    let first = unit.variables.partition_point(|variable| !variable.in_event_mode);
    let is_clock = |index: &usize| unit.variables.get(*index).is_some_and(|other| other.is_clock);
    let problem = |variable: &ExportedVariable| match () {
        () if !variable.in_event_mode => Some("it comes after those of event mode"),
        () if variable.is_clock && variable.kind() != Kind::Boolean => Some("a clock is a Boolean"),
        () if !variable.clock.iter().all(is_clock) => Some("its clock is none"),
        () => None,
    };
    let found = unit.variables[first..].iter().find_map(|own| Some((own, problem(own)?)));
    match found {
        Some((own, problem)) => Err(ExportError::Variable { name: own.name.clone(), problem }),
        None => Ok(()),
    }
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name != TIME && !name.contains(char::is_control)
}

fn check_variable(variable: &ExportedVariable) -> Result<(), &'static str> {
    use Variability::{Continuous, Discrete, Fixed, Tunable};
    let legal: &[Variability] = match variable.causality {
        Causality::Parameter => &[Fixed, Tunable],
        Causality::Input | Causality::Output => &[Discrete, Continuous],
        Causality::Local => &[Fixed, Tunable, Discrete, Continuous],
    };
    let kind = variable.kind();
    if !legal.contains(&variable.variability) {
        return Err("its causality does not go with its variability");
    }
    if variable.variability == Continuous && kind != Kind::Real {
        return Err("only real variables are continuous");
    }
    if variable.count() == 0 || variable.start.len() != variable.count() {
        return Err("it needs a start value for each element");
    }
    if variable.start.iter().any(|value| value.kind() != kind) {
        return Err("its start values are of several types");
    }
    if variable.start.iter().any(|value| matches!(value, Value::Text(text) if text.contains(unwritable))) {
        return Err("its start value has control characters");
    }
    if kind != Kind::Real && variable.unit.is_some() {
        return Err("only real variables have units");
    }
    if variable.unit.as_ref().is_some_and(|unit| unit.contains(char::is_control)) {
        return Err("its unit has control characters");
    }
    Ok(())
}

/// Characters that XML cannot have.
fn unwritable(letter: char) -> bool {
    letter.is_control() && !matches!(letter, '\n' | '\r' | '\t') || matches!(letter, '\u{fffe}' | '\u{ffff}')
}

fn check_dependencies(unit: &UnitDescription, variable: &ExportedVariable) -> Result<(), &'static str> {
    let inputs =
        |other: &usize| unit.variables.get(*other).is_some_and(|other| other.causality == Causality::Input);
    if !variable.dependencies.iter().all(inputs) {
        return Err("it depends on what is no input");
    }
    if !variable.dependencies.is_empty() && variable.causality != Causality::Output {
        return Err("only outputs have dependencies");
    }
    Ok(())
}

fn check_terminals(unit: &UnitDescription) -> Result<(), ExportError> {
    let mut names = BTreeSet::new();
    for terminal in &unit.terminals {
        let told = |problem| Err(ExportError::Terminal { name: terminal.name.clone(), problem });
        if !names.insert(&terminal.name) {
            return told("another has its name");
        }
        if terminal.members.iter().any(|member| member.variable >= unit.variables.len()) {
            return told("it has a variable that does not exist");
        }
        let mut members = BTreeSet::new();
        if !terminal.members.iter().all(|member| members.insert(&member.name)) {
            return told("two of its members have one name");
        }
        let texts = terminal.members.iter().flat_map(|member| [&member.name, &member.kind]);
        let texts = texts.chain([&terminal.name, &terminal.matching_rule]).chain(&terminal.kind);
        if texts.into_iter().any(|text| text.is_empty() || text.contains(char::is_control)) {
            return told("a name is empty or has control characters");
        }
    }
    Ok(())
}
