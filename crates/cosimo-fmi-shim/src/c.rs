//! What both interfaces share: status, pointers, instances behind pointers, panics.

use std::ffi::{CStr, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, TryLockError};

use crate::instance::{Instance, Kept};
use crate::protocol::Severity;

/// Status of a function, with the numbers of FMI 2 and 3.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Ok = 0,
    Warning = 1,
    Discard = 2,
    Error = 3,
    Fatal = 4,
}

impl From<()> for Status {
    fn from((): ()) -> Self {
        Self::Ok
    }
}

impl From<&Severity> for Status {
    fn from(severity: &Severity) -> Self {
        match severity {
            Severity::Information => Self::Ok,
            Severity::Warning => Self::Warning,
            Severity::Error => Self::Error,
        }
    }
}

/// What the host holds: a pointer to an `Instance` in a mutex. The mutex refuses calls while another is under way, as from the
/// function that takes messages, and after a panic.
pub(crate) type Handle = *mut c_void;

type Cell = Mutex<Instance>;

/// Gives an instance to the host. A panic on the way gives null.
pub(crate) fn give(make: impl FnOnce() -> Option<Instance>) -> Handle {
    let made = catch_unwind(AssertUnwindSafe(make)).unwrap_or_default();
    made.map_or(std::ptr::null_mut(), |instance| Box::into_raw(Box::new(Cell::new(instance))).cast())
}

/// Takes an instance back from the host and ends it.
///
/// # Safety
///
/// `handle` is null or came from `give` and is not used again.
pub(crate) unsafe fn take_back(handle: Handle) {
    if !handle.is_null() {
        // SAFETY: see above.
        let cell = unsafe { Box::from_raw(handle.cast::<Cell>()) };
        // A panic must not reach the host, and there is nobody to tell.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(cell)));
    }
}

/// Works on an instance. Errors go to its log.
///
/// # Safety
///
/// `handle` is null or came from `give` and was not taken back.
pub(crate) unsafe fn with<S: Into<Status>>(
    handle: Handle,
    work: impl FnOnce(&mut Instance) -> Result<S, String>,
) -> Status {
    // SAFETY: see above.
    let Some(cell) = (unsafe { handle.cast::<Cell>().as_ref() }) else { return Status::Error };
    let attempt = || match cell.try_lock() {
        Ok(mut instance) => work(&mut instance).map_or_else(
            |text| {
                instance.log.error(&text);
                Status::Error
            },
            Into::into,
        ),
        Err(TryLockError::WouldBlock) => Status::Error,
        Err(TryLockError::Poisoned(_)) => Status::Fatal,
    };
    catch_unwind(AssertUnwindSafe(attempt)).unwrap_or(Status::Fatal)
}

/// The `count` elements at a pointer, which may be null where there are none.
///
/// # Safety
///
/// A pointer other than null points to `count` elements, which stay as they are while the slice is used.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, count: usize) -> Result<&'a [T], String> {
    match count {
        0 => Ok(&[]),
        _ if pointer.is_null() => Err(format!("an array of {count} elements is null")),
        // SAFETY: see above.
        _ => Ok(unsafe { std::slice::from_raw_parts(pointer, count) }),
    }
}

/// The `count` places at a pointer, which may be null where there are none.
///
/// # Safety
///
/// A pointer other than null points to `count` elements that nobody else uses while the slice is used.
pub(crate) unsafe fn slice_mut<'a, T>(pointer: *mut T, count: usize) -> Result<&'a mut [T], String> {
    match count {
        0 => Ok(&mut []),
        _ if pointer.is_null() => Err(format!("an array of {count} elements is null")),
        // SAFETY: see above.
        _ => Ok(unsafe { std::slice::from_raw_parts_mut(pointer, count) }),
    }
}

/// The text at a pointer.
///
/// # Safety
///
/// A pointer other than null points to text that ends with a zero.
pub(crate) unsafe fn text(pointer: *const c_char) -> Result<String, String> {
    if pointer.is_null() {
        return Err("a text is null".to_owned());
    }
    // SAFETY: see above.
    let text = unsafe { CStr::from_ptr(pointer) };
    text.to_str().map(str::to_owned).map_err(|_| "a text is no UTF-8".to_owned())
}

