//! FMI 3: vectors, events, early return, states.

use std::ffi::{CStr, CString, c_char, c_void};

use cosimo_fmi_export::FmiVersion;
use libloading::Symbol;

use crate::exported::reference::*;
use crate::exported::{assert_near, closed_form, unpacked};
use crate::host2::{DISCARD, ERROR, OK, call, library};
use crate::host3::Instance;

#[test]
fn values_of_all_types_are_read_and_set() {
    let fmu = unpacked(FmiVersion::V3);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu, false, "/");
    assert_eq!(instance.set_reals(START, &[0.5, 2.0]), OK);
    assert_eq!(instance.set_reals(START, &[0.5]), ERROR);
    assert_eq!(instance.set_reals(START + 1, &[0.5]), ERROR);
    assert_eq!(instance.reals(START), [0.5, 2.0]);
    let held = 1_u8;
    assert_eq!(
        call!(instance, b"fmi3SetBoolean", (*const u32, usize, *const u8, usize), &HELD, 1, &held, 1),
        OK
    );
    let limit = 3;
    assert_eq!(
        call!(instance, b"fmi3SetInt32", (*const u32, usize, *const i32, usize), &LIMIT, 1, &limit, 1),
        OK
    );
    let text = CString::new("größer").unwrap();
    let text = text.as_ptr();
    let set = call!(
        instance,
        b"fmi3SetString",
        (*const u32, usize, *const *const c_char, usize),
        &TROUBLE,
        1,
        &text,
        1
    );
    assert_eq!(set, OK);
    instance.initialise();
    assert_eq!(instance.reals(STATE), [1.5, 2.0]);
    assert_eq!(instance.step(0.0, 0.5), (OK, false, false, false, 0.5));
    assert_eq!(instance.reals(STATE), [1.5, 0.0]);
    assert_eq!(instance.step(0.5, 0.5), (OK, false, false, false, 1.0));
    assert_eq!(instance.step(1.0, 0.5), (OK, false, true, false, 1.5));
    let (mut steps, mut moving, mut trouble) = (0, true, std::ptr::null());
    assert_eq!(
        call!(instance, b"fmi3GetInt32", (*const u32, usize, *mut i32, usize), &STEPS, 1, &mut steps, 1),
        OK
    );
    assert_eq!(
        call!(instance, b"fmi3GetBoolean", (*const u32, usize, *mut bool, usize), &MOVING, 1, &mut moving, 1),
        OK
    );
    let read = call!(
        instance,
        b"fmi3GetString",
        (*const u32, usize, *mut *const c_char, usize),
        &TROUBLE,
        1,
        &mut trouble,
        1
    );
    assert_eq!(read, OK);
    let trouble = unsafe { CStr::from_ptr(trouble) };
    assert_eq!((steps, moving, trouble.to_str().unwrap()), (3, false, "größer"));
    assert_eq!(call!(instance, b"fmi3Terminate", (),), OK);
}

#[test]
fn events_end_steps_early_and_impulses_act_in_event_mode() {
    let fmu = unpacked(FmiVersion::V3);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu, true, "");
    assert_eq!(instance.set_real(ALARM, 0.5), OK);
    instance.initialise();
    let update = || {
        let (mut again, mut terminate, mut nominals, mut states) = (true, true, true, true);
        let (mut defined, mut next) = (false, f64::NAN);
        type Bool = *mut bool;
        let status = call!(
            instance,
            b"fmi3UpdateDiscreteStates",
            (Bool, Bool, Bool, Bool, Bool, *mut f64),
            &mut again,
            &mut terminate,
            &mut nominals,
            &mut states,
            &mut defined,
            &mut next
        );
        assert_eq!((status, again, terminate, nominals, states), (OK, false, false, false, false));
        defined.then_some(next)
    };
    // After the initialisation the instance is in event mode.
    assert_eq!(instance.step(0.0, 0.4).0, ERROR);
    assert_eq!(update(), Some(0.5));
    assert_eq!(call!(instance, b"fmi3EnterStepMode", (),), OK);
    instance.run(0.0, 0.4);
    assert_eq!(instance.step(0.4, 0.2), (OK, true, false, true, 0.5));
    let velocity = instance.real(VELOCITY);
    assert_eq!(call!(instance, b"fmi3EnterEventMode", (),), OK);
    assert_eq!(instance.set_real(IMPULSE, 3.0), OK);
    assert_eq!(update(), None);
    assert_near(instance.real(VELOCITY), velocity + 1.5);
    assert_eq!(call!(instance, b"fmi3EnterStepMode", (),), OK);
    assert_eq!(call!(instance, b"fmi3EnterStepMode", (),), ERROR);
    instance.run(0.5, 1.0);
}

