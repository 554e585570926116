//! The master algorithm: couples subsystems at interfaces and steps them together.
//!
//! A [`Master`] owns subsystems behind the contract of `cosimo-subsystem` and the [`Interface`]s between their ports.
//! Per macro step it asks every subsystem for its free response and inverse mass, assembles the interface equations
//! of the joints' [`InterfaceLaw`]s, solves one problem for interface impulses and contact impulses, and commits. The
//! [`Scheme`] is how that is solved. It knows subsystems by the contract only: no solver, no model, no transport.
//!
//! A master holds one simulation: what never changes, whom to call, and a part for every phase of a step. A phase owns its part, state and
//! work arrays together, and borrows of the others what it uses. Imports point down this table:
//!
//! | where | what |
//! |---|---|
//! | `run` | runs over a time span, shown to an [`Observer`]; checkpoints |
//! | `master`, `open_ports` | the public interface; loads from outside |
//! | `step_control` | steps that are tried and judged |
//! | `step` | one macro step, from above to below |
//! | `setup` | claims verified, initial states admitted |
//! | `simulation`, `state` | the parts of a model; what of them a checkpoint holds |
//! | `communication_point` | what is read and done at a communication point |
//! | `schemes` | iterations: Newton's, Gauss-Seidel's and Jacobi's, and their acceleration |
//! | `energy` | energies: the monitor, and limits on what interfaces create |
//! | `contacts` | contacts and impacts inside steps |
//! | `condensation` | interface matrix, effective mass at the contacts without cancellation |
//! | `laws` | interface laws and their equations |
//! | `signals`, `loads` | signals between subsystems; load ports: motion goes to a subsystem, loads come back |
//! | `execution` | calls to the subsystems: coupling modes, threads, faults, times |
//! | `linearisation` | how subsystems and bushings answer to loads |
//! | `step_size` | which size the next step has |
//! | `statistics`, `warnings`, `rows`, `motion` | counts; what was told; the vectors of a step |
//! | `topology` | rows, unknowns, joints, contacts, signals: what never changes |
//! | `time` | communication points and the steps between them |
//! | `error`, `config`, `interface`, `connection` | errors; what a master is built of |

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

pub use cosimo_nonsmooth::FrictionState;

pub use config::{
    Acceleration, Coupling, EnergyAction, Impacts, InitialState, LoadTangents, MasterConfig, OnUnsolved,
    Scheme, SignalLoops, StepControl, Tangent,
};
pub use config_rules::ConfigError;
pub use connection::{Assembly, Connection};
pub use cosimo_subsystem::cost::CallSeconds;
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
