//! Reads ports and sensors.

use serde::{Deserialize, Serialize};

use super::bodies::Bodies;
use super::joint::{check_angle, check_line, nowhere};
use super::place::{Axes, Sense, read_place};
use crate::kinds::multibody::spec::{LoadAxes, MeasureSpec, PortPlaceSpec, SensorSpec, SpatialPortSpec};
use crate::kinds::orientation::{UPRIGHT, orientation};
use crate::kinds::rigid_body::read::read_shape;
use crate::toml::{Names, Placement, Reader, Value, find};

/// Reads every `[[subsystem.port]]`; those at the nodes of beams come behind.
pub(super) fn read_ports(
    reader: &Reader<'_>,
    bodies: &Bodies<'_>,
    sensors: &[SensorSpec],
    of_nodes: Vec<SpatialPortSpec>,
) -> Vec<SpatialPortSpec> {
    let mut names = Names::new();
    for port in &of_nodes {
        names.claim(reader.log(), &port.name, &reader.span("beam"));
    }
    let given = reader.tables("port", |port| {
        let name = port.name(&mut names);
        let place = read_place_of_port(port, bodies, sensors);
        SpatialPortSpec { name, place }
    });
    given.into_iter().chain(of_nodes).collect()
}

fn read_place_of_port(port: &Reader<'_>, bodies: &Bodies<'_>, sensors: &[SensorSpec]) -> PortPlaceSpec {
    if port.has("sensor") {
        for key in ["body", "point", "direction", "coordinates", "orientation"] {
            port.forbid(key, "belongs to a port of a body, this one has a `sensor`");
        }
        PortPlaceSpec::Sensor(read_scalar_sensor(port, sensors))
    } else {
        let body = bodies.names().moving(port);
        let point = bodies.in_body(port, body, "point").unwrap_or_default();
        let turned = |placement: Placement, turn| bodies.mirror(body, &placement).orientation(turn);
        let shape = read_shape(port, |port| orientation(port).placed(turned).or(UPRIGHT));
        PortPlaceSpec::Body { body, point, shape }
    }
}

/// Index of the sensor of one number along which loads act, by the key `sensor`; zero after a mistake.
pub(super) fn read_scalar_sensor(reader: &Reader<'_>, sensors: &[SensorSpec]) -> usize {
    let named = |value: &Value<'_>| scalar_sensor(value, sensors);
    reader.entry("sensor", "the name of a sensor", named).required()
}

/// Index of the sensor of this name whose value is one number; records a mistake if there is none.
pub(super) fn scalar_sensor(value: &Value<'_>, sensors: &[SensorSpec]) -> Option<usize> {
    let scalar: Vec<(usize, &str)> = sensors
        .iter()
        .enumerate()
        .filter(|(_, sensor)| sensor.measure.is_scalar())
        .map(|(index, sensor)| (index, sensor.name.as_str()))
        .collect();
    let names: Vec<&str> = scalar.iter().map(|(_, name)| *name).collect();
    let what = "sensor of a distance, a displacement or an angle";
    let found = find(value.log, &value.span(), what, value.text()?, &names)?;
    Some(scalar[found].0)
}

/// A body and a point in its axes.
fn read_point(sensor: &Reader<'_>, bodies: &Bodies<'_>) -> (usize, [f64; 3]) {
    let body = bodies.names().moving(sensor);
    (body, bodies.in_body(sensor, body, "point").unwrap_or_default())
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
    Acceleration,
}

/// Refuses a sensor of acceleration where forces are impulses of a scheme, which its accelerations do not hold.
fn check_acceleration(sensor: &Reader<'_>, impulses: Option<&str>) {
    if let Some(source) = impulses {
        let message =
            format!("a sensor of acceleration does not go with a scheme and {source}, which give impulses");
        let help = "remove the sensor, or step the subsystem by a solver without `scheme`";
        sensor.log().error_with_help(&sensor.span("type"), message, help);
    }
}

/// Reads every `[[subsystem.sensor]]`; after a mistake it may have gaps. `impulses` says what gives some to the subsystem.
pub(super) fn read_sensors(
    reader: &Reader<'_>,
    bodies: &Bodies<'_>,
    names: &mut Names,
    impulses: Option<&str>,
) -> Vec<SensorSpec> {
    let sensors = reader.tables("sensor", |sensor| {
        let name = sensor.name(names);
        let Some(kind) = sensor.choice::<SensorType>("type").required_option() else {
            sensor.abandon();
            return None;
        };
        if !matches!(kind, SensorType::Angle) {
            sensor.forbid("turns", "belongs to sensors of type \"angle\"");
        }
        if matches!(kind, SensorType::Acceleration) {
            check_acceleration(sensor, impulses);
        }
        let place = |axes| read_place(sensor, bodies, (axes, Sense::Slide)).unwrap_or_else(nowhere);
        let measure = match kind {
            SensorType::Point => {
                let (body, point) = read_point(sensor, bodies);
                MeasureSpec::Point { body, point }
            }
            SensorType::Acceleration => MeasureSpec::Acceleration {
                body: bodies.names().moving(sensor),
                point: read_point(sensor, bodies).1,
                axes: sensor.choice("axes").or(LoadAxes::World),
                proper: sensor.truth("proper").or(false),
            },
            SensorType::Distance => {
                let place = read_place(sensor, bodies, (Axes::None, Sense::Slide));
                if let Some(place) = &place {
                    check_line(sensor, bodies, place);
                }
                MeasureSpec::Distance(place.unwrap_or_else(nowhere))
            }
            SensorType::Displacement => MeasureSpec::Displacement(place(Axes::FirstAxis)),
            SensorType::Angle => {
                let place = read_place(sensor, bodies, (Axes::AxisAndX, Sense::Turn));
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
