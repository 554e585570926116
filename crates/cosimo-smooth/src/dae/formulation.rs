//! At which levels the constraints are imposed.

use cosimo_dynamics::Level;
use serde::{Deserialize, Serialize};

use super::error::DaeError;

/// How the constraints enter the equations of a step. With `x` the increment of the position by the step rule and `u` the
/// acceleration,
///
/// ```text
///   index 3                   M u + … + Φᵀ μ = f          φ  = 0
///   index 2                   M u + … + Φᵀ μ = f          φ̇ = 0
///   index 1                   M u + … + Φᵀ μ = f          φ̈ = 0
///   Baumgarte                 M u + … + Φᵀ μ = f          φ̈ + 2 α φ̇ + β² φ = 0
///   stabilised index 2        index 2, and     M U + Φᵀ ν = 0,  φ = 0       with the position moved on by U
///   stabilised index 1        index 1, the same, and  M W + Φᵀ Λ = 0,  φ̇ = 0  with the velocity changed by W
/// ```
///
/// Reference: O. Brüls, V. Acary, A. Cardona, *On the Constraints Formulation in the Nonsmooth Generalized-α Method*,
/// Springer 2018, section 4; C. W. Gear, B. Leimkuhler, G. K. Gupta, J. Comput. Appl. Math. 12, 1985; J. Baumgarte, CMAME 1,
/// 1972.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Formulation {
    /// Index 3: positions alone. Second-order rules keep their order in everything, multipliers included; velocities and
    /// accelerations violate the constraints by the error of the rule.
    #[serde(rename = "index-3")]
    Position,
    /// Index 2: velocities alone. Positions drift.
    #[serde(rename = "index-2")]
    Velocity,
    /// Index 1: accelerations alone, which is what elimination of the multipliers solves. Velocities and positions drift.
    #[serde(rename = "index-1")]
    Acceleration,
    /// Index 1 with the drift fed back: `φ̈ + 2 α φ̇ + β² φ = 0`.
    Baumgarte {
        /// `α` (1/s), zero or positive.
        alpha: f64,
        /// `β` (1/s), zero or positive.
        beta: f64,
    },
    /// Stabilised index 2 of Gear, Gupta and Leimkuhler: positions and velocities at round-off.
    #[serde(rename = "stabilised-index-2")]
    PositionVelocity,
    /// Stabilised index 1: positions, velocities and accelerations at round-off. Not disturbed by accelerations that do
    /// not fit, as after an impact.
    #[default]
    #[serde(rename = "stabilised-index-1")]
    PositionVelocityAcceleration,
}

impl Formulation {
    /// Refuses feedback that would drive drift away instead of back.
    pub(super) fn check(self) -> Result<(), DaeError> {
        let Self::Baumgarte { alpha, beta } = self else { return Ok(()) };
        for (quantity, found) in
            [("alpha of Baumgarte's feedback", alpha), ("beta of Baumgarte's feedback", beta)]
        {
            if !(found >= 0.0 && found.is_finite()) {
                return Err(DaeError::OutOfRange { quantity, found, rule: "zero or positive, and finite" });
            }
        }
        Ok(())
    }

    /// Level of the constraints in the balance of forces.
    pub(super) fn level(self) -> Level {
        match self {
            Self::Position => Level::Position,
            Self::Velocity | Self::PositionVelocity => Level::Velocity,
            Self::Acceleration | Self::Baumgarte { .. } | Self::PositionVelocityAcceleration => {
                Level::Acceleration
            }
        }
    }

    /// Change of a constraint row with a unit of its acceleration, where `c_v` (s) and `c_q` (s²) are the changes of its rate and
    /// of its value.
    pub(super) fn row_scale(self, c_v: f64, c_q: f64) -> f64 {
        match self {
            Self::Position => c_q,
            Self::Velocity | Self::PositionVelocity => c_v,
            Self::Acceleration | Self::PositionVelocityAcceleration => 1.0,
            Self::Baumgarte { alpha, beta } => 1.0 + 2.0 * alpha * c_v + beta * beta * c_q,
        }
    }

    /// Weight of `∂φ̇/∂q` in the rows of Newton's matrix, in their scale.
    ///
    /// None beside projections. They take from the motion what a correction has across the constraints, so that the derivative
    /// of the rows is `∂φ̇/∂q` times the part along them, which no sparse matrix holds. With all of it in the rows, both the
    /// rows and the projections, solved by the same matrix, contract by `c_v |∂φ̇/∂q|` over the least singular value of the
    /// rows only; without it an iterate's rows lag behind by one, and two corrections do what one would.
    pub(super) fn gradient_weight(self, c_v: f64, c_q: f64) -> f64 {
        if self.projects_positions() {
            return 0.0;
        }
        let [of_rate, _] = self.feedback().unwrap_or_default();
        let weight = match self.level() {
            Level::Position => 0.0,
            Level::Velocity => c_q,
            Level::Acceleration => 2.0 * c_v + of_rate * c_q,
        };
        weight / self.row_scale(c_v, c_q)
    }

    /// Weights of the rates and the values of the constraints beside their accelerations, `2 α` and `β²`.
    pub(super) fn feedback(self) -> Option<[f64; 2]> {
        match self {
            Self::Baumgarte { alpha, beta } => Some([2.0 * alpha, beta * beta]),
            _ => None,
        }
    }

    /// Whether positions are put back on the constraints.
    pub(super) fn projects_positions(self) -> bool {
        matches!(self, Self::PositionVelocity | Self::PositionVelocityAcceleration)
    }

    /// Whether positions leave the constraints by the error of the rule.
    pub(super) fn drifts(self) -> bool {
        self.level() != Level::Position && !self.projects_positions()
    }

    /// Whether velocities are put back on the constraints.
    pub(super) fn projects_velocities(self) -> bool {
        self == Self::PositionVelocityAcceleration
    }
}
