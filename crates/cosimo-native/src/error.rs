//! Why a subsystem is refused.

use cosimo_dynamics::SystemError;
use cosimo_impact::ImpactError;
use cosimo_smooth::dae::{DaeError, Formulation, Method};
use cosimo_subsystem::SubsystemError;
use thiserror::Error;

/// Why a mechanism is refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MechanismError {
    /// Its equations of motion contradict themselves.
    #[error("subsystem `{subsystem}`: {source}")]
    System {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: SystemError,
    },
    /// Its description contradicts itself.
    #[error(transparent)]
    Description(#[from] SubsystemError),
    /// The number of ports' or contacts' rows differs from what the names say.
    #[error("subsystem `{subsystem}`: the {what} have {found} rows, their names say {expected}")]
    ConstrainedRows {
        /// Name of the subsystem.
        subsystem: String,
        /// `ports` or `contacts`.
        what: &'static str,
        /// ConstrainedRows according to the names.
        expected: usize,
        /// ConstrainedRows of the kinematics.
        found: usize,
    },
    /// A multibody system cannot start.
    #[error("subsystem `{subsystem}`: {source}")]
    Constraints {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: DaeError,
    },
    /// A nonsmooth integrator cannot start.
    #[error("subsystem `{subsystem}`: {source}")]
    Nonsmooth {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: Box<ImpactError>,
    },
    /// A step rule that cannot take loads of ports and contacts.
    #[error(
        "subsystem `{subsystem}` has ports or contacts, whose loads {method:?} cannot take: its points before the start know nothing of \
         them, and steps that follow the error have no inverse mass; use Midpoint, Multistep (of spectral radius 0 it is BDF 2), \
         GeneralizedAlpha, Hht, Newmark or ImplicitEuler, or remove the ports and contacts"
    )]
    Method {
        /// Name of the subsystem.
        subsystem: String,
        /// The rule.
        method: Method,
    },
    /// A formulation that does not go with the step rule.
    #[error("subsystem `{subsystem}`: the formulation {formulation:?} does not go with {method:?}, {reason}")]
    Formulation {
        /// Name of the subsystem.
        subsystem: String,
        /// The formulation.
        formulation: Formulation,
        /// The step rule.
        method: Method,
        /// Why, and what does.
        reason: &'static str,
    },
    /// A parameter of a ready-made subsystem is refused.
    #[error("subsystem `{subsystem}`: {reason}")]
    Parameter {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        reason: String,
    },
}

/// That the motion of this subsystem cannot start.
pub(crate) fn cannot_start(name: &str) -> impl Fn(DaeError) -> MechanismError + '_ {
    |source| MechanismError::Constraints { subsystem: name.to_owned(), source }
}
