//! How a contact enters the problem of a step that captures impacts, as other codes let it be chosen.

use serde::{Deserialize, Serialize};

/// Which rates before an impact restitution sees in the plain problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Restitution {
    /// `U₁ ≥ −e min(U₀, 0)`: contacts that approach rebound, contacts that open do not come back.
    #[default]
    Approaching,
    /// `U₁ ≥ −e U₀`, whatever its sign: a contact that opens may approach again at `e U₀`. It may create energy.
    Always,
}

impl Restitution {
    /// What restitution sees of a gap rate.
    #[must_use]
    pub fn seen(self, rate: f64) -> f64 {
        match self {
            Self::Approaching => rate.min(0.0),
            Self::Always => rate,
        }
    }
}

/// How a contact enters the plain problem of a step.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Activation {
    /// `γ` (–), not negative: the contact takes part where `y₀ + γ h U₀ ≤ 0`, and nowhere else. Without it where it closes in the step
    /// without contact impulses, or touches at rest.
    pub gamma: Option<f64>,
    /// Which rates restitution sees.
    pub restitution: Restitution,
}

impl Activation {
    /// Whether the law of the contact is that of the plain problem by itself, without what is added for contacts that separate
    /// all the time, or swing too fast for the step.
    #[must_use]
    pub fn is_chosen(self) -> bool {
        self != Self::default()
    }
}
