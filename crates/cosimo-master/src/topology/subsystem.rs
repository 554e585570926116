//! Where a subsystem stands in the master's vectors.

use std::ops::Range;

/// Place of a joint at a subsystem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct JoinedPort {
    pub(crate) joint: usize,
    /// 0 for side `a` of the joint, 1 for side `b`.
    pub(crate) side: usize,
}

/// Rows, joints and contacts of a subsystem.
#[derive(Debug, Clone)]
pub(crate) struct SubsystemLayout {
    pub(crate) name: String,
    /// Rows in the master's vectors.
    pub(crate) rows: Range<usize>,
    /// Whether its description says that it is affine.
    pub(crate) is_declared_affine: bool,
    /// The load sources whose loads act on its rows.
    pub(crate) loaded_by: Vec<usize>,
    /// The rows of its open ports.
    pub(crate) open: Vec<Range<usize>>,
    /// Whether it takes impulses inside a step, and moves of its end.
    pub(crate) takes_impulses: bool,
    pub(crate) takes_moves: bool,
    /// Whether it captures impacts in steps of its own.
    pub(crate) captures_impacts: bool,
    /// Whether contacts of it are captured, by the plain problem of the master.
    pub(crate) captures_contacts: bool,
    /// Whether a move of its end is seen by its stage, in a step that another moves with it: it reports the move mass.
    pub(crate) sees_moves: bool,
    /// Whether its rows pass on momenta.
    pub(crate) passes_momenta: bool,
    /// Whether it has inputs, which are set before a step.
    pub(crate) takes_signals: bool,
    /// Whether it has load ports itself.
    pub(crate) is_load_source: bool,
    /// Its joined ports, in the order of the joints.
    pub(crate) joints: Vec<JoinedPort>,
    /// Its contacts in the master's vectors.
    pub(crate) contacts: Range<usize>,
    /// Its cluster, and its first row there.
    pub(crate) cluster: usize,
    pub(crate) cluster_row: usize,
}

impl SubsystemLayout {
    /// Whether loads of load ports act on its rows.
    pub(crate) fn is_loaded(&self) -> bool {
        !self.loaded_by.is_empty()
    }

    /// Its rows in the vectors of its cluster.
    pub(crate) fn cluster_rows(&self) -> Range<usize> {
        self.cluster_row..self.cluster_row + self.rows.len()
    }
}
