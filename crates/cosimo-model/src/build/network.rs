//! The networks in which subsystems are reached: one for all that connect and listen alike.

use cosimo_transport::Pending;

use crate::build_error::BuildError;
use crate::model::{ModelSpec, SubsystemSpec};
use crate::spec::RemoteSpec;

/// The networks that were joined.
#[derive(Default)]
pub(super) struct Networks {
    #[cfg(feature = "zenoh")]
    joined: Vec<(cosimo_zenoh::Settings, cosimo_zenoh::Network)>,
}

#[cfg(feature = "zenoh")]
impl Networks {
    /// Greets a subsystem that is offered under a key.
    pub(super) fn reach(
        &mut self,
        model: &ModelSpec,
        subsystem: &SubsystemSpec,
        remote: &RemoteSpec,
    ) -> Result<Box<dyn Pending>, BuildError> {
        let RemoteSpec::Zenoh { zenoh, connect, listen, config } = remote else {
            return Err(BuildError::NoZenoh { subsystem: subsystem.name.clone() });
        };
        let mut settings = cosimo_zenoh::Settings::new();
        settings = connect.iter().fold(settings, |own, endpoint| own.connect(endpoint));
        settings = listen.iter().fold(settings, |own, endpoint| own.listen(endpoint));
        if let Some(file) = config {
            settings = settings.file(file);
        }
        let network = self.network(&subsystem.name, settings)?;
        let remote = network
            .remote(&subsystem.name, zenoh)
            .deadline(model.placement.deadline())
            .on_loss(model.placement.on_loss())
            .assignment(model.assignment_elsewhere(subsystem).map_err(BuildError::Remote)?);
        Ok(Box::new(remote.greet().map_err(BuildError::Remote)?))
    }

    /// The network of these settings.
    fn network(
        &mut self,
        subsystem: &str,
        settings: cosimo_zenoh::Settings,
    ) -> Result<cosimo_zenoh::Network, BuildError> {
        if let Some((_, network)) = self.joined.iter().find(|(own, _)| *own == settings) {
            return Ok(network.clone());
        }
        let network = cosimo_zenoh::Network::open(&settings).map_err(|error| {
            BuildError::Remote(cosimo_subsystem::SubsystemError::Protocol {
                subsystem: subsystem.to_owned(),
                reason: cosimo_subsystem::SubsystemError::chain(&error),
            })
        })?;
        self.joined.push((settings, network.clone()));
        Ok(network)
    }
}

#[cfg(not(feature = "zenoh"))]
impl Networks {
    /// Refuses it: this program was built without zenoh.
    #[expect(clippy::unused_self, clippy::needless_pass_by_ref_mut, reason = "as with zenoh")]
    pub(super) fn reach(
        &mut self,
        _model: &ModelSpec,
        subsystem: &SubsystemSpec,
        _remote: &RemoteSpec,
    ) -> Result<Box<dyn Pending>, BuildError> {
        Err(BuildError::NoZenoh { subsystem: subsystem.name.clone() })
    }
}
