//! A system of FMUs (SSP) as the text of a model file.

mod ends;

use std::collections::BTreeSet;

use cosimo_fmi::Fmu;
use cosimo_fmi::ssp::{
    Component, Connection, Endpoint, Implementation, Outline, ParameterValue, Transformation,
};
use thiserror::Error;
use toml::{Table, Value};

use ends::Ends;

/// Steps of a run whose system does not say how long they are.
const STEPS: f64 = 1000.0;

/// What of a system has no place in a model.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SystemError {
    /// A component for scheduled execution.
    #[error("component `{component}` is for scheduled execution, which is not supported")]
    Scheduled {
        /// Name of the component.
        component: String,
    },
    /// A parameter of a type that is not set.
    #[error("parameter `{parameter}` of component `{component}` is binary, which is not supported")]
    Binary {
        /// Name of the component.
        component: String,
        /// Name of the parameter.
        parameter: String,
    },
    /// A connection of values that are no real numbers.
    #[error("the connection from `{from}` to `{to}` is of {what}; connections are of real numbers only")]
    Mapping {
        /// The output.
        from: String,
        /// The input.
        to: String,
        /// What it passes on.
        what: &'static str,
    },
    /// A connection of arrays of different sizes.
    #[error(
        "the connection from `{from}` to `{to}` is of {given} numbers at its start and {taken} at its end"
    )]
    Sizes {
        /// The output.
        from: String,
        /// The input.
        to: String,
        /// Elements of the output.
        given: usize,
        /// Elements of the input.
        taken: usize,
    },
}

/// The text of a model file of a system; `files` are those of its components, in their order, as the file is to name them.
///
/// # Errors
/// Something of it has no place in a model.
pub fn system_text(system: &Outline, files: &[String]) -> Result<String, SystemError> {
    let names = names(system);
    let parameters = system.components.iter().map(parameters).collect::<Result<Vec<_>, _>>()?;
    let ends = Ends::read(system, &parameters);
    let mut subsystems = Vec::new();
    for (((component, file), name), parameters) in
        system.components.iter().zip(files).zip(&names).zip(parameters)
    {
        subsystems.push(Value::Table(subsystem(component, (file, name), parameters)?));
    }
    let mut connections = Vec::new();
    for (index, connection) in system.connections.iter().enumerate() {
        let (conversions, links) = connect(index, connection, &names, &ends)?;
        subsystems.extend(conversions);
        connections.extend(links);
    }
    let mut model = Table::new();
    model.insert("schema".to_owned(), Value::Integer(1));
    model.insert("title".to_owned(), Value::String(system.name.clone()));
    model.insert("time".to_owned(), Value::Table(time(system)));
    model.insert("subsystem".to_owned(), Value::Array(subsystems));
    if !connections.is_empty() {
        model.insert("connection".to_owned(), Value::Array(connections));
    }
    Ok(model.to_string())
}

/// The connections that one of a system is, element by element, and the subsystems that convert what passes.
fn connect(
    index: usize,
    connection: &Connection,
    names: &[String],
    ends: &Ends,
) -> Result<(Vec<Value>, Vec<Value>), SystemError> {
    let both = [&connection.from, &connection.to];
    let path = |end: &Endpoint, signal: &str| format!("{}.{signal}", names[end.component]);
    let [from, to] = both.map(|end| path(end, &end.connector));
    let gain = gain(connection, [&from, &to])?;
    if let Some(what) = both.iter().find_map(|end| ends.other_than_real(end)) {
        return Err(SystemError::Mapping { from, to, what });
    }
    let [given, taken] = both.map(|end| ends.signals(end));
    if given.len() != taken.len() {
        return Err(SystemError::Sizes { from, to, given: given.len(), taken: taken.len() });
    }
    let units = both.map(|end| ends.unit_of(end));
    let (mut conversions, mut links) = (Vec::new(), Vec::new());
    for (k, (from, to)) in given.iter().zip(&taken).enumerate() {
        let (from, to) = (path(both[0], from), path(both[1], to));
        if gain.is_none() && units[0] == units[1] {
            links.push(link(&from, &to));
            continue;
        }
        let name =
            if given.len() == 1 { format!("conversion-{index}") } else { format!("conversion-{index}-{k}") };
        let gain = gain.unwrap_or([1.0, 0.0]);
        let input = if gain[1] == 0.0 { "input" } else { "input_0" };
        links.push(link(&from, &format!("{name}.{input}")));
        links.push(link(&format!("{name}.output"), &to));
        conversions.push(Value::Table(conversion(&name, gain, units)));
    }
    Ok((conversions, links))
}

/// Names of the subsystems: those of the components with what names cannot have replaced, and numbered where they meet.
fn names(system: &Outline) -> Vec<String> {
    let mut taken = BTreeSet::new();
    let allowed = |c: char| if c.is_ascii_alphanumeric() || c == '_' || c == '-' { c } else { '_' };
    let name = |component: &Component| {
        let base: String = component.name.chars().map(allowed).collect();
        let base = if base.chars().all(|c| c.is_ascii_digit()) { format!("component_{base}") } else { base };
        let mut name = base.clone();
        for number in 2.. {
            if taken.insert(name.clone()) {
                break;
            }
            name = format!("{base}_{number}");
        }
        name
    };
    system.components.iter().map(name).collect()
}

