//! Events and the modes around them.
#![allow(unsafe_code, reason = "functions of a foreign library are called")]

use super::error::BinaryError;
use super::instance::{Instance, call};
use super::library::Own;
use super::v2;

/// What an update of the discrete states found.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct EventUpdate {
    /// The update must be repeated, after values were exchanged.
    pub needs_another: bool,
    /// The unit asks for the end of the simulation.
    pub terminate: bool,
    /// The nominal values of continuous states have changed.
    pub nominals_changed: bool,
    /// The values of continuous states have changed.
    pub states_changed: bool,
    /// When the next time event is, if one is known.
    pub next_event_time: Option<f64>,
}

impl Instance {
    /// Enters the event mode.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn enter_event_mode(&mut self) -> Result<(), BinaryError> {
        self.with_registers(|unit| call!(unit, unit.library.shared.enter_event_mode))
    }

    /// Back to steps, from the event mode of co-simulation (FMI 3).
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn enter_step_mode(&mut self) -> Result<(), BinaryError> {
        call!(self, self.library.three("step modes")?.enter_step_mode)
    }

    /// Back to continuous time, from the event mode of model exchange.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn enter_continuous_time_mode(&mut self) -> Result<(), BinaryError> {
        self.with_registers(|unit| call!(unit, unit.library.shared.enter_continuous_time_mode))
    }

    /// Updates the discrete states in event mode (FMI 2: `fmi2NewDiscreteStates`).
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn update_discrete_states(&mut self) -> Result<EventUpdate, BinaryError> {
        self.watched(|unit| match &unit.library.own {
            Own::Two(own) => {
                let mut info = v2::EventInfo::default();
                call!(unit, own.new_discrete_states, &raw mut info)?;
                Ok(EventUpdate {
                    needs_another: info.needs_another != 0,
                    terminate: info.terminate != 0,
                    nominals_changed: info.nominals_changed != 0,
                    states_changed: info.states_changed != 0,
                    next_event_time: (info.next_event_time_defined != 0).then_some(info.next_event_time),
                })
            }
            Own::Three(own) => {
                let ([mut again, mut end, mut nominals, mut states, mut defined], mut next) = ([0; 5], 0.0);
                call!(
                    unit,
                    own.update_discrete_states,
                    &raw mut again,
                    &raw mut end,
                    &raw mut nominals,
                    &raw mut states,
                    &raw mut defined,
                    &raw mut next
                )?;
                Ok(EventUpdate {
                    needs_another: again != 0,
                    terminate: end != 0,
                    nominals_changed: nominals != 0,
                    states_changed: states != 0,
                    next_event_time: (defined != 0).then_some(next),
                })
            }
        })
    }
}
