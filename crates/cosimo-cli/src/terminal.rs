//! Standard output and standard error.

use std::borrow::Cow;
use std::io::{ErrorKind, Write};

use crate::failure::Failure;

/// Writes to standard output what is in a file too; who does not listen any more misses it.
pub(crate) fn print(text: &str) {
    let _ = print_result(text);
}

/// Writes a result to standard output, which is nowhere else; who does not listen any more misses it.
pub(crate) fn print_result(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match out.write_all(printable(text).as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::failed(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Writes a line to standard error.
pub(crate) fn line(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{}", printable(text));
}

/// The text with control characters written as escapes: texts of servers and units may hold what a terminal would obey.
fn printable(text: &str) -> Cow<'_, str> {
    let is_obeyed = |character: char| character.is_control() && !matches!(character, '\n' | '\t');
    if !text.contains(is_obeyed) {
        return text.into();
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_obeyed(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    shown.into()
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn what_a_terminal_would_obey_is_shown() {
        assert_eq!(printable("a\n\tb: é\u{1b}[2J\u{9b}2J\r"), "a\n\tb: é\\u{1b}[2J\\u{9b}2J\\r");
        assert!(matches!(printable("a\nb"), std::borrow::Cow::Borrowed(_)));
    }
}
