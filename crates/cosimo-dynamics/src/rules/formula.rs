//! A step as a linear form of one acceleration and one jump.

use super::state_point::StatePoint;
use crate::CoordinateVector;

/// How the position of the end follows from the other unknowns.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum PositionUpdate {
    /// `x₁ = x̂ + d_q u`.
    #[default]
    Acceleration,
    /// `x₁ = x̂ + b ẋ₁`, where `ẋ₁ = T(x₁)⁻¹ v₁` is the rate of the increment at the end.
    Rate {
        /// `b` (s).
        weight: f64,
    },
}

/// What a change at the end of a step makes of velocities and increments.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EndWeights {
    /// Of velocities.
    pub velocity: f64,
    /// Of increments of the position.
    pub position: f64,
}

/// Where in a step the equations of motion are satisfied, as shares of what leads to its end (–).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StageFractions {
    /// `c`.
    pub time: f64,
    /// `s_v`.
    pub velocity: f64,
    /// `s_q`.
    pub position: f64,
}

impl StageFractions {
    /// The end.
    pub const END: Self = Self { time: 1.0, velocity: 1.0, position: 1.0 };

    /// The same share of time, velocity and position.
    #[must_use]
    pub const fn even(share: f64) -> Self {
        Self { time: share, velocity: share, position: share }
    }

    /// Whether the stage is the end itself.
    #[must_use]
    pub fn is_end(&self) -> bool {
        *self == Self::END
    }
}

impl Default for StageFractions {
    fn default() -> Self {
        Self::END
    }
}

/// The coefficients of one implicit step. With the increment `x` of the position from the start, the acceleration `u` (m/s²) of
/// the smooth motion and a jump `w` of the velocity (m/s), a step ends at
///
/// ```text
///   v₁ = v̂ + d_v u + e_v w      x₁ = x̂ + d_q u + e_q w      q₁ = q₀ ∘ exp(x₁)
/// ```
///
/// and satisfies the equations of motion at the stage
///
/// ```text
///   t_c = t₀ + c h      v_c = (1 − s_v) v̂ + s_v v₁      x_c = s_q x₁
/// ```
///
/// The explicit parts `v̂, x̂` are the [`Prediction`]. The iteration matrix of every rule is `J = M + c_v C + c_q K` with
/// `c_v = s_v d_v` and `c_q = s_q d_q`. A load `ℓ` at the stage changes the end velocity by `d_v J⁻¹ Zᵀ ℓ`, so that `X = d_v ℓ` is
/// its impulse: one inverse mass `W = Z J⁻¹ Zᵀ` serves finite forces and impulses alike.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepFormula {
    /// `c`, `s_v`, `s_q`.
    pub stage: StageFractions,
    /// `d_v` (s) and `d_q` (s²).
    pub end: EndWeights,
    /// `e_v` (–) and `e_q` (s).
    pub jump: EndWeights,
    /// How the position of the end is found; with [`Rate`](PositionUpdate::Rate), `d_q = b d_v`.
    pub position_update: PositionUpdate,
    /// Weight (s) of a load at the step's end in the impulse `X`.
    pub end_load: f64,
    /// Weight (s) of a load at the step's start in the impulse `X`.
    pub start_load: f64,
}

impl StepFormula {
    /// Of rules that satisfy the equations of motion at the end of a step of size `h` (s), with these weights of the acceleration.
    /// Jumps are taken to happen in the middle of the step.
    #[must_use]
    pub fn at_end(h: f64, end: EndWeights, position_update: PositionUpdate) -> Self {
        Self {
            stage: StageFractions::END,
            end,
            jump: EndWeights { velocity: 1.0, position: 0.5 * h },
            position_update,
            end_load: end.velocity,
            start_load: 0.0,
        }
    }

    /// `c_v` (s).
    #[must_use]
    pub fn stage_velocity(&self) -> f64 {
        self.stage.velocity * self.end.velocity
    }

    /// `c_q` (s²).
    #[must_use]
    pub fn stage_position(&self) -> f64 {
        self.stage.position * self.end.position
    }

    /// `χ = d_q / d_v` (s): position change at the end for a unit velocity change by a stage load.
    #[must_use]
    pub fn position_weight(&self) -> f64 {
        self.end.position / self.end.velocity
    }
}

/// Explicit parts of a step, lengths those of velocities.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Prediction {
    /// `v̂`.
    pub velocity: CoordinateVector,
    /// `x̂`.
    pub increment: CoordinateVector,
}

impl Prediction {
    /// Goes on with the velocity of the start for the time `h` (s).
    pub fn coast(&mut self, h: f64, start: StatePoint<'_>) {
        let v = start.motion.v;
        let (velocity, increment) = (&mut self.velocity[..v.len()], &mut self.increment[..v.len()]);
        for i in 0..v.len() {
            (velocity[i], increment[i]) = (v[i], h * v[i]);
        }
    }

    /// Zero vectors of length `n`.
    #[must_use]
    pub fn zeros(n: usize) -> Self {
        let zero = CoordinateVector::zeros(n);
        Self { velocity: zero.clone(), increment: zero }
    }
}
