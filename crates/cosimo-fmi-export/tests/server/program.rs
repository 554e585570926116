//! The program in the FMUs of the tests: an oscillator. Its argument is the file that it was exported with.
#![allow(clippy::print_stdout, reason = "prints of a server disturb nobody: that is tested")]
#![allow(clippy::panic, reason = "a server that panics is tested")]

mod oscillator;

use std::process::ExitCode;

use cosimo_fmi_export::serve_host;
use oscillator::Oscillator;

fn main() -> ExitCode {
    println!("the server prints");
    let file = std::env::args().nth(1).unwrap_or_default();
    match std::fs::read_to_string(&file) {
        Ok(text) if text == "an oscillator" => {}
        other => panic!("the payload at {file} is {other:?}"),
    }
    match serve_host(&mut Oscillator::default()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
