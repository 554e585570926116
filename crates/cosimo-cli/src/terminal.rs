//! Standard output and standard error.

use std::io::{ErrorKind, Write};

use crate::failure::Failure;

/// Writes to standard output what is in a file too; who does not listen any more misses it.
pub(crate) fn print(text: &str) {
    let _ = print_result(text);
}

/// Writes a result to standard output, which is nowhere else; who does not listen any more misses it.
pub(crate) fn print_result(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::failed(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error.
pub(crate) fn line(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}
