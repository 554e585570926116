//! Signals between subsystems: named real outputs that feed inputs at communication points.
//!
//! At every communication point the outputs are evaluated, each after the outputs that feed through to it; before every
//! macro step the inputs get their courses over it. Parts of a step, at impacts or where it is halved, change no signal.
//!
//! | where | what |
//! |---|---|
//! | `connection` | which output feeds which input |
//! | `wiring` | names found, units and defaults checked |
//! | `order` | order of evaluation, and loops of feed-through |
//! | `graph` | wiring and order of a model: what never changes |
//! | `state` | values at the last two communication points, and courses: what influences the future |
//! | `values`, `loops` | values at a communication point; loops solved by Newton's method: work arrays |
//! | `courses` | inputs over the next step, held or extrapolated |
//! | `exchange` | what a step calls |

pub(crate) mod connection;
mod courses;
pub(crate) mod error;
pub(crate) mod exchange;
pub(crate) mod graph;
mod loops;
mod order;
pub(crate) mod state;
pub(crate) mod storage;
mod values;
mod wiring;
