//! Models and subsystems as units for other tools.
//!
//! A model with its `[export]` table becomes a unit: parameters of the file, open ports, open signals and quantities are its variables.
//! What stands outside of the model enters as in `cosimo-composite`: given loads at open ports and given signals. The
//! master steps the rest as in any run.
//!
//! | where | what |
//! |---|---|
//! | `contacts` | contacts that the host may carry |
//! | `source` | what a unit is made of: a model file, or one subsystem |
//! | `exposed`, `contact_terminals` | the variables, and what each stands for |
//! | `assembly` | the model with what stands outside |
//! | `unit`, `instant`, `response` | the unit: its master, steps; impacts and impulses; derivatives |
//! | `subsystem` | one subsystem as a unit |
//! | `state`, `exported` | what it keeps; what the server asks of it |
//! | `write`, `system` | the FMU; every subsystem an FMU of its own (SSP) |

mod assembly;
mod contact_terminals;
mod contacts;
mod error;
mod exported;
mod exposed;
mod instant;
mod response;
mod source;
mod state;
mod subsystem;
mod system;
mod unit;
mod write;

pub use error::ExportModelError;
pub use system::{Server, write_model_ssp};
pub use unit::ModelUnit;
pub use write::{MODEL_FILE, write_model_fmu};
