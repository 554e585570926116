//! Results of a run in the formats of other tools.
//!
//! [`convert`] writes what [`Results`](cosimo_results::Results) holds into a folder:
//!
//! | format | files | content |
//! |---|---|---|
//! | [`Parquet`](Format::Parquet) | `results.parquet`, `events.parquet` | quantities and events as columns, units in the metadata |
//! | [`Matlab`](Format::Matlab) | `results.mat` | trajectories in the layout of Dymola, units in the descriptions |
//! | [`Mcap`](Format::Mcap) | `results.mcap` | quantities, events, frames and shapes as messages |
//! | [`Gltf`](Format::Gltf) | `scene.glb` | bodies and their shapes, animated |
//! | [`ParaView`](Format::ParaView) | `scene.pvd`, `scene/` | surfaces, forces of contacts, a file an instant |
//! | [`Pdf`](Format::Pdf), [`Png`](Format::Png) | `plot.pdf`, `plot.png` | the figure |
//!
//! [`write_table`] writes any columns as Parquet.
//!
//! Numbers of tables are those that were recorded, bit for bit.

mod convert;
mod error;
mod figure;
mod format;
mod gltf;
mod matlab;
mod mcap;
mod paraview;
mod parquet;
mod scene;

pub use convert::convert;
pub use error::FormatError;
pub use format::{Format, UnknownFormat};
pub use parquet::{Content, Field, write_table};
