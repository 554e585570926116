//! Messages of any length, in the words of both ends.

use std::time::Duration;

use cosimo_transport::TransportError;

use crate::notice::Notice;
use crate::parcel::{Address, Arrival, Kind, LONGEST, SHORT};
use crate::patience::wait_for;

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
