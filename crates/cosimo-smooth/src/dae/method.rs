//! The step rules by name.

use cosimo_dynamics::{GeneralizedAlpha, Multistep, StepRule, SystemError, Theta};

use super::error::DaeError;

/// Which step rule integrates the motion.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// Two-step rule of order 2 with this spectral radius at infinite frequency, in \[0, 1\].
    Multistep {
        /// `ρ`.
        spectral_radius: f64,
    },
    /// Generalized-α of order 2 with this spectral radius at infinite frequency, in \[0, 1\].
    GeneralizedAlpha {
        /// `ρ`.
        spectral_radius: f64,
    },
    /// HHT of order 2, with `α` in \[−1/3, 0\]; the spectral radius at infinity is `(1 + α)/(1 − α)`.
    Hht {
        /// `α`.
        alpha: f64,
    },
    /// Newmark's rule with `β = (γ + ½)²/4` and `γ` in \[½, 1\]: order 2 for ½, else 1.
    Newmark {
        /// `γ`.
        gamma: f64,
    },
    /// The midpoint rule of order 2, whose forces and reactions are means over the step, as impulses are: for systems that
    /// impacts reach. Constraints are imposed at the level of velocities, alone or with positions.
    Midpoint,
    /// The rule of which `Midpoint` is `θ = ½`, with `θ` in \[½, 1\]: of order 1 above.
    Theta {
        /// `θ`.
        theta: f64,
    },
    /// Backward differentiation of order 1 to 5 on steps of any sizes.
    Bdf {
        /// `k`.
        order: usize,
    },
    /// Implicit Euler, `Bdf` of order 1.
    ImplicitEuler,
    /// Backward differentiation whose order, up to this one in 1 to 5, and steps follow the error; see
    /// [`DaeSolver::advance_within`](super::DaeSolver::advance_within). Needs no points before the start.
    AdaptiveBdf {
        /// Largest order.
        largest_order: usize,
    },
}

impl Method {
    /// The two-step rule with this spectral radius at infinite frequency (–), in \[0, 1\].
    #[must_use]
    pub const fn multistep(spectral_radius: f64) -> Self {
        Self::Multistep { spectral_radius }
    }

    /// Generalized-α with this spectral radius at infinite frequency (–), in \[0, 1\].
    #[must_use]
    pub const fn generalized_alpha(spectral_radius: f64) -> Self {
        Self::GeneralizedAlpha { spectral_radius }
    }

    /// Whether forces and reactions are means over a step, which impulses join.
    #[must_use]
    pub fn takes_means(self) -> bool {
        matches!(self, Self::Midpoint | Self::Theta { .. })
    }

    /// The rule.
    ///
    /// # Errors
    /// A parameter out of its range.
    pub fn rule(self) -> Result<Box<dyn StepRule>, DaeError> {
        let rule: Result<Box<dyn StepRule>, SystemError> = match self {
            Self::Multistep { spectral_radius } => Multistep::new(spectral_radius).map(Into::into),
            Self::GeneralizedAlpha { spectral_radius } => {
                GeneralizedAlpha::new(spectral_radius).map(Into::into)
            }
            Self::Hht { alpha } => GeneralizedAlpha::hht(alpha).map(Into::into),
            Self::Newmark { gamma } => GeneralizedAlpha::newmark(gamma).map(Into::into),
            Self::Midpoint => Ok(Theta::default().into()),
            Self::Theta { theta } => Theta::new(theta).map(Into::into),
            Self::Bdf { order } => Multistep::backward_differentiation(order).map(Into::into),
            Self::AdaptiveBdf { largest_order } => Multistep::adaptive(largest_order).map(Into::into),
            Self::ImplicitEuler => Multistep::backward_differentiation(1).map(Into::into),
        };
        rule.map_err(DaeError::of_rule)
    }
}
