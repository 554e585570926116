//! Frames as they are recorded.

use cosimo_master::FrameRecord;
use cosimo_subsystem::scene::Scene;

use crate::append_file::{AppendFile, Verified};
use crate::checkpoint::FramesSoFar;
use crate::durable::write_durably;
use crate::frames::{FramePace, FrameRate, encode};
use crate::{ResultDirectory, ResultsError};

/// The frames of a run: their instants, and the file once there is something to see.
#[derive(Debug, Default)]
pub(super) struct Frames {
    pace: FramePace,
    file: Option<AppendFile>,
    bytes: Vec<u8>,
}

impl Frames {
    /// Goes on with a file that stands as it did at a checkpoint.
    pub(super) fn resume(verified: Verified, last: Option<(u64, u64)>) -> Result<Self, ResultsError> {
        let pace = FramePace::after(last);
        Ok(Self { pace, file: Some(AppendFile::resume(verified)?), bytes: Vec::new() })
    }

    /// Chooses the instants of a run over this time span (s).
    pub(super) fn start(&mut self, rate: FrameRate, span: (f64, f64)) {
        self.pace.start(rate, span);
    }

    /// Writes the scene and opens the file, unless the run goes on.
    pub(super) fn show(&mut self, scene: &Scene, directory: &ResultDirectory) -> Result<(), ResultsError> {
        if !self.pace.records() || self.file.is_some() {
            return Ok(());
        }
        let path = directory.scene();
        let text = serde_json::to_string(scene).map_err(std::io::Error::from);
        let written = text.and_then(|text| write_durably(&path, text.as_bytes()));
        written.map_err(|source| ResultsError::Write { path, source })?;
        self.file = Some(AppendFile::create(directory.frames())?);
        Ok(())
    }

    /// Whether this communication point is recorded.
    pub(super) fn want(&self, step: u64, time: f64, is_last: bool) -> bool {
        self.file.is_some() && self.pace.want(step, time, is_last)
    }

    /// Writes a frame.
    pub(super) fn write(&mut self, record: &FrameRecord<'_>) -> Result<(), ResultsError> {
        let Self { pace, file: Some(file), bytes } = self else { return Ok(()) };
        pace.take(record.step, record.time);
        bytes.clear();
        encode(record, bytes);
        file.write(bytes)
    }

    /// Hands all frames to the operating system.
    pub(super) fn flush(&mut self) -> Result<(), ResultsError> {
        self.file.as_mut().map_or(Ok(()), AppendFile::flush)
    }

    /// Brings all frames to the disk; returns what they are and the last one.
    pub(super) fn sync(&mut self) -> Result<Option<FramesSoFar>, ResultsError> {
        let Some(file) = &mut self.file else { return Ok(None) };
        Ok(Some(FramesSoFar { extent: file.sync()?, last: self.pace.last }))
    }
}
