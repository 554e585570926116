//! The observer that fills a result directory.

mod config;
mod curves;
mod ending;
mod event_columns;
mod frames;
mod observer;
mod rows;
#[cfg(test)]
mod tests;

use std::time::Instant;

use cosimo_master::{Outcome, QuantityLabel, RunReport, RunState};

pub use config::RecordConfig;
pub use event_columns::EVENT_COLUMNS;
use frames::Frames;

use crate::checkpoint::{Checkpoint, CheckpointConfig, CheckpointStore, FramesSoFar, Pace, RecorderState};
use crate::csv_file::CsvFile;
use crate::figure::IMPACTS_SHOWN;
use crate::summary::{Ending, empty_report};
use crate::trace::Trace;
use crate::{ResultDirectory, ResultsError};

/// Writes what an [`Observer`](cosimo_master::Observer) sees into a [`ResultDirectory`].
///
/// The first error that occurs while the run goes on is kept, and the run is asked to stop: see
/// [`error`](Self::error) and [`into_result`](Self::into_result). Summary and plot are written when the run finishes,
/// also if it failed or was stopped. If the recorder is dropped before, the rows written so far reach the disk, and the
/// summary says that the run is unfinished.
///
/// With [`RecordConfig::checkpoints`] it also keeps states from which the run goes on in another process, see
/// [`resume`](Self::resume).
///
/// Recording a step allocates nothing after the first; checkpoints do.
#[derive(Debug)]
pub struct Recorder {
    directory: ResultDirectory,
    config: RecordConfig,
    results: CsvFile,
    events: CsvFile,
    frames: Frames,
    labels: Vec<QuantityLabel>,
    /// Positions of the recorded quantities in `labels`.
    columns: Vec<usize>,
    /// Positions of the quantities that may be drawn, with their values.
    traces: Vec<(usize, Trace)>,
    /// Times (s) of the first impacts, as many as decide whether they are drawn.
    impacts: Vec<f64>,
    contact: String,
    first_time: f64,
    /// Step and time of the last row.
    last_row: Option<(u64, f64)>,
    last_flush: Instant,
    report: Option<RunReport>,
    error: Option<ResultsError>,
    store: CheckpointStore,
    pace: Pace,
    /// Traces of the part of the run before this one.
    resumed: Option<Vec<(usize, Trace)>>,
    /// Why the model cannot be saved.
    unsaved: Option<String>,
}

impl Recorder {
    /// Creates `results.csv`, `events.csv` and `summary.json` in the directory.
    ///
    /// # Errors
    /// If one of them exists or cannot be created.
    pub fn create(directory: ResultDirectory, config: RecordConfig) -> Result<Self, ResultsError> {
        let directory = directory.absolute();
        let results = CsvFile::create(directory.results())?;
        let mut events = CsvFile::create(directory.events())?;
        for (field, _) in EVENT_COLUMNS {
            events.text(field);
        }
        events.end_row()?;
        events.flush()?;
        let recorder = Self::with_files(directory, config, (results, events));
        recorder.reserve_summary()?;
        Ok(recorder)
    }

    /// Goes on with the files of a run from one of its checkpoints: what they are ahead of it is cut off.
    ///
    /// # Errors
    /// [`ResultsError::Shortened`] if a file is behind the checkpoint, [`ResultsError::Altered`] if it is not what it was;
    /// nothing is changed then. Otherwise if a file cannot be written to.
    pub fn resume(
        directory: ResultDirectory,
        config: RecordConfig,
        checkpoint: &Checkpoint,
    ) -> Result<Self, ResultsError> {
        let (directory, state) = (directory.absolute(), &checkpoint.recorder);
        let results = state.results.verify(directory.results())?;
        let events = state.events.verify(directory.events())?;
        let frames = match state.frames {
            Some(FramesSoFar { extent, last }) => Some((extent.verify(directory.frames())?, last)),
            None => None,
        };
        let (results, events) = (CsvFile::resume(results)?, CsvFile::resume(events)?);
        let mut recorder = Self::with_files(directory, config, (results, events));
        let cleaned = recorder.store.remove_after(checkpoint.run.position.done);
        cleaned
            .map_err(|source| ResultsError::Write { path: recorder.directory.path().to_owned(), source })?;
        if let Some((verified, last)) = frames {
            recorder.frames = Frames::resume(verified, last)?;
        }
        recorder.impacts.extend_from_slice(&state.impacts);
        recorder.first_time = state.first_time;
        recorder.last_row = state.last_row;
        recorder.resumed = Some(state.traces.clone());
        recorder.reserve_summary()?;
        Ok(recorder)
    }

