//! `kind = "force-law"`: a law with load ports, which takes motion and answers with loads.

pub(crate) mod read;

use cosimo_native::{BoucWen, ForceElement, ForceLaw, QuadraticDrag, SpringDamper};
use cosimo_subsystem::Subsystem;
use serde::Serialize;

use super::Kind;
use crate::build_error::BuildError;
use crate::kinds::Frame;
use crate::spec::{PortShape, QuantityName, QuantityRole, quantity};

/// Name of the kind in the file.
pub(crate) const NAME: &str = "force-law";

/// A force law behind load ports.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "law", rename_all = "kebab-case")]
pub enum ForceLawSpec {
    /// Drag in a medium at rest, on the load port `body`.
    QuadraticDrag(QuadraticDrag),
    /// A linear spring and damper between the load ports `a` and `b`.
    SpringDamper(SpringDamper),
    /// Hysteresis after Bouc and Wen between the load ports `a` and `b`.
    BoucWen(BoucWen),
}

impl ForceLawSpec {
    fn law(&self) -> Box<dyn ForceLaw> {
        match self {
            Self::QuadraticDrag(law) => Box::new(law.clone()),
            Self::SpringDamper(law) => Box::new(law.clone()),
            Self::BoucWen(law) => Box::new(law.clone()),
        }
    }
}

impl Kind for ForceLawSpec {
    fn name(&self) -> &'static str {
        NAME
    }

    fn ports(&self) -> Vec<PortShape> {
        let shape = |port: cosimo_subsystem::PortSpec| PortShape {
            is_frame: port.is_frame,
            is_load: true,
            ..PortShape::new(port.name, port.size)
        };
        self.law().ports().into_iter().map(shape).collect()
    }

    fn has_contacts(&self) -> bool {
        false
    }

    fn own_rule(&self) -> Option<&'static str> {
        Some("steps its states by a trapezoidal rule of its own")
    }

    fn quantities(&self) -> Vec<QuantityName> {
        let law = self.law();
        let ports = law.ports();
        let loads = ports.iter().flat_map(|port| {
            (0..port.size).map(move |k| match port.size {
                1 => format!("{}.load", port.name),
                _ => format!("{}.load_{k}", port.name),
            })
        });
        let loads = loads.map(|name| quantity(name, "N", QuantityRole::Force)).collect::<Vec<_>>();
        let states =
            law.states().into_iter().map(|(name, unit)| quantity(name, unit, QuantityRole::Position));
        loads.into_iter().chain(states).collect()
    }

    fn build(&self, frame: &Frame<'_>) -> Result<Box<dyn Subsystem>, BuildError> {
        Ok(Box::new(ForceElement::new(frame.name, self.law())))
    }
}
