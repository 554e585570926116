//! A model as a system of FMUs (SSP): every subsystem an FMU of its own, connected by its signals.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use cosimo_fmi::ssp::{
    Component, Connection, Connector, ConnectorKind, Endpoint, Experiment, Implementation, Outline,
    Parameter, ParameterValue, write,
};
use cosimo_fmi::unit::{FaceKind, Value};
use cosimo_fmi_export::FmiVersion;
use cosimo_model::{ExportSpec, FmuSpec, ModelSpec, SubsystemKind, SubsystemSpec, read_model};

use crate::{ExportModelError, write_model_fmu};

/// What runs the units of a system that are no FMUs yet: an executable with arguments for a model and its name, see
/// [`write_model_fmu`](crate::write_model_fmu).
pub struct Server<'a> {
    /// The executable.
    pub path: &'a Path,
    /// Its arguments for a unit of this name.
    pub arguments: &'a dyn Fn(&str) -> Vec<String>,
}

/// Writes the system of the model of this text. Subsystems that are FMUs are packed as they are.
///
/// # Errors
/// The model has joints, which are no signals, or cannot be read or exported.
pub fn write_model_ssp(
    path: &Path,
    version: FmiVersion,
    (name, text): (&str, &str),
    server: &Server<'_>,
) -> Result<(), ExportModelError> {
    let model = read_model(name, text, &[])?.0.nearby();
    if let Some(interface) = model.interfaces.first() {
        return Err(ExportModelError::Joint { interface: interface.name.clone() });
    }
    let mut parameters = model.export.iter().flat_map(|own| &own.parameters);
    if let Some(path) = parameters.find(|path| owner(&model, path).is_none()) {
        return Err(ExportModelError::NotOfSubsystem { name: path.clone() });
    }
    let folder =
        tempfile::tempdir().map_err(|error| ExportModelError::BadState { reason: error.to_string() })?;
    let components = model.subsystems.iter().map(|subsystem| {
        let connectors = connectors(&model, subsystem);
        match &subsystem.kind {
            SubsystemKind::Fmu(unit) => of_unit(subsystem, unit, connectors),
            _ => {
                let file = folder.path().join(format!("{}.fmu", subsystem.name));
                export_alone(&model, subsystem, &file, (version, server))?;
                Ok(plain(subsystem, file, connectors))
            }
        }
    });
    let components = components.collect::<Result<Vec<_>, ExportModelError>>()?;
    let end = |path: &str| endpoint(&model, path);
    let connections = model.connections.iter().filter_map(|connection| {
        Some(Connection { from: end(&connection.from)?, to: end(&connection.to)?, transformation: None })
    });
    let outline = Outline {
        name: name.to_owned(),
        connections: connections.collect(),
        components,
        experiment: Experiment { start: Some(model.time.start), stop: Some(model.time.end) },
        ..Outline::default()
    };
    Ok(write(path, &outline)?)
}

/// The name of a signal of a subsystem as a variable of its FMU: those of a unit of ours begin with the name of the subsystem.
fn variable(subsystem: &SubsystemSpec, signal: &str) -> String {
    match subsystem.kind {
        SubsystemKind::Fmu(_) => signal.to_owned(),
        _ => format!("{}.{signal}", subsystem.name),
    }
}

fn endpoint(model: &ModelSpec, path: &str) -> Option<Endpoint> {
    let (owner, signal) = path.split_once('.')?;
    let component = model.subsystems.iter().position(|subsystem| subsystem.name == owner)?;
    Some(Endpoint { component, connector: variable(&model.subsystems[component], signal) })
}

/// The signals of a subsystem that are connected.
fn connectors(model: &ModelSpec, subsystem: &SubsystemSpec) -> Vec<Connector> {
    let mut seen = BTreeSet::new();
    let ends = model.connections.iter().flat_map(|connection| {
        [(&connection.from, ConnectorKind::Output), (&connection.to, ConnectorKind::Input)]
    });
    let own = ends.filter_map(|(path, kind)| {
        let (owner, signal) = path.split_once('.')?;
        let name = (owner == subsystem.name).then(|| variable(subsystem, signal))?;
        seen.insert(name.clone()).then_some(Connector {
            name,
            kind,
            value_type: None,
            unit: None,
            dimensions: Vec::new(),
        })
    });
    own.collect()
}