    fn with_files(
        directory: ResultDirectory,
        config: RecordConfig,
        (results, events): (CsvFile, CsvFile),
    ) -> Self {
        let pace =
            config.checkpoints.map_or(Pace::new(0, 0.0), |c| Pace::new(c.every_steps, c.every_seconds));
        Self {
            store: directory.store(),
            pace,
            resumed: None,
            unsaved: None,
            directory,
            config,
            results,
            events,
            frames: Frames::default(),
            labels: Vec::new(),
            columns: Vec::new(),
            traces: Vec::new(),
            impacts: Vec::with_capacity(IMPACTS_SHOWN),
            contact: String::new(),
            first_time: 0.0,
            last_row: None,
            last_flush: Instant::now(),
            report: None,
            error: None,
        }
    }

    /// Why there are no checkpoints although they were wanted: a subsystem that cannot be saved.
    #[must_use]
    pub fn unsaved(&self) -> Option<&str> {
        self.unsaved.as_deref()
    }

    /// The first error that occurred during the run.
    #[must_use]
    pub fn error(&self) -> Option<&ResultsError> {
        self.error.as_ref()
    }

    /// Puts the reason into `summary.json`, where only the caller knows it: why the run was stopped, or why it failed
    /// before its first step and left no report.
    ///
    /// # Errors
    /// If the summary cannot be written.
    pub fn explain(&mut self, reason: impl Into<String>) -> Result<(), ResultsError> {
        let reason = reason.into();
        let report = match &self.report {
            Some(report) => report.clone(),
            None => empty_report(Outcome::Failed(reason.clone())),
        };
        let ending = Ending { reason: Some(reason), ..self.ending(&report.outcome) };
        self.write_summary(&ending, &report)
    }

    /// Writes what is buffered and returns the directory.
    ///
    /// # Errors
    /// The first error since the recorder was created.
    pub fn into_result(mut self) -> Result<ResultDirectory, ResultsError> {
        let flushed = self.flush();
        self.keep(flushed);
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.directory),
        }
    }

    /// Keeps the first error.
    fn keep<T>(&mut self, result: Result<T, ResultsError>) {
        if let Err(error) = result {
            self.error.get_or_insert(error);
        }
    }

    /// Writes a checkpoint behind results that are on the disk: never are they behind it.
    fn write_checkpoint(&mut self, run: &RunState, config: CheckpointConfig) -> Result<(), ResultsError> {
        let recorder = RecorderState {
            results: self.results.sync()?,
            events: self.events.sync()?,
            traces: self.traces.clone(),
            impacts: self.impacts.clone(),
            first_time: self.first_time,
            last_row: self.last_row,
            frames: self.frames.sync()?,
        };
        let written = self.store.write(&Checkpoint { run: run.clone(), recorder }, config.model, config.keep);
        self.pace.start_again();
        written.map_err(|source| ResultsError::Write { path: self.store.folder().to_owned(), source })
    }

    /// The checkpoints of a run that is complete are of no use.
    fn remove_checkpoints(&self) -> Result<(), ResultsError> {
        let removed = self.store.clear();
        removed.map_err(|source| ResultsError::Write { path: self.store.folder().to_owned(), source })
    }
}
