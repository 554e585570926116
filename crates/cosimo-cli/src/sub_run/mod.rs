//! Runs inside this process whose quantities are kept over time, and tables to compare them with.
//!
//! | file | subject |
//! |---|---|
//! | `run.rs` | a run, and the quantities that are kept of it |
//! | `tape.rs` | the observer that keeps them |
//! | `table.rs` | columns of a CSV file over time |

mod run;
mod table;
mod tape;

pub(crate) use run::{SubRun, SubRunError, run};
pub(crate) use table::Table;
pub(crate) use tape::Event;
