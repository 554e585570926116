//! Equations of motion of planar rigid bodies.

use cosimo_dynamics::{Energy, EquationsOfMotion};
use nalgebra::{DMatrix, Vector2};

use super::attachment::{Attachment, perpendicular};
use super::checks::attach;
use super::spring::Spring;
use super::{Body, PlanarError, Point};

/// Planar rigid bodies with pins, springs, dampers and gravity:
///
/// ```text
///   M a = f(q, v) − Φᵀ μ        φ(q) = p_wp₁ − p_wp₂ = 0 for every pin
/// ```
///
/// Coordinates as in the [module's notes](super); the mass matrix is diagonal and constant, and because the
/// coordinates are those of centres of mass there are no velocity-dependent inertial forces. Built by
/// [`PlanarModel::build`](super::PlanarModel::build).
///
/// The potential energy is zero for bodies at the world's origin and springs at their free length.
///
/// Reference: E. J. Haug, *Computer Aided Kinematics and Dynamics of Mechanical Systems*, Allyn and Bacon 1989,
/// ch. 3 and 6.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanarSystem {
    gravity: Vector2<f64>,
    bodies: Vec<Body>,
    pins: Vec<PinPair>,
    springs: Vec<Spring>,
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
        Self { gravity: gravity.into(), bodies, pins, springs, initial_position, initial_velocity }
    }

    /// The bodies; body `i` has the coordinates `3i`, `3i + 1` (m) and `3i + 2` (rad).
    #[must_use]
    pub fn bodies(&self) -> &[Body] {
        &self.bodies
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

    /// Finds a point; `owner` names in errors what refers to it.
    pub(super) fn attach(&self, owner: &str, point: &Point) -> Result<Attachment, PlanarError> {
        let names: Vec<&str> = self.bodies.iter().map(|body| body.name.as_str()).collect();
        attach(owner, point, &names)
    }
}

impl EquationsOfMotion for PlanarSystem {
    fn coordinates(&self) -> usize {
        3 * self.bodies.len()
    }

    fn constraints(&self) -> usize {
        2 * self.pins.len()
    }

    fn mass(&self, _q: &[f64], out: &mut DMatrix<f64>) {
        out.fill(0.0);
        for (i, body) in self.bodies.iter().enumerate() {
            out[(3 * i, 3 * i)] = body.mass;
            out[(3 * i + 1, 3 * i + 1)] = body.mass;
            out[(3 * i + 2, 3 * i + 2)] = body.inertia;
        }
    }

    fn force(&self, _t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        for (load, body) in out.chunks_exact_mut(3).zip(&self.bodies) {
            load[0] = body.mass * self.gravity.x;
            load[1] = body.mass * self.gravity.y;
            load[2] = 0.0;
        }
        self.springs.iter().for_each(|spring| spring.add_force(q, v, out));
    }

    fn tangents(
        &self,
        _t: f64,
        q: &[f64],
        v: &[f64],
        _a: &[f64],
        stiffness: &mut DMatrix<f64>,
        damping: &mut DMatrix<f64>,
    ) {
        stiffness.fill(0.0);
        damping.fill(0.0);
        self.springs.iter().for_each(|spring| spring.add_tangents(q, v, stiffness, damping));
    }

    fn constraint(&self, _t: f64, q: &[f64], out: &mut [f64]) {
        for (phi, pin) in out.chunks_exact_mut(2).zip(&self.pins) {
            phi.copy_from_slice(pin.residual(q).as_slice());
        }
    }

    fn constraint_jacobian(&self, _t: f64, q: &[f64], out: &mut DMatrix<f64>) {
        out.fill(0.0);
        for (i, pin) in self.pins.iter().enumerate() {
            for (sign, end) in pin.ends() {
                let Some(c) = end.column else { continue };
                let turned = perpendicular(end.arm(q));
                for k in 0..2 {
                    out[(2 * i + k, c + k)] = sign;
                    out[(2 * i + k, c + 2)] = sign * turned[k];
                }
            }
        }
    }

    fn constraint_curvature(&self, _t: f64, q: &[f64], v: &[f64], out: &mut [f64]) {
        for (curvature, pin) in out.chunks_exact_mut(2).zip(&self.pins) {
            let difference = pin.first.centripetal(q, v) - pin.second.centripetal(q, v);
            curvature.copy_from_slice(difference.as_slice());
        }
    }

    fn constraint_stiffness(&self, _t: f64, q: &[f64], mu: &[f64], out: &mut DMatrix<f64>) {
        for (force, pin) in mu.chunks_exact(2).zip(&self.pins) {
            let force = Vector2::new(force[0], force[1]);
            for (sign, end) in pin.ends() {
                let Some(c) = end.column else { continue };
                // ∂²p_wp/∂θ² = −p_bp_w.
                out[(c + 2, c + 2)] -= sign * force.dot(&end.arm(q));
            }
        }
    }

    fn energy(&self, _t: f64, q: &[f64], v: &[f64]) -> Energy {
        let mut energy = Energy::default();
        for ((body, q), v) in self.bodies.iter().zip(q.chunks_exact(3)).zip(v.chunks_exact(3)) {
            energy.kinetic +=
                0.5 * body.mass * (v[0] * v[0] + v[1] * v[1]) + 0.5 * body.inertia * v[2] * v[2];
            energy.potential -= body.mass * (self.gravity.x * q[0] + self.gravity.y * q[1]);
        }
        energy.potential += self.springs.iter().map(|spring| spring.potential(q)).sum::<f64>();
        energy
    }

    fn dissipated_power(&self, _t: f64, q: &[f64], v: &[f64]) -> f64 {
        self.springs.iter().map(|spring| spring.dissipated_power(q, v)).sum()
    }
}
