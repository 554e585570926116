//! The observer that fills a result directory.

use std::fs;
use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use cosimo_master::{
    ContactEvent, ContactEventKind, Observer, Outcome, QuantityLabel, RunReport, RunState, StepRecord,
};
use cosimo_subsystem::SubsystemError;
use serde::{Deserialize, Serialize};

use crate::checkpoint::{Checkpoint, CheckpointConfig, CheckpointStore, Pace};
use crate::csv_file::CsvFile;
use crate::durable::write_durably;
use crate::figure::{Curve, Figure, IMPACTS_SHOWN};
use crate::selection::full_name;
use crate::summary::{Ending, Summary, empty_report};
use crate::trace::Trace;
use crate::{ResultDirectory, ResultsError, Selection};

/// Curves of a figure nobody chose.
const DEFAULT_CURVES: usize = 6;
/// Quantities followed to find those that move.
const CANDIDATES: usize = 64;
/// Change, relative to the largest value of the figure, from which a quantity moves.
const MOVES: f64 = 1e-9;
/// Longest time that a row waits for its way to the disk, if rows come at all.
const FLUSH_INTERVAL: Duration = Duration::from_secs(1);

/// What to record of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordConfig {
    /// Title of summary and plot. Default: none.
    pub title: Option<String>,
    /// Version of the model file's format, for the summary. Default: none.
    pub schema: Option<u32>,
    /// Record every n-th macro step; the first and the last always. Default: 1.
    pub every: NonZeroU64,
    /// What `results.csv` contains, in the order of the run's labels. Default: everything.
    pub quantities: Selection,
    /// What `plot.svg` shows; need not be recorded. Default: nothing chosen, which stands for the first six
    /// position-like recorded quantities (in m or rad, no constraint residuals) that move, or of others if there are
    /// none.
    pub plot: Option<Selection>,
    /// Which checkpoints are written. Default: none.
    pub checkpoints: Option<CheckpointConfig>,
}

impl Default for RecordConfig {
    fn default() -> Self {
        Self {
            title: None,
            schema: None,
            every: NonZeroU64::MIN,
            quantities: Selection::everything(),
            plot: None,
            checkpoints: None,
        }
    }
}

/// Writes what an [`Observer`] sees into a [`ResultDirectory`].
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

/// How far the results are, and what of them is in memory only.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct RecorderState {
    /// Bytes of `results.csv` and `events.csv`.
    results: u64,
    events: u64,
    traces: Vec<(usize, Trace)>,
    impacts: Vec<f64>,
    first_time: f64,
    last_row: Option<(u64, f64)>,
}

/// Columns of `events.csv`.
const EVENT_FIELDS: [&str; 10] = [
    "t",
    "kind",
    "contact",
    "velocity_before",
    "velocity_after",
    "impulse",
    "friction_0",
    "friction_1",
    "friction_state",
    "work",
];

impl Recorder {
    /// Creates `results.csv`, `events.csv` and `summary.json` in the directory.
    ///
    /// # Errors
    /// If one of them exists or cannot be created.
    pub fn create(directory: ResultDirectory, config: RecordConfig) -> Result<Self, ResultsError> {
        let results = CsvFile::create(directory.results())?;
        let mut events = CsvFile::create(directory.events())?;
        for field in EVENT_FIELDS {
            events.text(field);
        }
        events.end_row()?;
        events.flush()?;
        let recorder = Self::with_files(directory, config, (results, events));
        recorder.write_summary(&Ending::unfinished(), &empty_report(Outcome::Stopped))?;
        Ok(recorder)
    }

