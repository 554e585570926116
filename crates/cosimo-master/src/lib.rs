//! The master algorithm: couples subsystems at interfaces and steps them together.
//!
//! A [`Master`] owns subsystems behind the contract of `cosimo-subsystem` and the [`Interface`]s between their ports.
//! Per macro step it asks every subsystem for its free response and compliance, assembles the interface equations
//! of the joints' [`InterfaceLaw`]s, solves one problem for interface impulses and contact impulses, and commits. Two
//! choices are independent: the [`Discretisation`], what the interface equations say, and the [`Scheme`], how they
//! are solved. It knows subsystems by the contract only: no solver, no model, no transport.
//!
//! | where | what |
//! |---|---|
//! | `interface_rows` | the interface equations, every law and discretisation |
//! | `layout` | rows, unknowns, contacts, and the clusters of joined subsystems |
//! | `condensation` | interface matrix, effective mass at the contacts without cancellation |
//! | `contacts` | the contact problems of a step, cluster by cluster |
//! | `step` | begin, solve by the scheme chosen, commit |
//! | `schemes` | the condensed solve; Gauss-Seidel and Jacobi iterations, and their acceleration |
//! | `split` | steps of nonlinear models, split at impacts |
//! | `parallel` | subsystems stepped by several threads |
//! | `faults` | subsystems that panic or tell numbers that are not finite |
//! | `drift` | gaps that rigid joints between nonlinear subsystems open within a step |
//! | `frozen` | compliances that are kept from step to step |
//! | `frames` | joints between frames that may turn by any angle |
//! | `ladder` | how each subsystem is coupled, from what it can |
//! | `initial` | initial states checked or projected |
//! | `monitor` | energy that the coupling creates |
//! | `interface_statistics` | iterations and residuals of each interface |
//! | `energy_guard` | what is done about interfaces that create energy |
//! | `energy_watch`, `step_advice` | where a run has created energy, and which step would do |
//! | `step_control` | the sizes of the steps of a run |
//! | `spans` | spans of scenario, steps and subsystems, where they are watched |
//! | `run` | runs over a time span, shown to an [`Observer`] |
//! | `checkpoint` | states saved and restored |

mod begin;
mod checkpoint;
mod clock;
mod commit;
mod components;
mod condensation;
mod config;
mod contacts;
mod dashpots;
mod drift;
mod energy_guard;
mod energy_watch;
mod error;
mod faults;
mod frames;
mod frozen;
mod initial;
mod inner_impulses;
mod interface;
mod interface_rows;
mod interface_statistics;
mod ladder;
mod layout;
mod master;
mod monitor;
mod not_solved;
mod observer;
mod parallel;
mod quantities;
mod report;
mod run;
mod schemes;
mod spans;
mod split;
mod statistics;
mod step;
mod step_advice;
mod step_control;
mod step_rows;
mod timing;
mod warnings;
mod wire_laws;
mod wires;

pub use cosimo_nonsmooth::FrictionState;

pub use checkpoint::{MasterState, RunState};
pub use config::{
    Acceleration, ConfigError, Discretisation, Impacts, InitialState, LoadTangents, MasterConfig, Scheme, Tangent,
};
pub use energy_guard::EnergyAction;
pub use error::{RestoreError, SetupError, StepError};
pub use interface::{Interface, InterfaceLaw};
pub use ladder::{Coupling, Rung};
pub use master::Master;
pub use observer::{ContactEvent, ContactEventKind, NoObserver, Observer, QuantityLabel, StepRecord};
pub use report::{EnergyBalance, ImpactGain, InterfaceReport, Outcome, RunReport, SubsystemReport};
pub use run::{RunError, RunPosition};
pub use step::StepSummary;
pub use step_control::{StepControl, StepSizes};
