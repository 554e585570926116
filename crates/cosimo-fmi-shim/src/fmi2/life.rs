//! Making and ending instances, messages.

use std::ffi::{CStr, c_char, c_int, c_void};

use super::Boolean;
use crate::c::{Handle, Status, functions, give, take_back, text, texts};
use crate::instance::{Instance, Order};
use crate::location;
use crate::log::{Log, Sink, c_text};
use crate::protocol::Severity;

/// Takes messages as `printf` does.
type Logger = unsafe extern "C" fn(*mut c_void, *const c_char, Status, *const c_char, *const c_char, ...);

/// What the host offers.
#[repr(C)]
struct Callbacks {
    logger: Option<Logger>,
    allocate_memory: *const c_void,
    free_memory: *const c_void,
    step_finished: *const c_void,
    environment: *mut c_void,
}

const CO_SIMULATION: c_int = 1;

#[unsafe(no_mangle)]
extern "C" fn fmi2GetTypesPlatform() -> *const c_char {
    c"default".as_ptr()
}

#[unsafe(no_mangle)]
extern "C" fn fmi2GetVersion() -> *const c_char {
    c"2.0".as_ptr()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2Instantiate(
    name: *const c_char,
    kind: c_int,
    token: *const c_char,
    resources: *const c_char,
    callbacks: *const Callbacks,
    _visible: Boolean,
    logging: Boolean,
) -> Handle {
    give(|| {
        // SAFETY: FMI obliges the host to give texts that end with a zero, and its functions.
        let (name, token, resources, callbacks) =
            unsafe { (text(name), text(token), text(resources), callbacks.as_ref()) };
        let log = Log::new(sink(callbacks, &name.unwrap_or_default()), logging != 0);
        let made = || -> Result<_, String> {
            if kind != CO_SIMULATION {
                return Err("this FMU is for co-simulation only".to_owned());
            }
            Ok((token?, location::of_uri(&resources?)?))
        };
        let (token, resources) = made().map_err(|error| log.error(&error)).ok()?;
        let order = Order { token: &token, resources: &resources, events: false, may_end_early: false };
        Instance::new(&order, log)
    })
}

/// Gives messages to the host.
fn sink(callbacks: Option<&Callbacks>, name: &str) -> Sink {
    let host = callbacks.and_then(|callbacks| Some((callbacks.logger?, callbacks.environment)));
    let name = c_text(name);
    Box::new(move |severity: &Severity, category: &CStr, text: &CStr| {
        let status = Status::from(severity);
        if let Some((logger, environment)) = host {
            // Hosts that cannot format show the message as it is. To others a percent sign begins a format.
            let text = c_text(&text.to_string_lossy().replace('%', "%%"));
            // SAFETY: the host gave the function for this, and all texts end with a zero.
            unsafe { logger(environment, name.as_ptr(), status, category.as_ptr(), text.as_ptr()) };
        }
    })
}

#[unsafe(no_mangle)]
unsafe extern "C" fn fmi2FreeInstance(handle: Handle) {
    // SAFETY: FMI obliges the host to give an instance that was made here, and not to use it again.
    unsafe { take_back(handle) };
}

functions! {
    fn fmi2SetDebugLogging(on: Boolean, count: usize, categories: *const *const c_char) |instance| {
        let categories = texts(categories, count)?;
        instance.log.set(on != 0, &categories)
    }

    fn fmi2Reset() |instance| {
        instance.reset()
    }

    fn fmi2Terminate() |instance| {
        instance.terminate()
    }
}
