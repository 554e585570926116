//! What a message carries besides: a mark, who sends it, the session, its number, and a check of all.

use std::hash::Hasher;

use cosimo_transport::TransportError;
use xxhash_rust::xxh3::Xxh3Default;
use zenoh::bytes::ZBytes;

use crate::id::{self, Id};

/// First bytes of a message; the last of them is the version of this layout.
const MARK: [u8; 4] = [0xC0, b'Z', b'N', 1];

/// Bytes before and after a message.
const HEAD: usize = MARK.len() + 1 + id::LENGTH + 8;
const CHECK: usize = 8;

/// Bytes that a message has besides.
pub(crate) const AROUND: usize = HEAD + CHECK;

/// An end of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum End {
    Master,
    Server,
}

/// Whose a message is, and which one of them, counted from zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) from: End,
    /// Whether it says that no further one comes.
    pub(crate) is_last: bool,
    pub(crate) session: Id,
    pub(crate) number: u64,
}

impl Head {
    /// The message with all that it carries.
    pub(crate) fn write(self, message: &[u8]) -> Vec<u8> {
        let mut frame = Vec::with_capacity(message.len() + AROUND);
        frame.extend_from_slice(&MARK);
        frame.push(u8::from(self.from == End::Server) | u8::from(self.is_last) << 1);
        frame.extend_from_slice(&self.session.0);
        frame.extend_from_slice(&self.number.to_le_bytes());
        frame.extend_from_slice(message);
        let mut check = Xxh3Default::new();
        check.update(&frame);
        frame.extend_from_slice(&check.finish().to_le_bytes());
        frame
    }

    /// Reads what stands before the message. None: these bytes are none of ours.
    pub(crate) fn read(frame: &ZBytes) -> Option<Self> {
        if frame.len() < AROUND {
            return None;
        }
        let mut head = [0; HEAD];
        fill(frame, 0, &mut head);
        let (mark, rest) = head.split_first_chunk()?;
        let (from, rest) = rest.split_first()?;
        let (session, number) = rest.split_first_chunk()?;
        let (from, is_last) = match from {
            0 => (End::Master, false),
            1 => (End::Server, false),
            2 => (End::Master, true),
            3 => (End::Server, true),
            _ => return None,
        };
        let number = u64::from_le_bytes(number.try_into().ok()?);
        (*mark == MARK).then_some(Self { from, is_last, session: Id(*session), number })
    }
}

/// Length of the message in it (bytes).
pub(crate) fn length(frame: &ZBytes) -> usize {
    frame.len().saturating_sub(AROUND)
}

/// Whether its check is that of its bytes.
pub(crate) fn is_whole(frame: &ZBytes) -> bool {
    let Some(mut left) = frame.len().checked_sub(CHECK) else { return false };
    let mut found = [0; CHECK];
    fill(frame, left, &mut found);
    let mut check = Xxh3Default::new();
    for slice in frame.slices() {
        let own = &slice[..slice.len().min(left)];
        check.update(own);
        left -= own.len();
    }
    check.finish().to_le_bytes() == found
}

/// Writes the message in it over `message`, which grows by no more than that.
pub(crate) fn open(frame: &ZBytes, message: &mut Vec<u8>) -> Result<(), TransportError> {
    if !is_whole(frame) {
        return Err(damaged());
    }
    message.resize(length(frame), 0);
    fill(frame, HEAD, message);
    Ok(())
}

/// The error of a message that is not what was sent.
pub(crate) fn damaged() -> TransportError {
    TransportError::Protocol("a message was damaged or changed on its way".to_owned())
}

/// Copies bytes from a place on, as many as there are.
fn fill(frame: &ZBytes, mut from: usize, mut into: &mut [u8]) {
    for slice in frame.slices() {
        let Some(slice) = slice.get(from..) else {
            from -= slice.len();
            continue;
        };
        from = 0;
        let count = slice.len().min(into.len());
        let (now, later) = into.split_at_mut(count);
        now.copy_from_slice(&slice[..count]);
        into = later;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same bytes, in pieces.
    fn pieces(frame: &[u8], length: usize) -> ZBytes {
        let mut writer = ZBytes::writer();
        frame.chunks(length).for_each(|chunk| writer.append(ZBytes::from(chunk.to_vec())));
        writer.finish()
    }

    #[test]
    fn what_is_written_is_read_whatever_its_pieces() {
        let head = Head { from: End::Server, is_last: false, session: Id::random().unwrap(), number: 7 };
        for message in [&b""[..], b"a", &[3; 1000]] {
            let frame = head.write(message);
            for length in [1, 7, 29, 36, 5000] {
                let frame = pieces(&frame, length);
                assert_eq!(Head::read(&frame), Some(head));
                let mut found = vec![9; 3];
                open(&frame, &mut found).unwrap();
                assert_eq!(found, message);
            }
        }
    }

    #[test]
    fn no_change_goes_unseen() {
        let head = Head { from: End::Master, is_last: true, session: Id::random().unwrap(), number: 1 };
        let frame = head.write(b"a message");
        for place in 0..frame.len() {
            for bit in 0..8 {
                let mut other = frame.clone();
                other[place] ^= 1 << bit;
                let other = ZBytes::from(other);
                assert!(Head::read(&other) != Some(head) || !is_whole(&other));
            }
        }
        for length in 0..frame.len() {
            let cut = ZBytes::from(frame[..length].to_vec());
            assert!(Head::read(&cut).is_none() || !is_whole(&cut));
        }
    }
}
