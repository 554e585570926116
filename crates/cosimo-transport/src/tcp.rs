//! Subsystems on other machines, over TCP.

use std::io::{self, ErrorKind};
use std::net::{TcpStream, ToSocketAddrs};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::channel::Channel;
use crate::exchange::ChannelSubsystem;
use crate::reach::{Address, Remote};
use crate::stream::{Framed, Key, Socket};
use crate::transport::TransportError;

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

/// The address `host:port` of a server, and the key that both ends have.
#[derive(Debug, Clone)]
pub struct TcpAddress {
    address: String,
    key: Key,
}

impl Address for TcpAddress {
    type Channel = TcpChannel;

    fn await_server(&self, deadline: Duration) -> Result<TcpChannel, TransportError> {
        let since = Instant::now();
        loop {
            match self.dial(deadline) {
                Err(TransportError::Disconnected(_)) if since.elapsed() + BETWEEN < deadline => {
                    sleep(BETWEEN);
                }
                dialled => return dialled,
            }
        }
    }

    fn dial(&self, deadline: Duration) -> Result<TcpChannel, TransportError> {
        TcpChannel::connect(&self.address, &self.key, deadline)
    }
}

impl Remote<TcpAddress> {
    /// The subsystem at an address `host:port`, without a key. Errors before it is known name it `name`.
    #[must_use]
    pub fn new(name: &str, address: &str) -> Self {
        Self::at(name, TcpAddress { address: address.to_owned(), key: Key::NONE })
    }

    /// With the key of the server.
    #[must_use]
    pub fn key(mut self, key: Key) -> Self {
        self.address.key = key;
        self
    }
}