fn plain(subsystem: &SubsystemSpec, source: PathBuf, connectors: Vec<Connector>) -> Component {
    Component {
        name: subsystem.name.clone(),
        source,
        implementation: None,
        connectors,
        parameters: Vec::new(),
    }
}

fn of_unit(
    subsystem: &SubsystemSpec,
    unit: &FmuSpec,
    connectors: Vec<Connector>,
) -> Result<Component, ExportModelError> {
    let parameters = unit.parameters.iter().map(|(name, given)| {
        let (items, is_list) = match given {
            Value::List(items) => (items.as_slice(), true),
            one => (std::slice::from_ref(one), false),
        };
        let bad = || ExportModelError::BadValue { name: name.clone(), value: given.to_string() };
        let dimensions = if is_list { vec![items.len() as u64] } else { Vec::new() };
        Ok(Parameter { name: name.clone(), value: values(items).ok_or_else(bad)?, unit: None, dimensions })
    });
    let implementation = match unit.face {
        FaceKind::CoSimulation => Implementation::CoSimulation,
        FaceKind::ModelExchange => Implementation::ModelExchange,
    };
    Ok(Component {
        implementation: Some(implementation),
        parameters: parameters.collect::<Result<_, ExportModelError>>()?,
        ..plain(subsystem, unit.file.clone(), connectors)
    })
}

/// Values of one type.
fn values(items: &[Value]) -> Option<ParameterValue> {
    fn all<T>(items: &[Value], one: impl Fn(&Value) -> Option<T>) -> Option<Vec<T>> {
        items.iter().map(one).collect()
    }
    #[expect(clippy::cast_precision_loss, reason = "what is written as a whole number among others")]
    let real = |value: &Value| match value {
        Value::Float(x) => Some(*x),
        Value::Integer(x) => Some(*x as f64),
        _ => None,
    };
    let whole = |value: &Value| if let Value::Integer(x) = value { Some(*x) } else { None };
    let truth = |value: &Value| if let Value::Boolean(x) = value { Some(*x) } else { None };
    let text = |value: &Value| if let Value::Text(x) = value { Some(x.clone()) } else { None };
    all(items, whole)
        .map(ParameterValue::Integer)
        .or_else(|| all(items, real).map(ParameterValue::Real))
        .or_else(|| all(items, truth).map(ParameterValue::Boolean))
        .or_else(|| all(items, text).map(ParameterValue::String))
}

/// The subsystem that the path of a parameter leads into.
fn owner<'m>(model: &'m ModelSpec, path: &str) -> Option<&'m str> {
    let name = path.strip_prefix("subsystem.").unwrap_or(path).split('.').next()?;
    model.subsystems.iter().map(|own| own.name.as_str()).find(|own| *own == name)
}

/// Exports one subsystem alone.
fn export_alone(
    model: &ModelSpec,
    subsystem: &SubsystemSpec,
    file: &Path,
    (version, server): (FmiVersion, &Server<'_>),
) -> Result<(), ExportModelError> {
    let name = &subsystem.name;
    let is_parameter = |path: &&String| owner(model, path) == Some(name.as_str());
    let is_port = |path: &&String| path.split('.').next() == Some(name.as_str());
    let given = model.export.clone().unwrap_or_default();
    let export = ExportSpec {
        parameters: given.parameters.iter().filter(is_parameter).cloned().collect(),
        quantities: Vec::new(),
        ports: given.ports.map(|ports| ports.iter().filter(is_port).cloned().collect()),
    };
    let everything = cosimo_model::RecordSpec::default();
    let alone = ModelSpec {
        subsystems: vec![subsystem.clone()],
        connections: Vec::new(),
        export: Some(export),
        record: everything,
        ..model.clone()
    };
    write_model_fmu(file, version, (name, &alone.to_toml()), server.path, &(server.arguments)(name))?;
    Ok(())
}
