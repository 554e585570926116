//! The text of a problem, plain or gzipped.

use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::Path;

/// First bytes of a gzip file.
const GZIP: [u8; 2] = [0x1f, 0x8b];

/// First character of a text that some editors begin files with.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// Reads a file, `-` for standard input, of so many bytes at most, unpacking it if it is gzipped, without a byte-order mark; the
/// error says what is wrong with it.
pub(super) fn read(path: &Path, most: u64) -> Result<String, String> {
    let bytes = unpack(path, most).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    if bytes.len() as u64 > most {
        return Err(format!("{} has more than {most} bytes: allow them with --max-bytes", path.display()));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| format!("cannot read {}: it is neither text nor gzip", path.display()))?;
    Ok(text.strip_prefix(BYTE_ORDER_MARK).map(str::to_owned).unwrap_or(text))
}

/// One byte more than allowed of what is longer.
fn unpack(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut source: Box<dyn Read> =
        if path == Path::new("-") { Box::new(io::stdin().lock()) } else { Box::new(File::open(path)?) };
    let mut head = Vec::new();
    source.by_ref().take(GZIP.len() as u64).read_to_end(&mut head)?;
    let is_packed = head == GZIP;
    let whole = Cursor::new(head).chain(source);
    let (mut bytes, most) = (Vec::new(), most.saturating_add(1));
    if is_packed {
        flate2::read::MultiGzDecoder::new(whole).take(most).read_to_end(&mut bytes)?;
    } else {
        whole.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}
