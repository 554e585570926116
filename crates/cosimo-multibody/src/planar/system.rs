//! Equations of motion of planar rigid bodies.

use cosimo_dynamics::{
    ConstrainedSystem, CoordinateBlock, Coordinates, Level, MatrixSink, Motion, Structure,
};
use cosimo_mechanics::Energy;
use nalgebra::Vector2;

use super::attachment::Attachment;
use super::checks::attach;
use super::spring::Spring;
use super::{Body, PlanarError, Point};

/// Planar rigid bodies with pins, springs, dampers and gravity:
///
/// ```text
///   M a + Φᵀ μ = f(q, v)        φ(q) = p_wp₁ − p_wp₂ = 0 for every pin
/// ```
///
/// Coordinates as in the [module's notes](super); the mass matrix is diagonal and constant, and because the
/// coordinates are those of centres of mass there are no velocity-dependent inertial forces. Built by
/// [`PlanarModel::build`](super::PlanarModel::build).
///
/// The potential energy is zero for bodies at the world's origin and springs at their free length.
///
/// Reference: E. J. Haug, *Computer Aided RowMap and Dynamics of Mechanical Systems*, Allyn and Bacon 1989,
/// ch. 3 and 6.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanarSystem {
    gravity: Vector2<f64>,
    bodies: Vec<Body>,
    pins: Vec<PinPair>,
    springs: Vec<Spring>,
    structure: Structure,
    initial_position: Vec<f64>,
    initial_velocity: Vec<f64>,
}

/// A pin whose points are found.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct PinPair {
    pub(super) name: String,
    pub(super) first: Attachment,
    pub(super) second: Attachment,
}

/// A pin that the initial state does not satisfy.
#[derive(Debug, Clone, PartialEq)]
pub struct PinViolation {
    /// Name of the pin.
    pub pin: String,
    /// Distance of the two points (m).
    pub distance: f64,
    /// Speed at which the two points part (m/s): length of their relative velocity.
    pub speed: f64,
}

impl PinPair {
    /// Both ends with the sign with which they enter `φ`.
    fn ends(&self) -> [(f64, &Attachment); 2] {
        [(1.0, &self.first), (-1.0, &self.second)]
    }

    /// `φ` (m), world axes.
    fn residual(&self, q: &[f64]) -> Vector2<f64> {
        self.first.position(q) - self.second.position(q)
    }
}

impl PlanarSystem {
    pub(super) fn assemble(
        gravity: [f64; 2],
        bodies: Vec<Body>,
        pins: Vec<PinPair>,
        springs: Vec<Spring>,
    ) -> Self {
        let initial_position = bodies.iter().flat_map(|b| [b.position[0], b.position[1], b.angle]).collect();
        let initial_velocity =
            bodies.iter().flat_map(|b| [b.velocity[0], b.velocity[1], b.angular_velocity]).collect();
        let structure = structure(bodies.len(), &pins, &springs);
        Self { gravity: gravity.into(), bodies, pins, springs, structure, initial_position, initial_velocity }
    }

    /// The bodies; body `i` has the coordinates `3i`, `3i + 1` (m) and `3i + 2` (rad).
    #[must_use]
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
    }

    pub(super) fn pins(&self) -> &[PinPair] {
        &self.pins
    }

    pub(super) fn springs(&self) -> &[Spring] {
        &self.springs
    }

    pub(super) fn gravity(&self) -> &Vector2<f64> {
        &self.gravity
    }

    /// Names of the pins; pin `i` has the constraint rows `2i` and `2i + 1` (m, world `x` and `y`).
    pub fn pin_names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.pins.iter().map(|pin| pin.name.as_str())
    }

    /// Coordinates at the start (m and rad), length `n`.
    #[must_use]
    pub fn initial_position(&self) -> &[f64] {
        &self.initial_position
    }

    /// Velocities at the start (m/s and rad/s), length `n`.
    #[must_use]
    pub fn initial_velocity(&self) -> &[f64] {
        &self.initial_velocity
    }

    /// The pins whose points are further apart than `tolerance` (m), or part faster than `tolerance` (m/s), in the
    /// initial state.
    #[must_use]
    pub fn initial_violations(&self, tolerance: f64) -> Vec<PinViolation> {
        let (q, v) = (&self.initial_position, &self.initial_velocity);
        let violation = |pin: &PinPair| {
            let distance = pin.residual(q).norm();
            let speed = (pin.first.velocity(q, v) - pin.second.velocity(q, v)).norm();
            // Written so that NaN violates.
            let is_satisfied = distance <= tolerance && speed <= tolerance;
            (!is_satisfied).then(|| PinViolation { pin: pin.name.clone(), distance, speed })
        };
        self.pins.iter().filter_map(violation).collect()
    }

    /// Writes the distance of the two points of every pin (m), one a pin.
    pub fn pin_distances(&self, q: &[f64], out: &mut [f64]) {
        for (distance, pin) in out.iter_mut().zip(&self.pins) {
            *distance = pin.residual(q).norm();
        }
    }

    /// Writes the violations of the pins, `φ` (m, world axes), two a pin.
    pub fn write_residuals(&self, q: &[f64], out: &mut [f64]) {
        for (phi, pin) in out.chunks_exact_mut(2).zip(&self.pins) {
            phi.copy_from_slice(pin.residual(q).as_slice());
        }
    }

    /// Finds a point; `owner` names in errors what refers to it.
    pub(super) fn attach(&self, owner: &str, point: &Point) -> Result<Attachment, PlanarError> {
        let names: Vec<&str> = self.bodies.iter().map(|body| body.name.as_str()).collect();
        attach(owner, point, &names)
    }
}

