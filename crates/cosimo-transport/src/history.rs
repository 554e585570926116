//! What a subsystem was asked since a state of it that is kept: asked so again, it is where it was, bit for bit.
//!
//! This rests on the contract: a call is a pure function of the state and its arguments. It is checked: of every answer a digest is kept. A
//! state is kept from the first response after it on, so that there always is a response that is asked for again: it tells how the numbers
//! of [revisions](cosimo_subsystem::StepResponse::revision) go on, which are no part of states.

use std::hash::{DefaultHasher, Hash, Hasher};

use cosimo_mechanics::Energy;
use cosimo_subsystem::{Snapshot, SubsystemError};

use crate::message::{Answer, Request};
use crate::protocol::write_request;
use crate::transport::TransportError;

/// Steps between two states that are kept.
const STEPS: u32 = 64;

/// Bytes of requests between two states that are kept at most, where the subsystem can be saved.
const LONGEST: usize = 1 << 20;

/// Settings of a conversation that are no part of a state: the last message of each.
#[derive(Debug, Clone, Default)]
struct Settings([Vec<u8>; 3]);

impl Settings {
    fn note(&mut self, request: &Request, message: &[u8]) {
        let place = match request {
            Request::LimitResponse { .. } => 0,
            Request::ReportMoves { .. } => 1,
            Request::SetInputs { .. } => 2,
            _ => return,
        };
        self.0[place].clear();
        self.0[place].extend_from_slice(message);
    }
}

/// A message and the digest of its answer.
#[derive(Debug, Clone, Copy)]
struct Asked {
    /// Where it ends.
    end: usize,
    answer: Option<u64>,
}

/// A state that is kept from the next response on.
#[derive(Debug)]
struct Next {
    /// The message that restores it.
    restore: Vec<u8>,
    settings: Settings,
    /// How many messages lead to it.
    reached: usize,
    /// Steps up to it.
    steps: u32,
}

/// Messages since a state that is kept.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// The settings now, those of the last state that was reached, and those of the state that is kept.
    settings: Settings,
    reached_settings: Settings,
    kept_settings: Settings,
    /// The message that restores the state that is kept; none where that is the beginning.
    restore: Vec<u8>,
    /// The messages since, one behind the other.
    messages: Vec<u8>,
    asked: Vec<Asked>,
    /// How many of them lead to the last state that was reached: that which the other end would save now.
    reached: usize,
    /// Steps taken since.
    steps: u32,
    next: Option<Next>,
    /// Whether states are not given, so that all messages are kept.
    is_whole: bool,
}

impl History {
    /// Keeps all messages from now on, for want of states; says whether that is new.
    pub(crate) fn keep_all(&mut self) -> bool {
        !std::mem::replace(&mut self.is_whole, true)
    }

    /// Notes a request that is about to be sent.
    pub(crate) fn note(&mut self, request: &Request, message: &[u8]) {
        self.settings.note(request, message);
        self.messages.extend_from_slice(message);
        self.asked.push(Asked { end: self.messages.len(), answer: None });
    }

    /// Forgets the last request, whose answer nobody waits for.
    pub(crate) fn forget_last(&mut self) {
        self.asked.pop();
        self.messages.truncate(self.end_of(self.asked.len()));
    }

