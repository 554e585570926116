//! The master's end of the conversation with a subsystem on another rank.

use std::sync::Arc;
use std::time::Duration;

use cosimo_transport::{Channel, TransportError};

use crate::conversation::{receive, send};
use crate::notice::Notice;
use crate::parcel::{Address, LONGEST};
use crate::world::{Job, World};

/// Messages between rank 0 and a subsystem that another rank [serves](crate::serve_ranks).
///
/// A request of more than 4000 bytes waits until the other rank has time for it, and a second one until the first is answered.
#[derive(Debug)]
pub struct RankChannel {
    other: Address,
    /// Longest message expected (bytes).
    longest: usize,
    /// Whether an answer is due.
    is_waiting: bool,
    /// A request that waits for that.
    second: Option<Vec<u8>>,
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
                let other = Address { rank: to, number };
                Ok(Self { other, longest: LONGEST, is_waiting: false, second: None, _job: world.job() })
            }
            _ => Err(TransportError::Disconnected(format!(
                "there is no channel to a subsystem on rank {rank}"
            ))),
        }
    }
}

impl Channel for RankChannel {
    fn send(&mut self, message: &[u8], deadline: Duration) -> Result<(), TransportError> {
        if self.is_waiting {
            self.second = Some(message.to_vec());
            return Ok(());
        }
        self.is_waiting = true;
        send(self.other, message, deadline)
    }

    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError> {
        receive(self.other, message, self.longest, deadline)?;
        self.is_waiting = false;
        match self.second.take() {
            Some(second) => self.send(&second, deadline),
            None => Ok(()),
        }
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
