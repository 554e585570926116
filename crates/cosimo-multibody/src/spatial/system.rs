//! The equations of motion of bodies, joints and forces in space.

use cosimo_dynamics::{
    ConstrainedSystem, CoordinateBlock, Coordinates, Energy, Level, MatrixSink, Motion, Overturn, Structure,
};
use nalgebra::{Quaternion, UnitQuaternion, Vector3};

use super::blocks::{diagonal_block, give_blocks, scatter, write_row};
use super::constraint::BasicConstraint;
use super::element::PlacedElement;
use super::placed_joint::PlacedJoint;
use super::pose::{Gradient, Hessian, Pair};
use super::sensor::PlacedSensor;
use super::{Body, BodyState};

/// Rigid bodies in space with joints and forces:
///
/// ```text
///   m ẍ = m g + f_x − Φ_xᵀ μ          J ω̇ + ω × J ω = f_θ − Φ_θᵀ μ          φ(t, q) = 0
/// ```
///
/// for every body, with the centre of mass `x` in world axes and the angular velocity `ω` in body axes. Built by
/// [`SpatialModel::build`](super::SpatialModel::build). The potential energy of gravity is zero at the world's origin.
///
/// Reference: E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, Allyn and Bacon 1989, ch. 11.
#[derive(Debug)]
pub struct SpatialSystem {
    bodies: Vec<Body>,
    /// Gravity on each body (m/s²).
    gravity: Vec<Vector3<f64>>,
    pub(super) joints: Vec<PlacedJoint>,
    /// The forces first.
    pub(super) elements: Vec<PlacedElement>,
    /// How many of the elements are forces.
    forces: usize,
    pub(super) sensors: Vec<PlacedSensor>,
    pub(super) structure: Structure,
}

/// Positions of all bodies at the start.
pub(crate) fn initial_position(bodies: &[Body]) -> Vec<f64> {
    let numbers = |body: &Body| {
        let (x, q) = (body.position + body.orientation * body.centre_of_mass, body.orientation);
        [x.x, x.y, x.z, q.w, q.i, q.j, q.k]
    };
    bodies.iter().flat_map(numbers).collect()
}

/// The coordinates of so many bodies and the states of these elements, which are placed behind them.
fn coordinates(bodies: usize, elements: &mut [PlacedElement]) -> Coordinates {
    let mut kinds = vec![CoordinateBlock::Rigid; bodies];
    let mut first = 6 * bodies;
    for element in elements {
        let states = element.initial_states.len();
        if states > 0 {
            element.states = (first, kinds.len());
            kinds.push(CoordinateBlock::Flat(states));
            first += states;
        } else {
            element.states = (first, usize::MAX);
        }
    }
    Coordinates::new(kinds)
}

impl SpatialSystem {
    pub(crate) fn assemble(
        gravity: Vector3<f64>,
        bodies: Vec<Body>,
        mut joints: Vec<PlacedJoint>,
        (mut elements, forces): (Vec<PlacedElement>, usize),
    ) -> Self {
        let mut structure = Structure::new(coordinates(bodies.len(), &mut elements));
        for joint in &mut joints {
            joint.first = structure.rows();
            let touched = joint.bodies.iter().flatten().copied().collect();
            structure = structure.with_constraint(joint.rows.len(), touched);
        }
        for (a, b) in elements.iter().flat_map(PlacedElement::couplings) {
            structure = structure.with_coupling(a, b);
        }
        let gravity = bodies.iter().map(|body| gravity + body.properties.gravity()).collect();
        Self { bodies, gravity, joints, elements, forces, sensors: Vec::new(), structure }
    }

    pub(super) fn with_sensors(self, sensors: Vec<PlacedSensor>) -> Self {
        Self { sensors, ..self }
    }

