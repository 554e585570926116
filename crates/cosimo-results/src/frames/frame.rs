//! A frame of a run.

use cosimo_subsystem::scene::Frame;

use super::energy::FrameEnergy;

/// A frame of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedFrame {
    /// Time, poses and forces of contacts.
    pub frame: Frame,
    /// The energies up to it.
    pub energy: FrameEnergy,
}
