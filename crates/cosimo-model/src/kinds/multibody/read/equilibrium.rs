//! Reads the equilibrium in which a run starts.

use super::port::scalar_sensor;
use crate::kinds::multibody::spec::{EquilibriumSpec, SensorSpec};
use crate::toml::{Reader, Value, every};

/// Reads `[subsystem.equilibrium]`.
pub(super) fn read_equilibrium(reader: &Reader<'_>, sensors: &[SensorSpec]) -> Option<EquilibriumSpec> {
    reader.section("equilibrium", |table| EquilibriumSpec {
        held: table.entry("held", "a list of sensors", |value| held(value, sensors)).or(Vec::new()),
        turning: table.vector("turning").or([0.0; 3]),
    })
}

fn held(value: &Value<'_>, sensors: &[SensorSpec]) -> Option<Vec<usize>> {
    every(value.items("a list of sensors")?.iter().map(|item| scalar_sensor(item, sensors)))
}
