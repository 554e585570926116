//! The transport over a pair of streams of bytes.

use std::io::{BufReader, BufWriter, Read, Write};
use std::time::Duration;

use cosimo_subsystem::SubsystemError;
use crossbeam_channel::{Receiver, Sender, bounded};

use crate::cost::CarrierCost;
use crate::fit::present_fits;
use crate::frame::{read_frame, write_frame};
use crate::introduction::Introduction;
use crate::message::Request;
use crate::protocol::{NearEnd, read_greeting, write_greeting};
use crate::remote::RemoteSubsystem;
use crate::reply::Reply;
use crate::storage::Storage;
use crate::thread::ThreadTransport;
use crate::transport::{Transport, TransportError, wait};

/// A subsystem at the other end of a pair of streams, such as a socket, where [`serve`](crate::serve) answers.
pub type StreamSubsystem = RemoteSubsystem<StreamTransport>;

impl StreamSubsystem {
    /// Greets the other end of these streams; every answer, that to the greeting included, may take `deadline`. Errors
    /// before the subsystem is known name it `name`.
    ///
    /// # Errors
    /// [`SubsystemError::Protocol`]: the other end speaks another version, or no protocol. [`SubsystemError::TimedOut`],
    /// [`SubsystemError::Disconnected`]; and the errors of the other end.
    pub fn connect(
        name: &str,
        reader: impl Read + Send + 'static,
        writer: impl Write + Send + 'static,
        deadline: Duration,
    ) -> Result<Self, SubsystemError> {
        let mut transport = StreamTransport::open(name, reader, writer, Vec::new())
            .map_err(|error| error.of(name, "hello", deadline))?;
        let introduced =
            transport.introduction(deadline).map_err(|error| error.of(name, "hello", deadline))?;
        Ok(Self::over(transport, introduced?, deadline))
    }
}

/// Messages as bytes over a pair of streams. A thread writes and reads them, so that nobody waits longer than until the
/// deadline.
#[derive(Debug)]
pub struct StreamTransport {
    carrier: ThreadTransport,
    introduced: Receiver<Result<Introduction, SubsystemError>>,
}

impl StreamTransport {
    /// Starts to greet the other end, with an `assignment` for it.
    pub(crate) fn open(
        name: &str,
        reader: impl Read + Send + 'static,
        writer: impl Write + Send + 'static,
        assignment: Vec<u8>,
    ) -> Result<Self, TransportError> {
        let (introduce, introduced) = bounded(1);
        let carrier = ThreadTransport::spawn(name, move |requests, replies| {
            let mut streams = Streams {
                reader: BufReader::new(reader),
                writer: BufWriter::new(writer),
                message: Vec::new(),
            };
            let greeted = streams.greet(&assignment)?;
            let description = greeted.as_ref().ok().map(|known| known.description.clone());
            // Who does not wait for it any more does not ask either.
            let _ = introduce.send(greeted);
            match description {
                Some(description) => streams.carry(&mut NearEnd::new(description), requests, replies),
                None => Ok(()),
            }
        });
        Ok(Self { carrier: carrier?, introduced })
    }

    /// Waits for the answer to the greeting: the introduction, or why the other end has no subsystem.
    pub(crate) fn introduction(
        &mut self,
        deadline: Duration,
    ) -> Result<Result<Introduction, SubsystemError>, TransportError> {
        wait(&self.introduced, deadline).map_err(|ended| self.carrier.failure(ended))
    }

    /// Closes the streams once the request under way, if any, is answered.
    pub(crate) fn close(&mut self) {
        self.carrier.close();
    }
}

impl Drop for StreamTransport {
    /// Closes the streams, and waits for nobody: an answer may still be due, and never come.
    fn drop(&mut self) {
        self.carrier.detach();
    }
}

impl Transport for StreamTransport {
    fn send(&mut self, request: Request, storage: Storage) -> Result<(), TransportError> {
        self.carrier.send(request, storage)
    }

    fn receive(&mut self, deadline: Duration) -> Result<Reply, TransportError> {
        self.carrier.receive(deadline)
    }
}

/// A pair of streams, and the message on its way.
struct Streams<R, W> {
    reader: R,
    writer: W,
    message: Vec<u8>,
}

impl<R: Read, W: Write> Streams<R, W> {
    /// Greets the other end.
    fn greet(&mut self, assignment: &[u8]) -> Result<Result<Introduction, SubsystemError>, TransportError> {
        write_greeting(&assignment, &mut self.message)?;
        self.exchange()?;
        let greeted: Result<Introduction, SubsystemError> = read_greeting(&self.message)?;
        if let Ok(Introduction { description, present, .. }) = &greeted {
            if let Err(error) = description.validate() {
                return Ok(Err(error));
            }
            if !present_fits(present, description) {
                let reason = "its state does not fit its description";
                return Err(TransportError::Protocol(reason.to_owned()));
            }
        }
        Ok(greeted)
    }

    /// Carries requests and replies until the channel closes.
    fn carry(
        &mut self,
        near: &mut NearEnd,
        requests: &Receiver<(Request, Storage)>,
        replies: &Sender<Reply>,
    ) -> Result<(), TransportError> {
        let mut own = CarrierCost::start();
        for (request, storage) in requests {
            near.write(&request, &mut self.message)?;
            self.exchange()?;
            let (answer, statistics, mut cost) = near.read(&self.message)?;
            let messages = own.count();
            if let Some(cost) = &mut cost {
                cost.messages += messages;
            }
            if replies.send(Reply { request, answer, statistics, cost, storage }).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Sends the message and waits for the answer.
    fn exchange(&mut self) -> Result<(), TransportError> {
        let written = write_frame(&mut self.writer, &self.message);
        // Who does not listen may have said why.
        match (read_frame(&mut self.reader, &mut self.message), written) {
            (Ok(true), _) => Ok(()),
            (Err(error), Ok(())) | (Err(error @ TransportError::Protocol(_)), Err(_)) => Err(error),
            (_, Err(error)) => Err(error),
            (Ok(false), Ok(())) => Err(TransportError::Disconnected("its stream has ended".to_owned())),
        }
    }
}
