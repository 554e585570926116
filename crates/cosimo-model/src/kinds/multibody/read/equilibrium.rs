//! Reads the equilibrium in which a run starts.

use crate::kinds::multibody::spec::{EquilibriumSpec, SensorSpec};
use crate::read::{Reader, Value, every, find};

/// Reads `[subsystem.equilibrium]`.
pub(super) fn read_equilibrium(reader: &Reader<'_>, sensors: &[SensorSpec]) -> Option<EquilibriumSpec> {
    reader.section("equilibrium", |table| EquilibriumSpec {
        held: table.entry("held", "a list of sensors", |value| held(value, sensors)).or(Vec::new()),
        turning: table.vector("turning").or([0.0; 3]),
    })
}

fn held(value: &Value<'_>, sensors: &[SensorSpec]) -> Option<Vec<usize>> {
    let scalar = sensors.iter().filter(|sensor| sensor.measure.is_scalar());
    let names: Vec<&str> = scalar.map(|sensor| sensor.name.as_str()).collect();
    let index = |item: &Value<'_>| {
        let name = item.text()?;
        if !names.contains(&name) {
            find(item.log, &item.span(), "sensor of a distance, a displacement or an angle", name, &names)?;
        }
        sensors.iter().position(|sensor| sensor.name == name)
    };
    every(value.items("a list of sensors")?.iter().map(index))
}
