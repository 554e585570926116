//! A subsystem that is offered somewhere and is to be reached.

use std::time::Duration;

use cosimo_transport::{Address, ChannelSubsystem, Remote, TransportError};
use zenoh::Session;

use crate::channel::ZenohChannel;
use crate::keys::Offer;
use crate::network::Network;

/// A subsystem that a [`Network`] offers and that is to be reached, see [`Network::remote`].
pub type ZenohRemote = Remote<OfferedAt>;

/// A subsystem that a [`Network`] offers.
pub type ZenohSubsystem = ChannelSubsystem<ZenohChannel>;

/// How long one attempt looks for a server that was lost.
const ATTEMPT: Duration = Duration::from_millis(500);

/// The key expression under which a subsystem is offered, and the network where it is.
#[derive(Debug, Clone)]
pub struct OfferedAt {
    network: Session,
    key: String,
}

impl Network {
    /// The subsystem that is offered under `key`, without wildcards. Errors before it is known name it `name`.
    #[must_use]
    pub fn remote(&self, name: &str, key: &str) -> ZenohRemote {
        Remote::at(name, OfferedAt { network: self.session().clone(), key: key.to_owned() })
    }
}

impl OfferedAt {
    /// The error with the key.
    fn explain(&self, error: &TransportError) -> TransportError {
        let reason = format!("`{}`: {error}", self.key);
        match error {
            TransportError::Protocol(_) => TransportError::Protocol(reason),
            _ => TransportError::Disconnected(reason),
        }
    }
}

impl Address for OfferedAt {
    type Channel = ZenohChannel;

    /// [`TransportError::Protocol`] where several offer it.
    fn await_server(&self, deadline: Duration) -> Result<ZenohChannel, TransportError> {
        let offer = Offer::read(&self.key).map_err(|error| self.explain(&error.into()))?;
        ZenohChannel::connect(&self.network, &offer, deadline).map_err(|error| self.explain(&error))
    }

    fn dial(&self, deadline: Duration) -> Result<ZenohChannel, TransportError> {
        self.await_server(deadline.min(ATTEMPT))
    }
}
