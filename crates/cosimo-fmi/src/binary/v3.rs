//! The functions of FMI 3.0 that FMI 2.0 has in another form or not at all. Booleans and clocks are bytes here, since a
//! unit may answer with a byte that is no Rust `bool`.
#![allow(unsafe_code, reason = "the functions of a foreign library are unsafe")]

use super::shared::{Component, Plain};
use super::symbols::table;
use std::ffi::{c_char, c_int, c_void};

/// `fmi3LogMessageCallback`: environment, status, category, message.
pub(super) type Logger = unsafe extern "C" fn(*mut c_void, c_int, *const c_char, *const c_char);
/// `fmi3IntermediateUpdateCallback`.
type IntermediateUpdate = unsafe extern "C" fn(*mut c_void, f64, u8, u8, u8, u8, *mut u8, *mut f64);

pub(super) type Get<T> = unsafe extern "C" fn(Component, *const u32, usize, *mut T, usize) -> c_int;
pub(super) type Set<T> = unsafe extern "C" fn(Component, *const u32, usize, *const T, usize) -> c_int;
type InstantiateModelExchange = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const c_char,
    u8,
    u8,
    *mut c_void,
    Logger,
) -> Component;
type InstantiateCoSimulation = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const c_char,
    u8,
    u8,
    u8,
    u8,
    *const u32,
    usize,
    *mut c_void,
    Logger,
    Option<IntermediateUpdate>,
) -> Component;
type SetDebugLogging = unsafe extern "C" fn(Component, u8, usize, *const *const c_char) -> c_int;
type EnterInitialization = unsafe extern "C" fn(Component, u8, f64, f64, u8, f64) -> c_int;
type Directional = unsafe extern "C" fn(
    Component,
    *const u32,
    usize,
    *const u32,
    usize,
    *const f64,
    usize,
    *mut f64,
    usize,
) -> c_int;
type UpdateDiscreteStates =
    unsafe extern "C" fn(Component, *mut u8, *mut u8, *mut u8, *mut u8, *mut u8, *mut f64) -> c_int;
type CompletedStep = unsafe extern "C" fn(Component, u8, *mut u8, *mut u8) -> c_int;
pub(super) type DoStep =
    unsafe extern "C" fn(Component, f64, f64, u8, *mut u8, *mut u8, *mut u8, *mut f64) -> c_int;
type Count = unsafe extern "C" fn(Component, *mut usize) -> c_int;

table! {
    /// Functions in the form of FMI 3.
    Functions {
        instantiate_model_exchange: optional ["fmi3InstantiateModelExchange"] => InstantiateModelExchange;
        instantiate_co_simulation: optional ["fmi3InstantiateCoSimulation"] => InstantiateCoSimulation;
        enter_initialization: required ["fmi3EnterInitializationMode"] => EnterInitialization;
        set_debug_logging: optional ["fmi3SetDebugLogging"] => SetDebugLogging;
        enter_configuration: optional ["fmi3EnterConfigurationMode"] => Plain;
        exit_configuration: optional ["fmi3ExitConfigurationMode"] => Plain;
        enter_step_mode: optional ["fmi3EnterStepMode"] => Plain;
        get_float32: optional ["fmi3GetFloat32"] => Get<f32>;
        set_float32: optional ["fmi3SetFloat32"] => Set<f32>;
        get_float64: required ["fmi3GetFloat64"] => Get<f64>;
        set_float64: required ["fmi3SetFloat64"] => Set<f64>;
        get_int8: optional ["fmi3GetInt8"] => Get<i8>;
        set_int8: optional ["fmi3SetInt8"] => Set<i8>;
        get_uint8: optional ["fmi3GetUInt8"] => Get<u8>;
        set_uint8: optional ["fmi3SetUInt8"] => Set<u8>;
        get_int16: optional ["fmi3GetInt16"] => Get<i16>;
        set_int16: optional ["fmi3SetInt16"] => Set<i16>;
        get_uint16: optional ["fmi3GetUInt16"] => Get<u16>;
        set_uint16: optional ["fmi3SetUInt16"] => Set<u16>;
        get_int32: optional ["fmi3GetInt32"] => Get<i32>;
        set_int32: optional ["fmi3SetInt32"] => Set<i32>;
        get_uint32: optional ["fmi3GetUInt32"] => Get<u32>;
        set_uint32: optional ["fmi3SetUInt32"] => Set<u32>;
        get_int64: optional ["fmi3GetInt64"] => Get<i64>;
        set_int64: optional ["fmi3SetInt64"] => Set<i64>;
        get_uint64: optional ["fmi3GetUInt64"] => Get<u64>;
        set_uint64: optional ["fmi3SetUInt64"] => Set<u64>;
        get_boolean: optional ["fmi3GetBoolean"] => Get<u8>;
        set_boolean: optional ["fmi3SetBoolean"] => Set<u8>;
        get_string: optional ["fmi3GetString"] => Get<*const c_char>;
        set_string: optional ["fmi3SetString"] => Set<*const c_char>;
        get_clock: optional ["fmi3GetClock"] => super::v2::Get<u8>;
        set_clock: optional ["fmi3SetClock"] => super::v2::Set<u8>;
        directional: optional ["fmi3GetDirectionalDerivative"] => Directional;
        update_discrete_states: optional ["fmi3UpdateDiscreteStates"] => UpdateDiscreteStates;
        completed_step: optional ["fmi3CompletedIntegratorStep"] => CompletedStep;
        number_of_states: optional ["fmi3GetNumberOfContinuousStates"] => Count;
        number_of_event_indicators: optional ["fmi3GetNumberOfEventIndicators"] => Count;
        do_step: optional ["fmi3DoStep"] => DoStep;
    }
}
