//! FMI 2: values, steps, states, derivatives.

use std::ffi::{c_char, c_int, c_void};

use cosimo_fmi_export::FmiVersion;

use crate::exported::reference::*;
use crate::exported::{assert_near, closed_form, unpacked};
use crate::host2::{DISCARD, ERROR, Instance, OK, call, library};

#[test]
fn values_follow_the_closed_form() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    assert_eq!(instance.real(STIFFNESS), 8.0);
    assert_eq!(instance.set_real(START_POSITION, 0.5), OK);
    assert_eq!(instance.set_real(FORCE, 3.0), OK);
    instance.initialise();
    assert_eq!(instance.real(POSITION), 0.5);
    instance.run(0.0, 1.0);
    let (position, velocity) = closed_form(0.5, 3.0, 8.0, 1.0);
    assert_near(instance.real(POSITION), position);
    assert_near(instance.real(VELOCITY), velocity);
    assert_near(instance.real(STATE + 1), velocity);
    assert_near(instance.real(ACCELERATION), (3.0 - 8.0 * position) / 2.0);
    assert_near(instance.real(TIME), 1.0);
    assert_eq!(instance.integer(STEPS), 100);
    assert_eq!(instance.boolean(MOVING), 1);
    assert_eq!(instance.text(PHASE), if velocity < 0.0 { "fällt" } else { "steigt" });
    assert_eq!(call!(instance, b"fmi2Terminate", (),), OK);
    assert_near(instance.real(POSITION), position);
}

#[test]
fn a_step_costs_one_round_trip() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    instance.initialise();
    let before = instance.integer(ANSWERS);
    for step in 0..10 {
        assert_eq!(instance.set_real(FORCE, f64::from(step)), OK);
        // Outputs without feed-through do not depend on the force.
        instance.real(POSITION);
        assert_eq!(instance.step(0.1 * f64::from(step), 0.1), OK);
        instance.real(ACCELERATION);
        instance.text(PHASE);
    }
    assert_eq!(instance.integer(ANSWERS), before + 10);
}

#[test]
fn outputs_with_feedthrough_see_inputs_at_once() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    instance.initialise();
    assert_eq!(instance.real(ACCELERATION), -4.0);
    assert_eq!(instance.set_real(FORCE, 20.0), OK);
    assert_eq!(instance.real(FORCE), 20.0);
    // What is kept meanwhile takes the force along, and the acceleration is asked for all the same.
    let state = instance.save();
    assert_eq!(instance.real(ACCELERATION), 6.0);
    instance.free(state);
    assert_eq!(instance.set_boolean(HELD, 1), OK);
    assert_eq!(instance.real(ACCELERATION), 0.0);
}

#[test]
fn tunable_parameters_change_on_the_way_and_fixed_ones_do_not() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    instance.initialise();
    instance.run(0.0, 0.5);
    let energy = instance.real(ENERGY);
    assert_eq!(instance.set_real(STIFFNESS, 18.0), OK);
    assert!(instance.real(ENERGY) > energy);
    assert_eq!(instance.set_real(MASS, 3.0), ERROR);
    assert_eq!(instance.set_real(POSITION, 3.0), ERROR);
    let (x, v) = closed_form(1.0, 0.0, 8.0, 0.5);
    instance.run(0.5, 1.0);
    let (sin, cos) = (3.0_f64 * 0.5).sin_cos();
    assert_near(instance.real(POSITION), x * cos + v / 3.0 * sin);
}

#[test]
fn kept_states_are_gone_back_to() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    instance.initialise();
    instance.run(0.0, 0.5);
    let mut state = instance.save();
    instance.run(0.5, 1.0);
    let position = instance.real(POSITION);
    assert_eq!(instance.restore(state), OK);
    assert_near(instance.real(TIME), 0.5);
    instance.run(0.5, 1.0);
    assert_eq!(instance.real(POSITION).to_bits(), position.to_bits());
    // Into the same place.
    assert_eq!(call!(instance, b"fmi2GetFMUstate", (*mut *mut c_void), &mut state), OK);
    assert_eq!(instance.restore(state), OK);
    assert_near(instance.real(TIME), 1.0);
    instance.free(state);
    assert_eq!(instance.restore(std::ptr::null_mut()), ERROR);
}

