//! Signals: named real inputs and outputs that are exchanged at communication points.

use serde::{Deserialize, Serialize};

/// How an input goes on between two communication points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Hold {
    /// It keeps its value: order one.
    Held,
    /// It is extrapolated linearly from its last two values: order two. After a jump of velocities it is held for one step.
    #[default]
    Linear,
    /// As [`Hold::Linear`], but without jumps in value and rate at communication points: a cubic polynomial leads from the
    /// value and the rate reached to those extrapolated. For prescribed motions.
    Smooth,
}

/// A real input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SignalInput {
    /// Name, unique among the subsystem's inputs and outputs.
    pub name: String,
    /// Unit, e.g. `N m`; empty for a number. It must be that of the output it is connected to.
    pub unit: String,
    /// How it goes on between communication points.
    pub hold: Hold,
    /// Its value as long as nothing is connected to it; `None` where a connection is required.
    pub default: Option<f64>,
}

/// A real output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignalOutput {
    /// Name, unique among the subsystem's inputs and outputs.
    pub name: String,
    /// Unit, e.g. `rad/s`; empty for a number.
    pub unit: String,
    /// Indices of the inputs whose present value it depends on at once (direct feed-through).
    pub feed_through: Vec<usize>,
}
