//! Step rules in coordinates that may turn.

mod linear_multistep;
mod newmark;
mod theta;

use cosimo_dynamics::{Coordinates, Theta};

use super::dae_rule::DaeRule;
use super::error::DaeError;
use crate::TwoStepCoefficients;
use crate::algorithmic::Parameters;
use linear_multistep::LinearMultistep;
use newmark::NewmarkFamily;
use theta::ThetaRule;

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

    /// Share of the end in the mean load of a step, on equal steps: ½ where both ends count alike. How the speed at the end
    /// depends on the acceleration there.
    #[must_use]
    pub fn end_share(self) -> f64 {
        let of = |Parameters { kappa, gamma, .. }: Parameters| kappa * gamma;
        match self {
            Self::Multistep { spectral_radius } => {
                TwoStepCoefficients::new(spectral_radius, 1.0, 1.0).rate[0]
            }
            Self::GeneralizedAlpha { spectral_radius } => of(Parameters::new(spectral_radius)),
            Self::Hht { alpha } => of(Parameters::hht(alpha)),
            Self::Newmark { gamma } => gamma,
            Self::Midpoint => 0.5,
            Self::Theta { theta } => theta,
            Self::Bdf { order } | Self::AdaptiveBdf { largest_order: order } => {
                (1..=order).map(|j| 1.0 / j as f64).sum::<f64>().recip()
            }
            Self::ImplicitEuler => 1.0,
        }
    }

    /// Name and parameters, as those of a [`StepRule`](cosimo_dynamics::StepRule::label).
    #[must_use]
    pub fn label(self) -> String {
        match self {
            Self::Multistep { spectral_radius } => format!("multistep {spectral_radius}"),
            Self::GeneralizedAlpha { spectral_radius } => format!("generalized-alpha {spectral_radius}"),
            Self::Hht { alpha } => format!("hht {alpha}"),
            Self::Newmark { gamma } => format!("newmark {gamma}"),
            Self::Midpoint => "theta 0.5".to_owned(),
            Self::Theta { theta } => format!("theta {theta}"),
            Self::Bdf { order } | Self::AdaptiveBdf { largest_order: order } => format!("bdf {order}"),
            Self::ImplicitEuler => "bdf 1".to_owned(),
        }
    }

    /// Whether it passes on a given momentum: all but backward differentiation of an order above 1.
    #[must_use]
    pub fn passes_momenta(self) -> bool {
        !matches!(self, Self::Bdf { order: 2.. } | Self::AdaptiveBdf { .. })
    }

    /// Whether forces and reactions are means over a step, which impulses join.
    #[must_use]
    pub fn takes_means(self) -> bool {
        matches!(self, Self::Midpoint | Self::Theta { .. })
    }

    /// The rule, for systems in these coordinates.
    pub(super) fn rule(self, coordinates: &Coordinates) -> Result<Box<dyn DaeRule>, DaeError> {
        let within = |quantity, found: f64, (low, high): (f64, f64), rule| {
            let is_within = (low..=high).contains(&found);
            if is_within { Ok(()) } else { Err(DaeError::OutOfRange { quantity, found, rule }) }
        };
        let radius = |rho| within("spectral radius", rho, (0.0, 1.0), "in [0, 1]");
        Ok(match self {
            Self::Multistep { spectral_radius } => {
                radius(spectral_radius)?;
                Box::new(LinearMultistep::two_step(spectral_radius, coordinates))
            }
            Self::GeneralizedAlpha { spectral_radius } => {
                radius(spectral_radius)?;
                Box::new(NewmarkFamily::generalized_alpha(spectral_radius, coordinates))
            }
            Self::Hht { alpha } => {
                within("alpha of the HHT rule", alpha, (-1.0 / 3.0, 0.0), "in [-1/3, 0]")?;
                Box::new(NewmarkFamily::hht(alpha, coordinates))
            }
            Self::Newmark { gamma } => {
                within("gamma of Newmark's rule", gamma, (0.5, 1.0), "in [1/2, 1]")?;
                Box::new(NewmarkFamily::newmark(gamma, coordinates))
            }
            Self::Midpoint => Box::new(ThetaRule(Theta::default())),
            Self::Theta { theta } => {
                let rule = |_| DaeError::OutOfRange { quantity: "theta", found: theta, rule: "in [1/2, 1]" };
                Box::new(ThetaRule(Theta::new(theta).map_err(rule)?))
            }
            Self::Bdf { order } => {
                within("order of backward differentiation", order as f64, (1.0, 5.0), "in 1 to 5")?;
                Box::new(LinearMultistep::backward_differentiation(order, coordinates))
            }
            Self::AdaptiveBdf { largest_order: order } => {
                within("largest order of backward differentiation", order as f64, (1.0, 5.0), "in 1 to 5")?;
                Box::new(LinearMultistep::adaptive(order, coordinates))
            }
            Self::ImplicitEuler => Box::new(LinearMultistep::backward_differentiation(1, coordinates)),
        })
    }
}
