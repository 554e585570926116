//! A subsystem elsewhere that is to be reached.

use std::time::Duration;

use cosimo_subsystem::SubsystemError;

use crate::channel::Channel;
use crate::exchange::{ChannelSubsystem, Greeting};
use crate::recovery::OnLoss;
use crate::transport::{DEADLINE, TransportError};

/// Where a server is.
pub trait Address: Send + 'static {
    /// What goes to and fro.
    type Channel: Channel;

    /// Connects to a server that may be about to start: it is waited for, at most for `deadline`.
    ///
    /// # Errors
    /// [`TransportError::Disconnected`]: there is no such server.
    fn await_server(&self, deadline: Duration) -> Result<Self::Channel, TransportError>;

    /// One attempt to connect to a server that was lost.
    ///
    /// # Errors
    /// As [`await_server`](Self::await_server).
    fn dial(&self, deadline: Duration) -> Result<Self::Channel, TransportError>;
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
pub struct Remote<A> {
    name: String,
    pub(crate) address: A,
    deadline: Duration,
    on_loss: OnLoss,
    assignment: Vec<u8>,
}

impl<A: Address> Remote<A> {
    /// The subsystem at an address. Errors before it is known name it `name`.
    #[must_use]
    pub fn at(name: &str, address: A) -> Self {
        let name = name.to_owned();
        Self { name, address, deadline: DEADLINE, on_loss: OnLoss::Stop, assignment: Vec::new() }
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
    pub fn connect(self) -> Result<ChannelSubsystem<A::Channel>, SubsystemError> {
        self.greet()?.finish()
    }

    /// Connects, and waits for nothing else: several are greeted side by side.
    ///
    /// # Errors
    /// [`SubsystemError::Disconnected`] where there is no server, [`SubsystemError::Protocol`] where it is another one.
    pub fn greet(self) -> Result<Greeting<A::Channel>, SubsystemError> {
        let Self { name, address, deadline, on_loss, assignment } = self;
        let channel = address.await_server(deadline).map_err(|error| error.of(&name, "hello", deadline))?;
        let greeting = Greeting::new(&name, channel, assignment, deadline);
        Ok(greeting.on_loss(on_loss, move |deadline| address.dial(deadline)))
    }
}
