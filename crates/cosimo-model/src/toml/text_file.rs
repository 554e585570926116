//! Reads texts of a bounded size.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Bytes that a model, a table or a list of cases may have.
const MOST: u64 = 64 << 20;

/// The text of a file.
///
/// # Errors
/// What the operating system says, a text that is not UTF-8, or one of more than 64 MiB, of which no more is read.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST {
        return Err(io::Error::other(format!("it has more than {} MiB, the most that is read", MOST >> 20)));
    }
    String::from_utf8(bytes).map_err(|_| io::Error::other("it is no text in UTF-8"))
}
