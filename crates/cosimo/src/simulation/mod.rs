//! Models that run: from files, from parts, or from both.
//!
//! | where | what |
//! |---|---|
//! | `model`, `join` | the model: parts, and what joins them |
//! | `start` | how it begins |
//! | `check` | what is wrong with it |
//! | `document` | the model file, with what was set in it |
//! | `part` | handles, and subsystems that begin anew |
//! | `choice` | which quantities are recorded |
//! | `run` | a run, step by step |
//! | `sweep` | many runs of a model file |
//! | `finding`, `error` | mistakes and warnings; why it fails |

mod check;
mod choice;
mod document;
mod error;
mod finding;
mod join;
mod model;
mod part;
mod run;
mod start;
mod sweep;

pub use error::ModelError;
pub use finding::{Finding, Findings};
pub use model::Model;
pub use part::Part;
pub use run::Run;
