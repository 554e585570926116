//! What is kept of every run.
//!
//! | file | subject |
//! |---|---|
//! | `output.rs` | one number of every run |
//! | `wanted.rs` | what a text asks for |
//! | `choice.rs` | which quantities and contacts of a model that is |
//! | `measure.rs` | the observer that finds the numbers |

mod choice;
mod measure;
mod output;
mod wanted;

pub use choice::UnknownOutput;
pub(crate) use choice::{Known, choose};
pub(crate) use measure::Measure;
pub use output::{Occurrence, Output, Statistic};
pub use wanted::{Wanted, WantedError};
