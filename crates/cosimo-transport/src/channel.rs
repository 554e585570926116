//! What carries messages between processes and machines.

use std::time::Duration;

use crate::transport::TransportError;

/// Carries messages, whole and in order, to the other end and back.
///
/// A message is answered by one, in their order; at most two are under way.
pub trait Channel: Send {
    /// Sends a message. It may wait for room on its way, at most for `deadline`, never for an answer.
    ///
    /// # Errors
    /// See [`TransportError`].
    fn send(&mut self, message: &[u8], deadline: Duration) -> Result<(), TransportError>;

    /// Waits for the next message, at most for `deadline`, and writes it over `message`.
    ///
    /// # Errors
    /// [`TransportError::Ended`] where the other end has closed it between two messages; see [`TransportError`].
    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError>;

    /// Says that no message longer than this (bytes) is to be expected from now on. Default: nothing, for channels whose memory does not
    /// grow with what the other end says.
    fn expect_at_most(&mut self, _length: usize) {}

    /// Processor time that threads of its own have taken so far (s). Default: none.
    fn seconds(&self) -> f64 {
        0.0
    }
}

impl<C: Channel + ?Sized> Channel for Box<C> {
    fn send(&mut self, message: &[u8], deadline: Duration) -> Result<(), TransportError> {
        (**self).send(message, deadline)
    }

    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError> {
        (**self).receive(message, deadline)
    }

    fn expect_at_most(&mut self, length: usize) {
        (**self).expect_at_most(length);
    }

    fn seconds(&self) -> f64 {
        (**self).seconds()
    }
}
