//! What a control of the step needs of the subsystems.

use cosimo_subsystem::Subsystem;

use crate::execution::coupling_mode::CouplingMode;
use crate::{Coupling, MasterConfig, SetupError, StepControl};

/// Refuses a control by error where a subsystem cannot take a step back, or not another one.
pub(crate) fn check_subsystems(
    config: &MasterConfig,
    subsystems: &[Box<dyn Subsystem>],
    modes: &[CouplingMode],
) -> Result<(), SetupError> {
    if config.step_control != StepControl::Error {
        return Ok(());
    }
    let lack = |subsystem: &dyn Subsystem, mode: CouplingMode| {
        let description = subsystem.description();
        let capabilities = description.capabilities;
        if mode == CouplingMode::Explicit && config.coupling(&description.name) == Coupling::Explicit {
            Some(
                "is coupled explicitly, which tries no step before it is taken; use coupling = \"auto\" for it",
            )
        } else if mode == CouplingMode::Explicit || !capabilities.can_roll_back {
            Some("cannot take a step back (no roll-back)")
        } else if !capabilities.has_variable_step {
            Some("has a fixed step")
        } else {
            None
        }
    };
    let found = subsystems.iter().zip(modes).find_map(|(s, mode)| Some((s, lack(s.as_ref(), *mode)?)));
    match found {
        None => Ok(()),
        Some((subsystem, lack)) => {
            Err(SetupError::StepControl { subsystem: subsystem.description().name.clone(), lack })
        }
    }
}
