//! What of a model is open: ports and inputs that others can join.

use super::ModelSpec;
use crate::spec::{PortShape, SignalShape};

impl ModelSpec {
    /// The ports that give motion and are joined to nothing, each with the name of its subsystem.
    #[must_use]
    pub fn open_ports(&self) -> Vec<(String, PortShape)> {
        let is_joined = |subsystem: usize, port: usize| {
            let mut all = self.interfaces.iter().flat_map(|interface| interface.between);
            all.any(|own| own.subsystem == subsystem && own.port == port)
        };
        let of = self.subsystems.iter().enumerate().flat_map(|(i, own)| {
            let ports = own.kind.ports().into_iter().enumerate();
            let open = ports.filter(move |(k, shape)| !shape.is_load && !is_joined(i, *k));
            open.map(|(_, shape)| (own.name.clone(), shape))
        });
        of.collect()
    }

    /// The inputs that nothing is connected to, each with the name of its subsystem.
    #[must_use]
    pub fn open_inputs(&self) -> Vec<(String, SignalShape)> {
        let of = self
            .subsystems
            .iter()
            .flat_map(|own| own.kind.inputs().into_iter().map(|input| (own.name.clone(), input)));
        let is_fed = |owner: &str, input: &SignalShape| {
            let path = format!("{owner}.{}", input.name);
            self.connections.iter().any(|connection| connection.to == path)
        };
        of.filter(|(owner, input)| !is_fed(owner, input)).collect()
    }
}
