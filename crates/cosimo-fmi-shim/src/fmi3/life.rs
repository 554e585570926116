//! Making and ending instances, messages.

use std::ffi::{CStr, c_char, c_void};
use std::ptr::null_mut;

use super::Reference;
use crate::c::{Handle, Status, functions, give, take_back, text, texts};
use crate::instance::{Instance, Order};
use crate::location;
use crate::log::{Log, Sink};
use crate::protocol::Severity;

/// Takes messages.
type Logger = unsafe extern "C" fn(*mut c_void, Status, *const c_char, *const c_char);

#[unsafe(no_mangle)]
extern "C" fn fmi3GetVersion() -> *const c_char {
    c"3.0".as_ptr()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3InstantiateCoSimulation(
    _name: *const c_char,
    token: *const c_char,
    resources: *const c_char,
    _visible: bool,
    logging: bool,
    events: bool,
    may_end_early: bool,
    _intermediate: *const Reference,
    _intermediate_count: usize,
    environment: *mut c_void,
    logger: Option<Logger>,
    _intermediate_update: *const c_void,
) -> Handle {
    give(|| {
        let log = Log::new(sink(environment, logger), logging);
        let made = || -> Result<_, String> {
            // SAFETY: FMI obliges the host to give texts that end with a zero.
            let (token, resources) = unsafe { (text(token)?, text(resources)?) };
            Ok((token, location::of_path(&resources)))
        };
        let (token, resources) = made().map_err(|error| log.error(&error)).ok()?;
        let order = Order { token: &token, resources: &resources, events, may_end_early };
        Instance::new(&order, log)
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3InstantiateModelExchange(
    _name: *const c_char,
    _token: *const c_char,
    _resources: *const c_char,
    _visible: bool,
    _logging: bool,
    environment: *mut c_void,
    logger: Option<Logger>,
) -> Handle {
    refuse(environment, logger)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3InstantiateScheduledExecution(
    _name: *const c_char,
    _token: *const c_char,
    _resources: *const c_char,
    _visible: bool,
    _logging: bool,
    environment: *mut c_void,
    logger: Option<Logger>,
    _clock_update: *const c_void,
    _lock_preemption: *const c_void,
    _unlock_preemption: *const c_void,
) -> Handle {
    refuse(environment, logger)
}

fn refuse(environment: *mut c_void, logger: Option<Logger>) -> Handle {
    give(|| {
        Log::new(sink(environment, logger), true).error("this FMU is for co-simulation only");
        None
    });
    null_mut()
}

/// Gives messages to the host.
fn sink(environment: *mut c_void, logger: Option<Logger>) -> Sink {
    Box::new(move |severity: &Severity, category: &CStr, text: &CStr| {
        let status = Status::from(severity);
        if let Some(logger) = logger {
            // SAFETY: the host gave the function for this, and both texts end with a zero.
            unsafe { logger(environment, status, category.as_ptr(), text.as_ptr()) };
        }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi3FreeInstance(handle: Handle) {
    // SAFETY: FMI obliges the host to give an instance that was made here, and not to use it again.
    unsafe { take_back(handle) };
}

functions! {
    fn fmi3SetDebugLogging(on: bool, count: usize, categories: *const *const c_char) |instance| {
        let categories = texts(categories, count)?;
        instance.log.set(on, &categories)
    }

    fn fmi3Reset() |instance| {
        instance.reset()
    }

    fn fmi3Terminate() |instance| {
        instance.terminate()
    }
}
