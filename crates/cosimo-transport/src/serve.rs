//! The subsystem's end of a channel.

use std::io::{BufWriter, Read, Write};
use std::time::Duration;

use cosimo_subsystem::{Subsystem, SubsystemError};

use crate::channel::Channel;
use crate::fit::GREETING;
use crate::offering::Offering;
use crate::served::Served;
use crate::stream::{Blocking, Framed, Key};
use crate::transport::TransportError;

/// Answers for a subsystem until the other end closes the streams. In a process of its own the streams are standard
/// input and output, and nothing else may be written to the latter.
///
/// ```no_run
/// use cosimo_subsystem::conformance::TwoMasses;
/// let served = cosimo_transport::serve(Box::new(TwoMasses::default()), std::io::stdin(), std::io::stdout());
/// # served.unwrap();
/// ```
///
/// # Errors
/// The other end speaks another version, its messages are damaged, or it is gone inside one. A panic of the subsystem is
/// answered with [`SubsystemError::Panicked`] and then is [`TransportError::Disconnected`].
pub fn serve(
    subsystem: Box<dyn Subsystem>,
    reader: impl Read + Send,
    writer: impl Write + Send,
) -> Result<(), TransportError> {
    serve_assigned(|_| Ok(subsystem), reader, writer)
}

/// The same for a subsystem that is made of the assignment in the greeting, see
/// [`ProcessSubsystem::spawn_assigned`](crate::ProcessSubsystem::spawn_assigned).
///
/// # Errors
/// As [`serve`]; the error of `make` goes to the other end.
pub fn serve_assigned(
    make: impl FnOnce(&[u8]) -> Result<Box<dyn Subsystem>, SubsystemError>,
    reader: impl Read + Send,
    writer: impl Write + Send,
) -> Result<(), TransportError> {
    serve_channel(make, &mut Framed::server(Blocking(reader, BufWriter::new(writer)), &Key::NONE))
}

/// The same over any channel.
///
/// # Errors
/// As [`serve_assigned`].
pub fn serve_channel(
    make: impl FnOnce(&[u8]) -> Result<Box<dyn Subsystem>, SubsystemError>,
    channel: &mut impl Channel,
) -> Result<(), TransportError> {
    let mut message = Vec::new();
    channel.expect_at_most(GREETING);
    if !has_come(channel.receive(&mut message, Duration::MAX))? {
        return Ok(());
    }
    serve_greeted(make, channel, message)
}

/// A master that has greeted, and is to have a subsystem.
#[derive(Debug)]
pub struct Greeted<C> {
    channel: C,
    message: Vec<u8>,
}

impl<C: Channel> Greeted<C> {
    /// Receives the greeting of a master, and refuses it where nothing is [offered](Offering::check) for it. None: it was refused or has left.
    ///
    /// # Errors
    /// The greeting cannot be read, or does not come within the deadline.
    pub fn receive(
        offering: &impl Offering,
        mut channel: C,
        deadline: Duration,
    ) -> Result<Option<Self>, TransportError> {
        let mut message = Vec::new();
        channel.expect_at_most(GREETING);
        if !has_come(channel.receive(&mut message, deadline))? {
            return Ok(None);
        }
        let Some(end) = Served::refuse(|assignment| offering.check(assignment), &mut message)? else {
            return Ok(Some(Self { channel, message }));
        };
        channel.send(&message, deadline)?;
        end.map(|()| None)
    }

    /// Makes a subsystem for it, and answers until it leaves.
    ///
    /// # Errors
    /// As [`serve_channel`].
    pub fn serve(mut self, offering: &impl Offering) -> Result<(), TransportError> {
        serve_greeted(|assignment| offering.make(assignment), &mut self.channel, self.message)
    }
}

fn serve_greeted(
    make: impl FnOnce(&[u8]) -> Result<Box<dyn Subsystem>, SubsystemError>,
    channel: &mut impl Channel,
    mut message: Vec<u8>,
) -> Result<(), TransportError> {
    let mut served = Served::greet(make, &mut message)?;
    channel.send(&message, Duration::MAX)?;
    channel.expect_at_most(served.longest_request());
    while !served.has_ended() && has_come(channel.receive(&mut message, Duration::MAX))? {
        served.answer(&mut message)?;
        channel.send(&message, Duration::MAX)?;
    }
    served.end()
}

/// Whether there is a message; `false` where the other end has closed the channel.
fn has_come(received: Result<(), TransportError>) -> Result<bool, TransportError> {
    match received {
        Err(TransportError::Ended) => Ok(false),
        received => received.map(|()| true),
    }
}
