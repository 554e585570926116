//! One run at a time in a directory.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use crate::ResultsError;

/// Name of the file that is locked; it is empty, and stays.
pub(crate) const LOCK: &str = ".lock";

/// The sole right to write into a directory of results, until it is dropped or the process ends in whatever way.
///
/// It is a lock of the operating system on an empty file: nothing of it is left by a process that was killed. Where the file
/// system knows no locks there is none.
#[derive(Debug)]
pub struct RunLock {
    _file: File,
}

impl RunLock {
    /// Locks a directory that exists.
    pub(crate) fn take(directory: &Path) -> Result<Self, ResultsError> {
        let path = directory.join(LOCK);
        let file = match OpenOptions::new().create(true).append(true).open(&path) {
            Ok(file) => file,
            Err(source) => return Err(ResultsError::Create { path, source }),
        };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(ResultsError::InUse { path: directory.to_owned() }),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Self { _file: file }),
        }
    }
}
