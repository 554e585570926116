//! What joints ask of constrained systems: momenta that rows pass on, and moves that close gaps.
#![expect(clippy::unwrap_used, reason = "tests")]

mod models;
mod momenta;
mod moves;
