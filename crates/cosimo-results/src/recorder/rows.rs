//! Rows of `results.csv` and `events.csv`.

use std::time::{Duration, Instant};

use cosimo_master::{ContactEvent, QuantityLabel, StepRecord};

use super::Recorder;
use super::curves::candidates;
use crate::ResultsError;
use crate::selection::full_name;
use crate::trace::Trace;

/// Longest time that a row waits for its way to the disk, if rows come at all.
const FLUSH_INTERVAL: Duration = Duration::from_secs(1);

impl Recorder {
    pub(super) fn choose(&mut self, labels: &[QuantityLabel]) -> Result<(), ResultsError> {
        self.labels = labels.to_vec();
        self.columns = self.config.quantities.indices(labels)?;
        let drawn = match &self.config.plot {
            Some(selection) => selection.indices(labels)?,
            None => candidates(&self.columns, labels),
        };
        let resumed = self.resumed.as_deref().unwrap_or_default();
        let trace = |index| {
            let known = resumed.iter().find(|(of, _)| *of == index);
            (index, known.map_or_else(Trace::new, |(_, trace)| trace.with_storage()))
        };
        self.traces = drawn.into_iter().map(trace).collect();
        Ok(())
    }

    pub(super) fn write_header(&mut self) -> Result<(), ResultsError> {
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

    pub(super) fn write_row(&mut self, record: &StepRecord<'_>) -> Result<(), ResultsError> {
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

    pub(super) fn write_event(&mut self, event: &ContactEvent<'_>) -> Result<(), ResultsError> {
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

    pub(super) fn flush(&mut self) -> Result<(), ResultsError> {
        let results = self.results.flush();
        self.events.flush()?;
        self.frames.flush()?;
        results
    }
}
