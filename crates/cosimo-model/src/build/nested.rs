//! A model as another one sees it.

use std::path::PathBuf;

use cosimo_fmi::description::InnerImpacts;
use cosimo_master::{Assembly, Impacts, MasterConfig};

use crate::build_error::BuildError;
use crate::kinds::coupled_model::CoupledModel;
use crate::model::ModelSpec;
use crate::spec::{PortShape, QuantityName, SignalShape};

impl ModelSpec {
    /// Its subsystems, interfaces and connections, with no port open.
    ///
    /// # Errors
    /// As [`build_subsystems`](Self::build_subsystems).
    pub fn build_assembly(&self) -> Result<Assembly, BuildError> {
        Ok(Assembly {
            subsystems: self.build_subsystems()?,
            interfaces: self.build_interfaces(),
            connections: self.build_connections(),
            ..Assembly::default()
        })
    }

    /// What impacts inside the model are to others.
    fn inner_impacts(&self) -> Option<InnerImpacts> {
        let captures = matches!(self.master.impacts, Impacts::Plain { .. });
        let has_contacts = self.subsystems.iter().any(|own| own.kind.has_contacts());
        has_contacts.then_some(if captures { InnerImpacts::Captured } else { InnerImpacts::AtInstants })
    }
}

impl CoupledModel for ModelSpec {
    fn ports(&self) -> Vec<PortShape> {
        let kept = self.inner_impacts();
        let led = |(owner, shape): (String, PortShape)| PortShape {
            name: format!("{owner}.{}", shape.name),
            kept_impacts: shape.kept_impacts.or(kept),
            ..shape
        };
        self.open_ports().into_iter().map(led).collect()
    }

    fn named_ports(&self) -> Option<Vec<String>> {
        self.export.as_ref().and_then(|export| export.ports.clone())
    }

    fn inputs(&self) -> Vec<SignalShape> {
        let led = |(owner, input): (String, SignalShape)| SignalShape {
            name: format!("{owner}.{}", input.name),
            ..input
        };
        self.open_inputs().into_iter().map(led).collect()
    }

    fn outputs(&self) -> Vec<SignalShape> {
        let of = self.subsystems.iter().flat_map(|own| {
            let led =
                |output: SignalShape| SignalShape { name: format!("{}.{}", own.name, output.name), ..output };
            own.kind.outputs().into_iter().map(led).collect::<Vec<_>>()
        });
        of.collect()
    }

    fn quantities(&self) -> Vec<QuantityName> {
        Self::quantities(self)
    }

    fn single_units(&self) -> Vec<PathBuf> {
        self.subsystems.iter().flat_map(|own| own.kind.as_kind().single_units()).collect()
    }

    fn parts(&self, start: f64, step: f64) -> Result<(Assembly, MasterConfig), BuildError> {
        let mut own = self.clone();
        let length = own.time.end - own.time.start;
        (own.time.start, own.time.end, own.time.step) = (start, start + length.max(step), step);
        Ok((own.build_assembly()?, own.build_config()))
    }
}
