//! Names in the place of indices.

use toml::{Table, Value};

/// What the indices under some keys stand for.
pub(crate) struct References<'n> {
    /// The keys.
    pub(crate) keys: &'n [&'n str],
    /// The names, by index.
    pub(crate) names: Vec<&'n str>,
}

impl References<'_> {
    /// Puts names in the place of indices in a table and in those within it.
    pub(crate) fn put_into(&self, table: &mut Table) {
        for (key, value) in table.iter_mut() {
            if self.keys.contains(&key.as_str()) {
                self.replace(value);
            }
            self.descend(value);
        }
    }

    fn descend(&self, value: &mut Value) {
        match value {
            Value::Array(list) => list.iter_mut().for_each(|item| self.descend(item)),
            Value::Table(table) => self.put_into(table),
            _ => {}
        }
    }

    /// Replaces an index, the indices of a list, or those that are the keys of a table.
    fn replace(&self, value: &mut Value) {
        match value {
            Value::Integer(index) => *value = Value::String(self.name(usize::try_from(*index).ok())),
            Value::Array(list) => list.iter_mut().for_each(|item| self.replace(item)),
            Value::Table(table) if table.keys().all(|key| key.parse::<usize>().is_ok()) => {
                let entries = std::mem::take(table).into_iter();
                *table = entries.map(|(key, value)| (self.name(key.parse().ok()), value)).collect();
            }
            _ => {}
        }
    }

    fn name(&self, index: Option<usize>) -> String {
        index.and_then(|index| self.names.get(index)).map(|name| (*name).to_owned()).unwrap_or_default()
    }
}
