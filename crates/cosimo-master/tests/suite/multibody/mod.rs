//! Spatial multibody systems under a master, against solutions that the coupling did not produce.
#![expect(clippy::unwrap_used, reason = "tests")]

mod cut;
mod far;
mod limited;
mod models;
mod run;
mod stop;
