//! Offers a subsystem to masters on other machines, over TCP.

use std::io::{self, ErrorKind};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread::{Builder, Scope, scope};
use std::time::Duration;

use cosimo_subsystem::{Subsystem, SubsystemError};

use crate::offering::Offering;
use crate::serve::Greeted;
use crate::stream::Key;
use crate::tcp::TcpChannel;
use crate::transport::TransportError;

/// How long a master may take to show that it has the key, and then to say which subsystem it wants.
const GREETING: Duration = Duration::from_secs(5);
const WISH: Duration = Duration::from_secs(5);

/// Connections at most that have not yet shown a key and said what they want.
const STRANGERS: usize = 64;

/// Waits for masters at an address, and answers one at a time. A new master that has the key, and is not refused, takes the place of the one
/// before, which may be gone without a word.
///
/// Without a key it listens on the loopback address only.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    key: Key,
}

/// What the threads of a server share.
struct Desk<'s, O> {
    key: &'s Key,
    offering: O,
    strangers: AtomicUsize,
    /// Held while a greeting is read: one at a time, so that strangers do not fill the memory.
    reception: Mutex<()>,
    /// The connection that is answered.
    present: Mutex<Option<TcpStream>>,
    /// Held by the thread that answers.
    turn: Mutex<()>,
}

impl Server {
    /// Listens at an address `host:port`; port 0 takes one that is free.
    ///
    /// # Errors
    /// The address cannot be had, or is not loopback and there is no key.
    pub fn bind(address: impl ToSocketAddrs, key: Key) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        if !key.is_secret() && !address.ip().is_loopback() {
            let reason = format!("without a key it listens on the loopback address only, not at {address}");
            return Err(io::Error::new(ErrorKind::InvalidInput, reason));
        }
        Ok(Self { listener, address, key })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers every master with a subsystem of its own, made of its assignment, until the process ends.
    ///
    /// # Errors
    /// The system gives no more connections.
    pub fn serve(
        &self,
        make: impl Fn(&[u8]) -> Result<Box<dyn Subsystem>, SubsystemError> + Sync,
    ) -> io::Result<()> {
        self.serve_checked(make)
    }

    /// The same, but masters are checked before: who is refused takes nobody's place.
    ///
    /// # Errors
    /// As [`serve`](Self::serve).
    pub fn serve_checked(&self, offering: impl Offering + Sync) -> io::Result<()> {
        let (present, turn, strangers) = (Mutex::new(None), Mutex::new(()), AtomicUsize::new(0));
        let desk = Desk { key: &self.key, offering, strangers, reception: Mutex::new(()), present, turn };
        scope(|threads| {
            loop {
                match self.listener.accept() {
                    Ok((stream, from)) => desk.receive(threads, stream, from)?,
                    // Of one connection, or of a moment.
                    Err(error) if is_passing(&error) => {}
                    Err(error) => return Err(error),
                }
            }
        })
    }
}

fn is_passing(error: &io::Error) -> bool {
    use ErrorKind::{ConnectionAborted, ConnectionReset, Interrupted, WouldBlock};
    matches!(error.kind(), ConnectionAborted | ConnectionReset | Interrupted | WouldBlock)
}

impl<O: Offering + Sync> Desk<'_, O> {
    /// Receives whoever has connected, in a thread of its own.
    fn receive<'scope>(
        &'scope self,
        threads: &'scope Scope<'scope, '_>,
        stream: TcpStream,
        from: SocketAddr,
    ) -> io::Result<()> {
        if self.strangers.fetch_add(1, Ordering::AcqRel) >= STRANGERS {
            self.strangers.fetch_sub(1, Ordering::AcqRel);
            return Ok(());
        }
        let answer = move || {
            if let Err(error) = self.answer(stream) {
                tracing::warn!("a connection from {from} has ended: {error}");
            }
        };
        Builder::new().name(format!("from {from}")).spawn_scoped(threads, answer).map(drop)
    }

    fn answer(&self, stream: TcpStream) -> Result<(), TransportError> {
        let (copy, end) = (stream.try_clone(), stream.try_clone());
        let accepted = TcpChannel::accept(stream, self.key, GREETING);
        let greeted = accepted.and_then(|channel| {
            let _reception = self.reception.lock().unwrap_or_else(PoisonError::into_inner);
            Greeted::receive(&self.offering, channel, WISH)
        });
        self.strangers.fetch_sub(1, Ordering::AcqRel);
        let (greeted, copy) = match (greeted, copy) {
            // Somebody has looked whether the port is open, or was refused.
            (Err(TransportError::Ended) | Ok(None), _) => return Ok(()),
            (Err(error), _) => return Err(error),
            (Ok(_), Err(error)) => return Err(TransportError::Disconnected(error.to_string())),
            (Ok(Some(greeted)), Ok(copy)) => (greeted, copy),
        };
        let before = self.present.lock().unwrap_or_else(PoisonError::into_inner).replace(copy);
        if let Some(before) = before {
            // It may be closed already.
            let _ = before.shutdown(Shutdown::Both);
        }
        let _turn = self.turn.lock().unwrap_or_else(PoisonError::into_inner);
        let served = greeted.serve(&self.offering);
        // The copy above would keep it open, and the master waiting.
        if let Ok(end) = end {
            let _ = end.shutdown(Shutdown::Both);
        }
        served
    }
}
