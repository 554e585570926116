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

mod condensation;
mod config;
mod config_rules;
mod contacts;
mod energy;
mod error;
mod execution;
mod interface;
mod laws;
mod loads;
mod master;
mod motion;
mod open_ports;
mod run;
mod schemes;
mod setup;
mod signals;
mod simulation;
mod state;
mod step;
mod step_control;
mod storage;
mod topology;

pub use cosimo_nonsmooth::{FrictionState, Restitution};

pub use config::{
    Acceleration, Coupling, EnergyAction, Impacts, InitialState, LoadTangents, MasterConfig, OnUnsolved,
    Scheme, SignalLoops, StepControl, Tangent,
};
pub use config_rules::ConfigError;
pub use cosimo_subsystem::cost::CallSeconds;
pub use error::{ResidualPlace, RestoreError, SetupError, StepError};
pub use interface::{Interface, InterfaceLaw};
pub use master::Master;
pub use open_ports::{RowChanges, RowLoad};
pub use run::RunError;
pub use run::checkpoint::{MasterState, RunState};
pub use run::cost_report::{MasterSeconds, RecordingSeconds};
pub use run::observer::{
    ContactEvent, ContactEventKind, FrameRecord, NoObserver, Observer, QuantityLabel, StepRecord,
};
pub use run::position::RunPosition;
pub use run::quantities::ObserveError;
pub use run::report::{EnergyBalance, ImpactGain, InterfaceReport, Outcome, RunReport, SubsystemReport};
pub use setup::coupling_mode::CouplingMode;
pub use signals::connection::{Assembly, Connection};
pub use signals::error::SignalError;
pub use state::warnings::{Warning, WarningPlace};
pub use step::instant_forces::TINY as INSTANT_SHARE;
pub use step::stops::PendingImpacts;
pub use step::summary::StepSummary;
pub use step_control::sizes::StepSizes;
