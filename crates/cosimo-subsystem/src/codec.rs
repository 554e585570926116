//! The one place where values become bytes: snapshots and messages.
//!
//! A version byte, then bincode with fixed-size little-endian integers and a limit on what decoding may allocate.

pub mod matrix;

use std::fmt;

use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use crate::SubsystemError;

/// Version of the byte format; other versions are refused.
pub const VERSION: u8 = 1;

/// Largest value that decoding accepts (bytes).
pub const LIMIT: usize = 256 * 1024 * 1024;

/// Why bytes were refused.
#[derive(Error)]
#[non_exhaustive]
pub enum CodecError {
    /// The bytes were written by another version.
    #[error("written in version {found} of the format, this is version {VERSION}")]
    Version {
        /// Version found.
        found: u8,
    },
    /// There is nothing to read.
    #[error("no bytes")]
    Empty,
    /// More bytes than the value needs.
    #[error("{count} bytes are left over")]
    LeftOver {
        /// Number of bytes.
        count: usize,
    },
    /// The value cannot be encoded.
    #[error("cannot be encoded: {0}")]
    Encode(#[from] bincode::error::EncodeError),
    /// The bytes do not hold such a value.
    #[error("damaged: {0}")]
    Decode(#[from] bincode::error::DecodeError),
}

/// The texts of the error and of its causes, as `main` shows an error that it returns.
impl fmt::Debug for CodecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&SubsystemError::chain(self))
    }
}

/// The format, with so many bytes that decoding may allocate.
fn config<const LIMIT: usize>() -> impl bincode::config::Config {
    bincode::config::standard().with_fixed_int_encoding().with_little_endian().with_limit::<LIMIT>()
}

/// Bytes that decoding may allocate for messages of a few sizes.
const SMALL: usize = 1 << 16;
const MIDDLE: usize = 1 << 20;
const LARGE: usize = 1 << 24;

/// Bytes that a value takes in memory, of each of its bytes here, at most.
const GROWTH: usize = 16;

/// Encodes a value.
///
/// # Errors
/// [`CodecError::Encode`] for types that bincode cannot represent.
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, CodecError> {
    let mut bytes = Vec::new();
    encode_into(value, &mut bytes)?;
    Ok(bytes)
}

/// Appends what [`encode`] gives to `bytes`.
///
/// # Errors
/// As [`encode`]; what was appended by then is of no use.
pub fn encode_into<T: Serialize>(value: &T, bytes: &mut Vec<u8>) -> Result<(), CodecError> {
    bytes.push(VERSION);
    bincode::serde::encode_into_std_write(value, bytes, config::<LIMIT>())?;
    Ok(())
}

/// Decodes a value that [`encode`] wrote; all bytes must be used.
///
/// # Errors
/// See [`CodecError`].
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, CodecError> {
    let (&found, body) = bytes.split_first().ok_or(CodecError::Empty)?;
    if found != VERSION {
        return Err(CodecError::Version { found });
    }
    // A length that is not there takes no memory: what may be allocated goes by the bytes that are.
    let needed = body.len().saturating_mul(GROWTH);
    let (value, used) = if needed <= SMALL {
        bincode::serde::decode_from_slice(body, config::<SMALL>())?
    } else if needed <= MIDDLE {
        bincode::serde::decode_from_slice(body, config::<MIDDLE>())?
    } else if needed <= LARGE {
        bincode::serde::decode_from_slice(body, config::<LARGE>())?
    } else {
        bincode::serde::decode_from_slice(body, config::<LIMIT>())?
    };
    match body.len() - used {
        0 => Ok(value),
        count => Err(CodecError::LeftOver { count }),
    }
}
