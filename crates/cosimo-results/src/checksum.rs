//! Checksums that grow with a file.

use std::fmt;

use xxhash_rust::xxh3::Xxh3;

/// Checksum (XXH3, 64 bits) of bytes that come one after the other.
#[derive(Clone, Default)]
pub(crate) struct Checksum(Xxh3);

impl Checksum {
    /// Takes in the next bytes.
    pub(crate) fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The checksum of all bytes so far.
    pub(crate) fn value(&self) -> u64 {
        self.0.digest()
    }
}

impl fmt::Debug for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Checksum({:#x})", self.value())
    }
}
