//! What a transport is.

use std::time::Duration;

use cosimo_subsystem::SubsystemError;
use crossbeam_channel::{Receiver, RecvTimeoutError};
use thiserror::Error;

use crate::message::Request;
use crate::reply::Reply;
use crate::storage::Storage;

/// How long an answer may take where nothing else is said.
pub const DEADLINE: Duration = Duration::from_secs(60);

/// Longest wait in one piece, see [`wait`].
const SLICE: Duration = Duration::from_millis(100);

/// Carries requests to a subsystem and brings its replies back.
///
/// Requests are answered in their order; at most two are under way. After an error the conversation is over, and the transport is not used
/// any more.
pub trait Transport: Send {
    /// Whether a second request under way spares a wait that is worth more than what is done in vain where it was not the next one.
    const SENDS_AHEAD: bool = true;

    /// Sends a request, with storage that the answer may be made of. It may wait for room, at most for `deadline`, never for an answer.
    ///
    /// # Errors
    /// The other side is gone, or the request cannot be encoded.
    fn send(&mut self, request: Request, storage: Storage, deadline: Duration) -> Result<(), TransportError>;

    /// Waits for the reply to the first of the requests under way, at most for `deadline`.
    ///
    /// # Errors
    /// See [`TransportError`].
    fn receive(&mut self, deadline: Duration) -> Result<Reply, TransportError>;
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TransportError {
    /// The deadline has passed.
    #[error("no answer in time")]
    TimedOut,
    /// The other side is gone.
    #[error("{0}")]
    Disconnected(String),
    /// The other side has closed its end.
    #[error("its stream has ended")]
    Ended,
    /// What the other side sent is no message, or one of another version.
    #[error("{0}")]
    Protocol(String),
}

impl TransportError {
    /// The error as that of the `call` of a subsystem.
    pub(crate) fn of(self, subsystem: &str, call: &'static str, deadline: Duration) -> SubsystemError {
        let subsystem = subsystem.to_owned();
        match self {
            Self::TimedOut => {
                SubsystemError::TimedOut { subsystem, call: call.into(), seconds: deadline.as_secs_f64() }
            }
            Self::Ended => SubsystemError::Disconnected { subsystem, reason: self.to_string() },
            Self::Disconnected(reason) => SubsystemError::Disconnected { subsystem, reason },
            Self::Protocol(reason) => SubsystemError::Protocol { subsystem, reason },
        }
    }
}

/// Waits for a message. The wait is counted in short pieces: time in which this process itself was stopped, as by
/// Ctrl-Z, counts as one piece at most.
pub(crate) fn wait<T>(channel: &Receiver<T>, deadline: Duration) -> Result<T, RecvTimeoutError> {
    let mut left = deadline;
    loop {
        let slice = left.min(SLICE);
        match channel.recv_timeout(slice) {
            Err(RecvTimeoutError::Timeout) if left > slice => left -= slice,
            ended => return ended,
        }
    }
}
