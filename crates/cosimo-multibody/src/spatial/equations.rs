//! The equations of motion of a spatial system.

use cosimo_dynamics::{AngleWrap, ConstrainedSystem, Level, MatrixSink, Motion, Structure};
use cosimo_mechanics::Energy;
use nalgebra::Vector3;

use super::blocks::{diagonal_block, give_blocks, scatter, write_row};
use super::constraint::BasicConstraint;
use super::element::PlacedElement;
use super::placed_joint::PlacedJoint;
use super::pose::{Gradient, Hessian, Pair};
use super::sensor::PlacedSensor;
use super::system::SpatialSystem;

impl SpatialSystem {
    /// Gives the rows of every joint, computed by `of`; a joint has six at most.
    fn give_rows(
        &self,
        q: &[f64],
        v: &[f64],
        of: impl Fn(&BasicConstraint, &Pair) -> Gradient,
        mut give: impl FnMut(usize, usize, &[f64]),
    ) {
        for (number, joint) in self.joints.iter().enumerate() {
            let pair = Pair::read(q, v, joint.bodies);
            let rows = joint.rows.len();
            let mut blocks = [[0.0; 36]; 2];
            for (row, constraint) in joint.rows.iter().enumerate() {
                write_row(&mut blocks, (row, rows), &of(constraint, &pair));
            }
            for (block, body) in blocks.iter().zip(joint.bodies) {
                if let Some(body) = body {
                    give(number, body, &block[..6 * rows]);
                }
            }
        }
    }

    /// Adds the inertial forces at acceleration `a` less gravity.
    fn add_inertia(&self, v: &[f64], a: &[f64], out: &mut [f64]) {
        for (i, (body, gravity)) in self.bodies.iter().zip(&self.gravity).enumerate() {
            let at = 6 * i;
            let (mass, inertia) = (body.properties.mass(), body.properties.inertia());
            let spin = Vector3::new(v[at + 3], v[at + 4], v[at + 5]);
            let turning =
                inertia * Vector3::new(a[at + 3], a[at + 4], a[at + 5]) + spin.cross(&(inertia * spin));
            for k in 0..3 {
                out[at + k] += mass * (a[at + k] - gravity[k]);
                out[at + 3 + k] += turning[k];
            }
        }
    }
}

impl ConstrainedSystem for SpatialSystem {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn balance(&self, motion: Motion<'_>, a: &[f64], mu: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        self.add_inertia(motion.v, a, out);
        self.elements.iter().for_each(|element| element.add_forces(motion, a, out));
        self.add_reactions(motion.t, motion.q, mu, out);
    }

    fn mass_product(&self, _q: &[f64], x: &[f64], out: &mut [f64]) {
        for (i, body) in self.bodies.iter().enumerate() {
            let (own, out) = (&x[6 * i..6 * i + 6], &mut out[6 * i..6 * i + 6]);
            let turning = body.properties.inertia() * Vector3::new(own[3], own[4], own[5]);
            for k in 0..3 {
                out[k] = body.properties.mass() * own[k];
                out[3 + k] = turning[k];
            }
        }
        self.elements.iter().for_each(|element| element.copy_states(x, out));
    }

    fn add_reactions(&self, t: f64, q: &[f64], mu: &[f64], out: &mut [f64]) {
        for joint in &self.joints {
            let pair = Pair::read(q, &[], joint.bodies);
            let mut load = Gradient::default();
            for (row, mu) in joint.rows.iter().zip(&mu[joint.first..]) {
                load.add(*mu, &row.gradient(t, &pair));
            }
            scatter(joint.bodies, &load, out);
        }
        self.add_gear_reactions(q, mu, out);
    }

