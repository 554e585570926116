//! Controllers as subsystems: they take signals and give signals, and have no ports.
//!
//! | law | what it is |
//! |---|---|
//! | [`Pid`] | proportional, integral and filtered derivative part, with limits and anti-windup |
//! | [`TransferFunction`] | a proper ratio of polynomials in `s` |
//! | [`StateSpace`] | `ẋ = A x + B u`, `y = C x + D u`; without states a gain or a sum |
//! | [`Limiter`] | bounds and, if wanted, a bound of the rate |
//!
//! A [`SignalSource`] has outputs alone, which are functions of time.
//!
//! A continuous law is integrated exactly for the course of its inputs where it is linear; the corners of limits are met to
//! second order. A sampled law takes its inputs at its sample instants and holds its outputs in between.
//!
//! ```
//! use cosimo_control::{ControllerBuilder, Pid};
//! use cosimo_subsystem::Subsystem;
//!
//! let governor = ControllerBuilder::new("governor", Pid::new(2.0, 0.5))
//!     .with_units(["rad/s"], ["N m"])
//!     .with_default("setpoint", 10.0)
//!     .build()?;
//! let mut torque = [0.0];
//! governor.outputs(&[10.0, 8.5], &mut torque)?;
//! assert_eq!(torque, [3.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod builder;
mod control_law;
mod controller;
mod discretisation;
mod error;
mod law;
mod limiter;
mod pid;
mod sampling;
mod source;
mod state_space;
mod transfer_function;

pub use builder::ControllerBuilder;
pub use control_law::ControlLaw;
pub use controller::{ControlledStates, Controller};
pub use error::ControlError;
pub use limiter::Limiter;
pub use pid::Pid;
pub use sampling::MOST_SAMPLES;
pub use source::{SignalSource, SourceBuilder, SourceStates};
pub use state_space::StateSpace;
pub use transfer_function::TransferFunction;
