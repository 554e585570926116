//! The last lines that the server has printed, for the message that it is dead.

use std::io::{PipeReader, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// Bytes that are kept.
const KEPT: usize = 4096;

/// Lines that are told.
const LINES: usize = 20;

/// How long the end of the printing is waited for after the server has ended: its children may print on.
const PATIENCE: Duration = Duration::from_secs(1);

/// A thread that reads what the server prints, so that it never waits for a reader.
pub(crate) struct Tail {
    bytes: Arc<Mutex<Vec<u8>>>,
    ended: Receiver<()>,
    thread: Option<JoinHandle<()>>,
}

impl Tail {
    /// Reads from a pipe until its end.
    pub(crate) fn of(mut pipe: PipeReader) -> std::io::Result<Self> {
        let bytes = Arc::new(Mutex::new(Vec::new()));
        let (sender, ended) = channel();
        let kept = Arc::clone(&bytes);
        let thread = std::thread::Builder::new().name("cosimo-fmu-prints".to_owned()).spawn(move || {
            let mut part = [0; 1024];
            while let Ok(count) = pipe.read(&mut part)
                && count > 0
            {
                let mut bytes = kept.lock().unwrap_or_else(PoisonError::into_inner);
                bytes.extend_from_slice(&part[..count]);
                let surplus = bytes.len().saturating_sub(KEPT);
                bytes.drain(..surplus);
            }
            drop(sender);
        })?;
        Ok(Self { bytes, ended, thread: Some(thread) })
    }

    /// The last lines, once the server has ended.
    pub(crate) fn last_lines(&mut self) -> String {
        self.finish();
        let bytes = self.bytes.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text.lines().collect();
        lines[lines.len().saturating_sub(LINES)..].join("\n")
    }

    /// Waits for the thread, which ends with the server.
    fn finish(&mut self) {
        if self.ended.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Disconnected)
            && let Some(thread) = self.thread.take()
        {
            // A thread that has panicked has read all the same what it has.
            let _ = thread.join();
        }
    }
}

impl Drop for Tail {
    fn drop(&mut self) {
        if self.thread.is_some() {
            self.finish();
        }
    }
}
