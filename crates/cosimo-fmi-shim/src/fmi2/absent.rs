//! Functions that these FMUs do not have.

use std::ffi::{c_int, c_void};

use super::{Boolean, Reference};
use crate::c::refused;

refused! { "this FMU does not interpolate inputs (canInterpolateInputs = false)":
    fn fmi2SetRealInputDerivatives(*const Reference, usize, *const c_int, *const f64);
}

refused! { "this FMU has no derivatives of outputs (maxOutputDerivativeOrder = 0)":
    fn fmi2GetRealOutputDerivatives(*const Reference, usize, *const c_int, *mut f64);
}

refused! { "steps of this FMU are never pending":
    fn fmi2CancelStep();
}

refused! { "this FMU is for co-simulation only":
    fn fmi2EnterEventMode();
    fn fmi2NewDiscreteStates(*mut c_void);
    fn fmi2EnterContinuousTimeMode();
    fn fmi2CompletedIntegratorStep(Boolean, *mut Boolean, *mut Boolean);
    fn fmi2SetTime(f64);
    fn fmi2SetContinuousStates(*const f64, usize);
    fn fmi2GetDerivatives(*mut f64, usize);
    fn fmi2GetEventIndicators(*mut f64, usize);
    fn fmi2GetContinuousStates(*mut f64, usize);
    fn fmi2GetNominalsOfContinuousStates(*mut f64, usize);
}
