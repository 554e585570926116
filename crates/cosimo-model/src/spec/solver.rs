//! Solvers of subsystems.

use std::fmt;

use cosimo_impact::Scheme;

/// What solves a subsystem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SolverSpec {
    /// Moreau–Jean time stepping; the only solver with contacts.
    MoreauJean {
        /// Weight of the end of the step (no unit), in \[0.5, 1\]. Default: 0.5.
        theta: f64,
    },
    /// The theta method.
    Theta {
        /// Weight of the end of the step (no unit), in \[0.5, 1\]. Default: 0.5.
        theta: f64,
    },
    /// A two-step method.
    Multistep {
        /// Spectral radius at infinite frequency (no unit), in \[0, 1\]. Default: 0.6.
        spectral_radius: f64,
    },
    /// The generalized-α method.
    GeneralizedAlpha {
        /// Spectral radius at infinite frequency (no unit), in \[0, 1\]. Default: 0.8.
        spectral_radius: f64,
    },
    /// The method of Hilber, Hughes and Taylor, of multibody systems.
    Hht {
        /// `α` (no unit), in \[−1/3, 0\]. Default: −0.1.
        alpha: f64,
    },
    /// Newmark's method, of multibody systems.
    Newmark {
        /// `γ` (no unit), in \[0.5, 1\]. Default: 0.5.
        gamma: f64,
    },
    /// The implicit Euler method, of multibody systems.
    ImplicitEuler,
    /// A nonsmooth integrator with the contacts inside, of linear and multibody systems without ports.
    Nonsmooth(Scheme),
    /// Backward differentiation, of multibody systems.
    Bdf {
        /// Order, 1 to 5. Default: 2.
        order: u32,
    },
    /// Backward differentiation whose order and steps between communication points follow the error, of multibody systems.
    AdaptiveBdf {
        /// Largest order, 1 to 5. Default: 5.
        largest_order: u32,
        /// Error of a step relative to `1 + max |q|` and `1 + max |v|` (no unit), positive. Default: 1e-6.
        error_tolerance: f64,
    },
}

/// A parameter of a solver.
#[derive(Clone, Copy)]
pub(crate) struct SolverParameter {
    /// Name in the file.
    pub(crate) name: &'static str,
    /// Value (no unit).
    pub(crate) value: f64,
    /// What it may be.
    pub(crate) range: ParameterRange,
}

/// What a parameter of a solver may be.
#[derive(Clone, Copy)]
pub(crate) enum ParameterRange {
    /// A number between two.
    Within(f64, f64),
    /// A positive number.
    Positive,
    /// A whole number, 1 to 5.
    Order,
}

impl SolverSpec {
    /// Every solver with its default parameter.
    pub(crate) const ALL: [Self; 9] = [
        Self::MoreauJean { theta: 0.5 },
        Self::Theta { theta: 0.5 },
        Self::Multistep { spectral_radius: 0.6 },
        Self::GeneralizedAlpha { spectral_radius: 0.8 },
        Self::Hht { alpha: -0.1 },
        Self::Newmark { gamma: 0.5 },
        Self::ImplicitEuler,
        Self::Bdf { order: 2 },
        Self::AdaptiveBdf { largest_order: 5, error_tolerance: 1e-6 },
    ];

    /// The solver used where the file names none.
    #[must_use]
    pub fn default_for(has_contacts: bool) -> Self {
        if has_contacts { Self::MoreauJean { theta: 0.5 } } else { Self::Theta { theta: 0.5 } }
    }

