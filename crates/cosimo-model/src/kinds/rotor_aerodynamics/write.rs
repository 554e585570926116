//! Writes the air on a rotor.

use cosimo_aerodynamics::spec::RotorSpec;
use toml::Table;

use crate::write::Writer;

/// Writes the keys of a rotor, tables on one line.
pub(crate) fn write(rotor: &RotorSpec, writer: &mut Writer) {
    let table = Table::try_from(rotor).unwrap_or_default();
    for (key, value) in &table {
        writer.raw(key, &value.to_string());
    }
}
