//! Summary and figure at the end of a run.

use std::fs;
use std::io::{self, ErrorKind};

use cosimo_master::{Outcome, RunReport};

use super::Recorder;
use crate::ResultsError;
use crate::durable::{write_durably, write_in_place};
use crate::figure::Figure;
use crate::summary::{Ending, Summary, empty_report};

/// Bytes that are kept free for the summary of a run that fills the disk: a few subsystems, and hundreds of quantities.
const ROOM: usize = 1 << 16;

/// Whether there is no room on the disk, or none for this user.
fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
}

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
        let text = self.summary_text(ending, report);
        let written = text.and_then(|text| match write_durably(&path, text.as_bytes()) {
            Err(error) if is_full(&error) => write_in_place(&path, text.as_bytes()),
            written => written,
        });
        written.map_err(|source| ResultsError::Write { path, source })
    }

    /// The summary of a run that has just begun, with blanks behind it: room for that of a run which fills the disk.
    pub(super) fn reserve_summary(&self) -> Result<(), ResultsError> {
        let path = self.directory.summary();
        let text = self.summary_text(&Ending::unfinished(), &empty_report(Outcome::Stopped));
        let written = text.and_then(|text| {
            let mut bytes = text.into_bytes();
            bytes.resize(bytes.len() + ROOM, b' ');
            write_durably(&path, &bytes)
        });
        written.map_err(|source| ResultsError::Write { path, source })
    }

    fn summary_text(&self, ending: &Ending, report: &RunReport) -> io::Result<String> {
        let quantities = self.columns.iter().map(|&index| &self.labels[index]);
        let summary =
            Summary::new(self.config.title.as_deref(), self.config.schema, ending, report, quantities);
        Ok(serde_json::to_string_pretty(&summary)? + "\n")
    }

    pub(super) fn write_plot(&self) -> Result<(), ResultsError> {
        let path = self.directory.plot();
        let title = self.config.title.as_deref();
        let last_time = self.last_row.map_or(self.first_time + 1.0, |(_, time)| time);
        let span = (self.first_time, last_time);
        let figure = Figure { title, curves: self.curves(), span, impacts: &self.impacts };
        match figure.to_svg() {
            Ok(text) => fs::write(&path, text).map_err(|source| {
                // A part of a figure is none.
                let _ = fs::remove_file(&path);
                ResultsError::Write { path, source }
            }),
            Err(error) => Err(ResultsError::Draw { path, source: Box::new(error) }),
        }
    }
}
