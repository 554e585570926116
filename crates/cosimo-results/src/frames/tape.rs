//! Frames that are kept in memory.

use cosimo_master::{FrameRecord, Observer, QuantityLabel};
use cosimo_subsystem::scene::{Frame, Scene};

use super::frame::RecordedFrame;
use super::pace::{FramePace, FrameRate};
use super::recorded_scene::RecordedScene;

/// An observer that keeps what is to be seen of a run. It adds to what it has if a run goes on.
#[derive(Debug, Clone, Default)]
pub struct FrameTape {
    rate: FrameRate,
    pace: FramePace,
    recorded: Option<RecordedScene>,
}

impl FrameTape {
    /// Keeps so many frames.
    #[must_use]
    pub fn new(rate: FrameRate) -> Self {
        Self { rate, ..Self::default() }
    }

    /// What was seen; `None` of a model without bodies, or where no frames are kept.
    #[must_use]
    pub fn into_scene(self) -> Option<RecordedScene> {
        self.recorded
    }
}

impl Observer for FrameTape {
    fn start(&mut self, _labels: &[QuantityLabel], span: (f64, f64)) {
        self.pace.start(self.rate, span);
    }

    fn scene(&mut self, scene: &Scene) {
        if self.pace.records() && self.recorded.is_none() {
            self.recorded = Some(RecordedScene { scene: scene.clone(), frames: Vec::new() });
        }
    }

    fn wants_frame(&self, step: u64, time: f64, is_last: bool) -> bool {
        self.recorded.is_some() && self.pace.want(step, time, is_last)
    }

    fn frame(&mut self, record: &FrameRecord<'_>) {
        let Some(recorded) = &mut self.recorded else { return };
        self.pace.take(record.step, record.time);
        let frame = Frame { time: record.time, sight: record.sight.clone() };
        recorded.frames.push(RecordedFrame { frame, energy: record.energy.into() });
    }
}

impl RecordedScene {
    /// Shows what was seen to another observer; its number stands for the step of a frame.
    pub fn replay(&self, observer: &mut dyn Observer) {
        observer.scene(&self.scene);
        for (step, RecordedFrame { frame, energy }) in self.frames.iter().enumerate() {
            let (step, is_last) = (step as u64, step + 1 == self.frames.len());
            if observer.wants_frame(step, frame.time, is_last) {
                let (time, sight, energy) = (frame.time, &frame.sight, (*energy).into());
                observer.frame(&FrameRecord { step, time, sight, energy, is_last });
            }
        }
    }
}