impl ConstrainedSystem for PlanarSystem {
    fn structure(&self) -> &Structure {
        &self.structure
    }

    fn balance(&self, motion: Motion<'_>, a: &[f64], mu: &[f64], out: &mut [f64]) {
        self.mass_product(motion.q, a, out);
        for (load, body) in out.chunks_exact_mut(3).zip(&self.bodies) {
            load[0] -= body.mass * self.gravity.x;
            load[1] -= body.mass * self.gravity.y;
        }
        self.springs.iter().for_each(|spring| spring.add_force(motion, -1.0, out));
        self.add_reactions(motion.t, motion.q, mu, out);
    }

    fn mass_product(&self, _q: &[f64], x: &[f64], out: &mut [f64]) {
        for ((out, x), body) in out.chunks_exact_mut(3).zip(x.chunks_exact(3)).zip(&self.bodies) {
            out.copy_from_slice(&[body.mass * x[0], body.mass * x[1], body.inertia * x[2]]);
        }
    }

    fn add_reactions(&self, _t: f64, q: &[f64], mu: &[f64], out: &mut [f64]) {
        for (force, pin) in mu.chunks_exact(2).zip(&self.pins) {
            for (sign, end) in pin.ends() {
                end.add_force(q, &(sign * Vector2::new(force[0], force[1])), out);
            }
        }
    }

    fn constraints(&self, level: Level, motion: Motion<'_>, a: &[f64], out: &mut [f64]) {
        let Motion { q, v, .. } = motion;
        let of_point = |end: &Attachment| match level {
            Level::Position => end.position(q),
            Level::Velocity => end.velocity(q, v),
            Level::Acceleration => end.velocity(q, a) + end.centripetal(q, v),
        };
        for (phi, pin) in out.chunks_exact_mut(2).zip(&self.pins) {
            phi.copy_from_slice((of_point(&pin.first) - of_point(&pin.second)).as_slice());
        }
    }

    fn tangents(&self, motion: Motion<'_>, _a: &[f64], mu: &[f64], sink: &mut dyn MatrixSink) {
        self.masses(motion.q, sink);
        self.springs.iter().for_each(|spring| spring.give_tangents(motion, sink));
        for (force, pin) in mu.chunks_exact(2).zip(&self.pins) {
            for (sign, end) in pin.ends() {
                let Some(body) = end.body else { continue };
                let force = sign * Vector2::new(force[0], force[1]);
                sink.stiffness(body, body, &end.stiffness(motion.q, &force));
            }
        }
    }

    fn masses(&self, _q: &[f64], sink: &mut dyn MatrixSink) {
        for (i, body) in self.bodies.iter().enumerate() {
            sink.mass(i, &[body.mass, 0.0, 0.0, 0.0, body.mass, 0.0, 0.0, 0.0, body.inertia]);
        }
    }

    fn jacobian(&self, _t: f64, q: &[f64], sink: &mut dyn MatrixSink) {
        for (i, pin) in self.pins.iter().enumerate() {
            for (sign, end) in pin.ends() {
                let Some(body) = end.body else { continue };
                sink.jacobian(i, body, (sign * end.tangent(q)).as_slice());
            }
        }
    }

    fn rate_gradient(&self, motion: Motion<'_>, sink: &mut dyn MatrixSink) {
        for (i, pin) in self.pins.iter().enumerate() {
            for (sign, end) in pin.ends() {
                let Some(body) = end.body else { continue };
                let by_angle = sign * end.velocity_gradient(motion.q, motion.v);
                sink.rate_gradient(i, body, &[0.0, 0.0, 0.0, 0.0, by_angle.x, by_angle.y]);
            }
        }
    }

    fn energy(&self, Motion { q, v, .. }: Motion<'_>) -> Energy {
        let mut energy = Energy::default();
        for ((body, q), v) in self.bodies.iter().zip(q.chunks_exact(3)).zip(v.chunks_exact(3)) {
            energy.kinetic +=
                0.5 * body.mass * (v[0] * v[0] + v[1] * v[1]) + 0.5 * body.inertia * v[2] * v[2];
            energy.potential -= body.mass * (self.gravity.x * q[0] + self.gravity.y * q[1]);
        }
        energy.potential += self.springs.iter().map(|spring| spring.potential(q)).sum::<f64>();
        energy
    }

    fn dissipated_power(&self, Motion { q, v, .. }: Motion<'_>) -> f64 {
        self.springs.iter().map(|spring| spring.dissipated_power(q, v)).sum()
    }

    fn constraint_name(&self, constraint: usize) -> String {
        self.pins.get(constraint).map_or_else(String::new, |pin| format!("pin `{}`", pin.name))
    }

    fn coordinate_name(&self, block: usize) -> String {
        self.bodies.get(block).map_or_else(String::new, |body| format!("body `{}`", body.name))
    }
}

/// Blocks of the bodies and pins, and which of them meet.
fn structure(bodies: usize, pins: &[PinPair], springs: &[Spring]) -> Structure {
    let free = Structure::new(Coordinates::new(std::iter::repeat_n(CoordinateBlock::Flat(3), bodies)));
    let pinned = pins.iter().fold(free, |structure, pin| {
        let touches = [pin.first.body, pin.second.body];
        structure.with_constraint(2, touches.into_iter().flatten().collect())
    });
    springs.iter().fold(pinned, |structure, spring| match spring.ends.map(|end| end.body) {
        [Some(a), Some(b)] => structure.with_coupling(a, b),
        _ => structure,
    })
}
