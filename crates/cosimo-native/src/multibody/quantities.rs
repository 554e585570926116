//! What a multibody system shows.

use cosimo_dynamics::{Configuration, Motion};
use cosimo_multibody::spatial::SpatialSystem;
use cosimo_smooth::dae::DaeState;
use cosimo_subsystem::{Quantity, SignalOutput};
use nalgebra::Vector3;

use crate::free_body;

/// What a joint does to its second body: force, and moment about the second frame's point, in world axes.
const REACTIONS: [(&str, &str); 6] =
    [("fx", "N"), ("fy", "N"), ("fz", "N"), ("mx", "N m"), ("my", "N m"), ("mz", "N m")];

/// Largest violation of the joints by positions, velocities and accelerations.
const RESIDUALS: [(&str, &str); 3] =
    [("residual", "m"), ("residual_rate", "m/s"), ("residual_acceleration", "m/s²")];

/// Position, orientation and velocities of every body as `body.x`, …, what every joint does to its second body as
/// `joint.fx`, …, the largest violation of the joints by positions, velocities and
/// accelerations as `residual`, `residual_rate` and `residual_acceleration`, what the sensors show as `sensor.angle`, …, and what the elements show, forces and beams as joints do,
/// such as `element.fx`.
pub(crate) fn quantities(system: &SpatialSystem) -> Vec<Quantity> {
    let quantity = |owner: &str, (name, unit): (&str, &str)| Quantity {
        name: format!("{owner}.{name}"),
        unit: unit.into(),
    };
    let mut all = Vec::new();
    for body in system.bodies() {
        all.extend(free_body::QUANTITIES.map(|part| quantity(&body.name, part)));
    }
    for joint in system.joint_names() {
        all.extend(REACTIONS.map(|part| quantity(joint, part)));
    }
    all.extend(RESIDUALS.map(|(name, unit)| Quantity { name: name.to_owned(), unit: unit.to_owned() }));
    let gears = system.gear_names().zip(system.gear_units());
    all.extend(gears.map(|(gear, unit)| quantity(gear, ("load", unit))));
    all.extend(system.sensor_quantities().map(|(sensor, part, unit)| quantity(sensor, (part, unit))));
    let of_elements = system.element_quantities();
    all.extend(of_elements.iter().map(|(element, own)| quantity(element, (&own.name, own.unit))));
    all
}

/// What the sensors show, as outputs: `sensor.angle`, … .
pub(crate) fn outputs(system: &SpatialSystem) -> Vec<SignalOutput> {
    let output = |(sensor, part, unit): (&str, &str, &str)| SignalOutput {
        name: format!("{sensor}.{part}"),
        unit: unit.to_owned(),
        feed_through: Vec::new(),
    };
    system.sensor_quantities().map(output).collect()
}

/// Writes the values of [`quantities`]; the reactions belong to `stage`.
pub(super) fn observe(system: &SpatialSystem, state: &DaeState, stage: Configuration<'_>, out: &mut [f64]) {
    observe_shown(
        system,
        Shown { motion: state.motion(), a: &state.a, reactions: (stage.t, stage.q, &state.mu) },
        out,
    );
}

/// A motion with its accelerations, and time (s), positions and multipliers of the reactions.
#[derive(Clone, Copy)]
pub(crate) struct Shown<'a> {
    pub(crate) motion: Motion<'a>,
    pub(crate) a: &'a [f64],
    pub(crate) reactions: (f64, &'a [f64], &'a [f64]),
}

/// Writes the values of [`quantities`].
pub(crate) fn observe_shown(
    system: &SpatialSystem,
    Shown { motion, a, reactions }: Shown<'_>,
    out: &mut [f64],
) {
    let (at, stage, mu) = reactions;
    let mut rest = out;
    for body in 0..system.bodies().len() {
        let Some((own, others)) = rest.split_at_mut_checked(free_body::QUANTITIES.len()) else { return };
        if let Some(state) = system.body_state(body, motion.q, motion.v) {
            free_body::observe::observe(&state, own);
        }
        rest = others;
    }
    for joint in 0..system.joint_names().len() {
        let Some((own, others)) = rest.split_at_mut_checked(REACTIONS.len()) else { return };
        if let Some(reaction) = system.reaction(joint, at, stage, mu) {
            own.iter_mut().zip(reaction.iter().flat_map(Vector3::iter)).for_each(|(out, x)| *out = *x);
        }
        rest = others;
    }
    let Some((residuals, sensors)) = rest.split_at_mut_checked(RESIDUALS.len()) else { return };
    residuals.copy_from_slice(&system.largest_violations(motion, a));
    let (gears, sensors) = sensors.split_at_mut(system.gear_names().len().min(sensors.len()));
    for (gear, out) in gears.iter_mut().enumerate() {
        *out = system.gear_load(gear, mu).unwrap_or(0.0);
    }
    let (sensors, elements) = sensors.split_at_mut(system.sensor_quantities().count().min(sensors.len()));
    system.observe_sensors(motion.q, motion.v, a, sensors);
    system.observe_elements(motion, elements);
}
