//! The checkpoints of a result directory, one file each.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::content::Checkpoint;
use super::error::RefusedCheckpoint;
use super::format;
use super::model_id::ModelId;
use crate::durable::{PART, write_durably};

/// End of the name of a checkpoint; before it stands the number of steps done, with as many digits as there can be.
const EXTENSION: &str = ".checkpoint";

/// A checkpoint on the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckpointFile {
    path: PathBuf,
    step: u64,
}

impl CheckpointFile {
    /// Macro steps done when it was written, by its name.
    #[must_use]
    pub fn step(&self) -> u64 {
        self.step
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads it, if it is whole and belongs to this model.
    ///
    /// # Errors
    /// Why it is refused.
    pub fn read(&self, model: ModelId) -> Result<Checkpoint, RefusedCheckpoint> {
        let read = fs::read(&self.path).map_err(Into::into).and_then(|bytes| format::decode(&bytes, model));
        read.map_err(|reason| RefusedCheckpoint { path: self.path.clone(), reason })
    }

    /// The checkpoint of this name, if it is the name of one.
    fn named(path: PathBuf) -> Option<Self> {
        let step = path.file_name()?.to_str()?.strip_suffix(EXTENSION)?.parse().ok()?;
        Some(Self { path, step })
    }
}

/// The folder of the checkpoints.
#[derive(Debug, Clone)]
pub(crate) struct CheckpointStore {
    folder: PathBuf,
}

impl CheckpointStore {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// All checkpoints, the newest first.
    pub(crate) fn files(&self) -> io::Result<Vec<CheckpointFile>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut files = Vec::new();
        for entry in entries {
            files.extend(CheckpointFile::named(entry?.path()));
        }
        files.sort_by_key(|file| std::cmp::Reverse(file.step));
        Ok(files)
    }

    /// Writes a checkpoint and removes all but the newest `keep`.
    pub(crate) fn write(&self, checkpoint: &Checkpoint, model: ModelId, keep: usize) -> io::Result<()> {
        let bytes = format::encode(checkpoint, model).map_err(io::Error::other)?;
        fs::create_dir_all(&self.folder)?;
        let name = format!("{:020}{EXTENSION}", checkpoint.run.position.done);
        write_durably(&self.folder.join(name), &bytes)?;
        self.files()?.iter().skip(keep.max(2)).try_for_each(|file| fs::remove_file(&file.path))
    }

    /// Removes the checkpoints of later steps, which a run that goes on from `step` has not reached, and what was left
    /// of one that was being written.
    pub(crate) fn remove_after(&self, step: u64) -> io::Result<()> {
        self.files()?
            .iter()
            .filter(|file| file.step > step)
            .try_for_each(|file| fs::remove_file(&file.path))?;
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.to_str().is_some_and(|path| path.ends_with(&format!("{EXTENSION}{PART}"))) {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    /// Removes all checkpoints, and the folder if nothing else is in it.
    pub(crate) fn clear(&self) -> io::Result<()> {
        if !self.folder.exists() {
            return Ok(());
        }
        self.files()?.iter().try_for_each(|file| fs::remove_file(&file.path))?;
        self.remove_after(0)?;
        match fs::remove_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::DirectoryNotEmpty => Ok(()),
            removed => removed,
        }
    }
}
