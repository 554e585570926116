//! Reads ports and sensors.

use serde::{Deserialize, Serialize};

use super::bodies::{Bodies, read_orientation};
use super::joint::{check_angle, check_line, nowhere};
use super::place::{Axes, read_place};
use crate::kinds::multibody::spec::{MeasureSpec, SensorSpec, SpatialPortSpec};
use crate::kinds::rigid_body::read::read_shape;
use crate::read::{Names, Reader};

/// Reads every `[[subsystem.port]]`.
pub(super) fn read_ports(reader: &Reader<'_>, bodies: &Bodies<'_>) -> Vec<SpatialPortSpec> {
    let mut names = Names::new();
    reader.tables("port", |port| SpatialPortSpec {
        name: port.name(&mut names),
        body: bodies.moving(port),
        point: port.vector("point").or([0.0; 3]),
        shape: read_shape(port, read_orientation),
    })
}

/// Type of a sensor.
#[derive(Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum SensorType {
    #[default]
    Point,
    Distance,
    Displacement,
    Angle,
}

/// Reads every `[[subsystem.sensor]]`; after a mistake it may have gaps.
pub(super) fn read_sensors(reader: &Reader<'_>, bodies: &Bodies<'_>, names: &mut Names) -> Vec<SensorSpec> {
    let sensors = reader.tables("sensor", |sensor| {
        let name = sensor.name(names);
        let Some(kind) = sensor.choice::<SensorType>("type").required_option() else {
            sensor.abandon();
            return None;
        };
        if !matches!(kind, SensorType::Angle) {
            sensor.forbid("turns", "belongs to sensors of type \"angle\"");
        }
        let place = |axes| read_place(sensor, bodies, axes).unwrap_or_else(nowhere);
        let measure = match kind {
            SensorType::Point => {
                MeasureSpec::Point { body: bodies.moving(sensor), point: sensor.vector("point").or([0.0; 3]) }
            }
            SensorType::Distance => {
                let place = read_place(sensor, bodies, Axes::None);
                if let Some(place) = &place {
                    check_line(sensor, bodies, place);
                }
                MeasureSpec::Distance(place.unwrap_or_else(nowhere))
            }
            SensorType::Displacement => MeasureSpec::Displacement(place(Axes::FirstAxis)),
            SensorType::Angle => {
                let place = read_place(sensor, bodies, Axes::AxisAndX);
                if let Some(place) = &place {
                    check_angle(sensor, bodies, place);
                }
                let turns = sensor.integer("turns").or(0);
                MeasureSpec::Angle { place: place.unwrap_or_else(nowhere), turns }
            }
        };
        Some(SensorSpec { name, measure })
    });
    sensors.into_iter().flatten().collect()
}
