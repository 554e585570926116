//! What the interface adds to a call.
#![allow(unsafe_code, reason = "the C functions are called directly, for comparison")]
#![allow(clippy::print_stdout, reason = "the figures are for who runs the test by hand")]

use crate::support::{BOTH, STEPS, initialize, instance, options};
use cosimo_fmi::binary::{Library, Version, Width};
use cosimo_fmi::test_units;
use std::ffi::{c_char, c_int, c_void};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: u32 = 200_000;

/// Nanoseconds of one round, the best of some tries.
fn best(mut round: impl FnMut(u32)) -> f64 {
    (0..7)
        .map(|_| {
            let start = Instant::now();
            (0..ROUNDS).for_each(&mut round);
            start.elapsed().as_secs_f64() * 1e9 / f64::from(ROUNDS)
        })
        .fold(f64::INFINITY, f64::min)
}

/// Set, step and get of a unit that does next to nothing.
fn through_the_interface() -> Option<f64> {
    let mut unit = instance("spring_half", Version::Three, STEPS)?;
    initialize(&mut unit, &[], &[]);
    let mut force = [0.0];
    Some(best(|round| {
        unit.set_f64(&[4], &[f64::from(round)]).unwrap();
        unit.do_step(f64::from(round), 1.0, true).unwrap();
        unit.get_f64(&[8], &mut force).unwrap();
        black_box(&force);
    }))
}

type Set = unsafe extern "C" fn(*mut c_void, *const u32, usize, *const f64, usize) -> c_int;
type Get = unsafe extern "C" fn(*mut c_void, *const u32, usize, *mut f64, usize) -> c_int;
type Step = unsafe extern "C" fn(*mut c_void, f64, f64, u8, *mut u8, *mut u8, *mut u8, *mut f64) -> c_int;
type Instantiate = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const c_char,
    u8,
    u8,
    u8,
    u8,
    *const u32,
    usize,
    *mut c_void,
    *const c_void,
    *const c_void,
) -> *mut c_void;

fn directly() -> Option<f64> {
    let built = test_units::build("spring_half", Version::Three, &[])?;
    let null = std::ptr::null::<c_void>();
    // SAFETY: the types are those of the standard, and the unit is one of this crate.
    unsafe {
        let library = libloading::Library::new(&built.library).unwrap();
        let instantiate = *library.get::<Instantiate>("fmi3InstantiateCoSimulation").unwrap();
        let set = *library.get::<Set>("fmi3SetFloat64").unwrap();
        let get = *library.get::<Get>("fmi3GetFloat64").unwrap();
        let step = *library.get::<Step>("fmi3DoStep").unwrap();
        let free = *library.get::<unsafe extern "C" fn(*mut c_void)>("fmi3FreeInstance").unwrap();
        let token = std::ffi::CString::new(built.token).unwrap();
        let none = std::ptr::null_mut();
        let unit = instantiate(
            c"unit".as_ptr(),
            token.as_ptr(),
            null.cast(),
            0,
            0,
            0,
            0,
            null.cast(),
            0,
            none,
            null,
            null,
        );
        let ([mut event, mut end, mut early], mut reached, mut force) = ([0; 3], 0.0, 0.0);
        let time = best(|round| {
            let x = f64::from(round);
            assert_eq!(set(unit, &4, 1, &x, 1), 0);
            assert_eq!(step(unit, x, 1.0, 1, &mut event, &mut end, &mut early, &mut reached), 0);
            assert_eq!(get(unit, &8, 1, &mut force, 1), 0);
            black_box(&force);
        });
        free(unit);
        Some(time)
    }
}

#[test]
fn a_round_of_set_step_and_get_costs_little_more_than_the_functions() {
    let (Some(through), Some(bare)) = (through_the_interface(), directly()) else { return };
    println!("set, step and get: {through:.1} ns through the interface, {bare:.1} ns directly");
    // Far above what is measured, since tests share their processors.
    assert!(through - bare < 1000.0, "{through} ns instead of {bare} ns");
}

#[test]
fn the_calls_of_a_step_allocate_nothing() {
    for version in BOTH {
        let Some(mut unit) = instance("bouncing_ball", version, STEPS) else { return };
        let mut other = instance("feedthrough", version, STEPS).unwrap();
        initialize(&mut unit, &[], &[]);
        initialize(&mut other, &[], &[]);
        let mut state = unit.save_state().unwrap();
        let mut round = || {
            let mut values = [0.0; 2];
            unit.set_f64(&[1], &[1.5]).unwrap();
            unit.overwrite_state(&mut state).unwrap();
            unit.do_step(0.0, 0.1, false).unwrap();
            unit.restore_state(&state).unwrap();
            unit.do_step(0.0, 0.1, true).unwrap();
            unit.get_f64(&[4, 5], &mut values).unwrap();
            other.set_i64(Width::I32, &[4], &[3]).unwrap();
            other.set_bool(&[6], &[true]).unwrap();
            other.get_i64(Width::I32, &[5], &mut [0]).unwrap();
            other.get_bool(&[7], &mut [false]).unwrap();
        };
        round();
        assert_eq!(allocation_counter::measure(round).count_total, 0);
    }
}

/// The interface of a library that is loaded twice is the same one.
#[test]
fn a_library_may_be_loaded_twice() {
    let Some(built) = test_units::build("spring_half", Version::Two, &[]) else { return };
    let load = || Library::load(&built.library, Version::Two, &built.identifier).unwrap();
    let (first, second) = (load(), load());
    let (a, b) = (first.instantiate(&options(&built, STEPS)), second.instantiate(&options(&built, STEPS)));
    drop((first, a.unwrap(), second));
    let mut last = b.unwrap();
    initialize(&mut last, &[], &[]);
    last.do_step(0.0, 0.1, true).unwrap();
}
