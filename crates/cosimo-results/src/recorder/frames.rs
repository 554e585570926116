//! Frames as they are recorded.

use cosimo_master::FrameRecord;
use cosimo_subsystem::scene::Scene;

use crate::append_file::{AppendFile, Verified};
use crate::checkpoint::FramesSoFar;
use crate::durable::write_durably;
use crate::frames::{FrameGrid, FrameRate, encode};
use crate::{ResultDirectory, ResultsError};

/// The frames of a run: their grid, and the file once there is something to see.
#[derive(Debug, Default)]
pub(super) struct Frames {
    grid: Option<FrameGrid>,
    file: Option<AppendFile>,
    /// Step and number on the grid of the last one.
    last: Option<(u64, u64)>,
    bytes: Vec<u8>,
}

impl Frames {
    /// Goes on with a file that stands as it did at a checkpoint.
    pub(super) fn resume(verified: Verified, last: Option<(u64, u64)>) -> Result<Self, ResultsError> {
        Ok(Self { file: Some(AppendFile::resume(verified)?), last, ..Self::default() })
    }

    /// Chooses the instants of a run over this time span (s).
    pub(super) fn start(&mut self, rate: FrameRate, span: (f64, f64)) {
        self.grid = FrameGrid::new(rate, span);
    }

    /// Writes the scene and opens the file, unless the run goes on.
    pub(super) fn show(&mut self, scene: &Scene, directory: &ResultDirectory) -> Result<(), ResultsError> {
        if self.grid.is_none() || self.file.is_some() {
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
        let Some(grid) = self.grid.filter(|_| self.file.is_some()) else { return false };
        match self.last {
            None => true,
            Some((last_step, number)) => step != last_step && (is_last || grid.number(time) != number),
        }
    }

    /// Writes a frame.
    pub(super) fn write(&mut self, record: &FrameRecord<'_>) -> Result<(), ResultsError> {
        let Self { grid: Some(grid), file: Some(file), last, bytes } = self else { return Ok(()) };
        *last = Some((record.step, grid.number(record.time)));
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
        Ok(Some(FramesSoFar { extent: file.sync()?, last: self.last }))
    }
}
