//! A host of FMI 3.

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::sync::{Arc, Mutex};

use libloading::{Library, Symbol};

use crate::exported::Unpacked;
use crate::host2::{Messages, OK, call};

type Handle = *mut c_void;

unsafe extern "C" fn logger(
    environment: *const c_void,
    status: c_int,
    category: *const c_char,
    text: *const c_char,
) {
    unsafe {
        let messages = &*environment.cast::<Mutex<Vec<(c_int, String, String)>>>();
        let own = |text| CStr::from_ptr(text).to_str().unwrap().to_owned();
        messages.lock().unwrap().push((status, own(category), own(text)));
    }
}

/// An instance.
pub(crate) struct Instance<'a> {
    library: &'a Library,
    pub(crate) handle: Handle,
    pub(crate) messages: Messages,
}

/// What a step has led to: status, event, terminate, early, reached.
pub(crate) type Stepped = (c_int, bool, bool, bool, f64);

impl<'a> Instance<'a> {
    /// An instance with event mode and early return, or without, with `ending` after the path of the resources.
    pub(crate) fn new(library: &'a Library, fmu: &Unpacked, events: bool, ending: &str) -> Self {
        let messages = Messages::default();
        let environment = Arc::as_ptr(&messages).cast();
        type Instantiate = unsafe extern "C" fn(
            *const c_char,
            *const c_char,
            *const c_char,
            bool,
            bool,
            bool,
            bool,
            *const u32,
            usize,
            *const c_void,
            *const c_void,
            *const c_void,
        ) -> Handle;
        let instantiate: Symbol<'_, Instantiate> =
            unsafe { library.get(b"fmi3InstantiateCoSimulation") }.unwrap();
        let token = CString::new(fmu.token()).unwrap();
        let resources = CString::new(format!("{}{ending}", fmu.resources().to_str().unwrap())).unwrap();
        let (name, token, resources) = (c"an instance".as_ptr(), token.as_ptr(), resources.as_ptr());
        let (none, logger) = (std::ptr::null::<c_void>(), logger as *const c_void);
        let handle = unsafe {
            instantiate(
                name,
                token,
                resources,
                false,
                true,
                events,
                events,
                none.cast(),
                0,
                environment,
                logger,
                none,
            )
        };
        assert!(!handle.is_null(), "{messages:?}");
        Self { library, handle, messages }
    }

    pub(crate) fn library(&self) -> &Library {
        self.library
    }

    /// Initialises from time 0.
    pub(crate) fn initialise(&self) {
        let status = call!(
            self,
            b"fmi3EnterInitializationMode",
            (bool, f64, f64, bool, f64),
            true,
            1e-6,
            0.0,
            true,
            10.0
        );
        assert_eq!(status, OK);
        assert_eq!(call!(self, b"fmi3ExitInitializationMode", (),), OK, "{:?}", self.messages);
    }

    pub(crate) fn step(&self, time: f64, size: f64) -> Stepped {
        let (mut event, mut terminate, mut early, mut reached) = (true, true, true, f64::NAN);
        let status = call!(
            self,
            b"fmi3DoStep",
            (f64, f64, bool, *mut bool, *mut bool, *mut bool, *mut f64),
            time,
            size,
            true,
            &mut event,
            &mut terminate,
            &mut early,
            &mut reached
        );
        (status, event, terminate, early, reached)
    }

    /// Steps from `begin` to `end` by equal steps of 0.01 or less.
    pub(crate) fn run(&self, begin: f64, end: f64) {
        let count = ((end - begin) / 0.01).round().max(1.0);
        let size = (end - begin) / count;
        for step in 0..count as usize {
            let (status, event, terminate, early, _) = self.step(begin + step as f64 * size, size);
            assert_eq!((status, event, terminate, early), (OK, false, false, false), "{:?}", self.messages);
        }
    }

    /// Values of a variable that has `N`.
    pub(crate) fn reals<const N: usize>(&self, reference: u32) -> [f64; N] {
        let mut values = [f64::NAN; N];
        let place = values.as_mut_ptr();
        let status =
            call!(self, b"fmi3GetFloat64", (*const u32, usize, *mut f64, usize), &reference, 1, place, N);
        assert_eq!(status, OK, "{:?}", self.messages);
        values
    }

    pub(crate) fn real(&self, reference: u32) -> f64 {
        let [value] = self.reals(reference);
        value
    }

    pub(crate) fn set_reals(&self, reference: u32, values: &[f64]) -> c_int {
        let (pointer, count) = (values.as_ptr(), values.len());
        call!(self, b"fmi3SetFloat64", (*const u32, usize, *const f64, usize), &reference, 1, pointer, count)
    }

    pub(crate) fn set_real(&self, reference: u32, value: f64) -> c_int {
        self.set_reals(reference, &[value])
    }

    /// The text of the last message.
    pub(crate) fn last_message(&self) -> String {
        self.messages.lock().unwrap().last().map(|(_, _, text)| text.clone()).unwrap_or_default()
    }
}

impl Drop for Instance<'_> {
    fn drop(&mut self) {
        type Free = unsafe extern "C" fn(Handle);
        let free: Symbol<'_, Free> = unsafe { self.library.get(b"fmi3FreeInstance") }.unwrap();
        unsafe { free(self.handle) };
    }
}
