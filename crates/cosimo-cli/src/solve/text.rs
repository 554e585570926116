//! The text of a problem, plain or gzipped.

use std::io::Read;
use std::path::Path;

/// First bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// First character of a text that some editors begin files with.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads a file, unpacking it if it is gzipped, without a byte-order mark; the error says what is wrong with it.
pub(super) fn read(path: &Path) -> Result<String, String> {
    let text = unpack(path)?;
    Ok(text.strip_prefix(BYTE_ORDER_MARK).map(str::to_owned).unwrap_or(text))
}

fn unpack(path: &Path) -> Result<String, String> {
    let fail = |error: std::io::Error| format!("cannot read {}: {error}", path.display());
    let bytes = std::fs::read(path).map_err(fail)?;
    let mut text = String::new();
    if bytes.starts_with(&GZIP) {
        flate2::read::MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text).map_err(fail)?;
        return Ok(text);
    }
    String::from_utf8(bytes)
        .map_err(|_| format!("cannot read {}: it is neither text nor gzip", path.display()))
}
