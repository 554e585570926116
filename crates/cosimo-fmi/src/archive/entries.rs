//! The entries of a zip archive, checked before anything is unpacked.

use std::collections::BTreeMap;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use zip::{CompressionMethod, ZipArchive};

use super::error::ArchiveProblem;

/// Most entries: FMUs with the sources of large solvers have some ten thousand files.
const MAX_ENTRIES: u64 = 100_000;
/// Most bytes that all entries unpack to. FMUs with maps or meshes have some 100 MB.
const MAX_TOTAL: u64 = 4 << 30;
/// Unpacked bytes per byte of the archive beyond [`FREE_TOTAL`]: as much as one pass of deflate compresses zeros, so that
/// more comes only of entries that overlap.
const MAX_RATIO: u64 = 1000;
/// Unpacked bytes for which the ratio does not matter, as they do no harm.
const FREE_TOTAL: u64 = 64 << 20;

/// A file or folder in the archive.
pub(super) struct Entry {
    /// Where it is in the list of the archive.
    pub(super) index: usize,
    /// Bytes when unpacked, as the archive says.
    pub(super) size: u64,
    /// Whether it is a folder.
    pub(super) folder: bool,
    /// Whether it is a program.
    pub(super) executable: bool,
}

/// Opens the archive and checks it. The entries by their paths with `/`.
pub(super) fn open<R: Read + Seek>(
    mut reader: R,
) -> Result<(ZipArchive<R>, BTreeMap<String, Entry>), ArchiveProblem> {
    let length = reader.seek(SeekFrom::End(0))?;
    if length == 0 {
        return Err(ArchiveProblem::Empty);
    }
    let directory = ZipArchive::new(&mut reader)?.central_directory_start();
    if let Some(name) = duplicate(&mut reader, directory)? {
        return Err(ArchiveProblem::Duplicate(name));
    }
    let mut zip = ZipArchive::new(reader)?;
    if zip.len() as u64 > MAX_ENTRIES {
        return Err(ArchiveProblem::TooMuch { what: "the entries", limit: MAX_ENTRIES });
    }
    let mut entries = BTreeMap::new();
    let mut total = 0_u64;
    for index in 0..zip.len() {
        let file = zip.by_index_raw(index)?;
        let (name, entry) = check(&file, index)?;
        total = total.saturating_add(entry.size);
        if !name.is_empty() && entries.insert(name.clone(), entry).is_some() {
            return Err(ArchiveProblem::Duplicate(name));
        }
    }
    let limit = MAX_TOTAL.min(length.saturating_mul(MAX_RATIO).max(FREE_TOTAL));
    if total > limit {
        return Err(ArchiveProblem::TooMuch { what: "the unpacked bytes", limit });
    }
    Ok((zip, entries))
}

fn check<R: Read>(file: &zip::read::ZipFile<'_, R>, index: usize) -> Result<(String, Entry), ArchiveProblem> {
    let name = file.name();
    let path = relative(name).ok_or_else(|| ArchiveProblem::Outside(name.to_owned()))?;
    if file.is_symlink() {
        return Err(ArchiveProblem::Link(path));
    }
    if file.encrypted() {
        return Err(ArchiveProblem::Encrypted(path));
    }
    if !matches!(file.compression(), CompressionMethod::Stored | CompressionMethod::Deflated) {
        let method = file.compression().to_string();
        return Err(ArchiveProblem::Compression { entry: path, method });
    }
    let executable = file.unix_mode().is_some_and(|mode| mode & 0o111 != 0);
    Ok((path, Entry { index, size: file.size(), folder: file.is_dir(), executable }))
}

/// The path of an entry with `/` between its parts; `None` if it leads outside. Some tools write `\` between them.
fn relative(name: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    let drive = name.as_bytes().get(1) == Some(&b':') && name.as_bytes()[0].is_ascii_alphabetic();
    if name.starts_with('/') || drive || name.contains('\0') || name.split('/').any(|part| part == "..") {
        return None;
    }
    let parts: Vec<&str> = name.split('/').filter(|part| !part.is_empty() && *part != ".").collect();
    Some(parts.join("/"))
}

/// A name that the central directory at `start` has twice. The list of [`ZipArchive`] has the last of them only.
fn duplicate<R: Read + Seek>(reader: &mut R, start: u64) -> io::Result<Option<String>> {
    const SIGNATURE: [u8; 4] = *b"PK\x01\x02";
    reader.seek(SeekFrom::Start(start))?;
    let mut reader = BufReader::new(reader);
    let mut names = std::collections::BTreeSet::new();
    let mut header = [0; 46];
    while reader.read_exact(&mut header).is_ok() && header[..4] == SIGNATURE {
        let length = |at: usize| u16::from_le_bytes([header[at], header[at + 1]]);
        let mut name = vec![0; length(28).into()];
        reader.read_exact(&mut name)?;
        reader.seek_relative(i64::from(length(30)) + i64::from(length(32)))?;
        if let Some(name) = names.replace(name) {
            return Ok(Some(String::from_utf8_lossy(&name).into_owned()));
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::relative;

    #[test]
    fn paths_that_lead_outside_are_refused() {
        for name in ["../a", "a/../../b", "/etc/passwd", "\\a", "..\\a", "C:\\a", "c:a", "a\0b", "a/.."] {
            assert_eq!(relative(name), None, "{name}");
        }
        for (name, path) in [("a\\b", "a/b"), ("./a//b", "a/b"), ("a..b/c...", "a..b/c..."), ("a/", "a")] {
            assert_eq!(relative(name).as_deref(), Some(path), "{name}");
        }
    }
}
