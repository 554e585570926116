//! A rigid body and its state.

use nalgebra::{Matrix3, UnitQuaternion, Vector3};

use super::SpatialError;

/// Share of the largest principal moment by which an inertia may break the rules of a body: round-off of its data.
const ROUND_OFF: f64 = 1e-12;

/// A rigid body: mass, inertia and gravity.
#[derive(Debug, Clone, PartialEq)]
pub struct RigidBody {
    mass: f64,
    inertia: Matrix3<f64>,
    inverse_inertia: Matrix3<f64>,
    gravity: Vector3<f64>,
}

/// Where a body is and how it moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyState {
    /// Position of the centre of mass in world axes (m).
    pub position: Vector3<f64>,
    /// Turns body vectors into world vectors.
    pub orientation: UnitQuaternion<f64>,
    /// Velocity of the centre of mass in world axes (m/s).
    pub velocity: Vector3<f64>,
    /// Angular velocity in body axes (rad/s).
    pub angular_velocity: Vector3<f64>,
}

impl Default for BodyState {
    fn default() -> Self {
        Self {
            position: Vector3::zeros(),
            orientation: UnitQuaternion::identity(),
            velocity: Vector3::zeros(),
            angular_velocity: Vector3::zeros(),
        }
    }
}

impl BodyState {
    /// Position of a body point, given by its arm from the centre of mass in body axes (m).
    #[must_use]
    pub fn point(&self, arm: &Vector3<f64>) -> Vector3<f64> {
        self.position + self.orientation * arm
    }

    /// Velocity of a body point in world axes (m/s).
    #[must_use]
    pub fn point_velocity(&self, arm: &Vector3<f64>) -> Vector3<f64> {
        self.velocity + self.orientation * self.angular_velocity.cross(arm)
    }

    /// Angular velocity in world axes (rad/s).
    #[must_use]
    pub fn angular_velocity_in_world(&self) -> Vector3<f64> {
        self.orientation * self.angular_velocity
    }

    /// Whether all numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        let vectors = [&self.position, &self.velocity, &self.angular_velocity];
        vectors.iter().all(|x| x.iter().all(|xi| xi.is_finite()))
            && self.orientation.coords.iter().all(|xi| xi.is_finite())
    }
}

/// What a load on a body point does over a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PointImpulse {
    /// Arm of the point from the centre of mass in body axes (m).
    pub arm: Vector3<f64>,
    /// Impulse in world axes (N s).
    pub force: Vector3<f64>,
    /// Angular impulse in world axes (N m s).
    pub moment: Vector3<f64>,
}

impl RigidBody {
    /// A body of this mass (kg) and inertia about its centre of mass in body axes (kg m²), without gravity.
    ///
    /// # Errors
    /// A mass that is not positive, or below the normal numbers; an inertia that is not symmetric and positive definite, or a
    /// principal moment above the sum of the two others.
    pub fn new(mass: f64, inertia: Matrix3<f64>) -> Result<Self, SpatialError> {
        if !(mass > 0.0 && mass.is_normal()) {
            let (quantity, rule) = ("mass", "positive and finite, 2.3e-308 or more");
            return Err(SpatialError::OutOfRange { quantity, found: mass, rule });
        }
        check_inertia(&inertia)?;
        let Some(inverse_inertia) = inertia.try_inverse() else {
            return Err(SpatialError::Inertia { reason: "it is singular".to_owned() });
        };
        Ok(Self { mass, inertia, inverse_inertia, gravity: Vector3::zeros() })
    }

    /// Sets gravity (m/s²).
    #[must_use]
    pub fn with_gravity(mut self, gravity: impl Into<Vector3<f64>>) -> Self {
        self.gravity = gravity.into();
        self
    }

    /// Mass (kg).
    #[must_use]
    pub fn mass(&self) -> f64 {
        self.mass
    }

    /// Inertia about the centre of mass in body axes (kg m²).
    #[must_use]
    pub fn inertia(&self) -> &Matrix3<f64> {
        &self.inertia
    }

    pub(super) fn inverse_inertia(&self) -> &Matrix3<f64> {
        &self.inverse_inertia
    }

    /// Gravity (m/s²).
    #[must_use]
    pub fn gravity(&self) -> &Vector3<f64> {
        &self.gravity
    }

    /// Momentum in world axes (kg m/s).
    #[must_use]
    pub fn momentum(&self, state: &BodyState) -> Vector3<f64> {
        state.velocity * self.mass
    }

    /// Angular momentum about the centre of mass in world axes (kg m²/s).
    #[must_use]
    pub fn angular_momentum(&self, state: &BodyState) -> Vector3<f64> {
        state.orientation * (self.inertia * state.angular_velocity)
    }

    /// Kinetic energy (J).
    #[must_use]
    pub fn kinetic_energy(&self, state: &BodyState) -> f64 {
        let turning = state.angular_velocity.dot(&(self.inertia * state.angular_velocity));
        0.5 * (self.mass * state.velocity.norm_squared() + turning)
    }

    /// Potential energy of gravity (J), zero at the origin.
    #[must_use]
    pub fn potential_energy(&self, state: &BodyState) -> f64 {
        -self.mass * self.gravity.dot(&state.position)
    }
}

fn check_inertia(inertia: &Matrix3<f64>) -> Result<(), SpatialError> {
    let refuse = |reason: String| Err(SpatialError::Inertia { reason });
    let largest = inertia.amax();
    if !inertia.iter().all(|x| x.is_finite()) {
        return refuse("it has entries that are not finite".to_owned());
    }
    if (inertia - inertia.transpose()).amax() > ROUND_OFF * largest {
        return refuse("it is not symmetric".to_owned());
    }
    check_moments(inertia)
}

/// Refuses an inertia whose principal moments no body has.
fn check_moments(inertia: &Matrix3<f64>) -> Result<(), SpatialError> {
    let refuse = |reason: String| Err(SpatialError::Inertia { reason });
    let largest = inertia.amax();
    let mut moments: Vec<f64> = inertia.symmetric_eigenvalues().iter().copied().collect();
    moments.sort_by(f64::total_cmp);
    if !(moments[0] > ROUND_OFF * largest) {
        return refuse(format!("its smallest principal moment is {:?} kg m², must be positive", moments[0]));
    }
    if !moments[0].is_normal() {
        return refuse(format!(
            "its smallest principal moment is {:?} kg m², must be 2.3e-308 or more",
            moments[0]
        ));
    }
    if moments[2] > (moments[0] + moments[1]) * (1.0 + ROUND_OFF) {
        return refuse(format!(
            "its largest principal moment, {:?} kg m², exceeds the sum of the others, {:?} and {:?} kg m²",
            moments[2], moments[0], moments[1]
        ));
    }
    Ok(())
}
