//! Spatial multibody systems as subsystems.
#![expect(clippy::unwrap_used, reason = "tests")]

mod conformance;
mod energy;
mod held;
mod jumps;
pub(crate) mod models;
mod pools;
mod rejections;
mod signals;
mod statistics;
mod under_loads;
