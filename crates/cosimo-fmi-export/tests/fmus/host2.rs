//! A host of FMI 2.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::{Arc, Mutex};

use libloading::{Library, Symbol};

use crate::exported::Unpacked;

pub(crate) const OK: c_int = 0;
pub(crate) const DISCARD: c_int = 2;
pub(crate) const ERROR: c_int = 3;

type Handle = *mut c_void;

/// Messages: status, category, text.
pub(crate) type Messages = Arc<Mutex<Vec<(c_int, String, String)>>>;

#[repr(C)]
struct Callbacks {
    logger: *const c_void,
    allocate: *const c_void,
    free: *const c_void,
    finished: *const c_void,
    environment: *const c_void,
}

/// The fixed arguments of the variadic logger: the format takes no others.
unsafe extern "C" fn logger(
    environment: *const c_void,
    _name: *const c_char,
    status: c_int,
    category: *const c_char,
    format: *const c_char,
) {
    unsafe {
        let messages = &*environment.cast::<Mutex<Vec<(c_int, String, String)>>>();
        let own = |text| CStr::from_ptr(text).to_str().unwrap().to_owned();
        let text = own(format).replace("%%", "\0");
        assert!(!text.contains('%'), "a format without its values: {text}");
        messages.lock().unwrap().push((status, own(category), text.replace('\0', "%")));
    }
}

pub(crate) fn library(fmu: &Unpacked) -> Library {
    unsafe { Library::new(fmu.binary()) }.unwrap()
}

/// An instance.
pub(crate) struct Instance<'a> {
    library: &'a Library,
    pub(crate) handle: Handle,
    pub(crate) messages: Messages,
}

/// The URI of a path.
pub(crate) fn uri(fmu: &Unpacked) -> String {
    let path = fmu.resources();
    let bytes = path.to_str().unwrap().bytes();
    let encoded = bytes.map(|byte| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => char::from(byte).to_string(),
        other => format!("%{other:02X}"),
    });
    format!("file://{}", encoded.collect::<String>())
}

/// Calls a function that has a status.
macro_rules! call {
    ($instance:expr, $name:literal, ($($type:ty),*), $($argument:expr),* $(,)?) => {{
        let function: libloading::Symbol<'_, unsafe extern "C" fn(*mut std::ffi::c_void $(, $type)*) -> std::ffi::c_int> =
            unsafe { $instance.library().get($name) }.unwrap();
        unsafe { function($instance.handle $(, $argument)*) }
    }};
}
pub(crate) use call;

impl<'a> Instance<'a> {
    pub(crate) fn try_new(library: &'a Library, token: &str, resources: &str, logging: bool) -> Self {
        let messages = Messages::default();
        let environment = Arc::as_ptr(&messages).cast();
        let none = std::ptr::null();
        let callbacks = Callbacks {
            logger: logger as *const c_void,
            allocate: none,
            free: none,
            finished: none,
            environment,
        };
        type Instantiate = unsafe extern "C" fn(
            *const c_char,
            c_int,
            *const c_char,
            *const c_char,
            *const Callbacks,
            c_int,
            c_int,
        ) -> Handle;
        let instantiate: Symbol<'_, Instantiate> = unsafe { library.get(b"fmi2Instantiate") }.unwrap();
        let (token, resources) = (CString::new(token).unwrap(), CString::new(resources).unwrap());
        let (token, resources) = (token.as_ptr(), resources.as_ptr());
        let name = c"an instance".as_ptr();
        let handle = unsafe { instantiate(name, 1, token, resources, &callbacks, 0, c_int::from(logging)) };
        Self { library, handle, messages }
    }

    pub(crate) fn new(library: &'a Library, fmu: &Unpacked) -> Self {
        let instance = Self::try_new(library, fmu.token(), &uri(fmu), true);
        assert!(!instance.handle.is_null(), "{:?}", instance.messages);
        instance
    }

    pub(crate) fn library(&self) -> &Library {
        self.library
    }

    /// Initialises from time 0.
    pub(crate) fn initialise(&self) {
        let setup = call!(self, b"fmi2SetupExperiment", (c_int, f64, f64, c_int, f64), 0, 0.0, 0.0, 0, 0.0);
        assert_eq!(setup, OK);
        assert_eq!(call!(self, b"fmi2EnterInitializationMode", (),), OK);
        assert_eq!(call!(self, b"fmi2ExitInitializationMode", (),), OK);
    }

    pub(crate) fn step(&self, time: f64, size: f64) -> c_int {
        call!(self, b"fmi2DoStep", (f64, f64, c_int), time, size, 1)
    }

