//! The recorder as an observer of a run.

use std::ops::ControlFlow;

use cosimo_master::{
    ContactEvent, ContactEventKind, FrameRecord, Observer, Outcome, QuantityLabel, RunReport, RunState,
    StepRecord,
};
use cosimo_subsystem::SubsystemError;
use cosimo_subsystem::scene::Scene;

use super::Recorder;
use crate::figure::IMPACTS_SHOWN;

impl Observer for Recorder {
    fn start(&mut self, labels: &[QuantityLabel], span: (f64, f64)) {
        // Units of the columns stand in the summary, also of a run that is killed.
        let started =
            self.choose(labels).and_then(|()| self.write_header()).and_then(|()| self.reserve_summary());
        self.keep(started);
        self.frames.start(self.config.frames, span);
    }

    fn scene(&mut self, scene: &Scene) {
        let shown = self.frames.show(scene, &self.directory);
        self.keep(shown);
    }

    fn wants_frame(&self, step: u64, time: f64, is_last: bool) -> bool {
        self.error.is_none() && self.frames.want(step, time, is_last)
    }

    fn frame(&mut self, record: &FrameRecord<'_>) {
        let written = self.frames.write(record);
        self.keep(written);
    }

    fn wants(&self, step: u64) -> bool {
        self.error.is_some() || step.is_multiple_of(self.config.every.get())
    }

    fn step(&mut self, record: &StepRecord<'_>) -> ControlFlow<()> {
        let is_wanted = record.is_last || self.wants(record.step);
        let row = (record.step, record.time);
        if self.error.is_none() && is_wanted && self.last_row != Some(row) {
            if self.last_row.replace(row).is_none() {
                self.first_time = record.time;
            }
            let written = self.write_row(record);
            self.keep(written);
        }
        if self.error.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn event(&mut self, event: &ContactEvent<'_>) {
        if self.error.is_some() {
            return;
        }
        if event.kind == ContactEventKind::Impact && self.impacts.len() < IMPACTS_SHOWN {
            self.impacts.push(event.time);
        }
        let written = self.write_event(event);
        self.keep(written);
    }

    fn wants_state(&mut self, step: u64, is_stopping: bool) -> bool {
        let is_possible = self.config.checkpoints.is_some() && self.error.is_none() && self.unsaved.is_none();
        is_possible && (is_stopping || self.pace.is_due(step))
    }

    fn state(&mut self, state: Result<&RunState, &SubsystemError>) {
        match (state, self.config.checkpoints) {
            (Ok(run), Some(config)) if self.error.is_none() => {
                let written = self.write_checkpoint(run, config);
                self.keep(written);
            }
            (Err(error), _) => self.unsaved = Some(error.to_string()),
            _ => {}
        }
    }

    fn finish(&mut self, report: &RunReport) {
        let synced = self.results.sync().and_then(|_| self.events.sync());
        let synced = synced.and_then(|_| self.frames.sync());
        self.keep(synced);
        let ending = self.ending(&report.outcome);
        self.report = Some(report.clone());
        // The summary comes last: once it says that the run is complete, nothing is missing.
        let drawn = self.write_plot();
        let summarized = self.write_summary(&ending, report);
        let is_complete = report.outcome == Outcome::Completed && self.error.is_none() && summarized.is_ok();
        self.keep(summarized);
        self.keep(drawn);
        if is_complete {
            let removed = self.remove_checkpoints();
            self.keep(removed);
        }
    }
}
