//! Files that are on the disk whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Replaces the file at `path` by these bytes, so that whoever looks, also after the process or the machine stopped at
/// any moment, finds the old content or the new: written beside it, brought to the disk, renamed.
pub(crate) fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(PART);
    let part = path.with_file_name(name);
    let mut file = File::create(&part)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&part, path)?;
    path.parent().map_or(Ok(()), sync_directory)
}

/// End of the name of a file that is being written.
pub(crate) const PART: &str = ".part";

/// Brings the names in a directory to the disk.
#[cfg(unix)]
fn sync_directory(path: &Path) -> io::Result<()> {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    File::open(path)?.sync_all()
}

/// Elsewhere a directory cannot be opened; the system brings it to the disk with the file.
#[cfg(not(unix))]
fn sync_directory(_path: &Path) -> io::Result<()> {
    Ok(())
}
