//! Every status that is no success, and libraries that cannot be used.

use crate::support::{BOTH, STEPS, bad, exchange, initialize, options, real};
use cosimo_fmi::binary::{BinaryError, Instance, Library, StepDone, Version};
use cosimo_fmi::test_units;
use std::path::Path;

/// An initialised instance of `bad`.
fn running(mode: u32, version: Version) -> Option<Instance> {
    let mut unit = bad(mode, version, STEPS)?.unwrap();
    initialize(&mut unit, &[], &[]);
    Some(unit)
}

fn step(unit: &mut Instance) -> Result<StepDone, BinaryError> {
    unit.do_step(0.0, 0.5, false)
}

#[test]
fn an_error_has_the_words_of_the_unit_and_a_state_heals_it() {
    for version in BOTH {
        let Some(mut unit) = running(8, version) else { return };
        let state = unit.save_state().unwrap();
        let Err(BinaryError::Refused { call, message }) = step(&mut unit) else { panic!("no error") };
        assert!(call.ends_with("DoStep") && message == "the step failed for 100% sure", "{call} {message}");
        unit.restore_state(&state).unwrap();
        unit.set_i64(cosimo_fmi::binary::Width::I32, &[1], &[0]).unwrap();
        step(&mut unit).unwrap();
        unit.terminate().unwrap();
    }
}

#[test]
fn a_discarded_step_is_a_shorter_one() {
    for version in BOTH {
        let Some(mut unit) = running(9, version) else { return };
        let done = step(&mut unit).unwrap();
        assert_eq!(done, StepDone { reached: 0.25, early: true, discarded: true, ..StepDone::default() });
        assert_eq!(real(&mut unit, 2), 0.25);
    }
}

#[test]
fn a_unit_may_end_the_simulation() {
    for version in BOTH {
        let Some(mut unit) = running(25, version) else { return };
        let done = step(&mut unit).unwrap();
        assert!(done.terminate);
        assert_eq!(done.reached, if version == Version::Two { 0.25 } else { 0.5 });
    }
}

#[test]
fn after_a_fatal_error_nothing_is_called() {
    for version in BOTH {
        let Some(mut unit) = running(10, version) else { return };
        let fatal = step(&mut unit).unwrap_err();
        assert!(
            matches!(&fatal, BinaryError::Fatal { message, .. } if message == "nothing works any more"),
            "{fatal}"
        );
        assert!(unit.is_dead());
        assert!(matches!(step(&mut unit), Err(BinaryError::Dead { .. })));
        assert!(matches!(unit.reset(), Err(BinaryError::Dead { .. })));
        unit.terminate().unwrap();
    }
    for version in BOTH {
        let mut unit = running(24, version).unwrap();
        assert!(matches!(unit.terminate(), Err(BinaryError::Fatal { .. })));
        assert!(unit.is_dead());
    }
}

#[test]
fn other_statuses_are_told_apart() {
    let Some(mut unit) = running(21, Version::Two) else { return };
    assert_eq!(step(&mut unit).unwrap_err(), BinaryError::Asynchronous { call: "fmi2DoStep" });
    for version in BOTH {
        let mut unit = running(23, version).unwrap();
        assert!(matches!(step(&mut unit), Err(BinaryError::UnknownStatus { status: 17, .. })));
        let mut unit = running(22, version).unwrap();
        step(&mut unit).unwrap();
        step(&mut unit).unwrap();
        assert_eq!(real(&mut unit, 2), 1.0, "a warning is no error");
        let refused = unit.get_f64(&[77], &mut [0.0]).unwrap_err();
        assert!(
            matches!(&refused, BinaryError::Refused { message, .. } if message.contains("no such variable"))
        );
    }
}

#[test]
fn messages_are_kept_for_the_next_error() {
    for version in BOTH {
        let Some(mut unit) = running(19, version) else { return };
        unit.set_debug_logging(true, &["logEvents"]).unwrap();
        step(&mut unit).unwrap();
        step(&mut unit).unwrap();
        let Err(BinaryError::Refused { message, .. }) = unit.get_f64(&[77], &mut [0.0]) else { panic!() };
        let messages: Vec<&str> = message.split("; ").collect();
        assert_eq!(messages.len(), 8, "the last 8 are kept");
        assert_eq!(messages[6], "logStatusFatal");
    }
}

#[test]
fn a_library_that_cannot_be_used_is_refused_with_the_reason() {
    for version in BOTH {
        let Some(undefined) = bad(16, version, STEPS) else { return };
        let error = undefined.unwrap_err();
        assert!(
            matches!(&error, BinaryError::NotLoaded { reason, .. } if reason.contains("not_defined_anywhere")),
            "{error}"
        );
        let error = bad(17, version, STEPS).unwrap().unwrap_err();
        assert!(matches!(error, BinaryError::Missing { call } if call.ends_with("DoStep")), "{error}");
        bad(17, version, exchange(1, 0)).unwrap().unwrap();
        let error = bad(18, version, STEPS).unwrap().unwrap_err();
        assert!(matches!(&error, BinaryError::Incompatible { found, .. } if found == "7.1"), "{error}");
    }
    let error = Library::load(Path::new("/nowhere/unit.so"), Version::Three, "unit").unwrap_err();
    assert!(error.to_string().contains("No such file"), "{error}");
}

#[test]
fn a_library_of_the_other_version_lacks_its_functions() {
    let Some(built) = test_units::build("spring_half", Version::Two, &[]) else { return };
    let error = Library::load(&built.library, Version::Three, &built.identifier).unwrap_err();
    assert_eq!(error, BinaryError::Missing { call: "fmi3GetVersion" });
}

#[test]
fn an_instance_that_is_not_made_says_why() {
    for version in BOTH {
        let Some(built) = test_units::build("spring_half", version, &[]) else { return };
        let library = Library::load(&built.library, version, &built.identifier).unwrap();
        let mut options = options(&built, STEPS);
        options.token = "{another}";
        let error = library.instantiate(&options).unwrap_err();
        assert!(
            matches!(&error, BinaryError::NotInstantiated { message, .. } if message == "the token is another unit's"),
            "{error}"
        );
    }
}
