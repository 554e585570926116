//! One run at a time in a directory.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::ResultsError;

/// Name of the file that is locked; it is empty, and stays.
pub(crate) const LOCK: &str = ".lock";

/// Time in which a lock that another process holds may become free.
///
/// A process that is killed while it starts another leaves its open files to that one until the new program is loaded.
const PATIENCE: Duration = Duration::from_secs(1);

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
    ///
    /// # Errors
    /// [`ResultsError::InUse`] while another process, or another lock of this one, holds it.
    pub fn take(directory: &Path) -> Result<Self, ResultsError> {
        let path = directory.join(LOCK);
        let file = match OpenOptions::new().create(true).append(true).open(&path) {
            Ok(file) => file,
            Err(source) => return Err(ResultsError::Create { path, source }),
        };
        let started = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) | Err(TryLockError::Error(_)) => return Ok(Self { _file: file }),
                Err(TryLockError::WouldBlock) if started.elapsed() < PATIENCE => {
                    thread::sleep(Duration::from_millis(5));
                }
                Err(TryLockError::WouldBlock) => {
                    return Err(ResultsError::InUse { path: directory.to_owned() });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_waited_for_shortly_and_then_refused() {
        let folder = tempfile::tempdir().unwrap();
        let held = RunLock::take(folder.path()).unwrap();
        let waits = thread::spawn({
            let path = folder.path().to_owned();
            move || RunLock::take(&path)
        });
        thread::sleep(Duration::from_millis(100));
        assert!(!waits.is_finished());
        drop(held);
        let next = waits.join().unwrap().unwrap();
        assert!(matches!(RunLock::take(folder.path()), Err(ResultsError::InUse { .. })));
        drop(next);
    }
}
