//! `kind = "rotor-aerodynamics"`: the air on the blades of a rotor, behind load ports.

mod complete;
pub(crate) mod read;

use cosimo_aerodynamics::RotorAerodynamics;
use cosimo_aerodynamics::rotor::Rotor;
use cosimo_aerodynamics::spec::{RotorSpec, SpecError};
use cosimo_subsystem::{PortSpec, Subsystem};
use serde::Serialize;

use super::Kind;
use crate::build_error::BuildError;
use crate::kinds::Frame;
use crate::spec::{PortShape, QuantityName, QuantityRole, quantity};

/// Name of the kind in the file.
pub(crate) const NAME: &str = "rotor-aerodynamics";

/// The air on a rotor. Its load ports are the frame of the hub and those along every blade.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RotorAerodynamicsSpec {
    #[serde(flatten)]
    rotor: RotorSpec,
    #[serde(skip)]
    ports: Vec<String>,
    #[serde(skip)]
    quantities: Vec<QuantityName>,
}

impl RotorAerodynamicsSpec {
    /// The air on this rotor.
    ///
    /// # Errors
    /// The first rule that the rotor breaks.
    pub fn new(rotor: RotorSpec) -> Result<Self, SpecError> {
        let built = RotorAerodynamics::new(NAME, &rotor)?;
        let description = built.description();
        let ports = description.load_ports.iter().map(|port: &PortSpec| port.name.clone()).collect();
        let quantities = shown(built.rotor(), "", rotor.records_sections);
        Ok(Self { rotor, ports, quantities })
    }

    /// What cannot be built: its ports are not known.
    pub(super) fn broken(rotor: RotorSpec) -> Self {
        Self { rotor, ports: Vec::new(), quantities: Vec::new() }
    }

    /// The rotor.
    #[must_use]
    pub fn rotor(&self) -> &RotorSpec {
        &self.rotor
    }
}

/// What is recorded of a rotor, behind a prefix.
pub(crate) fn shown(rotor: &Rotor, prefix: &str, with_sections: bool) -> Vec<QuantityName> {
    let role = |unit: &str| if unit == "N" { QuantityRole::Force } else { QuantityRole::Velocity };
    let all = rotor.quantities(with_sections).into_iter();
    all.map(|own| quantity(format!("{prefix}{}", own.name), own.unit, role(own.unit))).collect()
}

impl Kind for RotorAerodynamicsSpec {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ports(&self) -> Vec<PortShape> {
        let shape = |name: &String| PortShape { is_frame: true, is_load: true, ..PortShape::new(name, 6) };
        self.ports.iter().map(shape).collect()
    }

    fn has_contacts(&self) -> bool {
        false
    }

    fn own_rule(&self) -> Option<&'static str> {
        Some("steps its states by a trapezoidal rule of its own")
    }

    fn quantities(&self) -> Vec<QuantityName> {
        self.quantities.clone()
    }

    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError> {
        let built = RotorAerodynamics::new(frame.name, &self.rotor);
        Ok(Box::new(built.map_err(BuildError::part(frame.name))?))
    }
}
