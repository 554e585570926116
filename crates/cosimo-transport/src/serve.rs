//! The subsystem's end of a pair of streams.

use std::io::{BufReader, BufWriter, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use cosimo_subsystem::{Subsystem, SubsystemError};

use crate::frame::{read_frame, write_frame};
use crate::introduction::Introduction;
use crate::protocol::{FarEnd, read_greeting, write_greeting};
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
    reader: impl Read,
    writer: impl Write,
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
    reader: impl Read,
    writer: impl Write,
) -> Result<(), TransportError> {
    let (mut reader, mut writer) = (BufReader::new(reader), BufWriter::new(writer));
    let mut message = Vec::new();
    if !read_frame(&mut reader, &mut message)? {
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
    write_frame(&mut writer, &message)?;
    assignment?;
    match made {
        Ok(mut subsystem) => answer_all(subsystem.as_mut(), &mut reader, &mut writer),
        Err(_) => Ok(()),
    }
}

fn answer_all(
    subsystem: &mut dyn Subsystem,
    reader: &mut impl Read,
    writer: &mut impl Write,
) -> Result<(), TransportError> {
    let (mut far, mut message) = (FarEnd::default(), Vec::new());
    while read_frame(reader, &mut message)? {
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
        write_frame(writer, &message)?;
        if let Some(text) = panic {
            return Err(TransportError::Disconnected(format!("the subsystem panicked: {text}")));
        }
    }
    Ok(())
}