    /// Name in the file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::MoreauJean { .. } => "moreau-jean",
            Self::Theta { .. } => "theta",
            Self::Multistep { .. } => "multistep",
            Self::GeneralizedAlpha { .. } => "generalized-alpha",
            Self::Hht { .. } => "hht",
            Self::Newmark { .. } => "newmark",
            Self::ImplicitEuler => "implicit-euler",
            Self::Nonsmooth(scheme) => scheme.name(),
            Self::Bdf { .. } => "bdf",
            Self::AdaptiveBdf { .. } => "adaptive-bdf",
        }
    }

    /// The parameters.
    pub(crate) fn parameters(&self) -> Vec<SolverParameter> {
        use ParameterRange::{Order, Positive, Within};
        let one = |name, value, range| SolverParameter { name, value, range };
        match *self {
            Self::MoreauJean { theta } | Self::Theta { theta } => vec![one("theta", theta, Within(0.5, 1.0))],
            Self::Multistep { spectral_radius } | Self::GeneralizedAlpha { spectral_radius } => {
                vec![one("spectral_radius", spectral_radius, Within(0.0, 1.0))]
            }
            Self::Hht { alpha } => vec![one("alpha", alpha, Within(-1.0 / 3.0, 0.0))],
            Self::Newmark { gamma } => vec![one("gamma", gamma, Within(0.5, 1.0))],
            Self::ImplicitEuler | Self::Nonsmooth(_) => Vec::new(),
            Self::Bdf { order } => vec![one("order", f64::from(order), Order)],
            Self::AdaptiveBdf { largest_order, error_tolerance } => vec![
                one("largest_order", f64::from(largest_order), Order),
                one("error_tolerance", error_tolerance, Positive),
            ],
        }
    }

    /// The same solver with these values of its parameters, in their order.
    pub(crate) fn with_parameters(self, values: &[f64]) -> Self {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "whole numbers from 1 to 5"
        )]
        let whole = |value: f64| value as u32;
        match (self, values) {
            (Self::MoreauJean { .. }, &[theta]) => Self::MoreauJean { theta },
            (Self::Theta { .. }, &[theta]) => Self::Theta { theta },
            (Self::Multistep { .. }, &[spectral_radius]) => Self::Multistep { spectral_radius },
            (Self::GeneralizedAlpha { .. }, &[spectral_radius]) => Self::GeneralizedAlpha { spectral_radius },
            (Self::Hht { .. }, &[alpha]) => Self::Hht { alpha },
            (Self::Newmark { .. }, &[gamma]) => Self::Newmark { gamma },
            (Self::Bdf { .. }, &[order]) => Self::Bdf { order: whole(order) },
            (Self::AdaptiveBdf { .. }, &[largest, error_tolerance]) => {
                Self::AdaptiveBdf { largest_order: whole(largest), error_tolerance }
            }
            _ => self,
        }
    }

    /// Whether the solver can have contacts.
    #[must_use]
    pub fn allows_contacts(&self) -> bool {
        use SolverSpec::{GeneralizedAlpha, MoreauJean, Multistep, Nonsmooth};
        matches!(self, MoreauJean { .. } | Multistep { .. } | GeneralizedAlpha { .. } | Nonsmooth(_))
    }

    /// Whether it is one of multibody systems alone.
    #[must_use]
    pub fn is_for_multibody_only(&self) -> bool {
        !matches!(
            self,
            Self::MoreauJean { .. }
                | Self::Theta { .. }
                | Self::Multistep { .. }
                | Self::GeneralizedAlpha { .. }
        )
    }

    /// Whether what it makes of a force is that of its mean over the step, as what several steps make of it is.
    #[must_use]
    pub fn takes_means(&self) -> bool {
        matches!(
            self,
            Self::MoreauJean { .. }
                | Self::Theta { .. }
                | Self::Newmark { .. }
                | Self::ImplicitEuler
                | Self::Bdf { order: 1 }
        )
    }

    /// Whether a rigid interface in impulses can join subsystems of these two solvers: both must turn an impulse
    /// of the step into the same change of position.
    #[must_use]
    pub fn shares_impulses_with(&self, other: &Self) -> bool {
        use SolverSpec::{Bdf, GeneralizedAlpha, Hht, ImplicitEuler, MoreauJean, Multistep, Newmark, Theta};
        let is_implicit_euler = |solver: &Self| matches!(solver, ImplicitEuler | Bdf { order: 1 });
        match (self, other) {
            (MoreauJean { theta } | Theta { theta }, other)
            | (other, MoreauJean { theta } | Theta { theta })
                if is_implicit_euler(other) =>
            {
                *theta == 1.0
            }
            (MoreauJean { theta: a } | Theta { theta: a }, MoreauJean { theta: b } | Theta { theta: b })
            | (Multistep { spectral_radius: a }, Multistep { spectral_radius: b })
            | (GeneralizedAlpha { spectral_radius: a }, GeneralizedAlpha { spectral_radius: b })
            | (Hht { alpha: a }, Hht { alpha: b })
            | (Newmark { gamma: a }, Newmark { gamma: b }) => a == b,
            _ => is_implicit_euler(self) && is_implicit_euler(other),
        }
    }
}

/// Name and parameters, as in `theta (theta = 0.5)`.
impl fmt::Display for SolverSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Nonsmooth(scheme) = self {
            return write!(f, "scheme {}", scheme.name());
        }
        f.write_str(self.name())?;
        for (k, parameter) in self.parameters().iter().enumerate() {
            let before = if k == 0 { " (" } else { ", " };
            write!(f, "{before}{} = {parameter}", parameter.name)?;
        }
        if self.parameters().is_empty() { Ok(()) } else { f.write_str(")") }
    }
}

/// The value as it is written in a file.
impl fmt::Display for SolverParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.range {
            ParameterRange::Order => write!(f, "{}", self.value),
            ParameterRange::Within(..) | ParameterRange::Positive => write!(f, "{:?}", self.value),
        }
    }
}
