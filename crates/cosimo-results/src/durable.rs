//! Files that are on the disk whole or not at all.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// Replaces the file at `path` by these bytes, so that whoever looks, also after the process or the machine stopped at
/// any moment, finds the old content or the new: written beside it, brought to the disk, renamed.
///
/// # Errors
/// What the operating system says; the old content is there then.
pub fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(PART);
    let part = path.with_file_name(name);
    let written = write_synced(&part, bytes).and_then(|()| fs::rename(&part, path));
    if written.is_err() {
        // Nothing of use; a name that cannot be removed was named by the error before.
        let _ = fs::remove_file(&part);
    }
    written?;
    path.parent().map_or(Ok(()), sync_directory)
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Overwrites the beginning of the file at `path`, which must be long enough for these bytes, and cuts off the rest: takes no
/// more of the disk than it had. Not whole or nothing; for disks that are full.
pub(crate) fn write_in_place(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).open(path)?;
    if file.metadata()?.len() < bytes.len() as u64 {
        return Err(io::ErrorKind::StorageFull.into());
    }
    file.write_all(bytes)?;
    file.set_len(bytes.len() as u64)?;
    file.sync_all()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_leaves_no_part() {
        let scratch = tempfile::tempdir().unwrap();
        // A directory that is not empty cannot be replaced by a file.
        let path = scratch.path().join("summary.json");
        fs::create_dir_all(path.join("inside")).unwrap();
        assert!(write_durably(&path, b"text").is_err());
        let names: Vec<_> =
            fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["summary.json"]);
    }

    #[test]
    fn in_place_there_is_as_much_room_as_the_file_had() {
        let scratch = tempfile::tempdir().unwrap();
        let path = scratch.path().join("file");
        fs::write(&path, "0123456789").unwrap();
        write_in_place(&path, b"abc").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"abc");
        assert!(write_in_place(&path, b"abcd").is_err());
        assert_eq!(fs::read(&path).unwrap(), b"abc");
    }
}
