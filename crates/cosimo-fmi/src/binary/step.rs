//! Steps of co-simulation.
#![allow(unsafe_code, reason = "functions of a foreign library are called")]

use super::error::BinaryError;
use super::instance::{Instance, call};
use super::library::Own;
use super::phase::Phase;
use super::{v2, v3};
use std::ffi::c_int;

/// How a step ended.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct StepDone {
    /// The time up to which the unit computed.
    pub reached: f64,
    /// An event is to be handled at that time (FMI 3).
    pub event_needed: bool,
    /// The unit asks for the end of the simulation at that time.
    pub terminate: bool,
    /// The step ended before its end.
    pub early: bool,
    /// The unit gave the step up (status `Discard`): it can go on from the time reached, or be restored.
    pub discarded: bool,
}

impl Instance {
    /// A step of co-simulation from `time` over `size`; with `no_set_state_prior` the unit is never put back before `time`.
    /// A step that the unit gives up is no error but a shorter one, if the unit says how far it came.
    ///
    /// # Errors
    /// See [`BinaryError`]; steps in the background are refused.
    pub fn do_step(
        &mut self,
        time: f64,
        size: f64,
        no_set_state_prior: bool,
    ) -> Result<StepDone, BinaryError> {
        self.watched(|unit| match &unit.library.own {
            Own::Two(own) => {
                let step = own.do_step;
                unit.do_step_2(step, time, size, no_set_state_prior)
            }
            Own::Three(own) => {
                let step = own.do_step;
                unit.do_step_3(step, time, size, no_set_state_prior)
            }
        })
    }
}

type DoStep2 = super::symbols::Call<unsafe extern "C" fn(super::shared::Component, f64, f64, c_int) -> c_int>;
type DoStep3 = super::symbols::Call<v3::DoStep>;

impl Instance {
    fn do_step_2(
        &mut self,
        step: DoStep2,
        time: f64,
        size: f64,
        prior: bool,
    ) -> Result<StepDone, BinaryError> {
        let end = time + size;
        match call!(self, step, time, size, c_int::from(prior)) {
            Ok(()) => Ok(StepDone { reached: end, ..StepDone::default() }),
            Err(error @ BinaryError::Discarded { .. }) => self.how_far(time, end, error),
            Err(error) => Err(error),
        }
    }

    /// Asks FMI 2 how far a step came that it gave up.
    fn how_far(&mut self, time: f64, end: f64, error: BinaryError) -> Result<StepDone, BinaryError> {
        let Own::Two(own) = &self.library.own else { return Err(error) };
        let (real, boolean) = (own.real_status, own.boolean_status);
        if real.function.is_none() {
            return Err(error);
        }
        let (mut reached, mut ended) = (f64::NAN, 0);
        match call!(self, real, v2::LAST_SUCCESSFUL_TIME, &raw mut reached) {
            Ok(()) => {}
            Err(_) if self.phase == Phase::Running => return Err(error),
            Err(worse) => return Err(worse),
        }
        // A unit that cannot answer has not ended.
        let terminate = boolean.function.is_some()
            && match call!(self, boolean, v2::TERMINATED, &raw mut ended) {
                Ok(()) => ended != 0,
                Err(_) if self.phase == Phase::Running => false,
                Err(worse) => return Err(worse),
            };
        shorter(time, end, reached, error).map(|done| StepDone { terminate, ..done })
    }

    fn do_step_3(
        &mut self,
        step: DoStep3,
        time: f64,
        size: f64,
        prior: bool,
    ) -> Result<StepDone, BinaryError> {
        let ([mut event, mut ended, mut early], mut reached) = ([0; 3], f64::NAN);
        let end = time + size;
        let result = call!(
            self,
            step,
            time,
            size,
            u8::from(prior),
            &raw mut event,
            &raw mut ended,
            &raw mut early,
            &raw mut reached
        );
        let (event_needed, terminate) = (event != 0, ended != 0);
        let done = match result {
            Ok(()) if early != 0 => {
                let nonsense = BinaryError::OutsideStep { call: step.name, reached };
                StepDone { discarded: false, ..shorter(time, end, reached, nonsense)? }
            }
            Ok(()) => StepDone { reached: end, ..StepDone::default() },
            Err(error @ BinaryError::Discarded { .. }) => shorter(time, end, reached, error)?,
            Err(error) => return Err(error),
        };
        Ok(StepDone { event_needed, terminate, ..done })
    }
}

/// The part of a step that was done, or the error if the unit does not say sensibly.
fn shorter(time: f64, end: f64, reached: f64, error: BinaryError) -> Result<StepDone, BinaryError> {
    let rounding = 1e-9 * (end - time).abs();
    if time - rounding <= reached && reached <= end + rounding {
        Ok(StepDone {
            reached: reached.max(time).min(end),
            early: true,
            discarded: true,
            ..StepDone::default()
        })
    } else {
        Err(error)
    }
}