    /// Steps from `begin` to `end` by equal steps of 0.01 or less.
    pub(crate) fn run(&self, begin: f64, end: f64) {
        let count = ((end - begin) / 0.01).round().max(1.0);
        let size = (end - begin) / count;
        for step in 0..count as usize {
            assert_eq!(self.step(begin + step as f64 * size, size), OK, "{:?}", self.messages);
        }
    }

    pub(crate) fn real(&self, reference: u32) -> f64 {
        let mut value = f64::NAN;
        let status = call!(self, b"fmi2GetReal", (*const u32, usize, *mut f64), &reference, 1, &mut value);
        assert_eq!(status, OK, "{:?}", self.messages);
        value
    }

    pub(crate) fn integer(&self, reference: u32) -> c_int {
        let mut value = 0;
        let status =
            call!(self, b"fmi2GetInteger", (*const u32, usize, *mut c_int), &reference, 1, &mut value);
        assert_eq!(status, OK, "{:?}", self.messages);
        value
    }

    pub(crate) fn boolean(&self, reference: u32) -> c_int {
        let mut value = 7;
        let status =
            call!(self, b"fmi2GetBoolean", (*const u32, usize, *mut c_int), &reference, 1, &mut value);
        assert_eq!(status, OK, "{:?}", self.messages);
        value
    }

    pub(crate) fn text(&self, reference: u32) -> String {
        let mut value = std::ptr::null();
        let status =
            call!(self, b"fmi2GetString", (*const u32, usize, *mut *const c_char), &reference, 1, &mut value);
        assert_eq!(status, OK, "{:?}", self.messages);
        unsafe { CStr::from_ptr(value) }.to_str().unwrap().to_owned()
    }

    pub(crate) fn set_real(&self, reference: u32, value: f64) -> c_int {
        call!(self, b"fmi2SetReal", (*const u32, usize, *const f64), &reference, 1, &value)
    }

    pub(crate) fn set_integer(&self, reference: u32, value: c_int) -> c_int {
        call!(self, b"fmi2SetInteger", (*const u32, usize, *const c_int), &reference, 1, &value)
    }

    pub(crate) fn set_boolean(&self, reference: u32, value: c_int) -> c_int {
        call!(self, b"fmi2SetBoolean", (*const u32, usize, *const c_int), &reference, 1, &value)
    }

    pub(crate) fn set_text(&self, reference: u32, value: &str) -> c_int {
        let value = CString::new(value).unwrap();
        let pointer = value.as_ptr();
        call!(self, b"fmi2SetString", (*const u32, usize, *const *const c_char), &reference, 1, &pointer)
    }

    pub(crate) fn save(&self) -> Handle {
        let mut state = std::ptr::null_mut();
        assert_eq!(call!(self, b"fmi2GetFMUstate", (*mut Handle), &mut state), OK, "{:?}", self.messages);
        state
    }

    pub(crate) fn restore(&self, state: Handle) -> c_int {
        call!(self, b"fmi2SetFMUstate", (Handle), state)
    }

    pub(crate) fn free(&self, state: Handle) {
        let mut state = state;
        assert_eq!(call!(self, b"fmi2FreeFMUstate", (*mut Handle), &mut state), OK);
        assert!(state.is_null());
    }

    pub(crate) fn serialise(&self, state: Handle) -> Vec<u8> {
        let mut size = 0;
        assert_eq!(call!(self, b"fmi2SerializedFMUstateSize", (Handle, *mut usize), state, &mut size), OK);
        let mut bytes = vec![0; size];
        let place = bytes.as_mut_ptr();
        assert_eq!(call!(self, b"fmi2SerializeFMUstate", (Handle, *mut u8, usize), state, place, size), OK);
        bytes
    }

    pub(crate) fn deserialise(&self, bytes: &[u8], state: &mut Handle) -> c_int {
        call!(
            self,
            b"fmi2DeSerializeFMUstate",
            (*const u8, usize, *mut Handle),
            bytes.as_ptr(),
            bytes.len(),
            state
        )
    }

    /// The text of the last message.
    pub(crate) fn last_message(&self) -> String {
        self.messages.lock().unwrap().last().map(|(_, _, text)| text.clone()).unwrap_or_default()
    }
}

impl Drop for Instance<'_> {
    fn drop(&mut self) {
        type Free = unsafe extern "C" fn(Handle);
        let free: Symbol<'_, Free> = unsafe { self.library.get(b"fmi2FreeInstance") }.unwrap();
        unsafe { free(self.handle) };
    }
}
