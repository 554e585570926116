//! What a unit is given of this process: names, callbacks, and a place for its messages.
#![allow(unsafe_code, reason = "callbacks receive pointers of a foreign library")]

use super::v2;
use std::collections::{BTreeMap, VecDeque};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Messages kept for the texts of errors.
const KEPT: usize = 8;

/// The messages of one unit.
#[derive(Debug)]
struct Log {
    name: String,
    last: Mutex<VecDeque<String>>,
}

/// The logs of all units, by the number that a unit has as its environment. A callback that comes too late, or with a
/// pointer that is none of ours, finds nothing here; no pointer of a unit is followed.
static LOGS: Mutex<BTreeMap<usize, Arc<Log>>> = Mutex::new(BTreeMap::new());
static NEXT: AtomicUsize = AtomicUsize::new(1);

/// The side of this process for one unit. It must live as long as the unit does.
#[derive(Debug)]
pub(super) struct Host {
    pub(super) name: CString,
    pub(super) token: CString,
    /// The URI (FMI 2) or path (FMI 3) of the resources.
    pub(super) resources: Option<CString>,
    pub(super) callbacks: v2::Callbacks,
    number: usize,
    log: Arc<Log>,
}

// SAFETY: the only pointer inside is the environment, which is a number and never followed.
unsafe impl Send for Host {}
// SAFETY: as above.
unsafe impl Sync for Host {}

impl Host {
    pub(super) fn new(name: CString, token: CString, resources: Option<CString>) -> Self {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let log = Arc::new(Log { name: name.to_string_lossy().into_owned(), last: Mutex::default() });
        lock(&LOGS).insert(number, Arc::clone(&log));
        let callbacks = v2::Callbacks {
            logger: logger_2,
            allocate: libc::calloc,
            free: libc::free,
            step_finished: None,
            environment: std::ptr::without_provenance_mut(number),
        };
        Self { name, token, resources, callbacks, number, log }
    }

    /// The name of the instance.
    pub(super) fn name(&self) -> &str {
        &self.log.name
    }

    /// A number of its own in this process.
    pub(super) fn number(&self) -> usize {
        self.number
    }

    /// The last messages, which are forgotten.
    pub(super) fn take_messages(&self) -> String {
        let last: Vec<String> = lock(&self.log.last).drain(..).collect();
        if last.is_empty() { "the unit gives no reason".to_owned() } else { last.join("; ") }
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        lock(&LOGS).remove(&self.number);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `fmi2CallbackLogger`. The message is shown without the values that it formats: those are variadic arguments, which
/// stable Rust cannot read.
unsafe extern "C" fn logger_2(
    environment: *mut c_void,
    _name: *const c_char,
    status: c_int,
    category: *const c_char,
    message: *const c_char,
) {
    // SAFETY: the unit gives texts or null.
    unsafe { log(environment, status, category, message, |message| message.replace("%%", "%")) }
}

/// `fmi3LogMessageCallback`.
pub(super) unsafe extern "C" fn logger_3(
    environment: *mut c_void,
    status: c_int,
    category: *const c_char,
    message: *const c_char,
) {
    // SAFETY: the unit gives texts or null.
    unsafe { log(environment, status, category, message, |message| message) }
}

/// Passes on a message, as it is to be shown.
///
/// # Safety
/// The texts end with zero, or are null.
unsafe fn log(
    environment: *mut c_void,
    status: c_int,
    category: *const c_char,
    message: *const c_char,
    shown: impl FnOnce(String) -> String,
) {
    // A panic of a subscriber must not reach the unit.
    let _ = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: the caller's word.
        let (category, message) = unsafe { (text(category), shown(text(message))) };
        let log = lock(&LOGS).get(&environment.addr()).cloned();
        receive(log.as_deref(), status, &category, message.trim_end());
    }));
}

/// A copy of a C text; null is empty.
///
/// # Safety
/// The pointer is null or that of a text that ends with zero.
pub(super) unsafe fn text(pointer: *const c_char) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: the caller's word.
    unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned()
}

fn receive(log: Option<&Log>, status: c_int, category: &str, message: &str) {
    let instance = log.map_or("unknown", |log| &log.name);
    match status {
        0 => tracing::info!(target: "fmu", instance, category, "{message}"),
        1 | 2 => tracing::warn!(target: "fmu", instance, category, "{message}"),
        _ => tracing::error!(target: "fmu", instance, category, "{message}"),
    }
    if let Some(log) = log {
        let mut last = lock(&log.last);
        if last.len() == KEPT {
            last.pop_front();
        }
        last.push_back(message.to_owned());
    }
}
