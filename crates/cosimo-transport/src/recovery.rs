//! A subsystem that was lost is found again and brought to where it was.

use std::fmt;
use std::thread::sleep;
use std::time::{Duration, Instant};

use cosimo_subsystem::cost::{CallKind, RemoteCost};
use cosimo_subsystem::{Description, Statistics, SubsystemError};

use crate::channel::Channel;
use crate::history::{History, Replayed, digest};
use crate::introduction::Introduction;
use crate::message::{Answer, Request};
use crate::protocol::NearEnd;
use crate::transport::TransportError;
use crate::wire::{Wire, receive_introduction, send_greeting};

/// What becomes of a run that loses a subsystem elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum OnLoss {
    /// The call is an error; the results so far are kept.
    #[default]
    Stop,
    /// The other end is looked for so long, and brought to where it was: the results have the same bits.
    Resume(Duration),
}

/// Finds the other end of a channel again.
pub(crate) type Dial<C> = Box<dyn FnMut(Duration) -> Result<C, TransportError> + Send>;

/// Times that one request may lose its subsystem: more often, it is the request that ends it.
const LOSSES: u32 = 10;

/// Shortest and longest wait between two attempts.
const WAITS: [Duration; 2] = [Duration::from_millis(10), Duration::from_millis(500)];

/// Work that was counted.
type Counted = (Statistics, Option<RemoteCost>);

/// How the other end is found again.
pub(crate) struct Recovery<C> {
    dial: Dial<C>,
    assignment: Vec<u8>,
    known: Description,
    patience: Duration,
    pub(crate) history: History,
    /// Losses during the request under way.
    losses: u32,
    /// All work up to the last loss, what the one who is asked now had counted when it was where that one had been, and all work so far.
    before: Counted,
    replayed: Counted,
    last: Counted,
    /// What is added to the revisions of the one who is asked now, and the last one that was told.
    ahead: u64,
    revision: u64,
}

impl<C> fmt::Debug for Recovery<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recovery").field("subsystem", &self.known.name).finish_non_exhaustive()
    }
}

/// Why an attempt was in vain.
enum Vain {
    /// It may be there later.
    Now(TransportError),
    /// What is there is another subsystem, or none.
    Ever(TransportError),
}

impl From<TransportError> for Vain {
    fn from(error: TransportError) -> Self {
        Self::Now(error)
    }
}

impl<C: Channel> Recovery<C> {
    /// Looks for the subsystem of this description, which is made of the assignment.
    pub(crate) fn new(known: &Description, assignment: Vec<u8>, dial: Dial<C>, patience: Duration) -> Self {
        Self {
            dial,
            assignment,
            known: known.clone(),
            patience,
            history: History::default(),
            losses: 0,
            before: Counted::default(),
            replayed: Counted::default(),
            last: Counted::default(),
            ahead: 0,
            revision: 0,
        }
    }

    /// Notes an answer, whose revision goes on from those of who was asked before; so many others are under way.
    pub(crate) fn take(
        &mut self,
        request: &Request,
        answer: &mut Result<Answer, SubsystemError>,
        others: usize,
    ) -> Result<(), TransportError> {
        if let Ok(Answer::Response(response) | Answer::ResponseUnderLoads(response)) = answer {
            response.revision = response.revision.wrapping_add(self.ahead);
            self.revision = response.revision;
        }
        if let (Request::Save, Err(error)) = (request, &*answer)
            && self.history.keep_all()
        {
            let name = &self.known.name;
            tracing::warn!(
                "subsystem `{name}` cannot be saved ({error}): if it is lost, its whole run is repeated, whose messages are kept in memory"
            );
        }
        self.history.take(request, answer.as_ref(), others)
    }

    /// All work, with that of those that were lost.
    pub(crate) fn total(&mut self, statistics: Statistics, cost: Option<RemoteCost>) -> Counted {
        self.losses = 0;
        let (before, replayed) = (self.before, self.replayed);
        let cost = match (cost.map(|cost| difference(cost, replayed.1)), before.1) {
            (Some(now), Some(before)) => Some(sum(now, before)),
            (now, before) => now.or(before),
        };
        self.last = (before.0.plus(statistics.since(replayed.0)), cost);
        self.last
    }

