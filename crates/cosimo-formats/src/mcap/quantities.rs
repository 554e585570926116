//! Quantities, a channel a subsystem.

use std::collections::BTreeMap;

use cosimo_results::{Column, Table};
use mcap::McapResult;
use serde_json::{Map, Value};

use super::Output;
use super::json::{number, schema};

/// The channels, in the order of their first columns.
pub(super) struct Channels {
    channels: Vec<Channel>,
}

struct Channel {
    id: u16,
    /// Positions of its columns in the table, with their names in it.
    columns: Vec<(usize, String)>,
}

impl Channels {
    pub(super) fn add(output: &mut Output, table: &Table) -> McapResult<Self> {
        let mut owners: Vec<(&str, Vec<(usize, String)>)> = Vec::new();
        for (index, column) in table.columns.iter().enumerate().skip(1) {
            let (owner, name) = column.name.split_once('.').unwrap_or(("", &column.name));
            match owners.iter_mut().find(|(known, _)| *known == owner) {
                Some((_, columns)) => columns.push((index, name.to_owned())),
                None => owners.push((owner, vec![(index, name.to_owned())])),
            }
        }
        let channels = owners.into_iter().map(|(owner, columns)| Channel::add(output, table, owner, columns));
        Ok(Self { channels: channels.collect::<McapResult<_>>()? })
    }

    pub(super) fn write(
        &self,
        table: &Table,
        row: usize,
        message: &mut impl FnMut(u16, &[u8]) -> McapResult<()>,
    ) -> McapResult<()> {
        self.channels.iter().try_for_each(|channel| channel.write(table, row, message))
    }
}

impl Channel {
    fn add(
        output: &mut Output,
        table: &Table,
        owner: &str,
        columns: Vec<(usize, String)>,
    ) -> McapResult<Self> {
        let unit = |index: usize| table.columns[index].unit.as_str();
        let known = columns.iter().map(|(index, name)| (name.as_str(), "number", unit(*index)));
        let properties = [("t", "number", "s")].into_iter().chain(known);
        let schema = output.add_schema(owner, "jsonschema", &schema(owner, properties))?;
        let units = columns.iter().map(|(index, name)| (name.clone(), unit(*index).to_owned()));
        let units: BTreeMap<_, _> = units.chain([("t".to_owned(), "s".to_owned())]).collect();
        let id = output.add_channel(schema, &format!("/{owner}"), "json", &units)?;
        Ok(Self { id, columns })
    }

    fn write(
        &self,
        table: &Table,
        row: usize,
        message: &mut impl FnMut(u16, &[u8]) -> McapResult<()>,
    ) -> McapResult<()> {
        let value = |column: &Column| number(column.values[row]);
        let own = self.columns.iter().map(|(index, name)| (name.clone(), value(&table.columns[*index])));
        let object: Map<String, Value> =
            [("t".to_owned(), value(&table.columns[0]))].into_iter().chain(own).collect();
        message(self.id, Value::Object(object).to_string().as_bytes())
    }
}
