//! The shared library of an FMU: the C functions of FMI 2.0 and 3.0 behind one [`Instance`].
//!
//! | where | what |
//! |---|---|
//! | [`Library`] | the loaded library and its functions, looked up once |
//! | [`Instance`] | one unit of it, in co-simulation or model exchange |
//! | [`State`] | a saved state of an instance |
//! | [`Change`] | what a unit changed in this process that it should have left alone |
//!
//! A unit runs in this process: it can crash it, hang, or leave it. What can be caught is: every status becomes a
//! [`BinaryError`] or a warning, messages go to `tracing` under the target `fmu`, and changes of the current directory,
//! the signal handlers, the locale and the control words of floating point are found, and undone where that is safe. Loading,
//! initialisation and end are watched for all of them; calls that come often for the control words, and by samples for the rest.
//!
//! Variables of type binary have no functions here: who reads the description refuses the unit by name.
//!
//! This is the only place of the crate where memory is shared with foreign code, hence the unsafe code in it.

mod continuous;
mod discrete;
mod environment;
mod error;
mod host;
mod instance;
mod instantiate;
mod library;
mod options;
mod phase;
mod pool;
mod registers;
mod saved;
mod schedule;
mod shared;
mod step;
mod symbols;
mod v2;
mod v3;
mod values;
mod watch;

pub use discrete::EventUpdate;
pub use environment::{Change, keep_process};
pub use error::BinaryError;
pub use instance::Instance;
pub use library::{Library, Version};
pub use options::{Kind, Options};
pub use pool::State;
pub use step::StepDone;
pub use values::Width;
