//! The binary of an exported FMU, for co-simulation by FMI 2.0 and 3.0.
//!
//! It starts the executable in the resources of the FMU, one process for each instance, and turns the functions of FMI into
//! messages to it. So the model can neither take the host down nor be disturbed by it, and instances are independent.
//!
//! | module | what |
//! |---|---|
//! | [`protocol`] | the messages, and the file that tells what to start; `cosimo-fmi-export` has the same source |
//! | `location` | where the resources are |
//! | `start`, `server`, `tail` | the process: how it starts, answers and ends, what it printed last |
//! | `log` | messages to the host |
//! | `instance` | an instance: the values that it knows, what was set since the last request |
//! | `c` | what both interfaces share: pointers, status, panics |
//! | `fmi2`, `fmi3` | the functions of the interfaces |
#![cfg(unix)]

pub mod protocol;

mod instance;
mod location;
mod log;
mod server;
mod start;
mod tail;

#[allow(unsafe_code, reason = "pointers of the C interface")]
mod c;
#[allow(unsafe_code, non_snake_case, clippy::too_many_arguments, reason = "functions of the C interface")]
mod fmi2;
#[allow(unsafe_code, non_snake_case, clippy::too_many_arguments, reason = "functions of the C interface")]
mod fmi3;