    /// Goes on with the files of a run from one of its checkpoints: what they are ahead of it is cut off.
    ///
    /// # Errors
    /// [`ResultsError::Shortened`] if a file is behind the checkpoint; nothing is changed then. Otherwise if a file
    /// cannot be written to.
    pub fn resume(
        directory: ResultDirectory,
        config: RecordConfig,
        checkpoint: &Checkpoint,
    ) -> Result<Self, ResultsError> {
        let state = &checkpoint.recorder;
        check_length(directory.results(), state.results)?;
        check_length(directory.events(), state.events)?;
        let results = CsvFile::resume(directory.results(), state.results)?;
        let events = CsvFile::resume(directory.events(), state.events)?;
        let mut recorder = Self::with_files(directory, config, (results, events));
        let cleaned = recorder.store.remove_after(checkpoint.run.position.done);
        cleaned
            .map_err(|source| ResultsError::Write { path: recorder.directory.path().to_owned(), source })?;
        recorder.impacts.extend_from_slice(&state.impacts);
        recorder.first_time = state.first_time;
        recorder.last_row = state.last_row;
        recorder.resumed = Some(state.traces.clone());
        recorder.write_summary(&Ending::unfinished(), &empty_report(Outcome::Stopped))?;
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

    fn choose(&mut self, labels: &[QuantityLabel]) -> Result<(), ResultsError> {
        self.labels = labels.to_vec();
        self.columns = self.config.quantities.indices(labels)?;
        let drawn = match &self.config.plot {
            Some(selection) => selection.indices(labels)?,
            None => self.candidates(),
        };
        let resumed = self.resumed.as_deref().unwrap_or_default();
        let trace = |index| {
            let known = resumed.iter().find(|(of, _)| *of == index);
            (index, known.map_or_else(Trace::new, |(_, trace)| trace.with_storage()))
        };
        self.traces = drawn.into_iter().map(trace).collect();
        Ok(())
    }

    /// What may be drawn if nothing is chosen; which of it is known at the end.
    fn candidates(&self) -> Vec<usize> {
        let positions = self.columns.iter().copied().filter(|&index| is_position(&self.labels[index]));
        let positions: Vec<_> = positions.take(CANDIDATES).collect();
        if positions.is_empty() { self.columns.iter().copied().take(CANDIDATES).collect() } else { positions }
    }

    fn write_header(&mut self) -> Result<(), ResultsError> {
        if self.resumed.take().is_some() {
            return Ok(());
        }
        self.results.text("t");
        for &index in &self.columns {
            self.results.text(&full_name(&self.labels[index]));
        }
        self.results.end_row()?;
        self.results.flush()
    }

    fn write_row(&mut self, record: &StepRecord<'_>) -> Result<(), ResultsError> {
        self.results.number(record.time);
        for &index in &self.columns {
            self.results.number(record.values[index]);
        }
        self.results.end_row()?;
        for (index, trace) in &mut self.traces {
            trace.push(record.time, record.values[*index]);
        }
        if self.last_flush.elapsed() > FLUSH_INTERVAL {
            self.flush()?;
            self.last_flush = Instant::now();
        }
        Ok(())
    }

    fn write_event(&mut self, event: &ContactEvent<'_>) -> Result<(), ResultsError> {
        self.contact.clear();
        self.contact.extend([event.subsystem, ".", event.contact]);
        self.events.number(event.time);
        self.events.text(event.kind.name());
        self.events.text(&self.contact);
        let [along_first, along_second] = event.tangential_impulse;
        for value in [event.velocity_before, event.velocity_after, event.impulse, along_first, along_second] {
            self.events.number(value);
        }
        self.events.text(event.friction.name());
        self.events.number(event.work);
        self.events.end_row()
    }

    fn flush(&mut self) -> Result<(), ResultsError> {
        let results = self.results.flush();
        self.events.flush()?;
        results
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

    /// A run that could not be recorded has failed, whatever the master says.
    fn ending(&self, outcome: &Outcome) -> Ending {
        match (outcome, &self.error) {
            (Outcome::Completed | Outcome::Stopped, Some(error)) => {
                Ending { outcome: "failed", reason: Some(error.with_causes()) }
            }
            (outcome, _) => Ending::of(outcome),
        }
    }

    fn write_summary(&self, ending: &Ending, report: &RunReport) -> Result<(), ResultsError> {
        let path = self.directory.summary();
        let quantities = self.columns.iter().map(|&index| &self.labels[index]);
        let summary =
            Summary::new(self.config.title.as_deref(), self.config.schema, ending, report, quantities);
        let written = serde_json::to_string_pretty(&summary)
            .map_err(Into::into)
            .and_then(|text| write_durably(&path, (text + "\n").as_bytes()));
        written.map_err(|source| ResultsError::Write { path, source })
    }

    fn write_plot(&self) -> Result<(), ResultsError> {
        let path = self.directory.plot();
        let title = self.config.title.as_deref();
        let last_time = self.last_row.map_or(self.first_time + 1.0, |(_, time)| time);
        let span = (self.first_time, last_time);
        let figure = Figure { title, curves: self.curves(), span, impacts: &self.impacts };
        match figure.to_svg() {
            Ok(text) => fs::write(&path, text).map_err(|source| ResultsError::Write { path, source }),
            Err(error) => Err(ResultsError::Draw { path, source: Box::new(error) }),
        }
    }

    fn curves(&self) -> Vec<Curve<'_>> {
        let drawn: Vec<usize> = match self.config.plot {
            Some(_) => (0..self.traces.len()).collect(),
            None => first_moving(&self.traces.iter().map(|(_, trace)| trace.range()).collect::<Vec<_>>()),
        };
        let drawn = drawn.into_iter().map(|place| &self.traces[place]);
        drawn.map(|(index, trace)| Curve { label: &self.labels[*index], trace }).collect()
    }
}

impl Observer for Recorder {
    fn start(&mut self, labels: &[QuantityLabel], _span: (f64, f64)) {
        let started = self.choose(labels).and_then(|()| self.write_header());
        self.keep(started);
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

/// Checks that a file of results has at least the bytes that it had.
fn check_length(path: PathBuf, expected: u64) -> Result<(), ResultsError> {
    match fs::metadata(&path) {
        Ok(file) if file.len() >= expected => Ok(()),
        Ok(file) => Err(ResultsError::Shortened { path, found: file.len(), expected }),
        Err(source) => Err(ResultsError::Create { path, source }),
    }
}

fn is_position(label: &QuantityLabel) -> bool {
    let is_residual = label.name == "residual" || label.name.ends_with(".residual");
    matches!(label.unit.as_str(), "m" | "rad") && !is_residual
}

/// Places of the first ranges that are not points; the first ones if all are.
fn first_moving(ranges: &[Option<(f64, f64)>]) -> Vec<usize> {
    let known = ranges.iter().flatten();
    let largest = known.fold(0.0_f64, |all, (low, high)| all.max(low.abs()).max(high.abs()));
    let moves = |place: &usize| ranges[*place].is_some_and(|(low, high)| high - low > MOVES * largest);
    let moving: Vec<_> = (0..ranges.len()).filter(moves).take(DEFAULT_CURVES).collect();
    if moving.is_empty() { (0..ranges.len()).take(DEFAULT_CURVES).collect() } else { moving }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Overwrite;

    #[test]
    fn quantities_at_rest_give_way_to_those_that_move() {
        let ranges = [Some((0.0, 0.0)), Some((1.0, 1.0 + 1e-12)), Some((0.0, 1.0)), None, Some((0.0, 1e-3))];
        assert_eq!(first_moving(&ranges), [2, 4]);
        assert_eq!(first_moving(&ranges[..2]), [0, 1]);
        assert_eq!(first_moving(&[Some((0.0, 1.0)); 20]), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn residuals_are_no_positions() {
        let label = |name: &str, unit: &str| QuantityLabel {
            owner: "rod".into(),
            name: name.into(),
            unit: unit.into(),
        };
        assert!(is_position(&label("x", "m")) && is_position(&label("rod.angle", "rad")));
        assert!(!is_position(&label("hinge.residual", "m")) && !is_position(&label("vx", "m/s")));
    }

    #[test]
    fn a_disk_that_refuses_a_row_stops_the_run_and_is_named_in_the_summary() {
        let scratch = tempfile::tempdir().unwrap();
        let directory = ResultDirectory::create(scratch.path().join("out"), Overwrite::Refuse).unwrap();
        let mut recorder = Recorder::create(directory, RecordConfig::default()).unwrap();
        let label = QuantityLabel { owner: "ball".into(), name: "z".into(), unit: "m".into() };
        recorder.start(&[label], (0.0, 1.0));
        recorder.results = CsvFile::unwritable(recorder.directory.results());

        let record = |step: u64| StepRecord { step, time: step as f64, values: &[1.0], is_last: false };
        let stopped_at = (0..100_000).find(|&step| recorder.step(&record(step)).is_break());
        assert!(stopped_at.is_some() && recorder.wants(1));
        assert!(
            matches!(recorder.error(), Some(ResultsError::Write { path, .. }) if path.ends_with("results.csv"))
        );

        for outcome in [Outcome::Stopped, Outcome::Completed] {
            recorder.finish(&empty_report(outcome));
            let summary = fs::read_to_string(recorder.directory.summary()).unwrap();
            assert!(summary.contains("\"failed\"") && summary.contains("cannot write to"), "{summary}");
        }
        assert!(recorder.into_result().is_err());
    }
}
