//! Messages in a stream of bytes: the length, the bytes, a check.

use std::io::ErrorKind;
use std::time::Duration;

use cosimo_subsystem::codec;

use super::bytes::{Bytes, Patience};
use super::handshake::{HELLO, MARK, Role, check_mark, check_proof, hello, number, proof, read_hello, seal};
use super::key::{CHECK, Key, LENGTH, Seal, is_same};
use crate::channel::Channel;
use crate::transport::TransportError;

/// Longest message (bytes): the largest value that the codec accepts, and its version.
const LONGEST: usize = codec::LIMIT + 64;

/// Bytes before a message: its length.
const HEAD: usize = 4;

/// Bytes that are read at once.
const PIECE: usize = 1 << 16;

/// Messages over a stream of bytes, between two ends that have the same key.
#[derive(Debug)]
pub(crate) struct Framed<B> {
    bytes: B,
    key: Key,
    role: Role,
    state: State,
    /// Bytes that have arrived and were not taken, from `taken` on.
    incoming: Vec<u8>,
    taken: usize,
    outgoing: Vec<u8>,
    longest: usize,
}

#[derive(Debug)]
enum State {
    /// The master has sent its number.
    Greeting([u8; LENGTH]),
    /// The server has sent nothing yet.
    Silent,
    /// Both have shown their keys: checks of what is sent and what comes.
    Open { sent: Seal, came: Seal },
}

/// Why bytes do not come.
#[derive(Debug)]
enum Broken {
    /// The stream has ended.
    Ended,
    Failed(TransportError),
}

impl From<TransportError> for Broken {
    fn from(error: TransportError) -> Self {
        Self::Failed(error)
    }
}

impl Broken {
    /// The error where the stream must not end.
    fn inside(self, what: &str) -> TransportError {
        match self {
            Self::Ended => TransportError::Disconnected(format!("its stream ended {what}")),
            Self::Failed(error) => error,
        }
    }
}

impl<B: Bytes> Framed<B> {
    /// The master's end of a stream. It sends its number at once, and waits for the other end with the first message.
    pub(crate) fn master(bytes: B, key: &Key, deadline: Duration) -> Result<Self, TransportError> {
        let number = number()?;
        let mut framed = Self::new(bytes, key, Role::Master, State::Greeting(number));
        framed.write(&hello(&number), &mut Patience::new(deadline))?;
        Ok(framed)
    }

    /// The server's end.
    pub(crate) fn server(bytes: B, key: &Key) -> Self {
        Self::new(bytes, key, Role::Server, State::Silent)
    }

    fn new(bytes: B, key: &Key, role: Role, state: State) -> Self {
        let (incoming, outgoing) = (Vec::new(), Vec::new());
        Self { bytes, key: key.clone(), role, state, incoming, taken: 0, outgoing, longest: LONGEST }
    }

    /// Shows that this end has the key, where it has not, and sees that the other one has.
    pub(crate) fn open(&mut self, deadline: Duration) -> Result<(), TransportError> {
        let mut patience = Patience::new(deadline);
        let opened = match self.state {
            State::Open { .. } => return Ok(()),
            State::Greeting(own) => self.open_as_master(own, &mut patience),
            State::Silent => self.open_as_server(&mut patience),
        };
        let numbers = opened.map_err(|broken| match broken {
            Broken::Ended if self.role == Role::Server => TransportError::Ended,
            broken => broken.inside("before it had greeted"),
        })?;
        let of = |role| seal(&self.key, role, &numbers);
        self.state = State::Open { sent: of(self.role), came: of(self.role.other()) };
        Ok(())
    }

    /// The number of the other end. What is no hello is told by its first bytes.
    fn receive_hello(&mut self, patience: &mut Patience) -> Result<[u8; LENGTH], Broken> {
        self.fetch(MARK.len(), patience)?;
        check_mark(&self.incoming[self.taken..][..MARK.len()])?;
        self.fetch(HELLO, patience)?;
        let mut hello = [0; HELLO];
        hello.copy_from_slice(self.take(HELLO));
        Ok(read_hello(&hello))
    }

    fn open_as_master(
        &mut self,
        own: [u8; LENGTH],
        patience: &mut Patience,
    ) -> Result<[[u8; LENGTH]; 2], Broken> {
        let numbers = [own, self.receive_hello(patience)?];
        self.fetch(LENGTH, patience)?;
        let key = self.key.clone();
        check_proof(&key, Role::Server, &numbers, self.take(LENGTH))?;
        self.write(&proof(&key, Role::Master, &numbers), patience)?;
        Ok(numbers)
    }