    /// Notes the answer to a request, after which so many others are under way.
    pub(crate) fn take(
        &mut self,
        request: &Request,
        answer: Result<&Answer, &SubsystemError>,
        others: usize,
    ) -> Result<(), TransportError> {
        let place = self.asked.len().saturating_sub(1 + others);
        if let Some(asked) = self.asked.get_mut(place) {
            asked.answer = answer.ok().and_then(digest);
        }
        match (request, answer) {
            (Request::Save, Ok(Answer::Saved(snapshot))) => {
                self.forget_last();
                self.keep_next(snapshot)
            }
            (_, Ok(Answer::Response(_) | Answer::ResponseUnderLoads(_))) => {
                self.go_on_from_next();
                Ok(())
            }
            // They change nothing. Outputs are kept all the same: they may be all that shows of a state.
            (Request::Save | Request::Look { .. }, _) => {
                self.forget_last();
                Ok(())
            }
            (Request::Restore { snapshot }, Ok(_)) => {
                self.reach(others);
                self.keep_next(snapshot)
            }
            (Request::Commit { .. } | Request::Jump { .. } | Request::Shift { .. }, Ok(_)) => {
                self.steps += u32::from(matches!(request, Request::Commit { .. }));
                self.reach(others);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Another state is reached, by all messages but so many.
    fn reach(&mut self, others: usize) {
        self.reached = self.asked.len().saturating_sub(others);
        self.reached_settings.clone_from(&self.settings);
    }

    /// Keeps the last state that was reached, from the next response on.
    fn keep_next(&mut self, snapshot: &Snapshot) -> Result<(), TransportError> {
        let mut next = self.next.take().unwrap_or_else(|| Next {
            restore: Vec::new(),
            settings: Settings::default(),
            reached: 0,
            steps: 0,
        });
        write_request(&Request::Restore { snapshot: snapshot.clone() }, &mut next.restore)?;
        next.settings.clone_from(&self.reached_settings);
        (next.reached, next.steps) = (self.reached, self.steps);
        self.next = Some(next);
        Ok(())
    }

    /// Forgets what leads to the next state that is kept.
    fn go_on_from_next(&mut self) {
        let Some(next) = self.next.take() else { return };
        let past = self.end_of(next.reached);
        self.messages.drain(..past);
        self.asked.drain(..next.reached);
        self.asked.iter_mut().for_each(|asked| asked.end -= past);
        self.reached -= next.reached;
        self.steps -= next.steps;
        (self.restore, self.kept_settings) = (next.restore, next.settings);
    }

    /// Where so many messages end.
    fn end_of(&self, count: usize) -> usize {
        count.checked_sub(1).map_or(0, |last| self.asked[last].end)
    }

    /// Whether a state should be kept after this request.
    pub(crate) fn is_long(&self, request: &Request) -> bool {
        let is_long = self.steps >= STEPS || self.messages.len() > LONGEST;
        let (of_step, has_steps) = (Request::is_of_step, self.steps > 0);
        is_long && has_steps && !self.is_whole && self.next.is_none() && of_step(request)
    }

    /// What is to be sent to one that is at its beginning: first what is answered before anything else is sent, with the digests of the answers,
    /// then the requests under way, of which there are so many.
    pub(crate) fn messages(
        &self,
        under_way: usize,
    ) -> (impl Iterator<Item = Replayed<'_>>, impl Iterator<Item = &[u8]>) {
        let message = |k: usize| &self.messages[self.end_of(k)..self.asked[k].end];
        let restore = Replayed { message: &self.restore, is_restore: true, answer: None };
        let setting = |message| Replayed { message, is_restore: false, answer: None };
        let settings = self.kept_settings.0.iter().map(move |message| setting(message.as_slice()));
        let before = std::iter::once(restore).chain(settings).filter(|own| !own.message.is_empty());
        let answered = self.asked.len().saturating_sub(under_way);
        let again =
            move |k: usize| Replayed { message: message(k), is_restore: false, answer: self.asked[k].answer };
        (before.chain((0..answered).map(again)), (answered..self.asked.len()).map(message))
    }
}

/// A message that is sent once more.
pub(crate) struct Replayed<'h> {
    pub(crate) message: &'h [u8],
    /// Whether it brings back the state that is kept.
    pub(crate) is_restore: bool,
    /// Digest of its answer, where it had one.
    pub(crate) answer: Option<u64>,
}

/// What an answer says of the motion, in short; of matrices, the work so far and settings nothing.
pub(crate) fn digest(answer: &Answer) -> Option<u64> {
    let mut hasher = DefaultHasher::new();
    let mut take = |numbers: &[f64]| numbers.iter().for_each(|x| x.to_bits().hash(&mut hasher));
    match answer {
        Answer::Response(own) | Answer::ResponseUnderLoads(own) => {
            take(&own.positions);
            take(&own.velocities);
        }
        Answer::Loads(own) => {
            take(&own.start);
            take(&own.end);
        }
        Answer::Committed(_, own) | Answer::Moved(own) => {
            let Energy { kinetic, potential } = own.energy;
            take(&own.rows.positions);
            take(&own.rows.velocities);
            take(&own.observed);
            take(&own.outputs);
            take(&[kinetic, potential]);
        }
        Answer::Outputs(own) => take(own),
        _ => return None,
    }
    Some(hasher.finish())
}
