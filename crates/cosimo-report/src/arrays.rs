//! Arrays of numbers as text: little-endian, byte-shuffled, compressed (RFC 1950), in base 64.

use std::io::Write;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Arrays, one behind the other.
#[derive(Debug, Default)]
pub(crate) struct Arrays {
    bytes: Vec<u8>,
}

impl Arrays {
    /// Appends the bytes 0 of all elements, then their bytes 1, and so on.
    fn shuffled<const N: usize>(&mut self, elements: &[[u8; N]]) {
        for byte in 0..N {
            self.bytes.extend(elements.iter().map(|element| element[byte]));
        }
    }

    /// Appends numbers of 64 bits.
    pub(crate) fn doubles(&mut self, numbers: impl Iterator<Item = f64>) {
        self.shuffled(&numbers.map(f64::to_le_bytes).collect::<Vec<_>>());
    }

    /// Appends numbers of 32 bits.
    pub(crate) fn singles(&mut self, numbers: impl Iterator<Item = f32>) {
        self.shuffled(&numbers.map(f32::to_le_bytes).collect::<Vec<_>>());
    }

    /// Appends whole numbers of 16 bits.
    pub(crate) fn shorts(&mut self, numbers: impl Iterator<Item = i16>) {
        self.shuffled(&numbers.map(i16::to_le_bytes).collect::<Vec<_>>());
    }

    /// Appends counts.
    pub(crate) fn counts(&mut self, numbers: impl Iterator<Item = u32>) {
        self.shuffled(&numbers.map(u32::to_le_bytes).collect::<Vec<_>>());
    }

    /// The text of all arrays.
    pub(crate) fn to_text(&self) -> String {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        // Writing into memory does not fail.
        let compressed = encoder.write_all(&self.bytes).and_then(|()| encoder.finish());
        STANDARD.encode(compressed.unwrap_or_default())
    }
}
