//! How the executable in the resources is started, also where the tool that unpacked the FMU has lost its executable bit.

use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Error, ErrorKind};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

const EXECUTABLE: u32 = 0o755;

/// How often a start is tried again while the file is busy: a process that another thread of the host has just forked holds it
/// for an instant if it was being written then.
const BUSY_TRIES: u32 = 50;

/// Starts `executable` by `spawn`: as it is, else with the executable bit, else a copy that has it.
pub(crate) fn start(executable: &Path, spawn: impl Fn(&Path) -> io::Result<Child>) -> Result<Child, String> {
    let refused = match patiently(executable, &spawn) {
        Err(error) if error.kind() == ErrorKind::PermissionDenied => error,
        other => return other.map_err(|error| told(executable, &error)),
    };
    if fs::set_permissions(executable, Permissions::from_mode(EXECUTABLE)).is_ok()
        && let Ok(child) = patiently(executable, &spawn)
    {
        return Ok(child);
    }
    let copied = Copy::of(executable).and_then(|copy| patiently(&copy.file, &spawn));
    copied.map_err(|error| {
        let folder = std::env::temp_dir();
        format!(
            "{}; a copy in {} does not start either: {error}",
            told(executable, &refused),
            folder.display()
        )
    })
}

fn told(executable: &Path, error: &Error) -> String {
    format!("{} does not start: {error}", executable.display())
}

/// Starts a file, once more where it is busy.
fn patiently(executable: &Path, spawn: &impl Fn(&Path) -> io::Result<Child>) -> io::Result<Child> {
    for _ in 0..BUSY_TRIES {
        match spawn(executable) {
            Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => {
                std::thread::sleep(Duration::from_millis(2));
            }
            other => return other,
        }
    }
    spawn(executable)
}

/// A copy of the executable in a folder of its own, removed when dropped: a process that runs it keeps what it needs.
struct Copy {
    folder: PathBuf,
    file: PathBuf,
}

impl Copy {
    fn of(executable: &Path) -> io::Result<Self> {
        let folder = fresh_folder()?;
        let copy = Self { file: folder.join("server"), folder };
        let mut from = File::open(executable)?;
        let mut to = OpenOptions::new().write(true).create_new(true).mode(EXECUTABLE).open(&copy.file)?;
        io::copy(&mut from, &mut to)?;
        Ok(copy)
    }
}

impl Drop for Copy {
    fn drop(&mut self) {
        // What cannot be removed stays in the folder of temporary files.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Creates a folder that nobody has had before.
fn fresh_folder() -> io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("cosimo-fmu-{}-{count}", std::process::id()));
        match fs::create_dir(&folder) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => return made.map(|()| folder),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// As if the folder of resources were on a disk that allows no executables.
    #[test]
    fn a_copy_is_started_and_removed_where_the_file_itself_does_not_start() {
        let file = fresh_folder().unwrap().join("program");
        fs::copy("/bin/sh", &file).unwrap();
        let started = std::cell::RefCell::new(PathBuf::new());
        let child = start(&file, |executable| {
            if executable == file {
                return Err(ErrorKind::PermissionDenied.into());
            }
            started.replace(executable.to_path_buf());
            Command::new(executable).args(["-c", "exit 7"]).spawn()
        });
        assert_eq!(child.unwrap().wait().unwrap().code(), Some(7));
        assert!(!started.borrow().exists() && !started.borrow().as_os_str().is_empty());
        let error = start(&file, |_| Err(ErrorKind::PermissionDenied.into())).unwrap_err();
        assert!(error.contains("does not start") && error.contains("a copy"), "{error}");
        fs::remove_dir_all(file.parent().unwrap()).unwrap();
    }
}