    fn constraints(&self, level: Level, motion: Motion<'_>, a: &[f64], out: &mut [f64]) {
        let Motion { t, q, v } = motion;
        self.gear_constraints(level, motion, a, out);
        for joint in &self.joints {
            let pair = Pair::read(q, v, joint.bodies);
            let own = &mut out[joint.first..joint.first + joint.rows.len()];
            let rows = own.iter_mut().zip(&joint.rows);
            match level {
                Level::Position => rows.for_each(|(out, row)| *out = row.value(t, &pair)),
                Level::Velocity => rows.for_each(|(out, row)| {
                    *out = row.gradient(t, &pair).rate(&pair.twists) + row.own_rate(t, &pair);
                }),
                Level::Acceleration => {
                    let accelerations = Pair::read(q, a, joint.bodies).twists;
                    rows.for_each(|(out, row)| {
                        *out = row.gradient(t, &pair).rate(&accelerations) + row.curvature(t, &pair);
                    });
                }
            }
        }
    }

    fn tangents(&self, motion: Motion<'_>, _a: &[f64], mu: &[f64], sink: &mut dyn MatrixSink) {
        self.masses(motion.q, sink);
        for (i, body) in self.bodies.iter().enumerate() {
            // ∂(ω × J ω)/∂ω = [ω]× J − [J ω]×.
            let inertia = body.properties.inertia();
            let spin = Vector3::new(motion.v[6 * i + 3], motion.v[6 * i + 4], motion.v[6 * i + 5]);
            if spin != Vector3::zeros() {
                let gyroscopic = spin.cross_matrix() * inertia - (inertia * spin).cross_matrix();
                sink.damping(i, i, &diagonal_block(0.0, &gyroscopic));
            }
        }
        self.elements.iter().for_each(|element| element.add_tangents(motion, sink));
        for joint in &self.joints {
            let own = &mu[joint.first..joint.first + joint.rows.len()];
            if own.iter().all(|mu| *mu == 0.0) {
                continue;
            }
            let pair = Pair::read(motion.q, motion.v, joint.bodies);
            let mut stiffness = Hessian::default();
            for (row, mu) in joint.rows.iter().zip(own) {
                row.add_hessian(*mu, motion.t, &pair, &mut stiffness);
            }
            give_blocks(joint.bodies, &stiffness, |i, j, block| sink.stiffness(i, j, block));
        }
        self.gear_tangents(motion.q, mu, sink);
    }

    fn masses(&self, _q: &[f64], sink: &mut dyn MatrixSink) {
        for (i, body) in self.bodies.iter().enumerate() {
            sink.mass(i, &diagonal_block(body.properties.mass(), body.properties.inertia()));
        }
        self.elements.iter().for_each(|element| element.give_mass(sink));
    }

    fn jacobian(&self, t: f64, q: &[f64], sink: &mut dyn MatrixSink) {
        let of = |row: &BasicConstraint, pair: &Pair| row.gradient(t, pair);
        self.give_rows(q, &[], of, |joint, body, block| sink.jacobian(joint, body, block));
        self.give_gear_rows(q, None, |gear, body, block| sink.jacobian(gear, body, block));
    }

    fn rate_gradient(&self, motion: Motion<'_>, sink: &mut dyn MatrixSink) {
        let of = |row: &BasicConstraint, pair: &Pair| row.rate_gradient(motion.t, pair);
        self.give_rows(motion.q, motion.v, of, |joint, body, block| sink.rate_gradient(joint, body, block));
        let give = |gear, body, block: &[f64]| sink.rate_gradient(gear, body, block);
        self.give_gear_rows(motion.q, Some(motion.v), give);
    }

    fn energy(&self, motion: Motion<'_>) -> Energy {
        let mut energy = Energy::default();
        for (i, (body, gravity)) in self.bodies.iter().zip(&self.gravity).enumerate() {
            let Some(state) = self.body_state(i, motion.q, motion.v) else { continue };
            energy.kinetic += body.properties.kinetic_energy(&state);
            energy.potential -= body.properties.mass() * gravity.dot(&state.position);
        }
        for element in &self.elements {
            energy.potential += element.element.potential(&element.nodes(motion.q, motion.v));
        }
        energy
    }

