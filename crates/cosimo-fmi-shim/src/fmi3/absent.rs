//! Functions that these FMUs do not have.

use std::ffi::c_int;

use super::Reference;
use crate::c::refused;

refused! { "this FMU has no variables of this type":
    fn fmi3GetFloat32(*const Reference, usize, *mut f32, usize);
    fn fmi3SetFloat32(*const Reference, usize, *const f32, usize);
    fn fmi3GetInt8(*const Reference, usize, *mut i8, usize);
    fn fmi3SetInt8(*const Reference, usize, *const i8, usize);
    fn fmi3GetUInt8(*const Reference, usize, *mut u8, usize);
    fn fmi3SetUInt8(*const Reference, usize, *const u8, usize);
    fn fmi3GetInt16(*const Reference, usize, *mut i16, usize);
    fn fmi3SetInt16(*const Reference, usize, *const i16, usize);
    fn fmi3GetUInt16(*const Reference, usize, *mut u16, usize);
    fn fmi3SetUInt16(*const Reference, usize, *const u16, usize);
    fn fmi3GetUInt32(*const Reference, usize, *mut u32, usize);
    fn fmi3SetUInt32(*const Reference, usize, *const u32, usize);
    fn fmi3GetInt64(*const Reference, usize, *mut i64, usize);
    fn fmi3SetInt64(*const Reference, usize, *const i64, usize);
    fn fmi3GetUInt64(*const Reference, usize, *mut u64, usize);
    fn fmi3SetUInt64(*const Reference, usize, *const u64, usize);
    fn fmi3GetBinary(*const Reference, usize, *mut usize, *mut *const u8, usize);
    fn fmi3SetBinary(*const Reference, usize, *const usize, *const *const u8, usize);
}

refused! { "this FMU has no clocks but those that the host ticks":
    fn fmi3GetIntervalDecimal(*const Reference, usize, *mut f64, *mut c_int);
    fn fmi3GetIntervalFraction(*const Reference, usize, *mut u64, *mut u64, *mut c_int);
    fn fmi3GetShiftDecimal(*const Reference, usize, *mut f64);
    fn fmi3GetShiftFraction(*const Reference, usize, *mut u64, *mut u64);
    fn fmi3SetIntervalDecimal(*const Reference, usize, *const f64);
    fn fmi3SetIntervalFraction(*const Reference, usize, *const u64, *const u64);
    fn fmi3SetShiftDecimal(*const Reference, usize, *const f64);
    fn fmi3SetShiftFraction(*const Reference, usize, *const u64, *const u64);
    fn fmi3ActivateModelPartition(Reference, f64);
}

refused! { "this FMU does not provide it; its description says so":
    fn fmi3GetNumberOfVariableDependencies(Reference, *mut usize);
    fn fmi3GetVariableDependencies(
        Reference, *mut usize, *mut Reference, *mut usize, *mut c_int, usize
    );
    fn fmi3GetAdjointDerivative(
        *const Reference, usize, *const Reference, usize, *const f64, usize, *mut f64, usize
    );
    fn fmi3GetOutputDerivatives(*const Reference, usize, *const i32, *mut f64, usize);
    fn fmi3EvaluateDiscreteStates();
}

refused! { "this FMU has no structural parameters":
    fn fmi3EnterConfigurationMode();
    fn fmi3ExitConfigurationMode();
}

refused! { "this FMU is for co-simulation only":
    fn fmi3EnterContinuousTimeMode();
    fn fmi3CompletedIntegratorStep(bool, *mut bool, *mut bool);
    fn fmi3SetTime(f64);
    fn fmi3SetContinuousStates(*const f64, usize);
    fn fmi3GetContinuousStateDerivatives(*mut f64, usize);
    fn fmi3GetEventIndicators(*mut f64, usize);
    fn fmi3GetContinuousStates(*mut f64, usize);
    fn fmi3GetNominalsOfContinuousStates(*mut f64, usize);
    fn fmi3GetNumberOfEventIndicators(*mut usize);
    fn fmi3GetNumberOfContinuousStates(*mut usize);
}
