//! Writes a model as TOML, with every default filled in: what serde makes of it, laid out as a model file.

use serde::Serialize;
use toml::{Table, Value};

use super::model::SCHEMA;
use crate::model::{ModelSpec, SubsystemSpec};
use crate::spec::{
    CheckpointSpec, ConnectionSpec, ExportSpec, InterfaceSpec, PortRef, RecordSpec, SolverSpec, TimeSpec,
};
use crate::toml::{METHOD, document_text, with_tag};

/// A model in the order of its file.
#[derive(Serialize)]
struct Document<'m> {
    schema: u32,
    title: &'m str,
    time: TimeSpec,
    master: Table,
    record: &'m RecordSpec,
    checkpoint: CheckpointSpec,
    #[serde(skip_serializing_if = "Option::is_none")]
    export: Option<&'m ExportSpec>,
    subsystem: Vec<Table>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    interface: Vec<Table>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    connection: &'m [ConnectionSpec],
}

impl ModelSpec {
    /// The model as the text of a model file in which nothing is left to a default.
    ///
    /// The text reads back to an equal model.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let settings = table(&self.master).into_iter().chain(table(&self.placement));
        let document = Document {
            schema: SCHEMA,
            title: &self.title,
            time: self.time,
            master: settings.map(|(key, value)| (key, with_tag(METHOD, value))).collect(),
            record: &self.record,
            checkpoint: self.checkpoint,
            export: self.export.as_ref(),
            subsystem: self.subsystems.iter().map(subsystem).collect(),
            interface: self.interfaces.iter().map(|interface| self.interface(interface)).collect(),
            connection: &self.connections,
        };
        document_text(&table(&document))
    }

    /// The entry of a path as the model is written, with its default where the file leaves it out; paths are those of
    /// [overrides](crate::Override).
    #[must_use]
    pub fn entry(&self, path: &str) -> Option<Value> {
        let mut value = Value::Table(self.to_toml().parse().ok()?);
        for part in path.split('.') {
            value = match value {
                Value::Table(mut table) => table.remove(part)?,
                Value::Array(mut items) => {
                    let is_named = |item: &Value| item.get("name").and_then(Value::as_str) == Some(part);
                    let place = items.iter().position(is_named).or_else(|| part.parse().ok())?;
                    if place < items.len() { items.swap_remove(place) } else { return None }
                }
                _ => return None,
            };
        }
        Some(value)
    }

    fn interface(&self, interface: &InterfaceSpec) -> Table {
        let mut table = table(interface);
        let between = interface.between.map(|port| Value::String(self.port_path(port)));
        table.insert("between".to_owned(), Value::Array(between.to_vec()));
        table
    }

    fn port_path(&self, port: PortRef) -> String {
        self.port(port)
            .map(|(subsystem, shape)| format!("{}.{}", subsystem.name, shape.name))
            .unwrap_or_default()
    }
}

fn subsystem(subsystem: &SubsystemSpec) -> Table {
    let kind = subsystem.kind.as_kind();
    let mut own = table(&subsystem.kind);
    kind.complete(&mut own);
    let heading = [("name", subsystem.name.as_str()), ("kind", kind.name())];
    let mut whole: Table = heading.map(|(key, name)| (key.to_owned(), name.into())).into_iter().collect();
    whole.extend(table(subsystem));
    whole.extend(own);
    let without_effect: &[&str] = match subsystem.solver {
        _ if kind.own_rule().is_some() => &["solver", "micro_steps"],
        SolverSpec::Nonsmooth(_) => &["formulation", "newton"],
        _ => &[],
    };
    whole.retain(|key, _| !without_effect.contains(&key));
    whole
}

/// What serde makes of a struct; empty where TOML cannot express it.
fn table(fields: &impl Serialize) -> Table {
    Table::try_from(fields).unwrap_or_default()
}
