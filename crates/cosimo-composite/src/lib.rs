//! Coupled models as subsystems.
//!
//! A [`Composite`] is a model with a master of its own that takes part in another model: models nest. What stands outside of it enters by
//! subsystems of its own, which show the loads and the courses of signals that are given.
//!
//! | where | what |
//! |---|---|
//! | `outside`, `enclose` | loads and signals that are given from outside, as subsystems; the model joined to them |
//! | `open_rows`, `opened` | rows of the open ports; loads on them |
//! | `opening` | a model with its ends opened |
//! | `feed_through` | which open inputs reach an output at once |
//! | `describe` | ports, signals, quantities, capabilities |
//! | `inner` | the model, which goes ahead under trial and comes back |
//! | `weighing`, `response` | how the rules at the open ports weigh loads; how they answer to impulses |
//! | `composite` | the subsystem |

mod composite;
mod describe;
mod enclose;
mod error;
mod feed_through;
mod inner;
mod open_rows;
mod opened;
mod opening;
mod outside;
mod outside_loads;
mod response;
mod weighing;

pub use composite::Composite;
pub use enclose::{OpenInput, is_outside, open_port, open_signals};
pub use error::CompositeError;
pub use feed_through::SignalGraph;
pub use outside::Given;
