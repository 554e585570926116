//! The types of FMI 2.0, and its functions that FMI 3.0 has in another form.
#![allow(unsafe_code, reason = "the functions of a foreign library are unsafe")]

use super::shared::{Component, Plain};
use super::symbols::table;
use std::ffi::{c_char, c_int, c_void};

/// `fmi2CallbackFunctions`. The logger of the standard is variadic; the fixed arguments of a variadic function are passed
/// as those of any other by the C conventions of Linux, macOS and Windows on x86-64 and AArch64, and only they are read.
#[repr(C)]
#[derive(Debug)]
pub(super) struct Callbacks {
    pub(super) logger: Logger,
    pub(super) allocate: unsafe extern "C" fn(usize, usize) -> *mut c_void,
    pub(super) free: unsafe extern "C" fn(*mut c_void),
    /// None: steps in the background are not supported.
    pub(super) step_finished: Option<unsafe extern "C" fn(*mut c_void, c_int)>,
    pub(super) environment: *mut c_void,
}

/// Environment, instance name, status, category, message; then the values that the message formats.
pub(super) type Logger =
    unsafe extern "C" fn(*mut c_void, *const c_char, c_int, *const c_char, *const c_char);

/// `fmi2EventInfo`.
#[repr(C)]
#[derive(Debug, Default)]
pub(super) struct EventInfo {
    pub(super) needs_another: c_int,
    pub(super) terminate: c_int,
    pub(super) nominals_changed: c_int,
    pub(super) states_changed: c_int,
    pub(super) next_event_time_defined: c_int,
    pub(super) next_event_time: f64,
}

/// `fmi2Type`.
pub(super) const MODEL_EXCHANGE: c_int = 0;
/// `fmi2Type`.
pub(super) const CO_SIMULATION: c_int = 1;
/// `fmi2StatusKind`.
pub(super) const LAST_SUCCESSFUL_TIME: c_int = 2;
/// `fmi2StatusKind`.
pub(super) const TERMINATED: c_int = 3;

pub(super) type Get<T> = unsafe extern "C" fn(Component, *const u32, usize, *mut T) -> c_int;
pub(super) type Set<T> = unsafe extern "C" fn(Component, *const u32, usize, *const T) -> c_int;
type Instantiate = unsafe extern "C" fn(
    *const c_char,
    c_int,
    *const c_char,
    *const c_char,
    *const Callbacks,
    c_int,
    c_int,
) -> Component;
type SetDebugLogging = unsafe extern "C" fn(Component, c_int, usize, *const *const c_char) -> c_int;
type SetupExperiment = unsafe extern "C" fn(Component, c_int, f64, f64, c_int, f64) -> c_int;
type Directional =
    unsafe extern "C" fn(Component, *const u32, usize, *const u32, usize, *const f64, *mut f64) -> c_int;
type CompletedStep = unsafe extern "C" fn(Component, c_int, *mut c_int, *mut c_int) -> c_int;

table! {
    /// Functions in the form of FMI 2.
    Functions {
        types_platform: required ["fmi2GetTypesPlatform"] => unsafe extern "C" fn() -> *const c_char;
        instantiate: required ["fmi2Instantiate"] => Instantiate;
        setup_experiment: required ["fmi2SetupExperiment"] => SetupExperiment;
        enter_initialization: required ["fmi2EnterInitializationMode"] => Plain;
        set_debug_logging: optional ["fmi2SetDebugLogging"] => SetDebugLogging;
        get_real: required ["fmi2GetReal"] => Get<f64>;
        set_real: required ["fmi2SetReal"] => Set<f64>;
        get_integer: optional ["fmi2GetInteger"] => Get<i32>;
        set_integer: optional ["fmi2SetInteger"] => Set<i32>;
        get_boolean: optional ["fmi2GetBoolean"] => Get<c_int>;
        set_boolean: optional ["fmi2SetBoolean"] => Set<c_int>;
        get_string: optional ["fmi2GetString"] => Get<*const c_char>;
        set_string: optional ["fmi2SetString"] => Set<*const c_char>;
        directional: optional ["fmi2GetDirectionalDerivative"] => Directional;
        new_discrete_states: optional ["fmi2NewDiscreteStates"]
            => unsafe extern "C" fn(Component, *mut EventInfo) -> c_int;
        completed_step: optional ["fmi2CompletedIntegratorStep"] => CompletedStep;
        do_step: optional ["fmi2DoStep"] => unsafe extern "C" fn(Component, f64, f64, c_int) -> c_int;
        real_status: optional ["fmi2GetRealStatus"]
            => unsafe extern "C" fn(Component, c_int, *mut f64) -> c_int;
        boolean_status: optional ["fmi2GetBooleanStatus"]
            => unsafe extern "C" fn(Component, c_int, *mut c_int) -> c_int;
    }
}
