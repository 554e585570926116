//! The control laws.

use serde::Serialize;

use crate::law::Law;
use crate::{ControlError, Limiter, Pid, StateSpace, TransferFunction};

/// A control law with its parameters.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ControlLaw {
    /// Proportional, integral and derivative.
    Pid(Pid),
    /// A ratio of polynomials.
    TransferFunction(TransferFunction),
    /// Linear equations of states.
    StateSpace(StateSpace),
    /// Bounds.
    Limiter(Limiter),
}

impl ControlLaw {
    /// Names of the inputs.
    ///
    /// # Errors
    /// Parameters that are wrong.
    pub fn inputs(&self) -> Result<Vec<String>, ControlError> {
        Ok(self.compile()?.inputs())
    }

    /// The law at work.
    pub(crate) fn compile(&self) -> Result<Box<dyn Law>, ControlError> {
        match self {
            Self::Pid(pid) => pid.compile(),
            Self::TransferFunction(function) => function.compile(),
            Self::StateSpace(system) => system.compile(),
            Self::Limiter(limiter) => limiter.compile(),
        }
    }
}

macro_rules! laws {
    ($($law:ident),+) => {
        $(impl From<$law> for ControlLaw {
            fn from(law: $law) -> Self {
                Self::$law(law)
            }
        })+
    };
}
laws!(Pid, TransferFunction, StateSpace, Limiter);
