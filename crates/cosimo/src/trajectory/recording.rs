//! The observer that collects a trajectory.

use std::num::NonZeroU64;
use std::ops::ControlFlow;

use cosimo_master::{ContactEvent, FrameRecord, Observer, QuantityLabel, StepRecord};

use cosimo_results::{FrameRate, FrameTape, RecordedScene};
use cosimo_subsystem::scene::Scene;

use super::Event;

/// Values for which there is room from the start, where a run has as many (128 MiB).
const ROOM: usize = 1 << 24;

/// What was recorded, column by column.
#[derive(Debug, Default)]
pub(crate) struct Recorded {
    /// The chosen quantities.
    pub(crate) labels: Vec<QuantityLabel>,
    /// Times (s).
    pub(crate) times: Vec<f64>,
    /// Values of every quantity.
    pub(crate) columns: Vec<Vec<f64>>,
    /// What happened.
    pub(crate) events: Vec<Event>,
    /// What was to be seen.
    pub(crate) scene: Option<RecordedScene>,
}

/// Collects chosen quantities and all events of a run.
#[derive(Debug)]
pub(crate) struct Recording {
    every: NonZeroU64,
    /// Places of the chosen quantities among all.
    chosen: Vec<usize>,
    recorded: Recorded,
    tape: FrameTape,
}

impl Recording {
    /// Records these of the quantities, at every n-th communication point, and so many frames.
    pub(crate) fn new(
        labels: &[QuantityLabel],
        chosen: Vec<usize>,
        (every, frames): (NonZeroU64, FrameRate),
    ) -> Self {
        let recorded = Recorded {
            labels: chosen.iter().map(|&place| labels[place].clone()).collect(),
            columns: vec![Vec::new(); chosen.len()],
            ..Recorded::default()
        };
        Self { every, chosen, recorded, tape: FrameTape::new(frames) }
    }

    /// Makes room for so many macro steps.
    pub(crate) fn reserve(&mut self, steps: f64) {
        // A number that is none, or too large, is cut.
        let points = (steps / self.every.get() as f64) as usize;
        let room = points.saturating_add(2).min(ROOM / (1 + self.chosen.len()));
        self.recorded.times.reserve(room);
        self.recorded.columns.iter_mut().for_each(|column| column.reserve(room));
    }

    pub(crate) fn into_recorded(self) -> Recorded {
        Recorded { scene: self.tape.into_scene(), ..self.recorded }
    }
}

impl Observer for Recording {
    fn start(&mut self, labels: &[QuantityLabel], span: (f64, f64)) {
        self.tape.start(labels, span);
    }

    fn scene(&mut self, scene: &Scene) {
        self.tape.scene(scene);
    }

    fn wants_frame(&self, step: u64, time: f64, is_last: bool) -> bool {
        self.tape.wants_frame(step, time, is_last)
    }

    fn frame(&mut self, record: &FrameRecord<'_>) {
        self.tape.frame(record);
    }

    fn wants(&self, step: u64) -> bool {
        step.is_multiple_of(self.every.get())
    }

    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        let recorded = &mut self.recorded;
        let is_wanted = record.is_last || record.step.is_multiple_of(self.every.get());
        // The last point of a run that fails is shown once more.
        if is_wanted && recorded.times.last() != Some(&record.time) {
            recorded.times.push(record.time);
            for (column, &place) in recorded.columns.iter_mut().zip(&self.chosen) {
                column.push(record.values[place]);
            }
        }
        ControlFlow::Continue(())
    }

    fn event(&mut self, event: &ContactEvent<'_>) {
        self.recorded.events.push(event.into());
    }
}
