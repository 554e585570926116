//! Model exchange: continuous states, derivatives and event indicators; and directional derivatives.
#![allow(unsafe_code, reason = "functions of a foreign library are called")]

use super::error::BinaryError;
use super::instance::{Instance, call};
use super::library::Own;
use super::shared::Fill;
use super::symbols::Call;
use super::values::same_length;
use std::ffi::c_int;

/// Lists must have the length that the unit knows, since many units rely on it. Units are not asked for empty ones: some refuse, or crash.
impl Instance {
    /// The number of continuous states: of the description in FMI 2; FMI 3 is asked once, and again after a configuration.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn number_of_states(&mut self) -> Result<usize, BinaryError> {
        if let Some(known) = self.states {
            return Ok(known);
        }
        let mut number = 0;
        call!(self, self.library.three("numbers of states")?.number_of_states, &raw mut number)?;
        self.states = Some(number);
        Ok(number)
    }

    /// The number of event indicators, as [`number_of_states`](Self::number_of_states).
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn number_of_event_indicators(&mut self) -> Result<usize, BinaryError> {
        if let Some(known) = self.event_indicators {
            return Ok(known);
        }
        let mut number = 0;
        let ask = self.library.three("numbers of event indicators")?.number_of_event_indicators;
        call!(self, ask, &raw mut number)?;
        self.event_indicators = Some(number);
        Ok(number)
    }

    /// Sets the time of model exchange.
    ///
    /// # Errors
    /// See [`BinaryError`].
    #[inline]
    pub fn set_time(&mut self, time: f64) -> Result<(), BinaryError> {
        self.with_registers(|unit| call!(unit, unit.library.shared.set_time, time))
    }

    /// Sets all continuous states.
    ///
    /// # Errors
    /// See [`BinaryError`].
    #[inline]
    pub fn set_continuous_states(&mut self, states: &[f64]) -> Result<(), BinaryError> {
        let set = self.library.shared.set_continuous_states;
        same_length(set.name, self.number_of_states()?, states.len())?;
        if states.is_empty() {
            return Ok(());
        }
        self.with_registers(|unit| call!(unit, set, states.as_ptr(), states.len()))
    }

    /// Reads all continuous states.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn get_continuous_states(&mut self, states: &mut [f64]) -> Result<(), BinaryError> {
        let number = self.number_of_states()?;
        self.fill(self.library.shared.get_continuous_states, number, states)
    }

    /// Reads the derivatives of all continuous states.
    ///
    /// # Errors
    /// See [`BinaryError`].
    #[inline]
    pub fn get_derivatives(&mut self, derivatives: &mut [f64]) -> Result<(), BinaryError> {
        let number = self.number_of_states()?;
        self.watched(|unit| unit.fill(unit.library.shared.get_derivatives, number, derivatives))
    }

    /// Reads the event indicators.
    ///
    /// # Errors
    /// See [`BinaryError`].
    #[inline]
    pub fn get_event_indicators(&mut self, indicators: &mut [f64]) -> Result<(), BinaryError> {
        let number = self.number_of_event_indicators()?;
        self.watched(|unit| unit.fill(unit.library.shared.get_event_indicators, number, indicators))
    }

    /// Reads the nominal values of all continuous states.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn get_nominals_of_states(&mut self, nominals: &mut [f64]) -> Result<(), BinaryError> {
        let number = self.number_of_states()?;
        self.fill(self.library.shared.get_nominals, number, nominals)
    }

    fn fill(&mut self, get: Call<Fill>, number: usize, values: &mut [f64]) -> Result<(), BinaryError> {
        same_length(get.name, number, values.len())?;
        if values.is_empty() {
            return Ok(());
        }
        call!(self, get, values.as_mut_ptr(), values.len())
    }

    /// Tells that a step of the integrator is complete; with `no_set_state_prior` the unit is never put back before it.
    /// Answers whether the unit wants the event mode, and whether it asks for the end of the simulation.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn completed_integrator_step(
        &mut self,
        no_set_state_prior: bool,
    ) -> Result<(bool, bool), BinaryError> {
        self.watched(|unit| match &unit.library.own {
            Own::Two(own) => {
                let (mut event, mut end) = (0, 0);
                let prior = c_int::from(no_set_state_prior);
                call!(unit, own.completed_step, prior, &raw mut event, &raw mut end)?;
                Ok((event != 0, end != 0))
            }
            Own::Three(own) => {
                let (mut event, mut end) = (0, 0);
                let prior = u8::from(no_set_state_prior);
                call!(unit, own.completed_step, prior, &raw mut event, &raw mut end)?;
                Ok((event != 0, end != 0))
            }
        })
    }

    /// The change of the unknowns with a change `seed` of the knowns. With arrays (FMI 3) there are more values than
    /// references.
    ///
    /// # Errors
    /// See [`BinaryError`].
    pub fn directional_derivative(
        &mut self,
        unknowns: &[u32],
        knowns: &[u32],
        seed: &[f64],
        change: &mut [f64],
    ) -> Result<(), BinaryError> {
        let (u, nu) = (unknowns.as_ptr(), unknowns.len());
        let (k, nk) = (knowns.as_ptr(), knowns.len());
        self.with_registers(|unit| match &unit.library.own {
            Own::Two(own) => {
                same_length(own.directional.name, nk, seed.len())?;
                same_length(own.directional.name, nu, change.len())?;
                call!(unit, own.directional, u, nu, k, nk, seed.as_ptr(), change.as_mut_ptr())
            }
            Own::Three(own) => {
                let (ns, nc) = (seed.len(), change.len());
                call!(unit, own.directional, u, nu, k, nk, seed.as_ptr(), ns, change.as_mut_ptr(), nc)
            }
        })
    }
}
