//! Reads gears and cams.

use cosimo_mechanics::{Interpolation, TimeFunction, TimeTable};

use super::port::scalar_sensor;
use crate::kinds::multibody::spec::{CamSpec, GearLaw, GearSpec, SensorSpec};
use crate::toml::{Names, Reader, Value, every};

/// Rate of the second number of a gear below which losses fade (m/s or rad/s).
const SLIP_SPEED: f64 = 1e-3;

/// Reads every `[[subsystem.gear]]`.
pub(super) fn read_gears(reader: &Reader<'_>, sensors: &[SensorSpec], names: &mut Names) -> Vec<GearSpec> {
    reader.tables("gear", |gear| GearSpec {
        name: gear.name(names),
        sensors: read_sensors(gear, sensors),
        law: read_law(gear),
    })
}

/// Two different sensors of one number.
fn read_sensors(gear: &Reader<'_>, sensors: &[SensorSpec]) -> [usize; 2] {
    let expected = "the names of two sensors of one number";
    let read = |value: &Value<'_>| {
        let items = value.items(expected)?;
        if items.len() != 2 {
            value.wrong_length(items.len(), 2, ", two sensors");
            return None;
        }
        let found: [usize; 2] =
            every(items.iter().map(|item| scalar_sensor(item, sensors)))?.try_into().ok()?;
        if found[0] == found[1] {
            value.error("joins a sensor to itself");
            return None;
        }
        Some(found)
    };
    gear.entry("sensors", expected, read).required_option().unwrap_or_default()
}

fn read_law(gear: &Reader<'_>) -> GearLaw {
    if gear.has("cam") {
        for key in ["ratio", "offset", "efficiency", "stiffness", "damping", "slip_speed"] {
            gear.forbid(key, "belongs to a gear, this is a cam");
        }
        let what = format!("the cam of {}", gear.what());
        let cam = gear.entry("cam", "{ angle = …, value = … }", |value| read_cam(value, &what));
        let none =
            || CamSpec { angle: Vec::new(), value: Vec::new(), interpolation: Interpolation::Periodic };
        return GearLaw::Cam { cam: cam.required_option().unwrap_or_else(none) };
    }
    let ratio = gear.number("ratio").check("a number that is not zero", |ratio| *ratio != 0.0).required();
    let offset = gear.number("offset").optional();
    if !gear.has("efficiency") {
        for key in ["stiffness", "damping", "slip_speed"] {
            gear.forbid(
                key,
                "belongs to a gear with an `efficiency`, whose teeth give; without one it is exact",
            );
        }
        return GearLaw::Exact { ratio, offset };
    }
    GearLaw::Lossy {
        ratio,
        offset,
        efficiency: gear.number("efficiency").check("in (0, 1]", |eta| *eta > 0.0 && *eta <= 1.0).required(),
        stiffness: gear.number("stiffness").positive().required(),
        damping: gear.number("damping").not_negative().or(0.0),
        slip_speed: gear.number("slip_speed").positive().or(SLIP_SPEED),
    }
}

/// A curve over a coordinate; what the table is refused for is recorded at its values.
fn read_cam(value: &Value<'_>, what: &str) -> Option<CamSpec> {
    let table = value.reader(what)?;
    let angle = table.numbers("angle").required_option();
    let heights = table.numbers("value").required_option();
    let interpolation = table.choice("interpolation").or(Interpolation::Periodic);
    table.finish();
    let cam = CamSpec { angle: angle?, value: heights?, interpolation };
    let points = TimeTable { time: cam.angle.clone(), value: cam.value.clone() };
    if cam.angle.len() < 2 {
        table.log().error(&table.span("angle"), format!("{what} must have two points or more"));
        return None;
    }
    if let Err(error) = TimeFunction::curve(points, interpolation) {
        table
            .log()
            .error(&table.span("value"), format!("{what}: {}", error.to_string().replace("time", "angle")));
        return None;
    }
    Some(cam)
}
