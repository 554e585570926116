//! A unit as a subsystem.
//!
//! | where | what |
//! |---|---|
//! | [`Fmu`] | an FMU that is open: what is in it, and what it will be |
//! | [`UnitOptions`] | what a user says of it: face, parameters, ports |
//! | `names`, `layout`, `ports`, `contacts`, `rows`, `row_layouts`, `scalars` | which variables are read and written, and what they are to the master |
//! | `parameters` | values that are set before the start |
//! | `running` | an initialised instance with its layout |
//! | `model_exchange` | one that our rules integrate: a [`FirstOrderSystem`](cosimo_first_order::FirstOrderSystem) |
//! | `co_simulation` | one that brings its own solver |
//! | `answers`, `jumps` | its step responses from derivatives, impulses on it in event mode |
//! | [`CouplingMode`] | how the master can couple it, and why |

mod answers;
mod co_simulation;
mod contacts;
mod coupling;
mod error;
mod events;
mod fmu;
mod jumps;
mod layout;
mod model_exchange;
mod names;
mod options;
mod parameters;
mod ports;
mod row_layouts;
mod rows;
mod running;
mod scalars;
mod states;

pub use co_simulation::CoSimulationUnit;
pub use cosimo_first_order::PortMap;
pub use coupling::CouplingMode;
pub use error::UnitError;
pub use fmu::{Fmu, Start};
pub use model_exchange::ModelExchangeUnit;
pub use options::{FaceKind, PortOptions, UnitOptions, Value};