#[test]
fn steps_are_whole_where_the_host_does_not_take_others() {
    let fmu = unpacked(FmiVersion::V3);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu, false, "//");
    assert_eq!(instance.set_real(ALARM, 0.625), OK);
    instance.initialise();
    assert_eq!(call!(instance, b"fmi3EnterEventMode", (),), ERROR);
    instance.run(0.0, 0.5);
    assert_eq!(instance.step(0.5, 0.25), (OK, false, false, false, 0.75));
    let text = c"short".as_ptr();
    let set = call!(
        instance,
        b"fmi3SetString",
        (*const u32, usize, *const *const c_char, usize),
        &TROUBLE,
        1,
        &text,
        1
    );
    assert_eq!(set, OK);
    assert_eq!(instance.step(0.75, 0.25), (DISCARD, false, false, false, 0.875));
}

#[test]
fn states_are_kept_and_travel() {
    let fmu = unpacked(FmiVersion::V3);
    let library = library(&fmu);
    let first = Instance::new(&library, &fmu, false, "");
    first.initialise();
    first.run(0.0, 0.5);
    type Handle = *mut c_void;
    let (mut state, mut size) = (std::ptr::null_mut(), 0);
    assert_eq!(call!(first, b"fmi3GetFMUState", (*mut Handle), &mut state), OK);
    first.run(0.5, 1.0);
    assert_eq!(call!(first, b"fmi3SetFMUState", (Handle), state), OK);
    assert_eq!(call!(first, b"fmi3SerializedFMUStateSize", (Handle, *mut usize), state, &mut size), OK);
    let mut bytes = vec![0; size];
    let place = bytes.as_mut_ptr();
    assert_eq!(
        call!(first, b"fmi3SerializeFMUState", (Handle, *mut u8, usize), state, place, size - 1),
        ERROR
    );
    assert_eq!(call!(first, b"fmi3SerializeFMUState", (Handle, *mut u8, usize), state, place, size), OK);
    assert_eq!(call!(first, b"fmi3FreeFMUState", (*mut Handle), &mut state), OK);
    let second = Instance::new(&library, &fmu, false, "");
    let bytes = bytes.as_ptr();
    assert_eq!(
        call!(second, b"fmi3DeserializeFMUState", (*const u8, usize, *mut Handle), bytes, size, &mut state),
        OK
    );
    assert_eq!(call!(second, b"fmi3SetFMUState", (Handle), state), OK);
    for instance in [&first, &second] {
        instance.run(0.5, 1.0);
        assert_near(instance.real(POSITION), closed_form(1.0, 0.0, 8.0, 1.0).0);
    }
    assert_eq!(first.real(VELOCITY).to_bits(), second.real(VELOCITY).to_bits());
}

#[test]
fn derivatives_of_vectors_are_told() {
    let fmu = unpacked(FmiVersion::V3);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu, false, "");
    instance.initialise();
    let (unknowns, seed, mut out) = ([ACCELERATION, STATE], 3.0, [f64::NAN; 3]);
    let status = call!(
        instance,
        b"fmi3GetDirectionalDerivative",
        (*const u32, usize, *const u32, usize, *const f64, usize, *mut f64, usize),
        unknowns.as_ptr(),
        2,
        &FORCE,
        1,
        &seed,
        1,
        out.as_mut_ptr(),
        3
    );
    assert_eq!((status, out), (OK, [1.5, 0.0, 0.0]));
    assert_eq!(call!(instance, b"fmi3EnterConfigurationMode", (),), ERROR);
    assert!(instance.last_message().contains("no structural parameters"));
}

#[test]
fn model_exchange_and_scheduled_execution_are_refused() {
    let fmu = unpacked(FmiVersion::V3);
    let library = library(&fmu);
    for name in ["fmi3InstantiateModelExchange", "fmi3InstantiateScheduledExecution"] {
        type Instantiate = unsafe extern "C" fn(
            *const c_char,
            *const c_char,
            *const c_char,
            bool,
            bool,
            *const c_void,
            *const c_void,
            *const c_void,
            *const c_void,
            *const c_void,
        ) -> *mut c_void;
        let instantiate: Symbol<'_, Instantiate> = unsafe { library.get(name.as_bytes()) }.unwrap();
        let (text, none) = (c"text".as_ptr(), std::ptr::null());
        assert!(
            unsafe { instantiate(text, text, text, false, false, none, none, none, none, none) }.is_null()
        );
    }
}
