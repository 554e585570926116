//! Solvers of subsystems.

use std::fmt;

use cosimo_impact::Scheme;
use cosimo_mechanics::Activation;
use serde::{Deserialize, Serialize};
use toml::Table;

use crate::toml::{METHOD, literal, scheme};

/// What solves a subsystem.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "method", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum SolverSpec {
    /// The theta method; with contacts it is the time stepping of Moreau and Jean, whose name `moreau-jean` is read too.
    #[serde(alias = "moreau-jean")]
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
    /// A nonsmooth integrator with the contacts inside, of linear and multibody systems.
    #[serde(untagged, skip_deserializing, serialize_with = "scheme")]
    Nonsmooth(Scheme),
}

impl SolverSpec {
    /// Every solver with its default parameter.
    pub(crate) const ALL: [Self; 8] = [
        Self::Theta { theta: 0.5 },
        Self::Multistep { spectral_radius: 0.6 },
        Self::GeneralizedAlpha { spectral_radius: 0.8 },
        Self::Hht { alpha: -0.1 },
        Self::Newmark { gamma: 0.5 },
        Self::ImplicitEuler,
        Self::Bdf { order: 2 },
        Self::AdaptiveBdf { largest_order: 5, error_tolerance: 1e-6 },
    ];

    /// The solver used where the file names none: the midpoint rule.
    pub(crate) const DEFAULT: Self = Self::Theta { theta: 0.5 };

    /// Names of solvers in the file, with what they mean; a solver that has two is written with that of [`name`](Self::name).
    pub(crate) fn names() -> impl Iterator<Item = (&'static str, Self)> {
        let own = Self::ALL.into_iter().map(|solver| (solver.name(), solver));
        own.chain([("moreau-jean", Self::DEFAULT)])
    }

    /// Name in the file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
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

    /// The parameters by their names in the file.
    pub(crate) fn parameters(&self) -> Table {
        let mut fields = Table::try_from(self).unwrap_or_default();
        fields.remove(METHOD);
        fields
    }

    /// The same solver with these parameters.
    pub(crate) fn with_parameters(self, mut fields: Table) -> Self {
        fields.insert(METHOD.to_owned(), self.name().into());
        fields.try_into().unwrap_or(self)
    }

    /// Whether it is one of multibody systems alone.
    #[must_use]
    pub fn is_for_multibody_only(&self) -> bool {
        !matches!(self, Self::Theta { .. } | Self::Multistep { .. } | Self::GeneralizedAlpha { .. })
    }

    /// The step rule that a scheme is, with contacts that the master solves, and how these enter; `None` of schemes that solve for contacts in
    /// other ways than at the level of velocities.
    #[must_use]
    pub(crate) fn rule_of_scheme(&self) -> Option<(Self, Activation)> {
        let Self::Nonsmooth(scheme) = *self else { return None };
        let (rule, own) = match scheme {
            Scheme::MoreauJean { theta, activation, .. } if theta >= 0.5 => {
                (Self::Theta { theta }, activation)
            }
            Scheme::Multistep { spectral_radius, activation } => {
                (Self::Multistep { spectral_radius }, activation)
            }
            _ => return None,
        };
        Some((rule, Activation { gamma: Some(own.gamma), restitution: own.restitution }))
    }

    /// The solver of a linear system with contacts that integrates as this one does, if there is one.
    #[must_use]
    pub fn of_linear_partner(&self) -> Option<Self> {
        match self {
            Self::Theta { theta } => Some(Self::Theta { theta: *theta }),
            Self::ImplicitEuler | Self::Bdf { order: 1 } => Some(Self::Theta { theta: 1.0 }),
            Self::Multistep { .. } | Self::GeneralizedAlpha { .. } => Some(*self),
            _ => None,
        }
    }
}

/// Name and parameters, as in `theta (theta = 0.5)`.
impl fmt::Display for SolverSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::Nonsmooth(scheme) = self {
            return write!(f, "scheme {}", scheme.name());
        }
        let parameters = self.parameters();
        let parameters: Vec<String> =
            parameters.iter().map(|(name, value)| format!("{name} = {}", literal(value))).collect();
        match parameters[..] {
            [] => f.write_str(self.name()),
            _ => write!(f, "{} ({})", self.name(), parameters.join(", ")),
        }
    }
}
