//! The subsystem's end of a channel.

use std::io::{BufWriter, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use cosimo_subsystem::{Subsystem, SubsystemError};

use crate::channel::Channel;
use crate::fit::longest_request;
use crate::introduction::Introduction;
use crate::protocol::{FarEnd, read_greeting, write_greeting};
use crate::stream::{Blocking, Framed, Key};
use crate::thread::text_of;
use crate::transport::TransportError;

/// Answers for a subsystem until the other end closes the streams. In a process of its own the streams are standard
/// input and output, and nothing else may be written to the latter.
///
/// ```no_run
/// use cosimo_subsystem::conformance::TwoMasses;
/// let served = cosimo_transport::serve(Box::new(TwoMasses::default()), std::io::stdin(), std::io::stdout());
/// # served.unwrap();
/// ```
///
/// # Errors
/// The other end speaks another version, its messages are damaged, or it is gone inside one. A panic of the subsystem is
/// answered with [`SubsystemError::Panicked`] and then is [`TransportError::Disconnected`].
pub fn serve(
    subsystem: Box<dyn Subsystem>,
    reader: impl Read + Send,
    writer: impl Write + Send,
) -> Result<(), TransportError> {
    serve_assigned(|_| Ok(subsystem), reader, writer)
}

/// The same for a subsystem that is made of the assignment in the greeting, see
/// [`ProcessSubsystem::spawn_assigned`](crate::ProcessSubsystem::spawn_assigned).
///
/// # Errors
/// As [`serve`]; the error of `make` goes to the other end.
pub fn serve_assigned(
    make: impl FnOnce(&[u8]) -> Result<Box<dyn Subsystem>, SubsystemError>,
    reader: impl Read + Send,
    writer: impl Write + Send,
) -> Result<(), TransportError> {
    serve_channel(make, &mut Framed::server(Blocking(reader, BufWriter::new(writer)), &Key::NONE))
}

/// The same over any channel.
///
/// # Errors
/// As [`serve_assigned`].
pub fn serve_channel(
    make: impl FnOnce(&[u8]) -> Result<Box<dyn Subsystem>, SubsystemError>,
    channel: &mut impl Channel,
) -> Result<(), TransportError> {
    let mut message = Vec::new();
    if !has_come(channel.receive(&mut message, Duration::MAX))? {
        return Ok(());
    }
    let assignment = read_greeting::<Vec<u8>>(&message);
    let made = match &assignment {
        Ok(assignment) => make(assignment),
        Err(error) => {
            Err(SubsystemError::Protocol { subsystem: "master".to_owned(), reason: error.to_string() })
        }
    };
    write_greeting(&made.as_deref().map(Introduction::of), &mut message)?;
    channel.send(&message, Duration::MAX)?;
    assignment?;
    match made {
        Ok(mut subsystem) => answer_all(subsystem.as_mut(), channel),
        Err(_) => Ok(()),
    }
}

/// Whether there is a message; `false` where the other end has closed the channel.
fn has_come(received: Result<(), TransportError>) -> Result<bool, TransportError> {
    match received {
        Err(TransportError::Ended) => Ok(false),
        received => received.map(|()| true),
    }
}

fn answer_all(subsystem: &mut dyn Subsystem, channel: &mut impl Channel) -> Result<(), TransportError> {
    let (mut far, mut message) = (FarEnd::default(), Vec::new());
    channel.expect_at_most(longest_request(subsystem));
    while has_come(channel.receive(&mut message, Duration::MAX))? {
        let answered = catch_unwind(AssertUnwindSafe(|| far.answer(subsystem, &mut message)));
        let panic = match answered {
            Ok(answered) => {
                answered?;
                None
            }
            Err(panic) => {
                let text = text_of(panic.as_ref()).to_owned();
                let name = subsystem.description().name.clone();
                FarEnd::refuse(
                    SubsystemError::Panicked { subsystem: name, message: text.clone() },
                    &mut message,
                )?;
                Some(text)
            }
        };
        channel.send(&message, Duration::MAX)?;
        if let Some(text) = panic {
            return Err(TransportError::Disconnected(format!("the subsystem panicked: {text}")));
        }
    }
    Ok(())
}
