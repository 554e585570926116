//! A network: who offers and who is reached.

use std::thread::{Builder, scope};
use std::time::Duration;

use cosimo_subsystem::{Subsystem, SubsystemError};
use cosimo_transport::{Offering, TransportError};
use zenoh::{Session, Wait};

use crate::channel::ZenohChannel;
use crate::config::Plan;
use crate::desk::Desk;
use crate::error::NetworkError;
use crate::keys::Offer;
use crate::settings::Settings;

/// A place in a network of zenoh. Copies are the same place; it is left when all are dropped, with the subsystems that were reached by it.
#[derive(Debug, Clone)]
pub struct Network {
    session: Session,
    /// An endpoint of another machine that shows no certificate, if there is one.
    unprotected: Option<String>,
}

impl Network {
    /// Listens, and connects to whoever is there already; others are waited for in the background.
    ///
    /// # Errors
    /// [`NetworkError::Unprotected`]: other machines could connect without certificates. [`NetworkError::Endpoint`],
    /// [`NetworkError::File`]: they cannot be used. [`NetworkError::Refused`]: an endpoint to listen at cannot be had.
    pub fn open(settings: &Settings) -> Result<Self, NetworkError> {
        let Plan { config, unprotected } = Plan::of(settings)?;
        let session =
            zenoh::open(config).wait().map_err(NetworkError::refused("the network cannot be joined"))?;
        Ok(Self { session, unprotected })
    }

    /// Answers every master that asks for `key`, one at a time, with a subsystem of its own, made of its assignment, until the network is
    /// [closed](Self::close). A new master takes the place of the one before, which may be gone without a word.
    ///
    /// # Errors
    /// [`NetworkError::Key`]: the key has wildcards, or is none. [`NetworkError::OfferUnprotected`]: it connects to other machines that show
    /// no certificates. [`NetworkError::Refused`].
    pub fn offer(
        &self,
        key: &str,
        make: impl Fn(&[u8]) -> Result<Box<dyn Subsystem>, SubsystemError> + Sync,
    ) -> Result<(), NetworkError> {
        self.offer_checked(key, make)
    }

    /// The same, but masters are checked before: who is refused takes nobody's place.
    ///
    /// # Errors
    /// As [`offer`](Self::offer).
    pub fn offer_checked(&self, key: &str, offering: impl Offering + Sync) -> Result<(), NetworkError> {
        let offer = Offer::read(key)?;
        if let Some(endpoint) = &self.unprotected {
            return Err(NetworkError::OfferUnprotected { endpoint: endpoint.clone() });
        }
        let desk = Desk::open(&self.session, offer)?;
        scope(|threads| {
            let receiving = Builder::new().name(format!("masters of {key}"));
            receiving
                .spawn_scoped(threads, || desk.receive(&offering))
                .map_err(|error| NetworkError::refused("masters cannot be received")(error.into()))?;
            while let Some(greeted) = desk.next() {
                if let Err(error) = greeted.serve(&offering) {
                    tracing::warn!("a session of `{key}` has ended: {error}");
                }
            }
            Ok(())
        })
    }

    /// Opens a session with the server that offers `key`, which is waited for at most for `deadline`:
    /// [`remote`](Self::remote) makes a subsystem of it.
    ///
    /// # Errors
    /// [`TransportError::Disconnected`]: nobody offers it. [`TransportError::Protocol`]: several do.
    pub fn channel(&self, key: &str, deadline: Duration) -> Result<ZenohChannel, TransportError> {
        ZenohChannel::connect(&self.session, &Offer::read(key)?, deadline)
    }

    /// Leaves the network; offers end, and whoever was reached is lost.
    ///
    /// # Errors
    /// [`NetworkError::Refused`].
    pub fn close(&self) -> Result<(), NetworkError> {
        self.session.close().wait().map_err(NetworkError::refused("the network cannot be left"))
    }

    pub(crate) fn session(&self) -> &Session {
        &self.session
    }
}
