//! What a multibody system shows.

use cosimo_dynamics::Motion;
use cosimo_multibody::spatial::SpatialSystem;
use cosimo_smooth::dae::DaeState;
use cosimo_subsystem::{Quantity, SignalOutput};
use nalgebra::Vector3;

use crate::free_body;

/// What a joint does to its second body: force, and moment about the second frame's point, in world axes.
const REACTIONS: [(&str, &str); 6] =
    [("fx", "N"), ("fy", "N"), ("fz", "N"), ("mx", "N m"), ("my", "N m"), ("mz", "N m")];

/// Position, orientation and velocities of every body as `body.x`, …, what every joint does to its second body as
/// `joint.fx`, …, the largest violation of the joints as `residual`, what the sensors show as `sensor.angle`, …, and what the elements show, such as
/// `element.fx`.
pub(super) fn quantities(system: &SpatialSystem) -> Vec<Quantity> {
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
    all.push(Quantity { name: "residual".to_owned(), unit: "m".to_owned() });
    all.extend(system.sensor_quantities().map(|(sensor, part, unit)| quantity(sensor, (part, unit))));
    let of_elements = system.element_quantities();
    all.extend(of_elements.iter().map(|(element, own)| quantity(element, (&own.name, own.unit))));
    all
}

/// What the sensors show, as outputs: `sensor.angle`, … .
pub(super) fn outputs(system: &SpatialSystem) -> Vec<SignalOutput> {
    let output = |(sensor, part, unit): (&str, &str, &str)| SignalOutput {
        name: format!("{sensor}.{part}"),
        unit: unit.to_owned(),
        feed_through: Vec::new(),
    };
    system.sensor_quantities().map(output).collect()
}

/// Writes the values of [`quantities`]; the reactions belong to the time (s) and the positions `stage`.
pub(super) fn observe(system: &SpatialSystem, state: &DaeState, stage: (f64, &[f64]), out: &mut [f64]) {
    let mut rest = out;
    for body in 0..system.bodies().len() {
        let Some((own, others)) = rest.split_at_mut_checked(free_body::QUANTITIES.len()) else { return };
        if let Some(state) = system.body_state(body, &state.q, &state.v) {
            free_body::observe::observe(&state, own);
        }
        rest = others;
    }
    for joint in 0..system.joint_names().len() {
        let Some((own, others)) = rest.split_at_mut_checked(REACTIONS.len()) else { return };
        if let Some(reaction) = system.reaction(joint, stage.0, stage.1, &state.mu) {
            own.iter_mut().zip(reaction.iter().flat_map(Vector3::iter)).for_each(|(out, x)| *out = *x);
        }
        rest = others;
    }
    if let [residual, sensors @ ..] = rest {
        *residual = system.largest_violation(state.time, &state.q);
        let (sensors, elements) = sensors.split_at_mut(system.sensor_quantities().count().min(sensors.len()));
        system.observe_sensors(&state.q, &state.v, sensors);
        let motion = Motion { t: state.time, q: &state.q, v: &state.v };
        system.observe_elements(motion, elements);
    }
}
