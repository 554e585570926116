//! What units do to the process they run in: changes that are undone, and ends that only a child process survives.

use crate::support::{BOTH, STEPS, bad, bad_from, exchange, initialize, real};
use cosimo_fmi::binary::{Change, Instance, Version, keep_process};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

#[test]
fn the_directory_is_put_back() {
    for version in BOTH {
        let before = std::env::current_dir().unwrap();
        let Some(unit) = bad(13, version, STEPS) else { return };
        let changes = unit.unwrap().take_changes();
        assert_eq!(changes, [Change::Directory { to: "/".into() }]);
        assert_eq!(std::env::current_dir().unwrap(), before);
    }
}

#[test]
fn the_rounding_of_numbers_is_put_back_after_each_step_and_told_once() {
    for version in BOTH {
        let Some(unit) = bad(14, version, STEPS) else { return };
        let mut unit = unit.unwrap();
        initialize(&mut unit, &[], &[]);
        let third = || std::hint::black_box(1.0) / std::hint::black_box(3.0_f64);
        let before = third().to_bits();
        for step in 0..3 {
            unit.do_step(f64::from(step), 1.0, true).unwrap();
            assert_eq!(third().to_bits(), before);
        }
        assert_eq!(unit.take_changes(), [Change::FloatingPoint]);
        assert_eq!(real(&mut unit, 2), 3.0);
    }
}

#[test]
fn the_locale_is_put_back() {
    for version in BOTH {
        let Some(unit) = bad(20, version, STEPS) else { return };
        let changes = unit.unwrap().take_changes();
        let expected = Change::Locale { to: "C.UTF-8".to_owned() };
        assert!(changes.is_empty() || changes == [expected], "{changes:?}");
    }
}

#[test]
fn memory_comes_from_the_callbacks() {
    let Some(unit) = bad(27, Version::Two, STEPS) else { return };
    unit.unwrap();
}

/// In a child, since handlers of faults are left.
#[test]
fn handlers_of_signals_are_told_and_that_of_the_interrupt_is_put_back() {
    if !is_child() {
        assert!(
            child("handlers_of_signals_are_told_and_that_of_the_interrupt_is_put_back")
                .wait()
                .unwrap()
                .success()
        );
        return;
    }
    for version in BOTH {
        let Some(unit) = bad(15, version, STEPS) else { return };
        let interrupt = Change::SignalHandler { signal: "SIGINT", undone: true };
        let fault = Change::SignalHandler { signal: "SIGSEGV", undone: false };
        assert_eq!(unit.unwrap().take_changes(), [interrupt, fault]);
    }
}

/// One bad mode in a child: what the tests below start.
#[test]
fn one_mode() {
    let Ok(mode) = std::env::var("COSIMO_BAD_MODE") else { return };
    let version =
        if std::env::var("COSIMO_BAD_VERSION").as_deref() == Ok("2") { Version::Two } else { Version::Three };
    let Some(unit) = bad(mode.parse().unwrap(), version, STEPS) else { return };
    let mut unit: Instance = unit.unwrap();
    initialize(&mut unit, &[], &[]);
    unit.do_step(0.0, 0.1, true).unwrap();
    unit.terminate().unwrap();
}

#[test]
fn crashes_and_exits_end_the_process_at_each_stage() {
    for version in BOTH {
        if cosimo_fmi::test_units::build("bad", version, &[]).is_none() {
            return;
        }
        assert!(mode(0, version).wait().unwrap().success());
        for crash in 1..=5 {
            let status = mode(crash, version).wait().unwrap();
            assert_eq!(status.signal(), Some(11), "mode {crash}: {status}");
        }
        assert_eq!(mode(7, version).wait().unwrap().code(), Some(3));
    }
}

#[test]
fn a_unit_may_hang() {
    for version in BOTH {
        if cosimo_fmi::test_units::build("bad", version, &[("BAD_MODE", "6")]).is_none() {
            return;
        }
        let mut child = mode(6, version);
        let until = Instant::now() + Duration::from_millis(500);
        while Instant::now() < until {
            assert!(child.try_wait().unwrap().is_none(), "it has ended");
            std::thread::sleep(Duration::from_millis(20));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

fn is_child() -> bool {
    std::env::var_os("COSIMO_CHILD").is_some()
}

/// This program again, with one test.
fn command(test: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", &format!("process::{test}")]).env("COSIMO_CHILD", "1");
    // Units of other tests may just have changed that of this process.
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn child(test: &str) -> Child {
    command(test).spawn().unwrap()
}

fn mode(mode: u32, version: Version) -> Child {
    let version = if version == Version::Two { "2" } else { "3" };
    command("one_mode")
        .env("COSIMO_BAD_MODE", mode.to_string())
        .env("COSIMO_BAD_VERSION", version)
        .spawn()
        .unwrap()
}

/// In a child, whose directory and handlers are its own.
#[test]
fn changes_in_steps_are_found_and_undone_in_a_process_that_keeps_its_own() {
    const NAME: &str = "changes_in_steps_are_found_and_undone_in_a_process_that_keeps_its_own";
    if !is_child() {
        return assert!(child(NAME).wait().unwrap().success());
    }
    keep_process();
    let before = std::env::current_dir().unwrap();
    for version in BOTH {
        for (mode, expected) in [
            (29, Change::Directory { to: "/".into() }),
            (30, Change::SignalHandler { signal: "SIGTERM", undone: true }),
        ] {
            // Long after the first steps, and between two looks.
            let Some(unit) = bad_from(mode, version, STEPS, "699.5") else { return };
            let mut unit = unit.unwrap();
            initialize(&mut unit, &[], &[]);
            let changes_in = |unit: &mut Instance, steps: std::ops::Range<u32>| {
                for step in steps {
                    unit.do_step(f64::from(step), 1.0, true).unwrap();
                }
                unit.take_changes()
            };
            assert_eq!(changes_in(&mut unit, 0..701), []);
            assert_eq!(changes_in(&mut unit, 701..1000), [expected], "{version:?}");
            unit.terminate().unwrap();
            assert_eq!(std::env::current_dir().unwrap(), before);
        }
    }
}

#[test]
fn the_directory_is_put_back_after_the_first_step() {
    for version in BOTH {
        let before = std::env::current_dir().unwrap();
        let Some(unit) = bad(29, version, STEPS) else { return };
        let mut unit = unit.unwrap();
        initialize(&mut unit, &[], &[]);
        unit.do_step(0.0, 1.0, true).unwrap();
        assert_eq!(unit.take_changes(), [Change::Directory { to: "/".into() }]);
        assert_eq!(std::env::current_dir().unwrap(), before);
    }
}

#[test]
fn the_rounding_of_numbers_is_put_back_in_model_exchange_when_values_are_read_too() {
    for version in BOTH {
        let Some(unit) = bad(31, version, exchange(1, 0)) else { return };
        let mut unit = unit.unwrap();
        let third = || std::hint::black_box(1.0) / std::hint::black_box(3.0_f64);
        let before = third().to_bits();
        unit.enter_initialization(0.0, None, None).unwrap();
        unit.exit_initialization().unwrap();
        real(&mut unit, 2);
        assert_eq!((third().to_bits(), unit.take_changes()), (before, vec![Change::FloatingPoint]));
        unit.get_derivatives(&mut [0.0]).unwrap();
        assert_eq!((third().to_bits(), unit.take_changes()), (before, vec![]));
    }
}
