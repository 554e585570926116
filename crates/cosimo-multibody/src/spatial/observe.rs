//! What shows of a system: reactions, violations, powers.

use cosimo_dynamics::Motion;
use nalgebra::Vector3;

use super::element::{ElementQuantity, PlacedElement};
use super::pose::{Gradient, Pair, Twist};
use super::system::SpatialSystem;

impl SpatialSystem {
    /// What the joint of this number does to its second body: force (N) and moment about the second frame's point (N m), in
    /// world axes. `None` if there is no such joint.
    #[must_use]
    pub fn reaction(&self, joint: usize, t: f64, q: &[f64], mu: &[f64]) -> Option<[Vector3<f64>; 2]> {
        let joint = self.joints.get(joint)?;
        let pair = Pair::read(q, &[], joint.bodies);
        let mut load = Gradient::default();
        for (row, mu) in joint.rows.iter().zip(mu.get(joint.first..)?) {
            load.add(*mu, &row.gradient(t, &pair));
        }
        Some(load.felt_by_second(&pair, joint.bodies, &joint.arm))
    }

    /// Largest violations of the constraints at three levels: `|φ|` (m, or – for directions), `|φ̇|` (m/s, 1/s) and, at the
    /// accelerations `a`, `|φ̈|` (m/s², 1/s²).
    #[must_use]
    pub fn largest_violations(&self, motion: Motion<'_>, a: &[f64]) -> [f64; 3] {
        let mut most = [0.0_f64; 3];
        for joint in &self.joints {
            let pair = Pair::read(motion.q, motion.v, joint.bodies);
            let accelerations = joint.bodies.map(|body| Twist::read(a, body));
            for row in &joint.rows {
                let gradient = row.gradient(motion.t, &pair);
                let levels = [
                    row.value(motion.t, &pair),
                    gradient.rate(&pair.twists) + row.own_rate(motion.t, &pair),
                    gradient.rate(&accelerations) + row.curvature(motion.t, &pair),
                ];
                most.iter_mut().zip(levels).for_each(|(most, level)| *most = most.max(level.abs()));
            }
        }
        for gear in 0..self.gears.len() {
            self.gear_levels(gear, motion, a).into_iter().zip(&mut most).for_each(|(level, most)| {
                *most = most.max(level.abs());
            });
        }
        most
    }

    /// Names of what the elements show, as `(element, quantity)`.
    #[must_use]
    pub fn element_quantities(&self) -> Vec<(&str, ElementQuantity)> {
        let of = |element: &'_ PlacedElement| element.element.quantities();
        let named = |element| of(element).into_iter().map(|quantity| (element.name.as_str(), quantity));
        self.elements.iter().flat_map(named).collect()
    }

    /// Writes what the elements show, in the order of [`element_quantities`](Self::element_quantities).
    pub fn observe_elements(&self, motion: Motion<'_>, out: &mut [f64]) {
        let mut rest = out;
        for element in &self.elements {
            let Some((own, others)) = rest.split_at_mut_checked(element.shown) else { return };
            element.element.observe(motion.t, &element.nodes(motion.q, motion.v), own);
            rest = others;
        }
    }

    /// Names and units of what the sensors show, as `(sensor, part, unit)`: `x`, `y`, `z`, `vx`, `vy`, `vz` of a way,
    /// `ax`, `ay`, `az` of an acceleration, `distance`, `displacement` or `angle` and `rate` of the others.
    pub fn sensor_quantities(&self) -> impl Iterator<Item = (&str, &'static str, &'static str)> {
        self.sensors
            .iter()
            .flat_map(|sensor| sensor.parts().iter().map(|(part, unit)| (sensor.name.as_str(), *part, *unit)))
    }

    /// Writes what the sensors show at positions `q`, velocities `v` and accelerations `a`, in the order of
    /// [`sensor_quantities`](Self::sensor_quantities); angles with the turns counted up to the state accepted last.
    pub fn observe_sensors(&self, q: &[f64], v: &[f64], a: &[f64], out: &mut [f64]) {
        let mut out = out.iter_mut();
        self.sensors.iter().for_each(|sensor| sensor.observe([q, v, a], &mut out));
    }
}