#[test]
fn states_travel_as_bytes_to_other_instances() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let first = Instance::new(&library, &fmu);
    let second = Instance::new(&library, &fmu);
    first.initialise();
    first.run(0.0, 0.5);
    let state = first.save();
    let bytes = first.serialise(state);
    first.free(state);
    let mut state = std::ptr::null_mut();
    assert_eq!(second.deserialise(&bytes[1..], &mut state), ERROR);
    assert_eq!(second.deserialise(&bytes[..bytes.len() - 1], &mut state), ERROR);
    assert!(state.is_null());
    assert_eq!(second.deserialise(&bytes, &mut state), OK);
    assert_eq!(second.restore(state), OK);
    first.run(0.5, 1.0);
    second.run(0.5, 1.0);
    assert_eq!(first.real(POSITION).to_bits(), second.real(POSITION).to_bits());
    second.free(state);
}

#[test]
fn instances_are_independent() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let first = Instance::new(&library, &fmu);
    let second = Instance::new(&library, &fmu);
    assert_eq!(second.set_real(START_POSITION, 3.0), OK);
    first.initialise();
    second.initialise();
    std::thread::scope(|scope| {
        // Each is used by one thread.
        struct Own<'a>(&'a Instance<'a>);
        unsafe impl Send for Own<'_> {}
        for own in [Own(&first), Own(&second)] {
            scope.spawn(move || {
                let own = own;
                own.0.run(0.0, 1.0);
            });
        }
    });
    assert_near(first.real(POSITION), closed_form(1.0, 0.0, 8.0, 1.0).0);
    assert_near(second.real(POSITION), closed_form(3.0, 0.0, 8.0, 1.0).0);
}

#[test]
fn derivatives_are_told() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    instance.initialise();
    let derivative = |known: u32| {
        let (unknowns, seed, mut out) = ([ACCELERATION, POSITION], 3.0, [f64::NAN; 2]);
        let status = call!(
            instance,
            b"fmi2GetDirectionalDerivative",
            (*const u32, usize, *const u32, usize, *const f64, *mut f64),
            unknowns.as_ptr(),
            2,
            &known,
            1,
            &seed,
            out.as_mut_ptr()
        );
        (status, out)
    };
    assert_eq!(derivative(FORCE), (OK, [1.5, 0.0]));
    assert_eq!(derivative(MASS).0, ERROR);
    // That was a question only.
    instance.run(0.0, 0.1);
}

#[test]
fn a_reset_brings_back_the_beginning() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    assert_eq!(instance.set_real(START_POSITION, 3.0), OK);
    instance.initialise();
    instance.run(0.0, 0.5);
    assert_eq!(call!(instance, b"fmi2Reset", (),), OK);
    assert_eq!(instance.real(START_POSITION), 1.0);
    assert_eq!(instance.step(0.0, 0.1), ERROR);
    instance.initialise();
    instance.run(0.0, 1.0);
    assert_near(instance.real(POSITION), closed_form(1.0, 0.0, 8.0, 1.0).0);
}

#[test]
fn short_steps_are_discarded_and_tell_how_far_they_went() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    assert_eq!(instance.set_integer(LIMIT, 2), OK);
    instance.initialise();
    assert_eq!(instance.step(0.0, 0.5), OK);
    assert_eq!(instance.set_text(TROUBLE, "short"), OK);
    assert_eq!(instance.step(0.5, 0.5), DISCARD);
    let (mut time, mut terminated) = (f64::NAN, 7);
    assert_eq!(call!(instance, b"fmi2GetRealStatus", (c_int, *mut f64), 2, &mut time), OK);
    assert_eq!(call!(instance, b"fmi2GetBooleanStatus", (c_int, *mut c_int), 3, &mut terminated), OK);
    assert_eq!((time, terminated), (0.75, 1));
    // An instance knows where it is.
    assert_eq!(instance.step(1.0, 0.5), ERROR);
    assert_eq!(instance.step(0.75, 0.0), ERROR);
    assert_eq!(instance.set_text(TROUBLE, ""), OK);
    assert_eq!(instance.step(0.75, 0.5), DISCARD);
    assert_eq!(call!(instance, b"fmi2GetRealStatus", (c_int, *mut f64), 2, &mut time), OK);
    assert_eq!(time, 1.25);
}

