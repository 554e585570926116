//! Processes that are none of ours end in named errors.

use std::process::Command;
use std::time::{Duration, Instant};

use cosimo_subsystem::SubsystemError;
use cosimo_transport::{DEADLINE, PROTOCOL, ProcessSubsystem};

fn shell(script: &str, deadline: Duration) -> SubsystemError {
    let mut command = Command::new("sh");
    command.args(["-c", script]);
    ProcessSubsystem::spawn(command, deadline).unwrap_err()
}

#[test]
fn a_program_that_is_not_there_cannot_be_started() {
    let error = ProcessSubsystem::spawn(Command::new("./no-such-program"), DEADLINE).unwrap_err();
    let text =
        "subsystem `./no-such-program` does not answer: its process `./no-such-program` cannot be started";
    assert!(error.to_string().starts_with(text), "{error}");
    assert!(matches!(error, SubsystemError::Disconnected { .. }));
}

#[test]
fn a_process_that_ends_is_named_with_its_status_and_its_last_line() {
    let error = shell("echo first >&2; echo the licence has expired >&2; exit 3", DEADLINE);
    let text =
        "its process ended with exit status: 3; its last line of standard error: the licence has expired";
    assert!(error.to_string().ends_with(text), "{error}");
    let error = shell("kill -KILL $$", DEADLINE);
    assert!(error.to_string().contains("signal: 9"), "{error}");
}

#[test]
fn a_process_that_prints_something_else_is_no_subsystem() {
    let error = shell("echo Welcome to the solver; sleep 60", DEADLINE);
    assert!(
        matches!(&error, SubsystemError::Protocol { reason, .. } if reason.contains("`Welc`")),
        "{error}"
    );
}

#[test]
fn a_process_that_hangs_misses_its_deadline() {
    let started = Instant::now();
    let error = shell("sleep 60", Duration::from_millis(200));
    assert!(matches!(&error, SubsystemError::TimedOut { call, .. } if call == "hello"), "{error}");
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_process_of_another_version_is_refused() {
    let error = shell(r"printf '\300SIM\011\000\000\000\014\000\000\000later'; sleep 60", DEADLINE);
    let text = format!("it speaks version 12 of the protocol or an earlier one, this is version {PROTOCOL}");
    assert!(matches!(&error, SubsystemError::Protocol { reason, .. } if *reason == text), "{error}");
}