fn subsystem(
    component: &Component,
    (file, name): (&str, &str),
    parameters: Table,
) -> Result<Table, SystemError> {
    let mut table = Table::new();
    table.insert("name".to_owned(), Value::String(name.to_owned()));
    table.insert("kind".to_owned(), Value::String("fmu".to_owned()));
    table.insert("file".to_owned(), Value::String(file.to_owned()));
    let face = match component.implementation {
        None => None,
        Some(Implementation::CoSimulation) => Some("co-simulation"),
        Some(Implementation::ModelExchange) => Some("model-exchange"),
        Some(Implementation::ScheduledExecution) => {
            return Err(SystemError::Scheduled { component: component.name.clone() });
        }
    };
    table.extend(face.map(|face| ("face".to_owned(), Value::String(face.to_owned()))));
    // Connections of a system are signals.
    table.insert("terminals".to_owned(), Value::Boolean(false));
    if !parameters.is_empty() {
        table.insert("parameters".to_owned(), Value::Table(parameters));
    }
    Ok(table)
}

/// The values that a component is given.
fn parameters(component: &Component) -> Result<Table, SystemError> {
    let mut table = Table::new();
    for parameter in &component.parameters {
        let value = value(&parameter.value, !parameter.dimensions.is_empty());
        let value = value.ok_or_else(|| SystemError::Binary {
            component: component.name.clone(),
            parameter: parameter.name.clone(),
        })?;
        table.insert(parameter.name.clone(), value);
    }
    Ok(table)
}

/// A value of a parameter; none of bytes.
fn value(value: &ParameterValue, is_array: bool) -> Option<Value> {
    let items: Vec<Value> = match value {
        ParameterValue::Real(items) => items.iter().map(|x| Value::Float(*x)).collect(),
        ParameterValue::Integer(items) => items.iter().map(|x| Value::Integer(*x)).collect(),
        ParameterValue::Boolean(items) => items.iter().map(|x| Value::Boolean(*x)).collect(),
        ParameterValue::String(items) | ParameterValue::Enumeration(items) => {
            items.iter().map(|x| Value::String(x.clone())).collect()
        }
        ParameterValue::Binary(_) => return None,
    };
    if is_array || items.len() != 1 { Some(Value::Array(items)) } else { items.into_iter().next() }
}

/// Factor and offset of a connection that converts.
fn gain(connection: &Connection, [from, to]: [&str; 2]) -> Result<Option<[f64; 2]>, SystemError> {
    let refuse = |what| Err(SystemError::Mapping { from: from.to_owned(), to: to.to_owned(), what });
    match &connection.transformation {
        None => Ok(None),
        Some(Transformation::Linear { factor, offset }) => Ok(Some([*factor, *offset])),
        Some(Transformation::Boolean(_)) => refuse("truth values"),
        Some(Transformation::Integer(_)) => refuse("whole numbers"),
        Some(Transformation::Enumeration(_)) => refuse("items of an enumeration"),
    }
}

/// `y = factor u + offset`: a gain of two inputs of which the second, one, is not connected.
fn conversion(name: &str, [factor, offset]: [f64; 2], [from, to]: [&str; 2]) -> Table {
    let row = if offset == 0.0 { vec![factor] } else { vec![factor, offset] };
    let row = Value::Array(row.into_iter().map(Value::Float).collect());
    let mut table = Table::new();
    for (key, text) in [("name", name), ("kind", "controller"), ("type", "state-space")] {
        table.insert(key.to_owned(), Value::String(text.to_owned()));
    }
    table.insert("d".to_owned(), Value::Array(vec![row]));
    let input = Value::String(from.to_owned());
    let inputs = if offset == 0.0 { input } else { Value::Array(vec![input, Value::String(String::new())]) };
    table.insert("input_unit".to_owned(), inputs);
    table.insert("output_unit".to_owned(), Value::String(to.to_owned()));
    if offset != 0.0 {
        table.insert("default".to_owned(), Value::Float(1.0));
    }
    table
}

fn link(from: &str, to: &str) -> Value {
    let end = |key: &str, name: &str| (key.to_owned(), Value::String(name.to_owned()));
    Value::Table([end("from", from), end("to", to)].into_iter().collect())
}

/// The span of the experiment, and the shortest step that a component suggests.
fn time(system: &Outline) -> Table {
    let start = system.experiment.start.unwrap_or(0.0);
    let stop = system.experiment.stop.filter(|stop| *stop > start).unwrap_or(start + 1.0);
    let suggested = system
        .components
        .iter()
        .filter_map(|component| Fmu::open(&component.source).ok()?.description().default_experiment.step);
    let step = suggested.filter(|step| *step > 0.0 && *step <= stop - start).reduce(f64::min);
    let mut table = Table::new();
    for (key, value) in [("start", start), ("end", stop), ("step", step.unwrap_or((stop - start) / STEPS))] {
        table.insert(key.to_owned(), Value::Float(value));
    }
    table
}
