//! The bytes of a checkpoint.
//!
//! ```text
//!   "cosimock" | version (u32) | xxh3-128 of what follows (u128) | length of the header (u32) | header | content
//! ```
//!
//! Integers are little-endian; header and content are written by the codec of the contract.

use cosimo_subsystem::codec::{self, CodecError};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::content::Checkpoint;
use super::error::CheckpointError;
use super::model_id::ModelId;
use super::version::VERSION;

const MAGIC: &[u8; 8] = b"cosimock";

/// What must fit before the content is looked at.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    program: String,
    model: ModelId,
}

/// The bytes of a checkpoint of this model.
pub(super) fn encode(checkpoint: &Checkpoint, model: ModelId) -> Result<Vec<u8>, CodecError> {
    let header = codec::encode(&Header { program: env!("CARGO_PKG_VERSION").to_owned(), model })?;
    let content = codec::encode(checkpoint)?;
    let mut body = Vec::with_capacity(4 + header.len() + content.len());
    body.extend_from_slice(&(header.len() as u32).to_le_bytes());
    body.extend_from_slice(&header);
    body.extend_from_slice(&content);
    let mut bytes = Vec::with_capacity(28 + body.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&VERSION.to_le_bytes());
    bytes.extend_from_slice(&xxh3_128(&body).to_le_bytes());
    bytes.extend_from_slice(&body);
    Ok(bytes)
}

/// The checkpoint in these bytes, if it is one of this model.
pub(super) fn decode(bytes: &[u8], model: ModelId) -> Result<Checkpoint, CheckpointError> {
    let (magic, rest) = bytes.split_first_chunk::<8>().ok_or(CheckpointError::NotACheckpoint)?;
    if magic != MAGIC {
        return Err(CheckpointError::NotACheckpoint);
    }
    let (version, rest) = rest.split_first_chunk::<4>().ok_or_else(ends_early)?;
    let found = u32::from_le_bytes(*version);
    if found != VERSION {
        return Err(CheckpointError::Format { found });
    }
    let (checksum, body) = rest.split_first_chunk::<16>().ok_or_else(ends_early)?;
    if u128::from_le_bytes(*checksum) != xxh3_128(body) {
        return Err(damaged("its checksum is wrong"));
    }
    let (length, rest) = body.split_first_chunk::<4>().ok_or_else(ends_early)?;
    let length = u32::from_le_bytes(*length) as usize;
    let (header, content) = rest.split_at_checked(length).ok_or_else(ends_early)?;
    let header: Header = codec::decode(header).map_err(damaged)?;
    check_header(header, model)?;
    codec::decode(content).map_err(damaged)
}

fn check_header(header: Header, model: ModelId) -> Result<(), CheckpointError> {
    if header.program != env!("CARGO_PKG_VERSION") {
        return Err(CheckpointError::Program { found: header.program });
    }
    if header.model != model {
        return Err(CheckpointError::Foreign { found: header.model, expected: model });
    }
    Ok(())
}

fn damaged(reason: impl ToString) -> CheckpointError {
    CheckpointError::Damaged { reason: reason.to_string() }
}

fn ends_early() -> CheckpointError {
    damaged("it ends early")
}
