//! Bytes between two ranks: all that is called of MPI once it has begun.

use std::sync::{Mutex, MutexGuard, PoisonError};

use cosimo_transport::TransportError;
use mpi::point_to_point::Status;
use mpi::topology::{Communicator, SimpleCommunicator};
use mpi::traits::{Destination, Equivalence, Source};

use crate::notice::Notice;

/// Bytes that MPI libraries take without waiting for the other end.
pub(crate) const SHORT: usize = 4000;

/// Longest message (bytes): MPI counts by the integers of C.
pub(crate) const LONGEST: usize = i32::MAX as usize;

/// MPI is called by one thread at a time.
static TURN: Mutex<()> = Mutex::new(());

fn turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A conversation: with which rank, and about what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) rank: i32,
    /// That of the subsystem; 0 is the job itself.
    pub(crate) number: i32,
}

/// What crosses, which its tag tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Message,
    Notice,
}

/// What has come and is to be received.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Arrival {
    pub(crate) from: Address,
    pub(crate) kind: Kind,
    pub(crate) length: usize,
}

impl Address {
    fn tag(self, kind: Kind) -> i32 {
        2 * self.number + i32::from(kind == Kind::Notice)
    }

    /// Sends a message that is short, or that the other end waits for.
    pub(crate) fn send(self, message: &[u8]) {
        self.send_as(message, Kind::Message);
    }

    /// Sends a notice.
    pub(crate) fn notify(self, notice: &Notice) {
        self.send_as(&notice.to_bytes(), Kind::Notice);
    }

    fn send_as(self, bytes: &[u8], kind: Kind) {
        let _turn = turn();
        SimpleCommunicator::world().process_at_rank(self.rank).send_with_tag(bytes, self.tag(kind));
    }

    /// Whether something of this kind has come.
    pub(crate) fn look_for(self, kind: Kind) -> Option<Arrival> {
        let _turn = turn();
        let world = SimpleCommunicator::world();
        world
            .process_at_rank(self.rank)
            .immediate_probe_with_tag(self.tag(kind))
            .map(|status| arrival(&status))
    }

    /// Whether anything has come, a message first.
    pub(crate) fn look(self) -> Option<Arrival> {
        self.look_for(Kind::Message).or_else(|| self.look_for(Kind::Notice))
    }
}

/// Whether anything has come from a rank, the first first.
pub(crate) fn look_at_all(rank: i32) -> Option<Arrival> {
    let _turn = turn();
    SimpleCommunicator::world().process_at_rank(rank).immediate_probe().map(|status| arrival(&status))
}

fn arrival(status: &Status) -> Arrival {
    let (tag, length) = (status.tag(), status.count(u8::equivalent_datatype()));
    let kind = if tag % 2 == 0 { Kind::Message } else { Kind::Notice };
    let from = Address { rank: status.source_rank(), number: tag / 2 };
    Arrival { from, kind, length: usize::try_from(length).unwrap_or(0) }
}

impl Arrival {
    /// Receives it over `bytes`.
    pub(crate) fn receive(self, bytes: &mut Vec<u8>) {
        bytes.resize(self.length, 0);
        let _turn = turn();
        let world = SimpleCommunicator::world();
        let tag = self.from.tag(self.kind);
        world.process_at_rank(self.from.rank).receive_into_with_tag(&mut bytes[..], tag);
    }

    /// Receives a notice.
    pub(crate) fn receive_notice(self) -> Result<Notice, TransportError> {
        let mut bytes = Vec::new();
        self.receive(&mut bytes);
        let nonsense = || TransportError::Protocol("a notice that is none has come".to_owned());
        Notice::of(&bytes).ok_or_else(nonsense)
    }
}
