//! A unit of FMI 3 behind its C functions alone: what a master written by hand for two known units calls.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::null;

use cosimo_fmi::test_units::Built;
use libloading::Library;

type Unit = *mut c_void;
type Set = unsafe extern "C" fn(Unit, *const u32, usize, *const f64, usize) -> c_int;
type Get = unsafe extern "C" fn(Unit, *const u32, usize, *mut f64, usize) -> c_int;
type Step = unsafe extern "C" fn(Unit, f64, f64, u8, *mut u8, *mut u8, *mut u8, *mut f64) -> c_int;
type Save = unsafe extern "C" fn(Unit, *mut *mut c_void) -> c_int;
type Restore = unsafe extern "C" fn(Unit, *mut c_void) -> c_int;
type Enter = unsafe extern "C" fn(Unit, u8, f64, f64, u8, f64) -> c_int;
type Exit = unsafe extern "C" fn(Unit) -> c_int;
type Text = *const c_char;
type Instantiate = unsafe extern "C" fn(
    Text,
    Text,
    Text,
    u8,
    u8,
    u8,
    u8,
    *const u32,
    usize,
    *const c_void,
    *const c_void,
    *const c_void,
) -> Unit;

/// An initialised unit and its functions. It is never freed: the process ends soon.
pub(crate) struct Bare {
    unit: Unit,
    set: Set,
    get: Get,
    step: Step,
    save: Save,
    restore: Restore,
    saved: *mut c_void,
    _library: Library,
}

impl Bare {
    /// An instance whose variables have these values before the initialisation.
    pub(crate) fn new(built: &Built, values: &[(u32, f64)]) -> Self {
        let token = std::ffi::CString::new(built.token).unwrap();
        // SAFETY: the types are those of the standard, and the unit is one of this crate.
        unsafe {
            let library = Library::new(&built.library).unwrap();
            let instantiate = *library.get::<Instantiate>("fmi3InstantiateCoSimulation").unwrap();
            let enter = *library.get::<Enter>("fmi3EnterInitializationMode").unwrap();
            let exit = *library.get::<Exit>("fmi3ExitInitializationMode").unwrap();
            let (name, text) = (c"unit".as_ptr(), null());
            let unit = instantiate(name, token.as_ptr(), text, 0, 0, 0, 0, null(), 0, null(), null(), null());
            let new = Self {
                unit,
                set: *library.get("fmi3SetFloat64").unwrap(),
                get: *library.get("fmi3GetFloat64").unwrap(),
                step: *library.get("fmi3DoStep").unwrap(),
                save: *library.get("fmi3GetFMUState").unwrap(),
                restore: *library.get("fmi3SetFMUState").unwrap(),
                saved: std::ptr::null_mut(),
                _library: library,
            };
            values.iter().for_each(|(reference, value)| new.set(*reference, *value));
            assert_eq!((enter(unit, 0, 0.0, 0.0, 0, 0.0), exit(unit)), (0, 0));
            new
        }
    }

    #[inline]
    pub(crate) fn set(&self, reference: u32, value: f64) {
        // SAFETY: lists of one.
        assert_eq!(unsafe { (self.set)(self.unit, &raw const reference, 1, &raw const value, 1) }, 0);
    }

    #[inline]
    pub(crate) fn get<const N: usize>(&self, references: [u32; N]) -> [f64; N] {
        let mut values = [0.0; N];
        // SAFETY: lists of the same length.
        assert_eq!(unsafe { (self.get)(self.unit, references.as_ptr(), N, values.as_mut_ptr(), N) }, 0);
        values
    }

    #[inline]
    pub(crate) fn step(&self, time: f64, size: f64, is_last: bool) {
        let ([mut event, mut end, mut early], mut reached) = ([0; 3], 0.0);
        let done = (&raw mut event, &raw mut end, &raw mut early, &raw mut reached);
        // SAFETY: the places for the answers outlive the call.
        let status =
            unsafe { (self.step)(self.unit, time, size, u8::from(is_last), done.0, done.1, done.2, done.3) };
        assert_eq!((status, event, end, early), (0, 0, 0, 0));
    }

    #[inline]
    pub(crate) fn save(&mut self) {
        // SAFETY: null, or a state of this unit, which is overwritten.
        assert_eq!(unsafe { (self.save)(self.unit, &raw mut self.saved) }, 0);
    }

    #[inline]
    pub(crate) fn restore(&self) {
        // SAFETY: the state was saved before.
        assert_eq!(unsafe { (self.restore)(self.unit, self.saved) }, 0);
    }
}
