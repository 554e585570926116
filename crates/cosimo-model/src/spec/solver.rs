//! Solvers of subsystems.

use std::fmt;

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
}

/// The parameter of a solver.
pub(crate) struct SolverParameter {
    /// Name in the file.
    pub(crate) name: &'static str,
    /// Value (no unit).
    pub(crate) value: f64,
    /// Smallest and largest value.
    pub(crate) range: (f64, f64),
}

impl SolverSpec {
    /// Every solver with its default parameter.
    pub(crate) const ALL: [Self; 7] = [
        Self::MoreauJean { theta: 0.5 },
        Self::Theta { theta: 0.5 },
        Self::Multistep { spectral_radius: 0.6 },
        Self::GeneralizedAlpha { spectral_radius: 0.8 },
        Self::Hht { alpha: -0.1 },
        Self::Newmark { gamma: 0.5 },
        Self::ImplicitEuler,
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
        }
    }

    /// The parameter, if there is one.
    pub(crate) fn parameter(&self) -> Option<SolverParameter> {
        let number = |name, value, range| Some(SolverParameter { name, value, range });
        match *self {
            Self::MoreauJean { theta } | Self::Theta { theta } => number("theta", theta, (0.5, 1.0)),
            Self::Multistep { spectral_radius } | Self::GeneralizedAlpha { spectral_radius } => {
                number("spectral_radius", spectral_radius, (0.0, 1.0))
            }
            Self::Hht { alpha } => number("alpha", alpha, (-1.0 / 3.0, 0.0)),
            Self::Newmark { gamma } => number("gamma", gamma, (0.5, 1.0)),
            Self::ImplicitEuler => None,
        }
    }

    /// The same solver with another value of its parameter.
    pub(crate) fn with_parameter(self, value: f64) -> Self {
        match self {
            Self::MoreauJean { .. } => Self::MoreauJean { theta: value },
            Self::Theta { .. } => Self::Theta { theta: value },
            Self::Multistep { .. } => Self::Multistep { spectral_radius: value },
            Self::GeneralizedAlpha { .. } => Self::GeneralizedAlpha { spectral_radius: value },
            Self::Hht { .. } => Self::Hht { alpha: value },
            Self::Newmark { .. } => Self::Newmark { gamma: value },
            Self::ImplicitEuler => Self::ImplicitEuler,
        }
    }

    /// Whether the solver can have contacts.
    #[must_use]
    pub fn allows_contacts(&self) -> bool {
        matches!(self, Self::MoreauJean { .. })
    }

    /// Whether it is one of multibody systems alone.
    #[must_use]
    pub fn is_for_multibody_only(&self) -> bool {
        matches!(self, Self::Hht { .. } | Self::Newmark { .. } | Self::ImplicitEuler)
    }

    /// Whether a rigid interface in impulses can join subsystems of these two solvers: both must turn an impulse
    /// of the step into the same change of position.
    #[must_use]
    pub fn shares_impulses_with(&self, other: &Self) -> bool {
        use SolverSpec::{GeneralizedAlpha, Hht, ImplicitEuler, MoreauJean, Multistep, Newmark, Theta};
        match (self, other) {
            (MoreauJean { theta } | Theta { theta }, ImplicitEuler)
            | (ImplicitEuler, MoreauJean { theta } | Theta { theta }) => *theta == 1.0,
            (ImplicitEuler, ImplicitEuler) => true,
            (MoreauJean { theta: a } | Theta { theta: a }, MoreauJean { theta: b } | Theta { theta: b })
            | (Multistep { spectral_radius: a }, Multistep { spectral_radius: b })
            | (GeneralizedAlpha { spectral_radius: a }, GeneralizedAlpha { spectral_radius: b })
            | (Hht { alpha: a }, Hht { alpha: b })
            | (Newmark { gamma: a }, Newmark { gamma: b }) => a == b,
            _ => false,
        }
    }
}

/// Name and parameter, as in `theta (theta = 0.5)`.
impl fmt::Display for SolverSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self.parameter() {
            None => Ok(()),
            Some(parameter) => write!(f, " ({} = {:?})", parameter.name, parameter.value),
        }
    }
}
