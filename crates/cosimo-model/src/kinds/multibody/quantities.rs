//! What can be recorded of a multibody system.

use super::spec::{MeasureSpec, MultibodySpec, SensorSpec};
use crate::spec::{QuantityName, QuantityRole, quantity};

/// Names and units of what a body shows: its frame's origin and orientation, with their velocities, in world axes.
pub(super) const OF_BODY: [(&str, &str, QuantityRole); 13] = [
    ("x", "m", QuantityRole::Position),
    ("y", "m", QuantityRole::Position),
    ("z", "m", QuantityRole::Position),
    ("qw", "", QuantityRole::Position),
    ("qx", "", QuantityRole::Position),
    ("qy", "", QuantityRole::Position),
    ("qz", "", QuantityRole::Position),
    ("vx", "m/s", QuantityRole::Velocity),
    ("vy", "m/s", QuantityRole::Velocity),
    ("vz", "m/s", QuantityRole::Velocity),
    ("wx", "rad/s", QuantityRole::Velocity),
    ("wy", "rad/s", QuantityRole::Velocity),
    ("wz", "rad/s", QuantityRole::Velocity),
];

/// The same of what a sensor shows.
pub(super) fn of_sensor(measure: &MeasureSpec) -> &'static [(&'static str, &'static str, QuantityRole)] {
    use QuantityRole::{Force, Position, Velocity};
    match measure {
        MeasureSpec::Point { .. } => &[
            ("x", "m", Position),
            ("y", "m", Position),
            ("z", "m", Position),
            ("vx", "m/s", Velocity),
            ("vy", "m/s", Velocity),
            ("vz", "m/s", Velocity),
        ],
        MeasureSpec::Distance(_) => &[("distance", "m", Position), ("rate", "m/s", Velocity)],
        MeasureSpec::Displacement(_) => &[("displacement", "m", Position), ("rate", "m/s", Velocity)],
        MeasureSpec::Angle(_) => &[("angle", "rad", Position), ("rate", "rad/s", Velocity)],
        MeasureSpec::Reaction { .. } => &[
            ("fx", "N", Force),
            ("fy", "N", Force),
            ("fz", "N", Force),
            ("mx", "N m", Force),
            ("my", "N m", Force),
            ("mz", "N m", Force),
        ],
    }
}

/// Those of the bodies, then those of the sensors.
pub(super) fn quantities(system: &MultibodySpec) -> Vec<QuantityName> {
    let of = |owner: &str, parts: &[(&str, &'static str, QuantityRole)]| -> Vec<QuantityName> {
        parts.iter().map(|(part, unit, role)| quantity(format!("{owner}.{part}"), unit, *role)).collect()
    };
    let bodies = system.bodies.iter().flat_map(|body| of(&body.name, &OF_BODY));
    let sensors = system.sensors.iter();
    bodies
        .chain(sensors.flat_map(|sensor: &SensorSpec| of(&sensor.name, of_sensor(&sensor.measure))))
        .collect()
}
