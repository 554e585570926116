//! The key that both ends of a stream have.

use std::fmt;
use std::io;
use std::path::Path;

use blake2::digest::consts::{U16, U32};
use blake2::digest::{Digest, KeyInit, Mac};
use blake2::{Blake2b, Blake2bMac};

/// Bytes of a key, a number used once and a proof.
pub(crate) const LENGTH: usize = 32;

/// Bytes of the check of a message.
pub(crate) const CHECK: usize = 16;

/// Bytes that a key is made of at least: shorter ones could be guessed.
const SHORTEST: usize = 16;

/// What both ends of a stream know and nobody else, or that there is no such thing.
///
/// It shows to either end that the other one has it, and that no message was changed on its way. It hides nothing: who listens can read all
/// messages.
#[derive(Clone, PartialEq, Eq)]
pub struct Key {
    bytes: [u8; LENGTH],
    is_secret: bool,
}

impl Key {
    /// No key: whoever can reach the other end may speak to it. Messages are checked for damage all the same.
    pub const NONE: Self = Self { bytes: [0; LENGTH], is_secret: false };

    /// The key that is made of these bytes, at least 16.
    ///
    /// # Errors
    /// There are fewer.
    pub fn new(secret: &[u8]) -> Result<Self, io::Error> {
        if secret.len() < SHORTEST {
            let reason =
                format!("a key of {} bytes could be guessed; take at least {SHORTEST}", secret.len());
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        Ok(Self { bytes: Blake2b::<U32>::digest(secret).into(), is_secret: true })
    }

    /// The key in a file: all its bytes but white space at its ends.
    ///
    /// # Errors
    /// The file cannot be read, or is too short.
    pub fn read(file: &Path) -> Result<Self, io::Error> {
        Self::new(std::fs::read(file)?.trim_ascii())
    }

    /// Whether there is one.
    #[must_use]
    pub fn is_secret(&self) -> bool {
        self.is_secret
    }

    /// What only who knows the key can make of a label and the numbers of both ends.
    pub(crate) fn proof(&self, label: &str, numbers: &[[u8; LENGTH]; 2]) -> [u8; LENGTH] {
        let parts = [label.as_bytes(), &numbers[0], &numbers[1]];
        <Blake2bMac<U32> as KeyInit>::new_from_slice(&self.bytes)
            .map_or([0; LENGTH], |mac| finish(mac, parts).into())
    }
}

/// Nothing of the key.
impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_secret { "Key(secret)" } else { "Key::NONE" })
    }
}

/// Checks of the messages of one direction: each knows how many were before.
#[derive(Debug)]
pub(crate) struct Seal {
    key: [u8; LENGTH],
    count: u64,
}

impl Seal {
    pub(crate) fn new(key: [u8; LENGTH]) -> Self {
        Self { key, count: 0 }
    }

    /// The check of the next message.
    pub(crate) fn next(&mut self, message: &[u8]) -> [u8; CHECK] {
        let count = self.count.to_le_bytes();
        self.count += 1;
        let mac = <Blake2bMac<U16> as KeyInit>::new_from_slice(&self.key);
        mac.map_or([0; CHECK], |mac| finish(mac, [&count, message]).into())
    }
}

fn finish<M: Mac, const N: usize>(mut mac: M, parts: [&[u8]; N]) -> blake2::digest::Output<M> {
    parts.into_iter().for_each(|part| mac.update(part));
    mac.finalize().into_bytes()
}

/// Whether two proofs are the same, in a time that does not tell where they differ.
pub(crate) fn is_same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}