    fn dissipated_power(&self, motion: Motion<'_>) -> f64 {
        let of = |own: &PlacedElement| own.element.dissipated_power(motion.t, &own.nodes(motion.q, motion.v));
        self.elements.iter().map(of).sum()
    }

    fn external_power(&self, motion: Motion<'_>) -> f64 {
        let of = |own: &PlacedElement| own.element.external_power(motion.t, &own.nodes(motion.q, motion.v));
        self.elements.iter().map(of).sum()
    }

    fn driving_power(&self, motion: Motion<'_>, mu: &[f64]) -> f64 {
        let of_joint = |joint: &PlacedJoint| -> f64 {
            let pair = Pair::read(motion.q, motion.v, joint.bodies);
            let rows = joint.rows.iter().zip(&mu[joint.first..]);
            rows.map(|(row, mu)| mu * row.own_rate(motion.t, &pair)).sum()
        };
        let driven = self.joints.iter().filter(|joint| joint.rows.iter().any(BasicConstraint::is_driven));
        driven.map(of_joint).sum()
    }

    fn constraint_name(&self, constraint: usize) -> String {
        let mut names = self.joint_names().chain(self.gear_names());
        names.nth(constraint).map_or_else(|| format!("constraint {constraint}"), str::to_owned)
    }

    fn coordinate_name(&self, block: usize) -> String {
        let of_states = || {
            let own = self.elements.iter().find(|element| element.states.1 == block);
            own.map_or_else(|| format!("body {block}"), |element| format!("the states of {}", element.owner))
        };
        self.bodies.get(block).map_or_else(of_states, |body| format!("body `{}`", body.name))
    }

    fn deviation(&self, t: f64, q: &[f64]) -> Option<(usize, f64)> {
        let of_joints = self.joints.iter().map(|joint| joint.angle_off(t, q)).enumerate();
        of_joints.max_by(|a, b| a.1.total_cmp(&b.1))
    }

    fn ease(&mut self, t: f64, q: &[f64], share: f64) {
        self.joints.iter_mut().for_each(|joint| joint.ease(t, q, share));
    }

    fn jump(&self, motion: Motion<'_>, h: f64) -> Option<String> {
        let jumps = |element: &&PlacedElement| element.element.jumps(&element.nodes(motion.q, motion.v), h);
        self.elements.iter().find(jumps).map(|element| element.owner.clone())
    }

    fn rejection(&self, motion: Motion<'_>) -> Option<String> {
        let of = |own: &PlacedElement| {
            let reason = own.element.rejection(motion.t, &own.nodes(motion.q, motion.v))?;
            Some(format!("{}: {reason}", own.owner))
        };
        self.elements.iter().find_map(of)
    }

    fn start(&mut self, motion: Motion<'_>) {
        for element in &mut self.elements {
            element.note(motion.q, motion.v, |own, nodes| own.start(motion.t, nodes));
        }
    }

    fn angle_wrap(&self, q: &[f64], x: &[f64]) -> Option<AngleWrap> {
        self.element_overturn(q, x).or_else(|| self.sensor_overturn(q, x))
    }

    fn accept(&mut self, motion: Motion<'_>) {
        for element in &mut self.elements {
            element.note(motion.q, motion.v, |own, nodes| own.accept(motion.t, nodes));
        }
        self.sensors.iter_mut().for_each(|sensor| sensor.accept(motion.q));
    }

    fn save_memory(&self, out: &mut Vec<f64>) {
        self.elements.iter().for_each(|element| element.element.save(out));
        out.extend(self.sensors.iter().filter_map(PlacedSensor::saved));
    }

    fn restore_memory(&mut self, saved: &[f64]) -> Option<usize> {
        let mut rest = saved.iter();
        for element in &mut self.elements {
            element.element.restore(&mut rest)?;
        }
        for sensor in &mut self.sensors {
            sensor.restore(&mut rest)?;
        }
        Some(saved.len() - rest.len())
    }
}
