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

fn config() -> impl bincode::config::Config {
    bincode::config::standard().with_fixed_int_encoding().with_little_endian().with_limit::<LIMIT>()
}

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
    bincode::serde::encode_into_std_write(value, bytes, config())?;
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
    let (value, used) = bincode::serde::decode_from_slice(body, config())?;
    match body.len() - used {
        0 => Ok(value),
        count => Err(CodecError::LeftOver { count }),
    }
}
