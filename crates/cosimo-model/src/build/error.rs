//! Why a model that reads well cannot be built.

use cosimo_control::ControlError;
use cosimo_dynamics::{SystemError, TimeTableError};
use cosimo_master::SetupError;
use cosimo_multibody::planar::PlanarError;
use cosimo_multibody::spatial::{BeamError, SectionTableError, SpatialError, SpatialModelError};
use cosimo_native::MechanismError;
use cosimo_subsystem::SubsystemError;
use thiserror::Error;

use crate::spec::SolverSpec;

/// Why a model that reads well cannot be built; the texts name the subsystem or interface.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The equations of motion of a subsystem contradict themselves.
    #[error("subsystem `{subsystem}`: {source}")]
    System {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: SystemError,
    },
    /// The rigid bodies of a subsystem contradict each other.
    #[error("subsystem `{subsystem}`: {source}")]
    Planar {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: PlanarError,
    },
    /// Bodies, joints and forces in space contradict each other.
    #[error("subsystem `{subsystem}`: {source}")]
    Spatial {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: SpatialModelError,
    },
    /// No equilibrium to start in was found.
    #[error(
        "subsystem `{subsystem}`: no equilibrium to start in: {source}; hold what moves freely with `held`"
    )]
    Equilibrium {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: cosimo_multibody::modes::ModesError,
    },
    /// A rotor cannot be made of its data.
    #[error("subsystem `{subsystem}`: {source}")]
    Rotor {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: cosimo_aerodynamics::spec::SpecError,
    },
    /// A beam cannot be made of its data.
    #[error("subsystem `{subsystem}`: {source}")]
    Beam {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: Box<BeamError>,
    },
    /// A table of the sections of a beam cannot be read.
    #[error("beam `{beam}` of subsystem `{subsystem}`: {source}")]
    Sections {
        /// Name of the subsystem.
        subsystem: String,
        /// Name of the beam.
        beam: String,
        /// What is wrong.
        #[source]
        source: Box<SectionTableError>,
    },
    /// A body in space is none.
    #[error("body `{body}` of subsystem `{subsystem}`: {source}")]
    Body {
        /// Name of the subsystem.
        subsystem: String,
        /// Name of the body.
        body: String,
        /// What is wrong.
        #[source]
        source: SpatialError,
    },
    /// A load over time is none.
    #[error("a load of subsystem `{subsystem}`: {source}")]
    Load {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: TimeTableError,
    },
    /// The parameters of a controller contradict each other.
    #[error("subsystem `{subsystem}`: {source}")]
    Control {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: ControlError,
    },
    /// A solver that this kind of subsystem cannot use.
    #[error("subsystem `{subsystem}` cannot be stepped by the solver {solver}")]
    Solver {
        /// Name of the subsystem.
        subsystem: String,
        /// The solver.
        solver: SolverSpec,
    },
    /// The parts of a subsystem do not fit.
    #[error(transparent)]
    Mechanism(#[from] MechanismError),
    /// The thread or process of a subsystem cannot be started, or cannot build it.
    #[error(transparent)]
    Elsewhere(SubsystemError),
    /// The subsystems are to run in processes, and there is no program to serve them.
    #[error(
        "subsystem `{subsystem}`: execution is \"processes\", which needs a program that serves subsystems: use the `cosimo` \
         command, or `ModelSpec::build_served`"
    )]
    NoServer {
        /// Name of the first of them.
        subsystem: String,
    },
    /// No subsystem of this name.
    #[error("the model has no subsystem `{subsystem}`")]
    NoSubsystem {
        /// The name.
        subsystem: String,
    },
    /// A subsystem that is to be a multibody system is of another kind.
    #[error("subsystem `{subsystem}` is of the kind `{kind}`, not a multibody system")]
    NotMultibody {
        /// The name.
        subsystem: String,
        /// Its kind.
        kind: &'static str,
    },
    /// The subsystems cannot be coupled.
    #[error(transparent)]
    Setup(#[from] SetupError),
}
