//! The near end of a channel.

use std::time::Duration;

use cosimo_subsystem::{Description, SubsystemError};

use crate::channel::Channel;
use crate::fit::{GREETING, longest_reply, present_fits};
use crate::introduction::Introduction;
use crate::protocol::{NearEnd, ReadReply, read_greeting, write_greeting};
use crate::remote::check_energy;
use crate::transport::TransportError;

/// Sends the first message to the other end of a channel.
pub(crate) fn send_greeting(
    channel: &mut impl Channel,
    assignment: &[u8],
    deadline: Duration,
) -> Result<(), TransportError> {
    let mut message = Vec::new();
    write_greeting(&assignment, &mut message)?;
    channel.send(&message, deadline)
}

/// Receives its answer: the introduction, or why there is no subsystem.
pub(crate) fn receive_introduction(
    channel: &mut impl Channel,
    deadline: Duration,
) -> Result<Result<Introduction, SubsystemError>, TransportError> {
    let mut message = Vec::new();
    channel.expect_at_most(GREETING);
    channel.receive(&mut message, deadline)?;
    let greeted: Result<Introduction, SubsystemError> = read_greeting(&message)?;
    let Ok(Introduction { description, present, .. }) = &greeted else { return Ok(greeted) };
    if let Err(error) = description.validate() {
        return Ok(Err(error));
    }
    if !present_fits(present, description) {
        return Err(TransportError::Protocol("its state does not fit its description".to_owned()));
    }
    if let Err(error) = check_energy(present, description) {
        return Ok(Err(error));
    }
    Ok(greeted)
}

/// The near end of a channel, and the message on its way.
#[derive(Debug)]
pub(crate) struct Wire<C> {
    /// None while it is lost.
    pub(crate) channel: Option<C>,
    pub(crate) near: NearEnd,
    pub(crate) message: Vec<u8>,
    longest: usize,
}

impl<C: Channel> Wire<C> {
    /// To a subsystem of this description.
    pub(crate) fn new(channel: C, description: &Description) -> Self {
        let near = NearEnd::new(description.clone());
        Self { channel: Some(channel), near, message: Vec::new(), longest: longest_reply(description) }
    }

    /// Sends the message.
    pub(crate) fn send(&mut self, deadline: Duration) -> Result<(), TransportError> {
        self.channel.as_mut().ok_or(TransportError::Ended)?.send(&self.message, deadline)
    }

    /// Receives the reply to a request over the message; where a snapshot was asked for, of any length.
    pub(crate) fn receive(&mut self, is_save: bool, deadline: Duration) -> Result<ReadReply, TransportError> {
        let channel = self.channel.as_mut().ok_or(TransportError::Ended)?;
        channel.expect_at_most(if is_save { usize::MAX } else { self.longest });
        channel.receive(&mut self.message, deadline)?;
        self.near.read(&self.message)
    }
}
