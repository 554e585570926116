//! One step of a free rigid body.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::{BodyState, PointImpulse, RigidBody, SpatialError};
use cosimo_dynamics::rotation::{left_jacobian, mean, mean_gradient};

/// Iterations allowed; a step that resolves the rotation takes four.
const MAX_ITERATIONS: usize = 30;

/// A step of a free rigid body with impulses `F`, `M` on body points with arms `s`, by the energy-momentum rule:
///
/// ```text
///   m (v₁ − v₀) = h m g + Σ F                                x₁ = x₀ + (h/2)(v₀ + v₁)
///   exp(θ) J w₁ − J w₀ = Λ₀ᵀ Σ (M + r̄ × F),  r̄ = Λ₀ T(θ) s     θ = (h/2)(w₀ + w₁),  Λ₁ = Λ₀ exp(θ)
/// ```
///
/// `r̄` is the mean of the arm while it turns. Without impulses momentum, angular momentum and kinetic energy are kept
/// exactly; with constant forces and moments their work is `Σ (F·Δz + M·Λ₀θ)/h` exactly, `Δz` the way of the point. The
/// order is two.
///
/// Reference: J. C. Simo, K. K. Wong, *Int. J. Numer. Meth. Engng* 31, 1991 (algorithm C1, without impulses).
#[derive(Debug, Clone, PartialEq)]
pub struct FreeStep {
    size: f64,
    start: BodyState,
    end: BodyState,
    /// `θ` in the body axes of the start.
    rotation: Vector3<f64>,
    /// `T(θ)`.
    turning: Matrix3<f64>,
    /// Inverse of the derivative of the balance by `θ`.
    inverse_tangent: Matrix3<f64>,
    inverse_mass: f64,
    iterations: usize,
}

/// Change of a body's state, all in world axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyChange {
    /// Of the velocity of the centre of mass.
    pub velocity: Vector3<f64>,
    /// Of the angular velocity.
    pub angular_velocity: Vector3<f64>,
    /// Rotation of the body by which it turns the arms.
    pub turn: Vector3<f64>,
}

impl BodyChange {
    /// Change of the velocity of a body point with this arm in world axes, for the angular velocity `ω`.
    #[must_use]
    pub fn of_point(&self, arm: &Vector3<f64>, omega: &Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.angular_velocity.cross(arm) + omega.cross(&self.turn.cross(arm))
    }
}

impl RigidBody {
    /// Solves a step of size `h` (s) from `start` with these impulses.
    ///
    /// # Errors
    /// The body turns by more than half a turn, or its rotation was not found.
    pub fn step(
        &self,
        start: &BodyState,
        h: f64,
        impulses: &[PointImpulse],
    ) -> Result<FreeStep, SpatialError> {
        let into_body = start.orientation.inverse();
        let force: Vector3<f64> = impulses.iter().map(|x| x.force).sum();
        let moment: Vector3<f64> = impulses.iter().map(|x| x.moment).sum();
        let given = self.inertia() * start.angular_velocity + into_body * moment;
        // Always from the same guess: the answer must not depend on what was asked before.
        let mut theta = start.angular_velocity * h;
        let mut is_done = false;
        for iteration in 1..=MAX_ITERATIONS {
            let turn = UnitQuaternion::from_scaled_axis(theta);
            let spin = turn * (self.inertia() * (theta * (2.0 / h) - start.angular_velocity));
            let turning = left_jacobian(&theta);
            let rotated = turn.to_rotation_matrix().into_inner() * self.inertia() * (2.0 / h);
            let mut residual = given - spin;
            let mut tangent = rotated - spin.cross_matrix() * turning;
            for x in impulses.iter().filter(|x| x.arm != Vector3::zeros()) {
                let force = into_body * x.force;
                residual += mean(&theta, &x.arm).cross(&force);
                tangent += force.cross_matrix() * mean_gradient(&theta, &x.arm);
            }
            let Some(inverse_tangent) = tangent.try_inverse() else { break };
            if is_done {
                let velocity = start.velocity + self.gravity() * h + force / self.mass();
                let mut end = *start;
                end.velocity = velocity;
                end.position += (start.velocity + velocity) * (0.5 * h);
                end.orientation = turned(&start.orientation, &theta);
                end.angular_velocity = theta * (2.0 / h) - start.angular_velocity;
                return FreeStep {
                    size: h,
                    start: *start,
                    end,
                    rotation: theta,
                    turning,
                    inverse_tangent,
                    inverse_mass: 1.0 / self.mass(),
                    iterations: iteration,
                }
                .checked();
            }
            let correction = inverse_tangent * residual;
            theta += correction;
            // Convergence is quadratic: what such a correction leaves is round-off.
            is_done = correction.norm() <= 1e-9 * theta.norm().max(start.angular_velocity.norm() * h);
        }
        Err(SpatialError::NotConverged { size: h, iterations: MAX_ITERATIONS })
    }

