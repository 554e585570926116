//! An instance of the FMU, without the C interface.
//!
//! `values` are those of the last answer that had values, and what was set since; `changes` waits for the next request.
//!
//! | file | what |
//! |---|---|
//! | `core` | the instance: what it knows, and how it asks the server |
//! | `variables` | values that the host reads and sets |
//! | `simulation` | initialisation, steps, events, reset |
//! | `states` | kept states |

mod core;
mod simulation;
mod states;
mod variables;

pub(crate) use self::core::{Instance, Order};
pub(crate) use states::Kept;
