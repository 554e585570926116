//! The transport that encodes everything and goes nowhere.

use std::collections::VecDeque;
use std::time::Duration;

use cosimo_subsystem::{Subsystem, SubsystemError};

use crate::introduction::Introduction;
use crate::message::Request;
use crate::protocol::{FarEnd, NearEnd, write_request};
use crate::remote::RemoteSubsystem;
use crate::reply::Reply;
use crate::storage::Storage;
use crate::transport::{DEADLINE, Transport, TransportError};

/// A subsystem in the thread of the master, every message of which becomes bytes and is read back, as over a stream,
/// for tests.
pub type EncodedSubsystem = RemoteSubsystem<EncodedTransport>;

impl EncodedSubsystem {
    /// The subsystem behind bytes.
    ///
    /// # Errors
    /// [`SubsystemError::Protocol`]: its description cannot be encoded.
    pub fn new(subsystem: Box<dyn Subsystem>) -> Result<Self, SubsystemError> {
        let name = subsystem.description().name.clone();
        let introduction = Introduction::of(subsystem.as_ref());
        let introduction = read_back(&introduction).map_err(|error| error.of(&name, "hello", DEADLINE))?;
        let transport = EncodedTransport {
            subsystem,
            near: NearEnd::new(introduction.description.clone()),
            far: FarEnd::default(),
            message: Vec::new(),
            replies: VecDeque::with_capacity(2),
        };
        Ok(Self::over(transport, introduction, DEADLINE))
    }
}

fn read_back(introduction: &Introduction) -> Result<Introduction, TransportError> {
    let mut message = Vec::new();
    crate::protocol::write_greeting(introduction, &mut message)?;
    crate::protocol::read_greeting(&message)
}

/// Encodes and decodes every message in the thread of the master. The subsystem works while the request is sent.
pub struct EncodedTransport {
    subsystem: Box<dyn Subsystem>,
    near: NearEnd,
    far: FarEnd,
    message: Vec<u8>,
    replies: VecDeque<Reply>,
}

impl Transport for EncodedTransport {
    const SENDS_AHEAD: bool = false;

    fn send(
        &mut self,
        request: Request,
        storage: Storage,
        _deadline: Duration,
    ) -> Result<(), TransportError> {
        write_request(&request, &mut self.message)?;
        self.far.answer(self.subsystem.as_mut(), &mut self.message)?;
        let (answer, statistics, _) = self.near.read(&self.message)?;
        // It is the thread of the master that has worked.
        self.replies.push_back(Reply { request, answer, statistics, cost: None, storage });
        Ok(())
    }

    fn receive(&mut self, _deadline: Duration) -> Result<Reply, TransportError> {
        self.replies.pop_front().ok_or_else(|| TransportError::Disconnected("nothing was asked".to_owned()))
    }
}