    /// Change of the velocity by an impulse at an instant.
    #[must_use]
    pub fn jump(&self, state: &BodyState, impulse: &PointImpulse) -> BodyChange {
        let into_body = state.orientation.inverse();
        let moment = into_body * impulse.moment + impulse.arm.cross(&(into_body * impulse.force));
        let angular_velocity = state.orientation * (self.inverse_inertia() * moment);
        BodyChange { velocity: impulse.force / self.mass(), angular_velocity, turn: Vector3::zeros() }
    }
}

impl FreeStep {
    fn checked(self) -> Result<Self, SpatialError> {
        let angle = self.rotation.norm();
        if angle < std::f64::consts::PI {
            Ok(self)
        } else {
            Err(SpatialError::TurnsTooFar { angle, size: self.size })
        }
    }

    /// State at the end of the step.
    #[must_use]
    pub fn end(&self) -> &BodyState {
        &self.end
    }

    /// Rotation vector of the step in world axes (rad).
    #[must_use]
    pub fn rotation(&self) -> Vector3<f64> {
        self.start.orientation * self.rotation
    }

    /// Newton iterations done.
    #[must_use]
    pub fn iterations(&self) -> usize {
        self.iterations
    }

    /// Derivative of the end velocities by the size of this impulse over the step.
    #[must_use]
    pub fn answer(&self, impulse: &PointImpulse) -> BodyChange {
        let theta = self.rotation_change(impulse);
        let turn = self.start.orientation * (self.turning * theta);
        let spin = self.end.orientation * theta * (2.0 / self.size);
        BodyChange {
            velocity: impulse.force * self.inverse_mass,
            angular_velocity: spin + turn.cross(&self.end.angular_velocity_in_world()),
            turn,
        }
    }

    /// Change of `θ` in the body axes of the start by a small impulse over the step.
    fn rotation_change(&self, impulse: &PointImpulse) -> Vector3<f64> {
        let into_body = self.start.orientation.inverse();
        let arm = mean(&self.rotation, &impulse.arm);
        self.inverse_tangent * (into_body * impulse.moment + arm.cross(&(into_body * impulse.force)))
    }

    /// Adds to the end velocities what these small impulses over the step would.
    pub fn push(&mut self, impulses: &[PointImpulse]) {
        let (mut velocity, mut spin) = (Vector3::zeros(), Vector3::zeros());
        for impulse in impulses {
            velocity += impulse.force * self.inverse_mass;
            spin += self.rotation_change(impulse) * (2.0 / self.size);
        }
        self.end.velocity += velocity;
        self.end.angular_velocity += spin;
    }

    /// Moves the end position by what [`push`](Self::push) would change the velocity by: weights in kg m and kg m².
    /// Velocities stay, the angular one in body axes.
    pub fn project_positions(&mut self, weights: &[PointImpulse]) {
        let (mut moved, mut theta) = (Vector3::zeros(), Vector3::zeros());
        for weight in weights {
            moved += weight.force * self.inverse_mass;
            theta += self.rotation_change(weight) * (2.0 / self.size);
        }
        self.end.position += moved;
        self.rotation += theta;
        self.end.orientation = turned(&self.start.orientation, &self.rotation);
    }
}

/// The orientation after a rotation by `θ`, in body axes.
pub(super) fn turned(orientation: &UnitQuaternion<f64>, theta: &Vector3<f64>) -> UnitQuaternion<f64> {
    let product = orientation.into_inner() * UnitQuaternion::from_scaled_axis(*theta).into_inner();
    UnitQuaternion::new_normalize(product)
}

impl BodyState {
    /// Moves the body by a vector and turns it by a rotation vector, both in world axes.
    pub fn move_by(&mut self, displacement: &Vector3<f64>, turn: &Vector3<f64>) {
        let in_body = self.orientation.inverse() * turn;
        self.position += displacement;
        self.orientation = turned(&self.orientation, &in_body);
    }
}