    /// The bodies.
    #[must_use]
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    /// Names of the joints, in the order of the constraint blocks.
    pub fn joint_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.joints.iter().map(|joint| joint.name.as_str())
    }

    /// Names of the forces.
    pub fn force_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.elements[..self.forces].iter().map(|force| force.name.as_str())
    }

    /// Rows of a joint among the constraints and multipliers; `None` if there is none of this name.
    #[must_use]
    pub fn joint_rows(&self, name: &str) -> Option<std::ops::Range<usize>> {
        let joint = self.joints.iter().find(|joint| joint.name == name)?;
        Some(joint.first..joint.first + joint.rows.len())
    }

    /// Positions at the start: centre of mass (m) and quaternion `w, x, y, z` of every body; behind them the integrals of the
    /// elements' states.
    #[must_use]
    pub fn initial_position(&self) -> Vec<f64> {
        let mut q = initial_position(&self.bodies);
        q.resize(self.structure.coordinates().positions(), 0.0);
        q
    }

    /// Velocities at the start: of the centre of mass in world axes (m/s) and angular velocity in body axes (rad/s); behind
    /// them the states of elements.
    #[must_use]
    pub fn initial_velocity(&self) -> Vec<f64> {
        let numbers = |body: &Body| {
            let of_centre = body.angular_velocity.cross(&body.centre_of_mass);
            let v = body.velocity + body.orientation * of_centre;
            let w = body.angular_velocity;
            [v.x, v.y, v.z, w.x, w.y, w.z]
        };
        let states = self.elements.iter().flat_map(|element| element.initial_states.iter().copied());
        self.bodies.iter().flat_map(numbers).chain(states).collect()
    }

    /// Where the body of this number is and how it moves, by its centre of mass; `None` if there is none.
    #[must_use]
    pub fn body_state(&self, body: usize, q: &[f64], v: &[f64]) -> Option<BodyState> {
        let (q, v) = (q.get(7 * body..7 * body + 7)?, v.get(6 * body..6 * body + 6)?);
        Some(BodyState {
            position: Vector3::new(q[0], q[1], q[2]),
            orientation: UnitQuaternion::new_unchecked(Quaternion::new(q[3], q[4], q[5], q[6])),
            velocity: Vector3::new(v[0], v[1], v[2]),
            angular_velocity: Vector3::new(v[3], v[4], v[5]),
        })
    }

    /// Potential energy of each force at positions `q` (J), in the order of [`force_names`](Self::force_names).
    pub fn force_potentials(&self, q: &[f64]) -> impl ExactSizeIterator<Item = f64> {
        self.elements[..self.forces].iter().map(|force| force.element.potential(&force.nodes(q, &[])))
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

impl SpatialSystem {
    /// Gives the rows of every joint, computed by `of`; a joint has six at most.
    fn give_rows(
        &self,
        (q, v): (&[f64], &[f64]),
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
    }

    fn constraints(&self, level: Level, Motion { t, q, v }: Motion<'_>, a: &[f64], out: &mut [f64]) {
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
    }

    fn masses(&self, _q: &[f64], sink: &mut dyn MatrixSink) {
        for (i, body) in self.bodies.iter().enumerate() {
            sink.mass(i, &diagonal_block(body.properties.mass(), body.properties.inertia()));
        }
        self.elements.iter().for_each(|element| element.give_mass(sink));
    }

    fn jacobian(&self, t: f64, q: &[f64], sink: &mut dyn MatrixSink) {
        let of = |row: &BasicConstraint, pair: &Pair| row.gradient(t, pair);
        self.give_rows((q, &[]), of, |joint, body, block| sink.jacobian(joint, body, block));
    }

    fn rate_gradient(&self, motion: Motion<'_>, sink: &mut dyn MatrixSink) {
        let of = |row: &BasicConstraint, pair: &Pair| row.rate_gradient(motion.t, pair);
        self.give_rows((motion.q, motion.v), of, |joint, body, block| sink.rate_gradient(joint, body, block));
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
        self.powers(motion).map(|powers| powers.dissipated).sum()
    }

    fn external_power(&self, motion: Motion<'_>, mu: &[f64]) -> f64 {
        let of_forces: f64 = self.powers(motion).map(|powers| powers.external).sum();
        let of_joint = |joint: &PlacedJoint| -> f64 {
            let pair = Pair::read(motion.q, motion.v, joint.bodies);
            let rows = joint.rows.iter().zip(&mu[joint.first..]);
            rows.map(|(row, mu)| mu * row.own_rate(motion.t, &pair)).sum()
        };
        of_forces + self.joints.iter().map(of_joint).sum::<f64>()
    }

    fn constraint_name(&self, constraint: usize) -> String {
        self.joints
            .get(constraint)
            .map_or_else(|| format!("constraint {constraint}"), |joint| joint.name.clone())
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

    fn start(&mut self, motion: Motion<'_>) {
        for element in &mut self.elements {
            element.note(motion.q, motion.v, |own, nodes| own.start(nodes));
        }
    }

    fn overturn(&self, q: &[f64], x: &[f64]) -> Option<Overturn> {
        self.element_overturn(q, x).or_else(|| self.sensor_overturn(q, x))
    }

    fn accept(&mut self, motion: Motion<'_>) {
        for element in &mut self.elements {
            element.note(motion.q, motion.v, |own, nodes| own.accept(nodes));
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
