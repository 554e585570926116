//! Frames: messages with their length before them.

use std::io::{Error, ErrorKind, Read, Result, Write};

use super::wire::{Input, Wire};

/// Bytes that the body of a frame has at most.
pub const MAX_FRAME: usize = 1 << 30;

/// Bytes of the length before a body.
const HEAD: usize = size_of::<u32>();

/// Sends a message as one frame. `buffer` is storage that is used again.
///
/// # Errors
///
/// If the message is too long, or the stream does not take it.
pub fn send(stream: &mut impl Write, message: &impl Wire, buffer: &mut Vec<u8>) -> Result<()> {
    buffer.clear();
    buffer.extend_from_slice(&[0; HEAD]);
    message.put(buffer);
    let length = buffer.len() - HEAD;
    let head = u32::try_from(length).ok().filter(|_| length <= MAX_FRAME);
    let head = head.ok_or_else(|| malformed(format!("a message of {length} bytes is too long")))?;
    buffer[..HEAD].copy_from_slice(&head.to_le_bytes());
    stream.write_all(buffer)?;
    stream.flush()
}

/// Receives a message; `None` where the stream ends before one. `buffer` is storage that is used again.
///
/// # Errors
///
/// If the stream fails or ends within a message, or the message is malformed.
pub fn receive<T: Wire>(stream: &mut impl Read, buffer: &mut Vec<u8>) -> Result<Option<T>> {
    if !fill(stream, HEAD, buffer)? {
        return Ok(None);
    }
    let mut head = [0; HEAD];
    head.copy_from_slice(buffer);
    let length = usize::try_from(u32::from_le_bytes(head)).unwrap_or(usize::MAX);
    if length > MAX_FRAME {
        return Err(malformed(format!("a message of {length} bytes is too long")));
    }
    if !fill(stream, length, buffer)? && length > 0 {
        return Err(ErrorKind::UnexpectedEof.into());
    }
    let mut input = Input::new(buffer);
    let message = T::take(&mut input).map_err(malformed)?;
    if input.remaining() > 0 {
        return Err(malformed(format!("a message has {} bytes too many", input.remaining())));
    }
    Ok(Some(message))
}

/// Reads `length` bytes; `false` where the stream ends before the first. The storage grows with what comes.
fn fill(stream: &mut impl Read, length: usize, buffer: &mut Vec<u8>) -> Result<bool> {
    buffer.clear();
    let count = stream.take(length as u64).read_to_end(buffer)?;
    match count {
        0 => Ok(false),
        _ if count < length => Err(ErrorKind::UnexpectedEof.into()),
        _ => Ok(true),
    }
}

fn malformed(text: String) -> Error {
    Error::new(ErrorKind::InvalidData, text)
}