    fn open_as_server(&mut self, patience: &mut Patience) -> Result<[[u8; LENGTH]; 2], Broken> {
        let (their, own) = (self.receive_hello(patience)?, number()?);
        let (numbers, key) = ([their, own], self.key.clone());
        let answer = [&hello(&own)[..], &proof(&key, Role::Server, &numbers)].concat();
        self.write(&answer, patience)?;
        self.fetch(LENGTH, patience).map_err(|broken| match broken {
            Broken::Ended => {
                let reason = "it has left instead of showing its key, which may be another one";
                TransportError::Disconnected(reason.to_owned()).into()
            }
            failed => failed,
        })?;
        check_proof(&key, Role::Master, &numbers, self.take(LENGTH))?;
        Ok(numbers)
    }

    fn write(&mut self, bytes: &[u8], patience: &mut Patience) -> Result<(), TransportError> {
        self.bytes.write(bytes, patience).map_err(|error| match error.kind() {
            ErrorKind::TimedOut => TransportError::TimedOut,
            _ => TransportError::Disconnected(format!("its stream cannot be written: {error}")),
        })
    }

    /// Waits until so many bytes are there. Memory grows with the bytes that arrive, not with the length that they announce.
    fn fetch(&mut self, count: usize, patience: &mut Patience) -> Result<(), Broken> {
        if self.taken > 0 && self.taken == self.incoming.len() {
            self.incoming.clear();
            self.taken = 0;
        }
        while self.incoming.len() - self.taken < count {
            let held = self.incoming.len();
            let missing = count - (held - self.taken);
            self.incoming.resize(held + missing.clamp(PIECE / 16, PIECE), 0);
            let read = self.bytes.read(&mut self.incoming[held..], patience);
            self.incoming.truncate(held + read.as_ref().copied().unwrap_or(0));
            match read {
                Ok(0) if held == self.taken => return Err(Broken::Ended),
                Ok(0) => {
                    let reason = "its stream ended inside a message".to_owned();
                    return Err(TransportError::Disconnected(reason).into());
                }
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::TimedOut => {
                    return Err(TransportError::TimedOut.into());
                }
                Err(error) => {
                    let reason = format!("its stream cannot be read: {error}");
                    return Err(TransportError::Disconnected(reason).into());
                }
            }
        }
        Ok(())
    }

    /// Takes so many bytes that are there.
    fn take(&mut self, count: usize) -> &[u8] {
        self.taken += count;
        &self.incoming[self.taken - count..self.taken]
    }
}

impl<B: Bytes> Channel for Framed<B> {
    fn send(&mut self, message: &[u8], deadline: Duration) -> Result<(), TransportError> {
        self.open(deadline)?;
        let length = u32::try_from(message.len()).ok().filter(|_| message.len() <= LONGEST);
        let (Some(length), State::Open { sent, .. }) = (length, &mut self.state) else {
            let count = message.len();
            let reason =
                format!("a message of {count} bytes is longer than {LONGEST}, the most that is sent");
            return Err(TransportError::Protocol(reason));
        };
        let mut outgoing = std::mem::take(&mut self.outgoing);
        outgoing.clear();
        outgoing.extend_from_slice(&length.to_le_bytes());
        outgoing.extend_from_slice(message);
        outgoing.extend_from_slice(&sent.next(message));
        let written = self.write(&outgoing, &mut Patience::new(deadline));
        self.outgoing = outgoing;
        written
    }

    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError> {
        self.open(deadline)?;
        let mut patience = Patience::new(deadline);
        self.fetch(HEAD, &mut patience).map_err(|broken| match broken {
            Broken::Ended => TransportError::Ended,
            Broken::Failed(error) => error,
        })?;
        let length = self.take(HEAD).iter().rev().fold(0, |length, byte| length << 8 | usize::from(*byte));
        if length > self.longest {
            let reason =
                format!("a message claims {length} bytes, more than {}: it is damaged", self.longest);
            return Err(TransportError::Protocol(reason));
        }
        self.fetch(length + CHECK, &mut patience).map_err(|broken| broken.inside("inside a message"))?;
        message.clear();
        message.extend_from_slice(self.take(length));
        let State::Open { came, .. } = &mut self.state else { return Err(TransportError::Ended) };
        let expected = came.next(message);
        if is_same(self.take(CHECK), &expected) {
            return Ok(());
        }
        Err(TransportError::Protocol("a message was damaged or changed on its way".to_owned()))
    }

    fn expect_at_most(&mut self, length: usize) {
        self.longest = length.min(LONGEST);
    }
}
