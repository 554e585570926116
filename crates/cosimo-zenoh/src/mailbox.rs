//! The messages of a session that have come. zenoh delivers them from its threads, which never wait here.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use cosimo_subsystem::codec;
use cosimo_transport::TransportError;
use zenoh::bytes::ZBytes;

use crate::frame::{End, Head, damaged, is_whole, length, open};
use crate::id::Id;

/// Longest message (bytes): the largest value that the codec accepts, and its version.
pub(crate) const LONGEST: usize = codec::LIMIT + 64;

/// Longest wait in one piece. Time in which this process itself was stopped, as by Ctrl-Z, counts as one piece at most.
pub(crate) const SLICE: Duration = Duration::from_millis(100);

/// Messages at most that wait: so many are under way before they are answered, see [`Channel`](cosimo_transport::Channel).
const MOST: usize = 2;

/// Takes the messages from one end of a session.
#[derive(Debug)]
pub(crate) struct Mailbox {
    session: Id,
    from: End,
    state: Mutex<State>,
    arrived: Condvar,
    strays: AtomicU64,
}

#[derive(Debug)]
struct State {
    /// The messages that wait: [`MOST`] at most.
    waiting: VecDeque<ZBytes>,
    /// Number of the next one to come.
    next: u64,
    /// Why no further one comes.
    end: Option<TransportError>,
}

impl Mailbox {
    /// For the messages that one end of a session sends.
    pub(crate) fn new(session: Id, from: End) -> Self {
        let state = Mutex::new(State { waiting: VecDeque::with_capacity(MOST), next: 0, end: None });
        Self { session, from, state, arrived: Condvar::new(), strays: AtomicU64::new(0) }
    }

