//! A subsystem elsewhere cannot be distinguished from the same one nearby, and one that fails is a named error.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test may panic")]

mod bytes;
mod damage;
mod deadlines;
mod losses;
mod messages;
mod offers;
#[cfg(unix)]
mod processes;
mod riding;
mod signals_and_loads;
mod threaded;

use std::io::{PipeReader, PipeWriter, pipe};
use std::time::Duration;

use cosimo_subsystem::conformance::Check;
use cosimo_subsystem::{Subsystem, SubsystemError};
use cosimo_transport::{DEADLINE, StreamSubsystem, serve};

/// Checks of load ports and of signals, which two masses do not have.
const OF_OTHERS: [Check; 7] = [
    Check::Respond,
    Check::Motion,
    Check::LoadTangents,
    Check::AffineLoads,
    Check::LoadWork,
    Check::Outputs,
    Check::FeedThrough,
];

/// The streams to a thread that serves a subsystem.
fn served(subsystem: Box<dyn Subsystem>) -> (PipeReader, PipeWriter) {
    let (requests, to_it) = pipe().unwrap();
    let (from_it, replies) = pipe().unwrap();
    // What goes wrong there shows here.
    std::thread::spawn(move || serve(subsystem, requests, replies));
    (from_it, to_it)
}

/// A subsystem at the other end of two pipes.
fn streamed(subsystem: Box<dyn Subsystem>) -> StreamSubsystem {
    let (reader, writer) = served(subsystem);
    StreamSubsystem::connect("masses", reader, writer, DEADLINE).unwrap()
}

/// What comes of another end that writes these bytes, whatever it is sent.
fn connect_to(bytes: &[u8], deadline: Duration) -> Result<StreamSubsystem, SubsystemError> {
    let bytes = std::io::Cursor::new(bytes.to_vec());
    StreamSubsystem::connect("masses", bytes, std::io::sink(), deadline)
}
