//! Running a subsystem elsewhere: in a thread of its own, over channels.
//!
//! A transport is a decorator: [`ThreadedSubsystem`] takes any [`Subsystem`](cosimo_subsystem::Subsystem) and is one
//! itself. The master cannot tell, except that several subsystems work at the same time when it announces its calls
//! with [`announce`](cosimo_subsystem::Subsystem::announce). The bits are the same.
//!
//! ```
//! use cosimo_subsystem::conformance::TwoMasses;
//! use cosimo_subsystem::{Call, MacroStep, StepLoads, Subsystem};
//! use cosimo_transport::ThreadedSubsystem;
//!
//! let mut subsystem = ThreadedSubsystem::spawn(Box::new(TwoMasses::default()))?;
//! let step = MacroStep { time: 0.0, size: 1e-3 };
//! subsystem.announce(Call::Begin(step, &[0.0; 3])); // it starts on it
//! // … here the others are told …
//! subsystem.begin(step, &[0.0; 3])?; // the answer
//! subsystem.commit(&StepLoads::zeros(3))?;
//! assert_eq!(subsystem.statistics().steps, 1);
//! # Ok::<(), cosimo_subsystem::SubsystemError>(())
//! ```
//!
//! What crosses the channel are requests and replies that own their data and refer to nothing, so that they could be
//! written to a pipe or a socket as they are. Inside one process there is no need for bytes: the storage goes back and
//! forth, and no step after the first allocates.

mod link;
mod message;
mod threaded;
mod worker;

pub use threaded::ThreadedSubsystem;
