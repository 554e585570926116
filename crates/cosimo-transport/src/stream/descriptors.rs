//! Pipes, read and written with deadlines.

use std::io;
use std::os::fd::OwnedFd;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::io::Errno;

use super::bytes::{Bytes, Patience};

/// Two ends of pipes, neither of which makes a call wait.
#[derive(Debug)]
pub(crate) struct Descriptors {
    reader: OwnedFd,
    writer: OwnedFd,
}

impl Descriptors {
    /// Takes them over. What else reads or writes them must not mind that they do not wait any more.
    pub(crate) fn new(reader: OwnedFd, writer: OwnedFd) -> io::Result<Self> {
        for end in [&reader, &writer] {
            fcntl_setfl(end, fcntl_getfl(end)? | OFlags::NONBLOCK)?;
        }
        Ok(Self { reader, writer })
    }
}

impl Bytes for Descriptors {
    fn read(&mut self, into: &mut [u8], patience: &mut Patience) -> io::Result<usize> {
        // Most often nothing is there yet: to wait first spares a read.
        loop {
            wait(&self.reader, PollFlags::IN, patience)?;
            match rustix::io::read(&self.reader, &mut *into) {
                Err(Errno::AGAIN | Errno::INTR) => {}
                read => return Ok(read?),
            }
        }
    }

    fn write(&mut self, mut bytes: &[u8], patience: &mut Patience) -> io::Result<()> {
        while !bytes.is_empty() {
            match rustix::io::write(&self.writer, bytes) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => bytes = &bytes[count..],
                Err(Errno::AGAIN) => wait(&self.writer, PollFlags::OUT, patience)?,
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

/// Waits until it can be read or written, or has an error that reading or writing tells of.
fn wait(end: &OwnedFd, wanted: PollFlags, patience: &mut Patience) -> io::Result<()> {
    loop {
        let mut ends = [PollFd::new(end, wanted)];
        match poll(&mut ends, Some(&timespec(patience.slice()))) {
            Ok(0) => patience.spend()?,
            Ok(_) => return Ok(()),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}
