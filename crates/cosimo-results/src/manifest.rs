//! Which files of a directory belong to runs.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::ResultsError;
use crate::durable::write_durably;

/// Name of the file that lists what runs write into the directory, one name a line.
pub(crate) const MANIFEST: &str = ".cosimo-run";

/// Refuses to replace a file that is an input of the new run, or one that no earlier run has written.
///
/// `names` are those that the new run will write. Paths are compared as the file system resolves them, so that symbolic
/// links and `..` do not matter.
pub(crate) fn check(directory: &Path, names: &[&str], inputs: &[PathBuf]) -> Result<(), ResultsError> {
    let written = self::names(directory);
    for name in names {
        let path = directory.join(name);
        if path.symlink_metadata().is_err() {
            continue;
        }
        if inputs.iter().any(|input| is_within(input, &path)) {
            return Err(ResultsError::Input { path });
        }
        if !written.iter().any(|own| own == name) {
            return Err(ResultsError::Foreign { path });
        }
    }
    Ok(())
}

/// The names that belong to runs: of files in the directory itself, and of folders, with `/` at their end.
pub(crate) fn names(directory: &Path) -> Vec<String> {
    let text = fs::read_to_string(directory.join(MANIFEST)).unwrap_or_default();
    let is_inside = |line: &&str| {
        let name = line.strip_suffix('/').unwrap_or(line);
        let mut parts = Path::new(name).components();
        matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
    };
    text.lines().filter(is_inside).map(str::to_owned).collect()
}

/// Records that these names, and no others, belong to runs from now on.
pub(crate) fn store<'n>(
    directory: &Path,
    names: impl IntoIterator<Item = &'n str>,
) -> Result<(), ResultsError> {
    let path = directory.join(MANIFEST);
    let text = names.into_iter().map(|name| format!("{name}\n")).collect::<String>();
    write_durably(&path, text.as_bytes()).map_err(|source| ResultsError::Write { path, source })
}

/// Whether a file is the one at `path`, or lies in the folder there.
fn is_within(file: &Path, path: &Path) -> bool {
    match (file.canonicalize(), path.canonicalize()) {
        (Ok(file), Ok(path)) => file.starts_with(path),
        _ => false,
    }
}
