//! The functions that have the same form in both versions.
#![allow(unsafe_code, reason = "the functions of a foreign library are unsafe")]

use super::symbols::table;
use std::ffi::{c_char, c_int, c_void};

/// The unit as the library knows it.
pub(super) type Component = *mut c_void;
/// A saved state as the library knows it.
pub(super) type Handle = *mut c_void;
/// A function of the unit alone.
pub(super) type Plain = unsafe extern "C" fn(Component) -> c_int;
/// A function that fills a list of a known length.
pub(super) type Fill = unsafe extern "C" fn(Component, *mut f64, usize) -> c_int;

table! {
    /// Functions of the same form in FMI 2 and FMI 3.
    Shared {
        version: required ["fmi2GetVersion", "fmi3GetVersion"] => unsafe extern "C" fn() -> *const c_char;
        free: required ["fmi2FreeInstance", "fmi3FreeInstance"] => unsafe extern "C" fn(Component);
        exit_initialization: required ["fmi2ExitInitializationMode", "fmi3ExitInitializationMode"] => Plain;
        terminate: required ["fmi2Terminate", "fmi3Terminate"] => Plain;
        reset: required ["fmi2Reset", "fmi3Reset"] => Plain;
        enter_event_mode: optional ["fmi2EnterEventMode", "fmi3EnterEventMode"] => Plain;
        enter_continuous_time_mode:
            optional ["fmi2EnterContinuousTimeMode", "fmi3EnterContinuousTimeMode"] => Plain;
        set_time: optional ["fmi2SetTime", "fmi3SetTime"] => unsafe extern "C" fn(Component, f64) -> c_int;
        set_continuous_states: optional ["fmi2SetContinuousStates", "fmi3SetContinuousStates"]
            => unsafe extern "C" fn(Component, *const f64, usize) -> c_int;
        get_continuous_states: optional ["fmi2GetContinuousStates", "fmi3GetContinuousStates"] => Fill;
        get_derivatives: optional ["fmi2GetDerivatives", "fmi3GetContinuousStateDerivatives"] => Fill;
        get_event_indicators: optional ["fmi2GetEventIndicators", "fmi3GetEventIndicators"] => Fill;
        get_nominals: optional ["fmi2GetNominalsOfContinuousStates", "fmi3GetNominalsOfContinuousStates"] => Fill;
        get_state: optional ["fmi2GetFMUstate", "fmi3GetFMUState"]
            => unsafe extern "C" fn(Component, *mut Handle) -> c_int;
        set_state: optional ["fmi2SetFMUstate", "fmi3SetFMUState"]
            => unsafe extern "C" fn(Component, Handle) -> c_int;
        free_state: optional ["fmi2FreeFMUstate", "fmi3FreeFMUState"]
            => unsafe extern "C" fn(Component, *mut Handle) -> c_int;
        serialized_size: optional ["fmi2SerializedFMUstateSize", "fmi3SerializedFMUStateSize"]
            => unsafe extern "C" fn(Component, Handle, *mut usize) -> c_int;
        serialize: optional ["fmi2SerializeFMUstate", "fmi3SerializeFMUState"]
            => unsafe extern "C" fn(Component, Handle, *mut u8, usize) -> c_int;
        deserialize: optional ["fmi2DeSerializeFMUstate", "fmi3DeserializeFMUState"]
            => unsafe extern "C" fn(Component, *const u8, usize, *mut Handle) -> c_int;
    }
}
