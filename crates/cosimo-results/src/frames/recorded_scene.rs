//! What was to be seen of a run, as a whole.

use cosimo_subsystem::scene::Scene;

use super::frame::RecordedFrame;

/// What was to be seen of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedScene {
    /// What the model looks like.
    pub scene: Scene,
    /// The frames, in the order of time; of a run that was killed, those that are whole.
    pub frames: Vec<RecordedFrame>,
}

impl RecordedScene {
    /// Number of the body of this name, `subsystem.body`.
    #[must_use]
    pub fn body(&self, name: &str) -> Option<usize> {
        self.scene.bodies.iter().position(|body| body.full_name() == name)
    }
}
