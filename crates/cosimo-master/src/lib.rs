//! The master algorithm: couples subsystems at interfaces and steps them together.
//!
//! A [`Master`] owns subsystems behind the contract of `cosimo-subsystem` and the [`Interface`]s between their ports.
//! Per macro step it asks every subsystem for its free response and inverse mass, assembles the interface equations
//! of the joints' [`InterfaceLaw`]s, solves one problem for interface impulses and contact impulses, and commits. The
//! [`Scheme`] is how that is solved. It knows subsystems by the contract only: no solver, no model, no transport.
//!
//! A master has four parts: the topology, what never changes; the subsystems; the state, what influences the future and
//! what a checkpoint holds; and storage, work arrays. The algorithms borrow them as a simulation:
//!
//! | where | what |
//! |---|---|
//! | `topology`, `state`, `storage` | the parts |
//! | `motion` | positions and velocities of rows |
//! | `simulation` | the parts, borrowed by an algorithm |
//! | `step` | one macro step, from above to below |
//! | `laws` | interface laws and their equations |
//! | `loads` | load ports: motion goes to a subsystem, loads come back |
//! | `condensation` | interface matrix, effective mass at the contacts without cancellation |
//! | `schemes` | the condensed solve; Gauss-Seidel and Jacobi iterations, and their acceleration |
//! | `contacts` | contacts and impacts inside steps |
//! | `energy` | energies: the monitor, and limits on what interfaces create |
//! | `execution` | calls to the subsystems: threads, faults, times |
//! | `signals` | signals between subsystems |
//! | `step_control` | the sizes of the steps of a run |
//! | `setup` | coupling modes and initial states |
//! | `run` | runs over a time span, shown to an [`Observer`]; checkpoints |

mod communication_point;
mod condensation;
mod config;
mod config_rules;
mod connection;
mod contacts;
mod energy;
mod error;
mod execution;
mod interface;
mod laws;
mod linearisation;
mod loads;
mod master;
mod motion;
mod open_ports;
mod rows;
mod run;
mod schemes;
mod setup;
mod signals;
mod simulation;
mod state;
mod statistics;
mod step;
mod step_control;
mod step_size;
mod time;
mod topology;
mod warnings;

pub use cosimo_nonsmooth::{FrictionState, Restitution};

pub use config::{
    Acceleration, Coupling, EnergyAction, Impacts, InitialState, LoadTangents, MasterConfig, OnUnsolved,
    Scheme, SignalLoops, StepControl, Tangent,
};
pub use config_rules::ConfigError;
pub use connection::{Assembly, Connection};
pub use cosimo_subsystem::cost::CallSeconds;
pub use energy::balance::EnergyBalance;
pub use error::setup::SetupError;
pub use error::signals::SignalError;
pub use error::step::{ResidualPlace, StepError};
pub use execution::coupling_mode::CouplingMode;
pub use interface::{Interface, InterfaceLaw};
pub use master::Master;
pub use open_ports::{RowChanges, RowLoad};
pub use run::RunError;
pub use run::checkpoint::{MasterState, RestoreError, RunState};
pub use run::observer::{
    ContactEvent, ContactEventKind, FrameRecord, NoObserver, Observer, QuantityLabel, StepRecord,
};
pub use run::quantities::ObserveError;
pub use run::report::{ImpactGain, InterfaceReport, Outcome, RunReport, SubsystemReport};
pub use statistics::seconds::{MasterSeconds, RecordingSeconds};
pub use statistics::sizes::StepSizes;
pub use statistics::summary::StepSummary;
pub use step::instant_forces::TINY as INSTANT_SHARE;
pub use step::stops::PendingImpacts;
pub use time::position::RunPosition;
pub use warnings::{Warning, WarningPlace};
