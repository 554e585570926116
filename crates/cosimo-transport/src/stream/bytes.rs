//! What a stream of bytes is.

use std::io::{self, Read, Write};
use std::time::Duration;

/// How long a wait may still take. Time in which this process itself was stopped, as by Ctrl-Z, counts as one slice at most.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience(Duration);

/// Longest wait in one piece.
pub(crate) const SLICE: Duration = Duration::from_millis(100);

impl Patience {
    pub(crate) fn new(deadline: Duration) -> Self {
        Self(deadline)
    }

    /// The next piece of the wait.
    pub(crate) fn slice(self) -> Duration {
        self.0.min(SLICE)
    }

    /// A piece has passed in vain.
    ///
    /// # Errors
    /// [`io::ErrorKind::TimedOut`]: nothing is left.
    pub(crate) fn spend(&mut self) -> io::Result<()> {
        self.0 -= self.slice();
        if self.0.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
    }
}

/// A stream of bytes in both directions.
pub(crate) trait Bytes: Send {
    /// Reads some bytes, none at the end of the stream.
    fn read(&mut self, into: &mut [u8], patience: &mut Patience) -> io::Result<usize>;

    /// Writes all bytes and sends them off.
    fn write(&mut self, bytes: &[u8], patience: &mut Patience) -> io::Result<()>;
}

/// A pair of streams that are waited for without end.
#[derive(Debug)]
pub(crate) struct Blocking<R, W>(pub(crate) R, pub(crate) W);

impl<R: Read + Send, W: Write + Send> Bytes for Blocking<R, W> {
    fn read(&mut self, into: &mut [u8], _patience: &mut Patience) -> io::Result<usize> {
        loop {
            match self.0.read(into) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }

    fn write(&mut self, bytes: &[u8], _patience: &mut Patience) -> io::Result<()> {
        self.1.write_all(bytes)?;
        self.1.flush()
    }
}
