//! Step rules in coordinates that may turn.

mod linear_multistep;
mod midpoint;
mod newmark;

use cosimo_dynamics::Coordinates;

use super::{DaeError, DaeState};
use crate::TwoStepCoefficients;
use crate::algorithmic::Parameters;
pub(super) use linear_multistep::LinearMultistep;
pub(super) use midpoint::Midpoint;
pub(super) use newmark::NewmarkFamily;

/// Which step rule integrates the motion.
#[derive(Debug, Clone, Copy, PartialEq)]
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

/// A step rule and its past.
pub(super) trait DaeRule: Send + std::fmt::Debug {
    /// Points before the start that the rule wants at a start: the number and what they are for is its own.
    fn wanted_past(&self) -> usize {
        0
    }

    /// Hands a point of the past to the rule, latest first.
    fn take_past(&mut self, _point: &DaeState) {}

    /// Sets the order of the next step; `false` where it is not free.
    fn set_order(&mut self, _order: usize) -> bool {
        false
    }

    /// Estimates of the error of a step for this order, of positions and of velocities; `None` where too few points are
    /// known.
    fn local_errors(
        &mut self,
        _h: f64,
        _order: usize,
        _ends: (&DaeState, &DaeState),
        _coordinates: &Coordinates,
    ) -> Option<[f64; 2]> {
        None
    }

    /// Writes the explicit parts of a step of size `h` (s).
    fn plan(&mut self, h: f64, state: &DaeState, coordinates: &Coordinates, out: &mut Plan);

    /// Takes the step from `before` to `after`.
    fn accept(&mut self, h: f64, before: &DaeState, after: &DaeState);

    /// Whether the next step begins without a past, so that it depends on the acceleration of its start.
    fn is_at_start(&self) -> bool;

    /// Whether accelerations and multipliers are means over a step, which nothing depends on.
    fn takes_means(&self) -> bool {
        false
    }

    /// Forgets the past.
    fn restart(&mut self, state: &DaeState);

    /// Appends the past.
    fn save(&self, out: &mut Vec<f64>);

    /// Reads back what [`save`](Self::save) wrote and returns how many numbers it took.
    fn restore(&mut self, saved: &[f64]) -> Option<usize>;
}

impl Method {
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
            Self::Bdf { order } | Self::AdaptiveBdf { largest_order: order } => {
                (1..=order).map(|j| 1.0 / j as f64).sum::<f64>().recip()
            }
            Self::ImplicitEuler => 1.0,
        }
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
            Self::Midpoint => Box::new(Midpoint),
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
