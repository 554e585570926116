//! The explicit parts of a step.

/// What turns the explicit parts of a step into positions and accelerations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Link {
    /// `y = x̂ + b ẏ`, where `ẏ = T(x)⁻¹ v₁` is the rate of the increment at the end.
    Rate {
        /// `b` (s).
        weight: f64,
    },
    /// `y = x̂ + c_q u`.
    Acceleration,
}

/// Explicit parts of a step: `v₁ = v̂ + c_v u`, and the increment `y` of the position by the [`Link`].
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) link: Link,
    /// `x̂`.
    pub(super) increment: Vec<f64>,
    /// `v̂`.
    pub(super) velocity: Vec<f64>,
    /// `c_v` (s).
    pub(super) velocity_weight: f64,
    /// `c_q` (s²); `b c_v` where the link is a rate.
    pub(super) position_weight: f64,
    /// Where in the step forces balance, as a share of it: 1, or ½ where they are means.
    pub(super) share: f64,
    /// First guess of the acceleration.
    pub(super) guess: Vec<f64>,
}

impl Plan {
    pub(super) fn zeros(n: usize) -> Self {
        Self {
            link: Link::Acceleration,
            increment: vec![0.0; n],
            velocity: vec![0.0; n],
            velocity_weight: 0.0,
            position_weight: 0.0,
            share: 1.0,
            guess: vec![0.0; n],
        }
    }
}
