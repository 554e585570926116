//! A subsystem at its end of a channel, message by message.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use cosimo_subsystem::{Subsystem, SubsystemError};

use crate::fit::longest_request;
use crate::introduction::Introduction;
use crate::protocol::{FarEnd, read_greeting, write_greeting};
use crate::thread::text_of;
use crate::transport::TransportError;

/// A subsystem that is served: its messages become answers, one after the other. Who carries the messages decides how; where there is
/// one channel for each subsystem, that is [`serve_channel`](crate::serve_channel).
pub struct Served {
    /// None where none could be made.
    subsystem: Option<Box<dyn Subsystem>>,
    far: FarEnd,
    has_ended: bool,
    /// How.
    end: Result<(), TransportError>,
}

impl fmt::Debug for Served {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.subsystem.as_ref().map(|subsystem| &subsystem.description().name);
        f.debug_struct("Served").field("subsystem", &name).field("end", &self.end).finish()
    }
}

impl Served {
    /// Writes the answer over a greeting that gets no subsystem, by its assignment or since it cannot be read; how the conversation has
    /// then ended. None: it is left as it is, for [`greet`](Self::greet).
    pub(crate) fn refuse(
        check: impl FnOnce(&[u8]) -> Result<(), SubsystemError>,
        message: &mut Vec<u8>,
    ) -> Result<Option<Result<(), TransportError>>, TransportError> {
        let (reason, end) = match read_greeting::<Vec<u8>>(message).map(|assignment| check(&assignment)) {
            Ok(Ok(())) => return Ok(None),
            Ok(Err(reason)) => (reason, Ok(())),
            Err(error) => (no_greeting(&error), Err(error)),
        };
        write_greeting(&Err::<Introduction, _>(reason), message)?;
        Ok(Some(end))
    }

    /// Makes a subsystem of the assignment in a greeting, and writes the answer over the greeting. Where there is no subsystem, that is the
    /// answer, after which the conversation [has ended](Self::has_ended).
    ///
    /// # Errors
    /// The answer cannot be written.
    pub fn greet(
        make: impl FnOnce(&[u8]) -> Result<Box<dyn Subsystem>, SubsystemError>,
        message: &mut Vec<u8>,
    ) -> Result<Self, TransportError> {
        let assignment = read_greeting::<Vec<u8>>(message);
        let made = match &assignment {
            Ok(assignment) => make(assignment),
            Err(error) => Err(no_greeting(error)),
        };
        write_greeting(&made.as_deref().map(Introduction::of), message)?;
        let (has_ended, end) = (made.is_err(), assignment.map(drop));
        Ok(Self { subsystem: made.ok(), far: FarEnd::default(), has_ended, end })
    }

    /// The same where its thread works for other subsystems too: what carries its messages is not told from what is theirs, and does not
    /// count as its cost.
    #[must_use]
    pub fn among_others(mut self) -> Self {
        self.far = FarEnd::among_others();
        self
    }

    /// Longest message (bytes) to be expected; none where the conversation has ended.
    #[must_use]
    pub fn longest_request(&self) -> usize {
        self.subsystem.as_deref().map_or(0, longest_request)
    }

    /// Writes the answer to a request over it. A panic of the subsystem is its answer, and ends the conversation.
    ///
    /// # Errors
    /// The request cannot be read, or the conversation has ended.
    pub fn answer(&mut self, message: &mut Vec<u8>) -> Result<(), TransportError> {
        let Some(subsystem) = self.subsystem.as_deref_mut().filter(|_| !self.has_ended) else {
            return self.end().and(Err(TransportError::Ended));
        };
        let far = &mut self.far;
        let panic = match catch_unwind(AssertUnwindSafe(|| far.answer(subsystem, message))) {
            Ok(answered) => return answered,
            Err(panic) => text_of(panic.as_ref()).to_owned(),
        };
        let name = subsystem.description().name.clone();
        FarEnd::refuse(SubsystemError::Panicked { subsystem: name, message: panic.clone() }, message)?;
        self.has_ended = true;
        self.end = Err(TransportError::Disconnected(format!("the subsystem panicked: {panic}")));
        Ok(())
    }

    /// Whether the conversation has ended, once the last answer is sent.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// How the conversation has ended, if it has.
    ///
    /// # Errors
    /// The greeting was none, or the subsystem has panicked.
    pub fn end(&self) -> Result<(), TransportError> {
        self.end.clone()
    }
}

/// What is told to a master whose greeting cannot be read.
fn no_greeting(error: &TransportError) -> SubsystemError {
    SubsystemError::Protocol { subsystem: "master".to_owned(), reason: error.to_string() }
}
