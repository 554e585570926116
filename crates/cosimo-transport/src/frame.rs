//! Messages in a stream of bytes: a mark, the length, the bytes.

use std::io::{ErrorKind, Read, Write};

use cosimo_subsystem::codec;

use crate::transport::TransportError;

/// What every frame begins with.
const MARK: [u8; 4] = *b"\xC0SIM";

/// Longest message (bytes): the largest value that the codec accepts, and its version.
const LONGEST: usize = codec::LIMIT + 64;

/// Writes a message and sends it off.
///
/// # Errors
/// [`TransportError::Protocol`] for one that is too long, [`TransportError::Disconnected`] where the stream has ended.
pub(crate) fn write_frame(writer: &mut impl Write, message: &[u8]) -> Result<(), TransportError> {
    let length = u32::try_from(message.len()).ok().filter(|_| message.len() <= LONGEST);
    let Some(length) = length else {
        let count = message.len();
        let reason = format!("a message of {count} bytes is longer than {LONGEST}, the most that is sent");
        return Err(TransportError::Protocol(reason));
    };
    let mut head = [0; 8];
    head[..4].copy_from_slice(&MARK);
    head[4..].copy_from_slice(&length.to_le_bytes());
    let sent = writer.write_all(&head).and_then(|()| writer.write_all(message)).and_then(|()| writer.flush());
    sent.map_err(|error| TransportError::Disconnected(format!("its stream cannot be written: {error}")))
}

/// Reads the next message into `message`; `false` at the end of the stream between two messages. Memory grows with the
/// bytes that arrive, not with the length that they announce.
///
/// # Errors
/// [`TransportError::Protocol`] for bytes that are no message, [`TransportError::Disconnected`] where the stream ends
/// inside one.
pub(crate) fn read_frame(reader: &mut impl Read, message: &mut Vec<u8>) -> Result<bool, TransportError> {
    message.clear();
    if read(reader, MARK.len(), message)? == 0 {
        return Ok(false);
    }
    if *message != MARK {
        let found = message.escape_ascii().to_string();
        let reason = format!("what it wrote is no message of this protocol, it begins with `{found}`");
        return Err(TransportError::Protocol(reason));
    }
    read(reader, 4, message)?;
    let length = message[MARK.len()..].iter().rev().fold(0, |length, byte| length << 8 | usize::from(*byte));
    if length > LONGEST {
        let reason = format!("a message claims {length} bytes, more than {LONGEST}: it is damaged");
        return Err(TransportError::Protocol(reason));
    }
    message.clear();
    read(reader, length, message)?;
    Ok(true)
}

/// Appends so many bytes to `message`, and gives their number, or zero if there are none at all.
fn read(reader: &mut impl Read, count: usize, message: &mut Vec<u8>) -> Result<usize, TransportError> {
    let read = reader.take(count as u64).read_to_end(message);
    let lost = |reason: String| Err(TransportError::Disconnected(reason));
    match read {
        Ok(read) if read == count => Ok(read),
        Ok(0) if message.is_empty() && count == MARK.len() => Ok(0),
        Ok(_) => lost("its stream ended inside a message".to_owned()),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => lost("its stream ended".to_owned()),
        Err(error) => lost(format!("its stream cannot be read: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A stream that gives its bytes one by one.
    struct Dripping<'a>(&'a [u8]);

    impl Read for Dripping<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let (Some((first, rest)), false) = (self.0.split_first(), into.is_empty()) else { return Ok(0) };
            (into[0], self.0) = (*first, rest);
            Ok(1)
        }
    }

    #[test]
    fn messages_come_out_as_they_went_in() {
        let mut stream = Vec::new();
        let long = vec![7; 100_000];
        for message in [&b"one"[..], b"", &long] {
            write_frame(&mut stream, message).unwrap();
        }
        let (mut whole, mut drops, mut message) = (&stream[..], Dripping(&stream), Vec::new());
        for expected in [&b"one"[..], b"", &long] {
            assert!(read_frame(&mut whole, &mut message).unwrap());
            assert_eq!(message, expected);
            assert!(read_frame(&mut drops, &mut message).unwrap());
            assert_eq!(message, expected);
        }
        assert!(!read_frame(&mut whole, &mut message).unwrap());
    }

    #[test]
    fn what_is_no_message_is_quoted() {
        let error = read_frame(&mut &b"Hello, world"[..], &mut Vec::new()).unwrap_err();
        let text = "what it wrote is no message of this protocol, it begins with `Hell`";
        assert_eq!(error, TransportError::Protocol(text.to_owned()));
    }

    #[test]
    fn a_length_that_is_not_there_takes_no_memory() {
        let mut stream = MARK.to_vec();
        stream.extend_from_slice(&(LONGEST as u32).to_le_bytes());
        stream.extend_from_slice(&[1; 10]);
        let mut message = Vec::new();
        let error = read_frame(&mut &stream[..], &mut message).unwrap_err();
        assert!(matches!(error, TransportError::Disconnected(_)), "{error}");
        assert!(message.capacity() < 10_000, "{}", message.capacity());
        stream[4..8].copy_from_slice(&u32::MAX.to_le_bytes());
        let error = read_frame(&mut &stream[..], &mut message).unwrap_err();
        assert!(error.to_string().contains("claims 4294967295 bytes"), "{error}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_message_or_an_error(mut bytes in proptest::collection::vec(any::<u8>(), 0..200), marked: bool) {
            if marked && bytes.len() >= 8 {
                bytes[..4].copy_from_slice(&MARK);
                bytes[5..8].fill(0);
            }
            let mut message = Vec::new();
            if let Ok(true) = read_frame(&mut &bytes[..], &mut message) {
                prop_assert_eq!(&message[..], &bytes[8..8 + message.len()]);
            }
            prop_assert!(message.capacity() < 10_000);
        }
    }
}
