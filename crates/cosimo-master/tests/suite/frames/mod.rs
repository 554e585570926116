//! Joints between bodies that turn in space, against solutions that the coupling did not produce.
#![expect(clippy::unwrap_used, reason = "tests")]

mod bodies;
mod bushing;
mod points;
mod reference;
mod rigid;
mod setup;
