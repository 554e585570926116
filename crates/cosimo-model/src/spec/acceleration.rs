//! Acceleration of an iterative scheme.

/// What an iterative scheme makes of its iterates.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum AccelerationSpec {
    /// Nothing: the next iterate is the subsystems' answer.
    #[default]
    None,
    /// A constant share of the way to the answer.
    Relaxation {
        /// The share (no unit), positive. Default: 0.5.
        factor: f64,
    },
    /// A share that follows from the last two residuals.
    Aitken {
        /// The share of a step's first iteration (no unit), positive. Default: 0.5.
        first: f64,
    },
    /// Interface quasi-Newton from residuals of this step and of steps before.
    IqnIls {
        /// Number of former steps whose secants are used. Default: 8.
        reuse: u32,
        /// Share of a secant (no unit), in \[0, 1), that must be independent for it to be kept. Default: 1e-3.
        filter: f64,
    },
}

impl AccelerationSpec {
    /// Every acceleration with its default parameters.
    pub(crate) const ALL: [Self; 4] = [
        Self::None,
        Self::Relaxation { factor: 0.5 },
        Self::Aitken { first: 0.5 },
        Self::IqnIls { reuse: 8, filter: 1e-3 },
    ];

    /// Name in the file.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Relaxation { .. } => "relaxation",
            Self::Aitken { .. } => "aitken",
            Self::IqnIls { .. } => "iqn-ils",
        }
    }
}
