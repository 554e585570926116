//! Initialisation, steps, status.

use std::ffi::{c_char, c_int};

use super::Boolean;
use crate::c::{Status, functions, store};

const LAST_SUCCESSFUL_TIME: c_int = 2;
const TERMINATED: c_int = 3;

functions! {
    fn fmi2SetupExperiment(
        tolerance_defined: Boolean,
        tolerance: f64,
        start: f64,
        stop_defined: Boolean,
        stop: f64,
    ) |instance| {
        instance.experiment.start = start;
        instance.experiment.stop = (stop_defined != 0).then_some(stop);
        instance.experiment.tolerance = (tolerance_defined != 0).then_some(tolerance);
        Ok(())
    }

    fn fmi2EnterInitializationMode() |instance| {
        instance.enter_initialisation()
    }

    fn fmi2ExitInitializationMode() |instance| {
        instance.exit_initialisation()
    }

    /// A step that ends early, or after which the simulation should end, is one to discard; the host asks then how far it went, and
    /// whether that is the end.
    fn fmi2DoStep(time: f64, size: f64, _no_restore: Boolean) |instance| {
        let short = instance.step(time, size)?;
        Ok(if short || instance.last_step.terminate { Status::Discard } else { Status::Ok })
    }

    fn fmi2GetRealStatus(kind: c_int, value: *mut f64) |instance| {
        if kind != LAST_SUCCESSFUL_TIME {
            return Ok(Status::Discard);
        }
        store(value, instance.last_step.reached);
        Ok(Status::Ok)
    }

    fn fmi2GetBooleanStatus(kind: c_int, value: *mut Boolean) |instance| {
        if kind != TERMINATED {
            return Ok(Status::Discard);
        }
        store(value, Boolean::from(instance.last_step.terminate));
        Ok(Status::Ok)
    }

    /// Steps are never pending.
    fn fmi2GetStatus(_kind: c_int, _value: *mut c_int) |_instance| { Ok(Status::Discard) }

    fn fmi2GetIntegerStatus(_kind: c_int, _value: *mut c_int) |_instance| { Ok(Status::Discard) }

    fn fmi2GetStringStatus(_kind: c_int, _value: *mut *const c_char) |_instance| { Ok(Status::Discard) }
}
