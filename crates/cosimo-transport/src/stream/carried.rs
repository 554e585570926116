//! Any pair of streams as a channel with deadlines: a thread writes and reads them, so that nobody waits longer.

use std::io::{Read, Write};
use std::thread::Builder;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::bytes::Blocking;
use super::framed::Framed;
use super::key::Key;
use crate::channel::Channel;
use crate::cost::CarrierCost;
use crate::transport::{TransportError, wait};

/// What the thread brings: a message, and its processor time so far (s).
type Brought = Result<(Vec<u8>, f64), TransportError>;

/// A pair of streams between two ends that have the same key.
///
/// Dropping it closes the streams when the thread has its answer, and waits for nobody: it may never come.
#[derive(Debug)]
pub struct CarriedChannel {
    requests: Option<Sender<Vec<u8>>>,
    replies: Receiver<Brought>,
    used: Vec<u8>,
    seconds: f64,
}

impl CarriedChannel {
    /// The master's end of two streams. `name` names the thread.
    ///
    /// # Errors
    /// The system has no thread to give.
    pub fn open(
        name: &str,
        reader: impl Read + Send + 'static,
        writer: impl Write + Send + 'static,
        key: &Key,
    ) -> Result<Self, TransportError> {
        // Two messages at a time are under way: no send ever waits.
        let (requests, received) = bounded(2);
        let (answered, replies) = bounded(2);
        let key = key.clone();
        let carry = move || carry(Blocking(reader, writer), &key, &received, &answered);
        // A null byte in the name of a thread panics.
        let started = Builder::new().name(name.replace('\0', "")).spawn(carry);
        started.map_err(|error| {
            TransportError::Disconnected(format!("its thread cannot be started: {error}"))
        })?;
        Ok(Self { requests: Some(requests), replies, used: Vec::new(), seconds: 0.0 })
    }
}

impl Channel for CarriedChannel {
    fn send(&mut self, message: &[u8], _deadline: Duration) -> Result<(), TransportError> {
        let mut copy = std::mem::take(&mut self.used);
        copy.clear();
        copy.extend_from_slice(message);
        match &self.requests {
            Some(requests) if requests.send(copy).is_ok() => Ok(()),
            // Its error waits to be received.
            _ => Err(self.replies.try_recv().ok().and_then(Result::err).unwrap_or(TransportError::Ended)),
        }
    }

    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError> {
        let brought = wait(&self.replies, deadline).map_err(|ended| {
            self.requests = None;
            match ended {
                RecvTimeoutError::Timeout => TransportError::TimedOut,
                RecvTimeoutError::Disconnected => TransportError::Ended,
            }
        })?;
        let (bytes, seconds) = brought?;
        self.seconds = seconds;
        self.used = std::mem::replace(message, bytes);
        Ok(())
    }

    fn seconds(&self) -> f64 {
        self.seconds
    }
}

/// Carries messages and answers until the channel closes, or an error.
fn carry(
    bytes: Blocking<impl Read + Send, impl Write + Send>,
    key: &Key,
    requests: &Receiver<Vec<u8>>,
    replies: &Sender<Brought>,
) {
    let mut cost = CarrierCost::start();
    let mut exchange = Framed::master(bytes, key, Duration::MAX).map(|mut framed| {
        move |mut message: Vec<u8>| -> Result<Vec<u8>, TransportError> {
            let sent = framed.send(&message, Duration::MAX);
            // Who does not listen may have said why.
            match (framed.receive(&mut message, Duration::MAX), sent) {
                (Ok(()), _) => Ok(message),
                (Err(error), Ok(())) | (Err(error @ TransportError::Protocol(_)), Err(_)) => Err(error),
                (_, Err(error)) => Err(error),
            }
        }
    });
    for message in requests {
        let brought = match &mut exchange {
            Ok(exchange) => exchange(message).map(|message| (message, cost.count())),
            Err(error) => Err(error.clone()),
        };
        let is_over = brought.is_err();
        if replies.send(brought).is_err() || is_over {
            return;
        }
    }
}
