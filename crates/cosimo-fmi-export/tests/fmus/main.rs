//! FMUs of an oscillator, used through the C interface, and by FMPy and libcosim where they are installed.
#![allow(unsafe_code, reason = "tests call the C interface")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a failure here is a failed test"
)]

mod description;
mod exported;
mod failures;
mod fmpy;
mod host2;
mod host3;
mod protocol;
mod v2;
mod v3;
