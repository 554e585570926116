//! Subsystems on other machines, over TCP.

use std::io::{self, ErrorKind};
use std::net::{TcpStream, ToSocketAddrs};
use std::thread::sleep;
use std::time::{Duration, Instant};

use cosimo_subsystem::SubsystemError;

use crate::channel::Channel;
use crate::exchange::{ChannelSubsystem, Greeting};
use crate::recovery::OnLoss;
use crate::stream::{Framed, Key, Socket};
use crate::transport::{DEADLINE, TransportError};

/// A subsystem that a [`Server`](crate::Server) offers.
pub type TcpSubsystem = ChannelSubsystem<TcpChannel>;

/// Longest wait for a connection.
const CONNECTING: Duration = Duration::from_secs(5);

/// Wait between two attempts to reach a server that is not there yet.
const BETWEEN: Duration = Duration::from_millis(50);

/// Messages over a connection.
#[derive(Debug)]
pub struct TcpChannel(Framed<Socket>);

impl TcpChannel {
    /// Connects to a server.
    ///
    /// # Errors
    /// [`TransportError::Disconnected`]: there is no such server.
    pub fn connect(address: &str, key: &Key, deadline: Duration) -> Result<Self, TransportError> {
        let stream = connect(address, deadline.min(CONNECTING)).and_then(Socket::new);
        let stream = stream.map_err(|error| {
            TransportError::Disconnected(format!("`{address}` cannot be reached: {error}"))
        })?;
        Framed::master(stream, key, deadline).map(Self)
    }

    /// The server's end of a connection, once both ends have shown their keys.
    pub(crate) fn accept(stream: TcpStream, key: &Key, deadline: Duration) -> Result<Self, TransportError> {
        let stream = Socket::new(stream).map_err(|error| TransportError::Disconnected(error.to_string()))?;
        let mut framed = Framed::server(stream, key);
        framed.open(deadline).map(|()| Self(framed))
    }
}

/// The first of the addresses of a name that answers.
fn connect(address: &str, wait: Duration) -> io::Result<TcpStream> {
    let mut last = io::Error::new(ErrorKind::NotFound, "it has no address");
    for address in address.to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, wait) {
            Ok(stream) => return Ok(stream),
            Err(error) => last = error,
        }
    }
    Err(last)
}

impl Channel for TcpChannel {
    fn send(&mut self, message: &[u8], deadline: Duration) -> Result<(), TransportError> {
        self.0.send(message, deadline)
    }

    fn receive(&mut self, message: &mut Vec<u8>, deadline: Duration) -> Result<(), TransportError> {
        self.0.receive(message, deadline)
    }

    fn expect_at_most(&mut self, length: usize) {
        self.0.expect_at_most(length);
    }
}

/// A subsystem on another machine that is to be reached.
///
/// ```
/// use cosimo_subsystem::Subsystem;
/// use cosimo_subsystem::conformance::TwoMasses;
/// use cosimo_transport::{Key, Remote, Server};
///
/// let server = Server::bind("127.0.0.1:0", Key::NONE)?;
/// let address = server.address().to_string();
/// std::thread::spawn(move || server.serve(|_| Ok(Box::new(TwoMasses::default()))));
/// let masses = Remote::new("masses", &address).connect()?;
/// assert_eq!(masses.description().rows(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Remote {
    name: String,
    address: String,
    key: Key,
    deadline: Duration,
    on_loss: OnLoss,
    assignment: Vec<u8>,
}

impl Remote {
    /// The subsystem at an address `host:port`. Errors before it is known name it `name`.
    #[must_use]
    pub fn new(name: &str, address: &str) -> Self {
        Self {
            name: name.to_owned(),
            address: address.to_owned(),
            key: Key::NONE,
            deadline: DEADLINE,
            on_loss: OnLoss::Stop,
            assignment: Vec::new(),
        }
    }

    /// With the key of the server.
    #[must_use]
    pub fn key(self, key: Key) -> Self {
        Self { key, ..self }
    }

    /// Every answer may take so long; so long is waited for the server too. Default: [`DEADLINE`].
    #[must_use]
    pub fn deadline(self, deadline: Duration) -> Self {
        Self { deadline, ..self }
    }

    /// What becomes of the run where it is lost. Default: it stops.
    #[must_use]
    pub fn on_loss(self, on_loss: OnLoss) -> Self {
        Self { on_loss, ..self }
    }

    /// With what the server is to make its subsystem of.
    #[must_use]
    pub fn assignment(self, assignment: Vec<u8>) -> Self {
        Self { assignment, ..self }
    }

    /// Connects and greets it, and waits for the answer.
    ///
    /// # Errors
    /// As [`Greeting::finish`], and [`SubsystemError::Disconnected`] where there is no server.
    pub fn connect(self) -> Result<TcpSubsystem, SubsystemError> {
        self.greet()?.finish()
    }

    /// Connects, and waits for nothing else: several are greeted side by side.
    ///
    /// # Errors
    /// [`SubsystemError::Disconnected`]: there is no server.
    pub fn greet(self) -> Result<Greeting<TcpChannel>, SubsystemError> {
        let Self { name, address, key, deadline, on_loss, assignment } = self;
        let dial = move |deadline| TcpChannel::connect(&address, &key, deadline);
        let channel = await_server(&dial, deadline).map_err(|error| error.of(&name, "hello", deadline))?;
        let greeting = Greeting::new(&name, channel, assignment, deadline);
        Ok(match on_loss {
            OnLoss::Stop => greeting,
            OnLoss::Resume(patience) => greeting.resuming(Box::new(dial), patience),
        })
    }
}

/// Dials until a server answers: it may be about to start.
fn await_server<C>(
    dial: impl Fn(Duration) -> Result<C, TransportError>,
    deadline: Duration,
) -> Result<C, TransportError> {
    let since = Instant::now();
    loop {
        match dial(deadline) {
            Err(TransportError::Disconnected(_)) if since.elapsed() + BETWEEN < deadline => sleep(BETWEEN),
            dialled => return dialled,
        }
    }
}
