//! Why a model that reads well cannot be built.

use std::fmt;

use cosimo_control::ControlError;
use cosimo_dynamics::SystemError;
use cosimo_master::SetupError;
use cosimo_mechanics::TimeTableError;
use cosimo_multibody::planar::PlanarError;
use cosimo_multibody::spatial::{BeamError, SectionTableError, SpatialError, SpatialModelError};
use cosimo_native::MechanismError;
use cosimo_subsystem::SubsystemError;
use thiserror::Error;

use crate::spec::SolverSpec;

/// Why a model that reads well cannot be built; the texts name the subsystem or interface.
#[derive(Error)]
#[non_exhaustive]
pub enum BuildError {
    /// What a subsystem consists of contradicts itself.
    #[error("subsystem `{subsystem}`: {source}")]
    Part {
        /// Name of the subsystem.
        subsystem: String,
        /// What is wrong.
        #[source]
        source: PartError,
    },
    /// A nested model cannot be built.
    #[error("subsystem `{subsystem}`: its model cannot be built: {reason}")]
    Nested {
        /// Name of the subsystem.
        subsystem: String,
        /// Why.
        reason: String,
    },
    /// A nested model is no subsystem.
    #[error(transparent)]
    Composite(#[from] cosimo_composite::CompositeError),
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
    Remote(SubsystemError),
    /// The subsystems are to run in processes, and there is no program to serve them.
    #[error(
        "subsystem `{subsystem}`: execution is \"processes\", which needs a program that serves subsystems: use the `cosimo` \
         command, or `ModelSpec::build_served`"
    )]
    NoServer {
        /// Name of the first of them.
        subsystem: String,
    },
    /// A subsystem is served over a network of zenoh, and this program was built without it.
    #[error(
        "subsystem `{subsystem}` is remote over zenoh, and this program was built without it: build it with `--features zenoh`"
    )]
    NoZenoh {
        /// Name of the subsystem.
        subsystem: String,
    },
    /// A subsystem of another make, which nothing here can build.
    #[error(
        "subsystem `{subsystem}` is of kind \"remote\": only the program that serves it has it, and only a run asks for it"
    )]
    Foreign {
        /// Name of the subsystem.
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

/// The texts of the error and of its causes, as `main` shows an error that it returns.
impl fmt::Debug for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&SubsystemError::chain(self))
    }
}

/// Why what a subsystem consists of contradicts itself.
#[derive(Error)]
#[error(transparent)]
#[non_exhaustive]
pub enum PartError {
    /// Equations of motion.
    System(#[from] SystemError),
    /// Rigid bodies in a plane.
    Planar(#[from] PlanarError),
    /// Bodies, joints and forces in space.
    Spatial(#[from] SpatialModelError),
    /// A rotor.
    Rotor(#[from] cosimo_aerodynamics::spec::SpecError),
    /// A beam.
    Beam(#[from] Box<BeamError>),
    /// A controller.
    Control(#[from] ControlError),
    /// A unit by FMI.
    Unit(#[from] cosimo_fmi::unit::UnitError),
}

/// The texts of the error and of its causes, as `main` shows an error that it returns.
impl fmt::Debug for PartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&SubsystemError::chain(self))
    }
}

impl BuildError {
    /// What is wrong with a part of the subsystem of this name, as an error of the model.
    pub(crate) fn part<E: Into<PartError>>(subsystem: &str) -> impl Fn(E) -> Self + Copy {
        move |source| Self::Part { subsystem: subsystem.to_owned(), source: source.into() }
    }
}