/// The texts at the pointers of an array.
///
/// # Safety
///
/// As of [`slice`] and [`text`].
pub(crate) unsafe fn texts(pointer: *const *const c_char, count: usize) -> Result<Vec<String>, String> {
    // SAFETY: see above.
    unsafe { slice(pointer, count)?.iter().map(|own| text(*own)).collect() }
}

/// Stores a result where the host wants it.
///
/// # Safety
///
/// A pointer other than null points to a place for it.
pub(crate) unsafe fn store<T>(pointer: *mut T, value: T) {
    if !pointer.is_null() {
        // SAFETY: see above.
        unsafe { pointer.write(value) };
    }
}

/// Keeps a state in the place of the host, in that of the state that it holds.
///
/// # Safety
///
/// The pointer is null or points to null or to what was kept before.
pub(crate) unsafe fn keep(
    instance: &mut Instance,
    place: *mut *mut c_void,
    kept: impl FnOnce(&mut Instance) -> Result<Kept, String>,
) -> Result<(), String> {
    // SAFETY: see above.
    let place = unsafe { place.as_mut() }.ok_or("the place of a state is null")?;
    let new = Box::into_raw(Box::new(kept(instance)?)).cast();
    let old = std::mem::replace(place, new);
    // SAFETY: it came from here.
    unsafe { forget(instance, old) };
    Ok(())
}

/// Forgets a kept state and clears the place of the host.
///
/// # Safety
///
/// As of [`keep`].
pub(crate) unsafe fn release(instance: &mut Instance, place: *mut *mut c_void) {
    // SAFETY: see above.
    if let Some(place) = unsafe { place.as_mut() } {
        let old = std::mem::replace(place, std::ptr::null_mut());
        // SAFETY: it came from `keep`.
        unsafe { forget(instance, old) };
    }
}

/// # Safety
///
/// The pointer is null or came from [`keep`] and is not used again.
unsafe fn forget(instance: &mut Instance, kept: *mut c_void) {
    if !kept.is_null() {
        // SAFETY: see above.
        let kept = unsafe { Box::from_raw(kept.cast::<Kept>()) };
        instance.release(&kept);
    }
}

/// A kept state.
///
/// # Safety
///
/// The pointer is null or came from [`keep`], and nobody else uses the state.
pub(crate) unsafe fn kept<'a>(pointer: *mut c_void) -> Result<&'a mut Kept, String> {
    // SAFETY: see above.
    unsafe { pointer.cast::<Kept>().as_mut() }.ok_or_else(|| "a state is null".to_owned())
}

/// Declares functions of the C interface on an instance, which have a status.
macro_rules! functions {
    ($(
        $(#[$meta:meta])*
        fn $name:ident($($argument:ident: $type:ty),* $(,)?) |$instance:ident| $body:block
    )*) => {$(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(handle: $crate::c::Handle, $($argument: $type),*) -> $crate::c::Status {
            // SAFETY: FMI obliges the host to give an instance that was made here, and pointers to as many elements as it says,
            // which nobody else uses during the call.
            unsafe { $crate::c::with(handle, |$instance| $body) }
        }
    )*};
}

/// Declares functions of the C interface that an FMU of this kind does not have.
macro_rules! refused {
    ($reason:literal: $(fn $name:ident($($type:ty),* $(,)?);)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(handle: $crate::c::Handle, $(_: $type),*) -> $crate::c::Status {
            // SAFETY: FMI obliges the host to give an instance that was made here.
            unsafe { $crate::c::with::<()>(handle, |_| Err(concat!(stringify!($name), ": ", $reason).to_owned())) }
        }
    )*};
}

pub(crate) use {functions, refused};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_panic_reaches_the_host() {
        assert!(give(|| panic!("on purpose")).is_null());
    }

    #[test]
    fn null_is_an_error() {
        let null = std::ptr::null_mut();
        // SAFETY: null is allowed everywhere here.
        unsafe {
            assert_eq!(with(null, |_| Ok(Status::Ok)), Status::Error);
            take_back(null);
            store(null.cast::<f64>(), 1.0);
            assert!(slice::<f64>(null.cast(), 1).is_err() && slice_mut::<f64>(null.cast(), 1).is_err());
            assert_eq!(slice::<f64>(null.cast(), 0), Ok(&[][..]));
            assert!(text(null.cast()).is_err() && kept(null).is_err());
        }
    }
}
