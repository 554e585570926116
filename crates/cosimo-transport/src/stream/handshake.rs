//! How the two ends of a stream show each other that they have the same key.
//!
//! The master sends a mark and a number that it uses once. The server answers with the same mark, a number of its own and a proof that it has
//! the key; the master answers with its proof. All that crosses before is of a fixed length.

use super::key::{Key, LENGTH, Seal, is_same};
use crate::protocol::PROTOCOL;
use crate::transport::TransportError;

/// What a stream of this form begins with, in either direction.
pub(crate) const MARK: [u8; 4] = *b"\xC0CS1";

/// What every message began with up to version 12.
const EARLIER: [u8; 4] = *b"\xC0SIM";

/// Bytes of the first message: the mark and a number.
pub(crate) const HELLO: usize = MARK.len() + LENGTH;

/// Which end of a stream this is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// Asks, and speaks first.
    Master,
    /// Answers.
    Server,
}

impl Role {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Master => Self::Server,
            Self::Server => Self::Master,
        }
    }

    /// What its proof, and the key of its messages, are called.
    const fn labels(self) -> [&'static str; 2] {
        match self {
            Self::Master => ["master", "from master"],
            Self::Server => ["server", "from server"],
        }
    }
}

/// A number that is used once.
pub(crate) fn number() -> Result<[u8; LENGTH], TransportError> {
    let mut number = [0; LENGTH];
    let found = getrandom::fill(&mut number);
    found.map_err(|error| {
        TransportError::Disconnected(format!("the system has no random numbers: {error}"))
    })?;
    Ok(number)
}

/// The first message of an end with this number.
pub(crate) fn hello(number: &[u8; LENGTH]) -> [u8; HELLO] {
    let mut hello = [0; HELLO];
    hello[..MARK.len()].copy_from_slice(&MARK);
    hello[MARK.len()..].copy_from_slice(number);
    hello
}

/// Refuses what begins with something else.
pub(crate) fn check_mark(mark: &[u8]) -> Result<(), TransportError> {
    let reason = match mark {
        mark if mark == MARK => return Ok(()),
        mark if mark == EARLIER => {
            format!("it speaks version 12 of the protocol or an earlier one, this is version {PROTOCOL}")
        }
        mark => {
            let found = mark.escape_ascii();
            format!("what it wrote is no message of this protocol, it begins with `{found}`")
        }
    };
    Err(TransportError::Protocol(reason))
}

/// The number in the first message of the other end.
pub(crate) fn read_hello(hello: &[u8; HELLO]) -> [u8; LENGTH] {
    let mut number = [0; LENGTH];
    number.copy_from_slice(&hello[MARK.len()..]);
    number
}

/// The proof that `role` gives.
pub(crate) fn proof(key: &Key, role: Role, numbers: &[[u8; LENGTH]; 2]) -> [u8; LENGTH] {
    key.proof(role.labels()[0], numbers)
}

/// Checks the proof that `role` has given.
pub(crate) fn check_proof(
    key: &Key,
    role: Role,
    numbers: &[[u8; LENGTH]; 2],
    found: &[u8],
) -> Result<(), TransportError> {
    if is_same(found, &proof(key, role, numbers)) {
        return Ok(());
    }
    let reason = match key.is_secret() {
        true => "it does not have the key of this end",
        false => "it has a key, and this end has none",
    };
    Err(TransportError::Protocol(reason.to_owned()))
}

/// The checks of the messages of `role`.
pub(crate) fn seal(key: &Key, role: Role, numbers: &[[u8; LENGTH]; 2]) -> Seal {
    Seal::new(key.proof(role.labels()[1], numbers))
}
