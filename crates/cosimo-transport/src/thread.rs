//! The transport over channels to a thread.

use std::any::Any;
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use cosimo_subsystem::{Subsystem, SubsystemError};
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use crate::introduction::Introduction;
use crate::message::Request;
use crate::remote::RemoteSubsystem;
use crate::reply::Reply;
use crate::storage::Storage;
use crate::transport::{DEADLINE, Transport, TransportError, wait};
use crate::worker::work;

/// A subsystem in a thread of its own.
///
/// A panic in the thread, or its end, is [`SubsystemError::Disconnected`] from then on. Dropping waits until the
/// thread has finished its last call, unless that call has missed its deadline: no thread can be stopped from outside, it
/// is then left alone.
pub type ThreadedSubsystem = RemoteSubsystem<ThreadTransport>;

impl ThreadedSubsystem {
    /// Starts a thread for this subsystem; answers may take [`DEADLINE`].
    ///
    /// # Errors
    /// [`SubsystemError::Disconnected`]: the system has no thread to give.
    pub fn spawn(mut subsystem: Box<dyn Subsystem>) -> Result<Self, SubsystemError> {
        let introduction = Introduction::of(subsystem.as_ref());
        let name = introduction.description.name.clone();
        let transport = ThreadTransport::spawn(&name, move |requests, replies| {
            work(subsystem.as_mut(), requests, replies);
        });
        let transport = transport.map_err(|error| error.of(&name, "spawn", DEADLINE))?;
        Ok(Self::over(transport, introduction, DEADLINE))
    }
}

/// Messages over channels to a thread, as they are: no bytes, and no allocation after the first step.
#[derive(Debug)]
pub struct ThreadTransport {
    requests: Option<Sender<(Request, Storage)>>,
    replies: Receiver<Reply>,
    thread: Option<JoinHandle<()>>,
}

impl ThreadTransport {
    /// Starts a thread that answers requests until the channel closes, or an error.
    fn spawn(
        name: &str,
        work: impl FnOnce(&Receiver<(Request, Storage)>, &Sender<Reply>) + Send + 'static,
    ) -> Result<Self, TransportError> {
        // Two messages at a time are under way, in one direction or the other: no send ever waits.
        let (requests, received) = bounded(2);
        let (answered, replies) = bounded(2);
        // A null byte in the name of a thread panics.
        let thread =
            Builder::new().name(name.replace('\0', "")).spawn(move || work(&received, &answered)).map_err(
                |error| TransportError::Disconnected(format!("its thread cannot be started: {error}")),
            )?;
        Ok(Self { requests: Some(requests), replies, thread: Some(thread) })
    }

    /// Why a wait for the thread has ended without a message.
    fn failure(&mut self, ended: RecvTimeoutError) -> TransportError {
        if ended == RecvTimeoutError::Timeout {
            // It is left alone, whatever it does.
            (self.requests, self.thread) = (None, None);
            return TransportError::TimedOut;
        }
        self.requests = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Err(panic)) => {
                TransportError::Disconnected(format!("its thread panicked: {}", text_of(panic.as_ref())))
            }
            Some(Ok(())) | None => TransportError::Disconnected("its thread has ended".to_owned()),
        }
    }
}

impl Transport for ThreadTransport {
    const SENDS_AHEAD: bool = false;

    fn send(
        &mut self,
        request: Request,
        storage: Storage,
        _deadline: Duration,
    ) -> Result<(), TransportError> {
        match &self.requests {
            Some(requests) if requests.send((request, storage)).is_ok() => Ok(()),
            _ => Err(self.failure(RecvTimeoutError::Disconnected)),
        }
    }

    fn receive(&mut self, deadline: Duration) -> Result<Reply, TransportError> {
        wait(&self.replies, deadline).map_err(|ended| self.failure(ended))
    }
}

impl Drop for ThreadTransport {
    /// Closes the channel to the thread and waits until it has ended.
    fn drop(&mut self) {
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            // A failure of the thread concerns nobody any more.
            let _ = thread.join();
        }
    }
}

/// The message of a panic.
pub(crate) fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}
