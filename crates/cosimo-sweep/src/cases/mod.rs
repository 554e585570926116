//! Which values the runs of a sweep have.
//!
//! | file | subject |
//! |---|---|
//! | `product.rs` | all runs, of several axes |
//! | `axis.rs` | values of one entry, rows of a file, draws |
//! | `file.rs` | rows of a CSV file |
//! | `paths.rs` | whether two paths are of one entry |
//! | `error.rs` | why there are no such cases |

mod axis;
mod error;
mod file;
mod paths;
mod product;

pub use axis::Axis;
pub use error::CasesError;
pub use product::Cases;
pub(crate) use product::check_apart;
