//! A subsystem that is offered somewhere and is to be reached.

use std::time::Duration;

use cosimo_subsystem::SubsystemError;
use cosimo_transport::{ChannelSubsystem, DEADLINE, Greeting, OnLoss, TransportError};
use zenoh::Session;

use crate::channel::ZenohChannel;
use crate::keys::Offer;
use crate::network::Network;

/// A subsystem that a [`Network`] offers.
pub type ZenohSubsystem = ChannelSubsystem<ZenohChannel>;

/// How long one attempt looks for a server that was lost.
const ATTEMPT: Duration = Duration::from_millis(500);

/// A subsystem that is offered under a key expression and is to be reached.
#[derive(Debug, Clone)]
pub struct ZenohRemote {
    name: String,
    network: Session,
    key: String,
    deadline: Duration,
    on_loss: OnLoss,
    assignment: Vec<u8>,
}

impl ZenohRemote {
    /// The subsystem that is offered under `key`, without wildcards. Errors before it is known name it `name`.
    #[must_use]
    pub fn new(name: &str, network: &Network, key: &str) -> Self {
        Self {
            name: name.to_owned(),
            network: network.session().clone(),
            key: key.to_owned(),
            deadline: DEADLINE,
            on_loss: OnLoss::Stop,
            assignment: Vec::new(),
        }
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

    /// Finds and greets it, and waits for the answer.
    ///
    /// # Errors
    /// As [`Greeting::finish`]; [`SubsystemError::Disconnected`] where nobody offers it, [`SubsystemError::Protocol`] where several do.
    pub fn connect(self) -> Result<ZenohSubsystem, SubsystemError> {
        self.greet()?.finish()
    }

    /// Finds it, and waits for nothing else: several are greeted side by side.
    ///
    /// # Errors
    /// [`SubsystemError::Disconnected`] where nobody offers it, [`SubsystemError::Protocol`] where several do.
    pub fn greet(self) -> Result<Greeting<ZenohChannel>, SubsystemError> {
        let offer = Offer::read(&self.key).map_err(|error| self.refused(error.into()))?;
        let channel = ZenohChannel::connect(&self.network, &offer, self.deadline);
        let channel = channel.map_err(|error| self.refused(error))?;
        let greeting = Greeting::new(&self.name, channel, self.assignment, self.deadline);
        let OnLoss::Resume(patience) = self.on_loss else { return Ok(greeting) };
        let network = self.network;
        let dial = move |deadline: Duration| ZenohChannel::connect(&network, &offer, deadline.min(ATTEMPT));
        Ok(greeting.resuming(Box::new(dial), patience))
    }

    fn refused(&self, error: TransportError) -> SubsystemError {
        let subsystem = self.name.clone();
        let reason = format!("`{}`: {error}", self.key);
        match error {
            TransportError::Protocol(_) => SubsystemError::Protocol { subsystem, reason },
            _ => SubsystemError::Disconnected { subsystem, reason },
        }
    }
}