#[test]
fn messages_are_told_by_category() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    instance.initialise();
    let last = |instance: &Instance<'_>| instance.messages.lock().unwrap().last().cloned();
    let ready = (0, "logInformation".to_owned(), "the oscillator is ready".to_owned());
    assert_eq!(last(&instance), Some(ready.clone()));
    assert_eq!(instance.set_text(TROUBLE, "warning"), OK);
    assert_eq!(instance.step(0.0, 0.1), OK);
    let warning = (1, "logStatusWarning".to_owned(), "the spring creaks: 100 %s %n".to_owned());
    assert_eq!(last(&instance), Some(warning));
    let debug = |on: c_int, name: &std::ffi::CStr| {
        let names = [name.as_ptr()];
        call!(instance, b"fmi2SetDebugLogging", (c_int, usize, *const *const c_char), on, 1, names.as_ptr())
    };
    assert_eq!(debug(0, c"logStatusWarning"), OK);
    instance.messages.lock().unwrap().clear();
    assert_eq!(instance.step(0.1, 0.1), OK);
    assert_eq!(last(&instance), None);
    assert_eq!(debug(1, c"logStatusWarning"), OK);
    assert_eq!(instance.step(0.2, 0.1), OK);
    assert_eq!(instance.messages.lock().unwrap().len(), 1);
    assert_eq!(debug(1, c"logNonsense"), ERROR);
    assert_eq!(debug(1, c"logAll"), OK);
    assert_eq!(call!(instance, b"fmi2Reset", (),), OK);
    instance.initialise();
    assert_eq!(last(&instance), Some(ready));
}

#[test]
fn what_is_absent_says_so() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let instance = Instance::new(&library, &fmu);
    assert_eq!(call!(instance, b"fmi2EnterEventMode", (),), ERROR);
    assert!(instance.last_message().contains("co-simulation only"));
    assert_eq!(call!(instance, b"fmi2CancelStep", (),), ERROR);
    let mut value = 0.0;
    let read = |reference: u32, value: &mut f64| {
        call!(instance, b"fmi2GetReal", (*const u32, usize, *mut f64), &reference, 1, value)
    };
    assert_eq!(read(99, &mut value), ERROR);
    assert!(instance.last_message().contains("value reference 99"));
    assert_eq!(read(STEPS, &mut value), ERROR);
    assert!(instance.last_message().contains("Integer, not Real"));
    assert_eq!(
        call!(instance, b"fmi2GetReal", (*const u32, usize, *mut f64), std::ptr::null(), 1, &mut value),
        ERROR
    );
    assert_eq!(
        call!(instance, b"fmi2GetReal", (*const u32, usize, *mut f64), std::ptr::null(), 0, &mut value),
        OK
    );
    // None of this has done harm.
    instance.initialise();
    instance.run(0.0, 0.1);
}

/// Prints what a communication step costs besides the model.
#[test]
#[ignore = "measures"]
fn cost_of_a_step() {
    let fmu = unpacked(FmiVersion::V2);
    let library = library(&fmu);
    let begin = std::time::Instant::now();
    let instance = Instance::new(&library, &fmu);
    println!("an instance: {:.1} ms", begin.elapsed().as_secs_f64() * 1e3);
    instance.initialise();
    let (count, size) = (100_000, 1e-4);
    let begin = std::time::Instant::now();
    for step in 0..count {
        assert_eq!(instance.set_real(FORCE, 1.0), OK);
        assert_eq!(instance.step(f64::from(step) * size, size), OK);
        instance.real(POSITION);
    }
    println!("set, step, get: {:.2} µs", begin.elapsed().as_secs_f64() * 1e6 / f64::from(count));
}
