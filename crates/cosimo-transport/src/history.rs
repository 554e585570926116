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
    /// The settings now, and those of the state that is kept.
    settings: Settings,
    kept_settings: Settings,
    /// The message that restores the state that is kept; none where that is the beginning.
    restore: Vec<u8>,
    /// The messages since, one behind the other, and where they end.
    messages: Vec<u8>,
    ends: Vec<usize>,
    /// Steps taken since.
    steps: u32,
    /// Whether a step is begun, which no state holds.
    is_begun: bool,
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

    /// Notes the answer to the last request.
    pub(crate) fn take(
        &mut self,
        request: &Request,
        answer: Result<&Answer, &SubsystemError>,
    ) -> Result<(), TransportError> {
        match (request, answer) {
            (Request::Begin { .. } | Request::BeginPredicted { .. }, Ok(_)) => self.is_begun = true,
            (Request::Commit { .. } | Request::Discard | Request::Restore { .. }, Ok(_)) => {
                self.is_begun = false
            }
            _ => {}
        }
        match (request, answer) {
            (Request::Save, Ok(Answer::Saved(snapshot))) if !self.is_begun => self.begin_at(snapshot),
            (Request::Restore { snapshot }, Ok(_)) => self.begin_at(snapshot),
            // They change nothing.
            (Request::Save | Request::Look { .. } | Request::Outputs { .. }, _) => {
                self.forget_last();
                Ok(())
            }
            (Request::Commit { .. }, Ok(_)) => {
                self.steps += 1;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Begins anew at a state.
    fn begin_at(&mut self, snapshot: &Snapshot) -> Result<(), TransportError> {
        self.kept_settings.clone_from(&self.settings);
        self.messages.clear();
        self.ends.clear();
        self.steps = 0;
        write_request(&Request::Restore { snapshot: snapshot.clone() }, &mut self.restore)
    }

    /// Whether a state should be kept after this request: it must be between two steps.
    pub(crate) fn is_long(&self, request: &Request, is_done: bool) -> bool {
        let is_long = self.steps >= STEPS || self.messages.len() > LONGEST;
        is_long && is_done && matches!(request, Request::Commit { .. })
    }

    /// What is to be sent to one that is at its beginning: all but the last message, which is under way, and that one.
    pub(crate) fn messages(&self, is_asked: bool) -> (impl Iterator<Item = &[u8]>, Option<&[u8]>) {
        let settings = self.kept_settings.0.iter().map(Vec::as_slice);
        let before = std::iter::once(self.restore.as_slice()).chain(settings).filter(|own| !own.is_empty());
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let mut all: Vec<&[u8]> =
            starts.zip(&self.ends).filter_map(|(start, end)| self.messages.get(start..*end)).collect();
        let asked = if is_asked { all.pop() } else { None };
        (before.chain(all), asked)
    }
}
