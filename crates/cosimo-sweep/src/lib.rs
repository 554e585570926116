//! Runs of one model over many values of its entries: cases, outputs, one table.
//!
//! A [`Study`] is a model file ([`Source`]), the values that its runs have ([`Cases`]: lists, ranges, rows of a file, draws), and what is
//! kept of each ([`Output`]). Its runs are done over several threads; the rows do not depend on how many. A run that fails is a row with
//! its reason. [`SweepTable`] has the rows in the order of the cases, [`figure`] shows outputs over an input.
//!
//! ```
//! use std::collections::BTreeSet;
//! use cosimo_sweep::{Axis, Cases, Runner, Source, Study, SweepTable, Values};
//!
//! let text = r#"
//! schema = 1
//! time = { end = 1.0, step = 1e-2 }
//! [[subsystem]]
//! name = "stone"
//! kind = "node"
//! mass = 2.0
//! gravity = [0, 0, -10]
//! "#;
//! let Values::List(ends) = Values::parse("1:3:1")? else { unreachable!() };
//! let cases = Cases::new(vec![Axis::list("time.end", ends)])?;
//! let study = Study::new(Source::new("stone.toml", text, &[]), cases, &["stone.z:min".parse()?], None)?;
//! let runner = Runner { threads: Runner::all_threads(), server: None, stop: &|| false };
//! let mut rows = Vec::new();
//! study.run(&runner, &BTreeSet::new(), |row| {
//!     rows.push(row);
//!     Ok::<(), std::convert::Infallible>(())
//! })?;
//! let table = SweepTable::new(&study, &rows);
//! assert!(table.to_csv().starts_with("run,time.end,stone.z:min,status,reason,end_time,steps"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | module | what |
//! |---|---|
//! | `values` | values of one entry, random numbers |
//! | `cases` | the values of all runs |
//! | `outputs` | what is kept of a run |
//! | `study` | the runs |
//! | `table`, `figure` | what is shown of them |
//! | `directory` | files of a sweep that can be gone on with |

mod cases;
mod directory;
mod error;
mod figure;
mod limits;
mod outputs;
mod study;
mod table;
mod values;

pub use cases::{Axis, Cases, CasesError};
pub use directory::{SweepDirectory, TABLE_PARQUET};
pub use error::{DirectoryError, StudyError};
pub use figure::figure;
pub use limits::{MOST_NUMBERS, MOST_RUNS};
pub use outputs::{Occurrence, Output, Statistic, UnknownOutput, Wanted, WantedError};
pub use study::{Costs, Row, Runner, Server, Source, Status, Study};
pub use table::{ColumnRole, ColumnValues, SweepColumn, SweepTable};
pub use values::{Distribution, ValueError, Values};
