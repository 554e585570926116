//! Recording and presenting a run: tables, events, summary and plot.
//!
//! A [`Recorder`] watches a run as the master's [`Observer`](cosimo_master::Observer) and fills a
//! [`ResultDirectory`]:
//!
//! | file           | written                              | content                                              |
//! |----------------|--------------------------------------|------------------------------------------------------|
//! | `results.csv`  | while running                        | `t`, then the recorded quantities                    |
//! | `events.csv`   | while running                        | what happened at the contacts                        |
//! | `summary.json` | at the start and at the end          | how the run ended, counts, energies, times           |
//! | `plot.svg`     | at the end                           | the quantities over time, one panel a unit           |
//! | `scene.json`   | at the start                         | what the model looks like, if it has bodies          |
//! | `frames.bin`   | while running                        | where its bodies are, forces of contacts, energies   |
//! | `model.toml`   | at the start, if the caller stores it | the complete model                                  |
//! | `checkpoints/` | while running, removed at the end    | states from which the run goes on                    |
//! | `.cosimo-run`  | at the start                         | names of the files above, which a later run may replace |
//! | `.lock`        | at the start, if the caller locks    | empty; locked while a run writes, see [`RunLock`]    |
//!
//! All but the plot exist before the first step, so a directory that cannot be written to is found at once. What was
//! computed is on the disk at most about a second later, and stays there however the run ends. An error while
//! writing asks the run to stop and is kept for the caller.
//!
//! [`SummaryTable`] is the same report for the terminal. A [`Chart`] is a figure of any curves, a
//! [`LogChart`] one over logarithmic axes.
//!
//! ```
//! use cosimo_master::{Observer, QuantityLabel, StepRecord};
//! use cosimo_results::{Overwrite, RecordConfig, Recorder, ResultDirectory};
//!
//! # let scratch = tempfile::tempdir()?;
//! # let path = scratch.path().join("out");
//! let directory = ResultDirectory::create(&path, Overwrite::Refuse)?;
//! let mut recorder = Recorder::create(directory, RecordConfig::default())?;
//!
//! // The master does this.
//! let label = QuantityLabel { owner: "ball".into(), name: "z".into(), unit: "m".into() };
//! recorder.start(&[label], (0.0, 1.0));
//! let _ = recorder.step(&StepRecord { step: 0, time: 0.0, values: &[0.5], is_last: false });
//!
//! let directory = recorder.into_result()?;
//! let table = std::fs::read_to_string(directory.results())?;
//! assert_eq!(table, "t,ball.z\n0.0,0.5\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod abscissa;
mod append_file;
mod axis;
mod axis_name;
mod canvas;
mod chart;
mod checkpoint;
mod checksum;
mod conversions;
mod csv_file;
mod directory;
mod durable;
mod error;
mod event;
mod figure;
mod frames;
mod log_axis;
mod log_chart;
mod manifest;
mod reading;
mod recorder;
mod run_lock;
mod selection;
mod style;
mod summary;
mod summary_table;
mod text;
mod trace;
mod unit;

pub use cosimo_master::{ContactEventKind, FrictionState};

pub use chart::{Chart, ChartCurve, ChartGuide, ChartPanel, Quantity};
pub use checkpoint::{
    Checkpoint, CheckpointConfig, CheckpointError, CheckpointFile, ModelId, RefusedCheckpoint,
};
pub use directory::{Overwrite, ResultDirectory};
pub use durable::write_durably;
pub use error::ResultsError;
pub use event::Event;
pub use frames::{FrameEnergy, FrameRate, FrameTape, RecordedFrame, RecordedScene};
pub use log_chart::{LogChart, LogPanel};
pub use reading::{Column, ReadError, Results, Table};
pub use recorder::{EVENT_COLUMNS, RecordConfig, Recorder};
pub use run_lock::RunLock;
pub use selection::{Selection, UnknownQuantity};
pub use summary_table::SummaryTable;
