//! A unit as a subsystem.
//!
//! | where | what |
//! |---|---|
//! | [`Fmu`] | an FMU that is open: what is in it, and what it will be |
//! | [`UnitOptions`] | what a user says of it: face, parameters, ports |
//! | `names`, `layout`, `ports` | which variables are read and written, and what they are to the master |
//! | `parameters` | values that are set before the start |
//! | `running` | an initialised instance with its layout |
//! | `model_exchange` | one that our rules integrate: a [`FirstOrderSystem`](cosimo_first_order::FirstOrderSystem) |
//! | `co_simulation` | one that brings its own solver |
//! | [`CouplingMode`] | how the master can couple it, and why |

mod co_simulation;
mod coupling;
mod error;
mod events;
mod fmu;
mod layout;
mod model_exchange;
mod names;
mod options;
mod parameters;
mod ports;
mod running;
mod states;

pub use co_simulation::CoSimulationUnit;
pub use coupling::CouplingMode;
pub use error::UnitError;
pub use fmu::{Fmu, Start};
pub use model_exchange::ModelExchangeUnit;
pub use options::{FaceKind, PortOptions, UnitOptions, Value};
