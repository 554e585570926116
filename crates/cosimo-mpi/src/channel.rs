//! The master's end of the conversation with a subsystem on another rank.

use std::sync::Arc;
use std::time::Duration;

use cosimo_transport::{Channel, TransportError};

use crate::notice::Notice;
use crate::parcel::{Address, Arrival, Kind, LONGEST, SHORT};
use crate::patience::wait_for;
use crate::world::{Job, World};

/// Messages between rank 0 and a subsystem that another rank [serves](crate::serve_ranks).
///
/// A request of more than 4000 bytes waits until the other rank has time for it.
#[derive(Debug)]
pub struct RankChannel {
    other: Address,
    /// Longest message expected (bytes).
    longest: usize,
    /// As long as there are channels, MPI does not end.
    _job: Arc<Job>,
}

impl RankChannel {
    /// The channel to subsystem `number` on a rank, where nobody else has that number.
    ///
    /// # Errors
    /// There is no such rank, or this is not rank 0.
    pub fn new(world: &World, rank: usize, number: usize) -> Result<Self, TransportError> {
        let known = |rank| rank > 0 && rank < world.size() && world.rank() == 0;
        let number = i32::try_from(number).ok().and_then(|number| number.checked_add(1));
        match (i32::try_from(rank), number.filter(|number| number.checked_mul(2).is_some())) {
            (Ok(to), Some(number)) if known(rank) => {
                Ok(Self { other: Address { rank: to, number }, longest: LONGEST, _job: world.job() })
            }
            _ => Err(TransportError::Disconnected(format!(
                "there is no channel to a subsystem on rank {rank}"
            ))),
        }
    }
}

impl Channel for RankChannel {
    fn send(&mut self, message: &[u8], deadline: Duration) -> Result<(), TransportError> {
        send(self.other, message, deadline)
    }

    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError> {
        receive(self.other, message, self.longest, deadline)
    }

    fn expect_at_most(&mut self, length: usize) {
        self.longest = length;
    }
}

impl Drop for RankChannel {
    /// Says that the subsystem is needed no longer.
    fn drop(&mut self) {
        self.other.notify(&Notice::Ended(String::new()));
    }
}

/// Sends a message, a long one when the other end waits for it.
pub(crate) fn send(other: Address, message: &[u8], deadline: Duration) -> Result<(), TransportError> {
    match message.len() {
        0..=SHORT => {}
        length @ ..=LONGEST => {
            other.notify(&Notice::Long(length));
            let arrival =
                wait_for(deadline, || other.look_for(Kind::Notice)).ok_or(TransportError::TimedOut)?;
            expect_go(arrival)?;
        }
        length => {
            return Err(TransportError::Protocol(format!("a message of {length} bytes is too long for MPI")));
        }
    }
    other.send(message);
    Ok(())
}

/// Receives a message, which is not longer than that.
pub(crate) fn receive(
    other: Address,
    message: &mut Vec<u8>,
    longest: usize,
    deadline: Duration,
) -> Result<(), TransportError> {
    let arrival = wait_for(deadline, || other.look()).ok_or(TransportError::TimedOut)?;
    let length = match arrival.kind {
        Kind::Message => arrival.length,
        Kind::Notice => expect_long(arrival)?,
    };
    if length > longest {
        let reason = format!("a message of {length} bytes has come, where {longest} are the most");
        return Err(TransportError::Protocol(reason));
    }
    let arrival = match arrival.kind {
        Kind::Message => arrival,
        Kind::Notice => {
            other.notify(&Notice::Go);
            wait_for(deadline, || other.look_for(Kind::Message)).ok_or(TransportError::TimedOut)?
        }
    };
    arrival.receive(message);
    Ok(())
}

fn expect_go(arrival: Arrival) -> Result<(), TransportError> {
    match arrival.receive_notice()? {
        Notice::Go => Ok(()),
        Notice::Ended(reason) => Err(ended(reason)),
        Notice::Long(_) => Err(confused()),
    }
}

fn expect_long(arrival: Arrival) -> Result<usize, TransportError> {
    match arrival.receive_notice()? {
        Notice::Long(length) => Ok(length),
        Notice::Ended(reason) => Err(ended(reason)),
        Notice::Go => Err(confused()),
    }
}

fn ended(reason: String) -> TransportError {
    if reason.is_empty() { TransportError::Ended } else { TransportError::Disconnected(reason) }
}

fn confused() -> TransportError {
    TransportError::Protocol("a notice has come out of turn".to_owned())
}
