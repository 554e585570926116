//! What a subsystem was asked since a state of it that is kept: asked so again, it is where it was, bit for bit.
//!
//! This rests on the contract: a call is a pure function of the state and its arguments.

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

/// Messages since a state that is kept.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// The settings now, those of the last state that was reached, and those of the state that is kept.
    settings: Settings,
    reached_settings: Settings,
    kept_settings: Settings,
    /// The message that restores the state that is kept; none where that is the beginning.
    restore: Vec<u8>,
    /// The messages since, one behind the other, and where they end.
    messages: Vec<u8>,
    ends: Vec<usize>,
    /// How many of them lead to the last state that was reached: that which the other end would save now.
    reached: usize,
    /// Steps taken since.
    steps: u32,
}

impl History {
    /// Notes a request that is about to be sent.
    pub(crate) fn note(&mut self, request: &Request, message: &[u8]) {
        self.settings.note(request, message);
        self.messages.extend_from_slice(message);
        self.ends.push(self.messages.len());
    }

    /// Forgets the last request, whose answer nobody waits for.
    pub(crate) fn forget_last(&mut self) {
        self.ends.pop();
        self.messages.truncate(self.ends.last().copied().unwrap_or(0));
    }

    /// Notes the answer to a request, after which so many others are under way.
    pub(crate) fn take(
        &mut self,
        request: &Request,
        answer: Result<&Answer, &SubsystemError>,
        others: usize,
    ) -> Result<(), TransportError> {
        match (request, answer) {
            (Request::Save, Ok(Answer::Saved(snapshot))) => {
                self.forget_last();
                self.begin_at(snapshot)
            }
            // They change nothing.
            (Request::Save | Request::Look { .. } | Request::Outputs { .. }, _) => {
                self.forget_last();
                Ok(())
            }
            (Request::Restore { snapshot }, Ok(_)) => {
                self.reach(others);
                self.begin_at(snapshot)
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
        self.reached = self.ends.len().saturating_sub(others);
        self.reached_settings.clone_from(&self.settings);
    }

    /// Begins anew at the last state that was reached.
    fn begin_at(&mut self, snapshot: &Snapshot) -> Result<(), TransportError> {
        self.kept_settings.clone_from(&self.reached_settings);
        let past = self.reached.checked_sub(1).map_or(0, |last| self.ends[last]);
        self.messages.drain(..past);
        self.ends.drain(..self.reached);
        self.ends.iter_mut().for_each(|end| *end -= past);
        (self.reached, self.steps) = (0, 0);
        write_request(&Request::Restore { snapshot: snapshot.clone() }, &mut self.restore)
    }

    /// Whether a state should be kept after this request.
    pub(crate) fn is_long(&self, request: &Request) -> bool {
        let is_long = self.steps >= STEPS || self.messages.len() > LONGEST;
        let (of_step, has_steps) = (Request::is_of_step, self.steps > 0);
        is_long && has_steps && of_step(request)
    }

    /// Whether this message brings back the state that is kept.
    pub(crate) fn is_restore(&self, message: &[u8]) -> bool {
        !message.is_empty() && message == self.restore
    }

    /// What is to be sent to one that is at its beginning: first what is answered before anything else is sent, then the requests under way,
    /// of which there are so many.
    pub(crate) fn messages(
        &self,
        under_way: usize,
    ) -> (impl Iterator<Item = &[u8]>, impl Iterator<Item = &[u8]>) {
        let settings = self.kept_settings.0.iter().map(Vec::as_slice);
        let before = std::iter::once(self.restore.as_slice()).chain(settings).filter(|own| !own.is_empty());
        let answered = self.ends.len().saturating_sub(under_way);
        let message =
            |k: usize| &self.messages[k.checked_sub(1).map_or(0, |last| self.ends[last])..self.ends[k]];
        (before.chain((0..answered).map(message)), (answered..self.ends.len()).map(message))
    }
}