    /// Finds the other end after an error, and brings it to where it was, up to the requests under way, of which there are so many.
    pub(crate) fn recover(
        &mut self,
        wire: &mut Wire<C>,
        error: TransportError,
        (deadline, under_way): (Duration, usize),
    ) -> Result<(), TransportError> {
        self.losses += 1;
        if self.losses > LOSSES {
            return Err(error);
        }
        let (since, mut wait) = (Instant::now(), WAITS[0]);
        let before = std::mem::replace(&mut wire.near, NearEnd::new(self.known.clone()));
        tracing::warn!("subsystem `{}` is lost ({error}); it is looked for", self.known.name);
        loop {
            // The other end sees that it is alone.
            wire.channel = None;
            let last = match self.take_up(wire, &before, (deadline, under_way)) {
                Ok(()) => {
                    let seconds = since.elapsed().as_secs_f64();
                    tracing::warn!("subsystem `{}` is back after {seconds:.1} s", self.known.name);
                    return Ok(());
                }
                Err(Vain::Ever(last)) => return Err(last),
                Err(Vain::Now(last)) => last,
            };
            if since.elapsed() + wait > self.patience {
                let seconds = self.patience.as_secs_f64();
                let reason = format!("{error}, and it has not come back within {seconds} s: {last}");
                return Err(TransportError::Disconnected(reason));
            }
            sleep(wait);
            wait = (2 * wait).min(WAITS[1]);
        }
    }

    /// Makes one attempt; `before` is the conversation that was lost.
    fn take_up(
        &mut self,
        wire: &mut Wire<C>,
        before: &NearEnd,
        (deadline, under_way): (Duration, usize),
    ) -> Result<(), Vain> {
        let mut channel = (self.dial)(deadline)?;
        send_greeting(&mut channel, &self.assignment, deadline)?;
        let Introduction { description, statistics, .. } = receive_introduction(&mut channel, deadline)?
            .map_err(|refused| lost_for_good(format!("it has come back without a subsystem: {refused}")))?;
        if self.known != description {
            return Err(another("another subsystem has come back: its description is not the same"));
        }
        wire.channel = Some(channel);
        wire.near = NearEnd::new(description);
        self.replay(wire, statistics, (deadline, under_way))?;
        if !wire.near.has_inverse_mass_of(before) {
            return Err(another("it has come back with another inverse mass than before: it is another one"));
        }
        let (_, asked) = self.history.messages(under_way);
        asked.into_iter().try_for_each(|message| send(wire, message, deadline)).map_err(Vain::Now)
    }

    /// Asks once more what was answered since the state that is kept, and compares the answers.
    fn replay(
        &mut self,
        wire: &mut Wire<C>,
        mut statistics: Statistics,
        (deadline, under_way): (Duration, usize),
    ) -> Result<(), Vain> {
        let (mut cost, mut revision) = (None, None);
        let (replayed, _) = self.history.messages(under_way);
        for Replayed { message, is_restore, answer: expected } in replayed {
            send(wire, message, deadline)?;
            let (answer, counted, spent) = wire.receive(false, deadline)?;
            // Other calls may have failed before as well; without the state that was kept nothing after it is what it was.
            if let (true, Err(error)) = (is_restore, &answer) {
                let reason = format!("it has come back, and cannot be brought to where it was: {error}");
                return Err(lost_for_good(reason));
            }
            if expected.is_some() && answer.as_ref().ok().and_then(digest) != expected {
                return Err(another(
                    "it has come back, and answers otherwise than before: it is another one, or restores no states",
                ));
            }
            if let Ok(Answer::Response(response) | Answer::ResponseUnderLoads(response)) = &answer {
                revision = Some(response.revision);
            }
            (statistics, cost) = (counted, spent);
        }
        self.ahead = revision.map_or(0, |revision| self.revision.wrapping_sub(revision));
        (self.before, self.replayed) = (self.last, (statistics, cost));
        Ok(())
    }
}

fn lost_for_good(reason: String) -> Vain {
    Vain::Ever(TransportError::Disconnected(reason))
}

fn another(reason: &str) -> Vain {
    Vain::Ever(TransportError::Protocol(reason.to_owned()))
}

fn send<C: Channel>(wire: &mut Wire<C>, message: &[u8], deadline: Duration) -> Result<(), TransportError> {
    wire.message.clear();
    wire.message.extend_from_slice(message);
    wire.send(deadline)
}

fn sum(mut a: RemoteCost, b: RemoteCost) -> RemoteCost {
    CallKind::ALL.into_iter().for_each(|kind| *a.calls.of_mut(kind) += b.calls.of(kind));
    a.messages += b.messages;
    a
}

/// What is missing from `b` to `a`.
fn difference(mut a: RemoteCost, b: Option<RemoteCost>) -> RemoteCost {
    let Some(b) = b else { return a };
    CallKind::ALL.into_iter().for_each(|kind| *a.calls.of_mut(kind) -= b.calls.of(kind));
    a.messages -= b.messages;
    a
}