    /// The session.
    pub(crate) fn session(&self) -> Id {
        self.session
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what has come under the key of the session. Bytes that are none of its messages are dropped and counted.
    pub(crate) fn deliver(&self, frame: &ZBytes) {
        let of_session = |head: &Head| head.session == self.session && head.from == self.from;
        let Some(head) = Head::read(frame).filter(of_session) else {
            return self.count_stray("it is of no session");
        };
        let mut state = self.lock();
        if head.number < state.next {
            return self.count_stray("it has come before");
        }
        let (number, next) = (head.number, state.next);
        if head.is_last {
            let is_whole = number == next && is_whole(frame);
            state.end.get_or_insert(if is_whole { TransportError::Ended } else { damaged() });
        } else if number > next {
            state.end(format!("its message {number} has come, before message {next}: some were lost"));
        } else if state.waiting.len() == MOST {
            state.end("it sends on before it is answered".to_owned());
        } else {
            state.waiting.push_back(frame.clone());
            state.next += 1;
        }
        drop(state);
        self.arrived.notify_one();
    }

    fn count_stray(&self, why: &str) {
        let count = self.strays.fetch_add(1, Ordering::Relaxed) + 1;
        tracing::debug!("session {}: a message was dropped, the {count}th: {why}", self.session);
    }

    /// Messages that were dropped.
    pub(crate) fn strays(&self) -> u64 {
        self.strays.load(Ordering::Relaxed)
    }

    /// No further message comes. One that waits is still there.
    pub(crate) fn end(&self, why: TransportError) {
        self.lock().end.get_or_insert(why);
        self.arrived.notify_one();
    }

    /// Waits for the next message, at most for `deadline` and until the network `is_closed`, and writes it over `message` where it is not
    /// longer than `longest` (bytes).
    pub(crate) fn take(
        &self,
        message: &mut Vec<u8>,
        longest: usize,
        deadline: Duration,
        is_closed: impl Fn() -> bool,
    ) -> Result<(), TransportError> {
        let frame = self.wait(deadline, is_closed)?;
        if length(&frame) > longest {
            let reason =
                format!("a message has {} bytes, more than {longest}: it is damaged", length(&frame));
            return Err(TransportError::Protocol(reason));
        }
        open(&frame, message)
    }

    fn wait(&self, deadline: Duration, is_closed: impl Fn() -> bool) -> Result<ZBytes, TransportError> {
        let (mut left, mut state) = (deadline, self.lock());
        loop {
            if let Some(frame) = state.waiting.pop_front() {
                return Ok(frame);
            }
            if let Some(end) = &state.end {
                return Err(end.clone());
            }
            if left.is_zero() {
                return Err(TransportError::TimedOut);
            }
            let slice = left.min(SLICE);
            let (next, waited) =
                self.arrived.wait_timeout(state, slice).unwrap_or_else(PoisonError::into_inner);
            state = next;
            if waited.timed_out() {
                left -= slice;
                if is_closed() {
                    state.end.get_or_insert_with(|| {
                        TransportError::Disconnected("the network was closed".to_owned())
                    });
                }
            }
        }
    }
}

impl State {
    fn end(&mut self, why: String) {
        self.end.get_or_insert(TransportError::Protocol(why));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Duration = Duration::from_millis(1);

    /// A mailbox for answers, and the frames of the first of them.
    fn mailbox() -> (Mailbox, impl Fn(u64) -> ZBytes) {
        let session = Id::random().unwrap();
        let frame = move |number| {
            let head = Head { from: End::Server, is_last: false, session, number };
            ZBytes::from(head.write(&[number as u8; 100]))
        };
        (Mailbox::new(session, End::Server), frame)
    }

    fn take(mailbox: &Mailbox, longest: usize) -> Result<Vec<u8>, TransportError> {
        let mut message = Vec::new();
        let taken = mailbox.take(&mut message, longest, SHORT, || false);
        assert!(message.capacity() <= longest.max(8));
        taken.map(|()| message)
    }

    #[test]
    fn messages_come_once_and_in_order() {
        let (mailbox, frame) = mailbox();
        for number in 0..3 {
            mailbox.deliver(&frame(number));
            (0..=number).for_each(|before| mailbox.deliver(&frame(before)));
            assert_eq!(take(&mailbox, 100), Ok(vec![number as u8; 100]));
            assert_eq!(take(&mailbox, 100), Err(TransportError::TimedOut));
        }
        assert_eq!(mailbox.strays(), 6);
    }

    #[test]
    fn others_are_strays() {
        let ((mailbox, _), (_, frame)) = (mailbox(), mailbox());
        mailbox.deliver(&frame(0));
        mailbox.deliver(&ZBytes::from(b"no message".to_vec()));
        let head = Head { from: End::Master, is_last: false, session: mailbox.session(), number: 0 };
        mailbox.deliver(&ZBytes::from(head.write(b"reflected")));
        assert_eq!((mailbox.strays(), take(&mailbox, 100)), (3, Err(TransportError::TimedOut)));
    }

    #[test]
    fn a_gap_a_long_message_and_a_damaged_one_are_errors() {
        let (missing, frame) = mailbox();
        missing.deliver(&frame(2));
        let (long, frame) = mailbox();
        long.deliver(&frame(0));
        let (damaged, frame) = mailbox();
        let mut bytes = frame(0).to_bytes().into_owned();
        bytes[40] ^= 1;
        damaged.deliver(&ZBytes::from(bytes));
        let (hasty, frame) = mailbox();
        (0..3).for_each(|number| hasty.deliver(&frame(number)));
        (0..2).for_each(|number| assert_eq!(take(&hasty, 100), Ok(vec![number; 100])));
        for (mailbox, longest, why) in [
            (missing, 100, "before message 0"),
            (long, 99, "100 bytes, more than 99"),
            (damaged, 100, "damaged"),
            (hasty, 100, "before it is answered"),
        ] {
            let Err(TransportError::Protocol(reason)) = take(&mailbox, longest) else {
                unreachable!("{why}")
            };
            assert!(reason.contains(why), "{reason}");
        }
    }

    #[test]
    fn the_end_comes_after_what_waits() {
        let (mailbox, frame) = mailbox();
        mailbox.deliver(&frame(0));
        let last = Head { from: End::Server, is_last: true, session: mailbox.session(), number: 1 };
        mailbox.deliver(&ZBytes::from(last.write(&[])));
        mailbox.end(TransportError::TimedOut);
        take(&mailbox, 100).unwrap();
        assert_eq!(take(&mailbox, 100), Err(TransportError::Ended));
    }
}
