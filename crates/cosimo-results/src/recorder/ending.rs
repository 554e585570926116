//! Summary and figure at the end of a run.

use std::fs;

use cosimo_master::{Outcome, RunReport};

use super::Recorder;
use crate::ResultsError;
use crate::durable::write_durably;
use crate::figure::Figure;
use crate::summary::{Ending, Summary};

impl Recorder {
    /// A run that could not be recorded has failed, whatever the master says.
    pub(super) fn ending(&self, outcome: &Outcome) -> Ending {
        match (outcome, &self.error) {
            (Outcome::Completed | Outcome::Stopped, Some(error)) => {
                Ending { outcome: "failed", reason: Some(error.with_causes()) }
            }
            (outcome, _) => Ending::of(outcome),
        }
    }

    pub(super) fn write_summary(&self, ending: &Ending, report: &RunReport) -> Result<(), ResultsError> {
        let path = self.directory.summary();
        let quantities = self.columns.iter().map(|&index| &self.labels[index]);
        let summary =
            Summary::new(self.config.title.as_deref(), self.config.schema, ending, report, quantities);
        let written = serde_json::to_string_pretty(&summary)
            .map_err(Into::into)
            .and_then(|text| write_durably(&path, (text + "\n").as_bytes()));
        written.map_err(|source| ResultsError::Write { path, source })
    }

    pub(super) fn write_plot(&self) -> Result<(), ResultsError> {
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
}
