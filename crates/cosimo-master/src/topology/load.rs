//! Load ports joined to ports with rows.

use std::ops::Range;

/// A subsystem with load ports.
#[derive(Debug, Clone)]
pub(crate) struct LoadSource {
    pub(crate) subsystem: usize,
    /// Its load coordinates among those of all load ports.
    pub(crate) coordinates: Range<usize>,
    /// Number of its load ports that are frames.
    pub(crate) frames: usize,
    /// The load joints of its ports.
    pub(crate) joints: Vec<usize>,
    /// Whether it gives tangents.
    pub(crate) gives_tangents: bool,
}

/// The frames of a load joint.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoadFrames {
    /// Place among the orientations of the subsystem with rows.
    pub(crate) of_body: usize,
    /// Place among the orientations of the load ports.
    pub(crate) of_load: usize,
}

/// An interface between a port with rows and a load port: motion goes one way, loads the other.
#[derive(Debug, Clone)]
pub(crate) struct LoadJoint {
    pub(crate) name: String,
    /// The subsystem with rows, and its first row there and in the master's vectors.
    pub(crate) body: usize,
    pub(crate) row: usize,
    pub(crate) global_row: usize,
    /// Index of the subsystem with the load port among the load sources.
    pub(crate) source: usize,
    /// First of its coordinates among those of all load ports.
    pub(crate) coordinate: usize,
    pub(crate) size: usize,
    /// Where both ports are frames.
    pub(crate) frames: Option<LoadFrames>,
}

impl LoadJoint {
    /// Its coordinates among those of all load ports.
    pub(crate) fn coordinates(&self) -> Range<usize> {
        self.coordinate..self.coordinate + self.size
    }

    /// Its rows in the master's vectors.
    pub(crate) fn rows(&self) -> Range<usize> {
        self.global_row..self.global_row + self.size
    }
}
