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
}

impl SolverSpec {
    /// Every solver with its default parameter.
    pub(crate) const ALL: [Self; 4] = [
        Self::MoreauJean { theta: 0.5 },
        Self::Theta { theta: 0.5 },
        Self::Multistep { spectral_radius: 0.6 },
        Self::GeneralizedAlpha { spectral_radius: 0.8 },
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
        }
    }

    /// Name and value (no unit) of the parameter.
    #[must_use]
    pub fn parameter(&self) -> (&'static str, f64) {
        match *self {
            Self::MoreauJean { theta } | Self::Theta { theta } => ("theta", theta),
            Self::Multistep { spectral_radius } | Self::GeneralizedAlpha { spectral_radius } => {
                ("spectral_radius", spectral_radius)
            }
        }
    }

    /// Smallest and largest value of the parameter (no unit).
    pub(crate) fn parameter_range(&self) -> (f64, f64) {
        match self {
            Self::MoreauJean { .. } | Self::Theta { .. } => (0.5, 1.0),
            Self::Multistep { .. } | Self::GeneralizedAlpha { .. } => (0.0, 1.0),
        }
    }

    /// The same solver with another value of its parameter.
    pub(crate) fn with_parameter(self, value: f64) -> Self {
        match self {
            Self::MoreauJean { .. } => Self::MoreauJean { theta: value },
            Self::Theta { .. } => Self::Theta { theta: value },
            Self::Multistep { .. } => Self::Multistep { spectral_radius: value },
            Self::GeneralizedAlpha { .. } => Self::GeneralizedAlpha { spectral_radius: value },
        }
    }

    /// Whether the solver can have contacts.
    #[must_use]
    pub fn allows_contacts(&self) -> bool {
        matches!(self, Self::MoreauJean { .. })
    }

    /// Whether a rigid interface in impulses can join subsystems of these two solvers: both must turn an impulse
    /// of the step into the same change of position.
    #[must_use]
    pub fn shares_impulses_with(&self, other: &Self) -> bool {
        use SolverSpec::{GeneralizedAlpha, MoreauJean, Multistep, Theta};
        match (self, other) {
            (MoreauJean { theta: a } | Theta { theta: a }, MoreauJean { theta: b } | Theta { theta: b })
            | (Multistep { spectral_radius: a }, Multistep { spectral_radius: b })
            | (GeneralizedAlpha { spectral_radius: a }, GeneralizedAlpha { spectral_radius: b }) => a == b,
            _ => false,
        }
    }
}

/// Name and parameter, as in `theta (theta = 0.5)`.
impl fmt::Display for SolverSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (parameter, value) = self.parameter();
        write!(f, "{} ({parameter} = {value:?})", self.name())
    }
}
