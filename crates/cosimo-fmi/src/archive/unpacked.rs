//! An FMU as a folder.

use std::fmt::Write;
use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};

use tempfile::TempDir;

use super::error::{ArchiveError, ArchiveProblem};
use super::platform;
use crate::description::FmiVersion;

/// An FMU as a folder. A folder that was unpacked disappears when this is dropped: unload binaries first.
#[derive(Debug)]
pub struct Unpacked {
    pub(super) archive: String,
    /// Absolute path of the folder.
    pub(super) root: PathBuf,
    /// Removes the folder, if it was unpacked.
    pub(super) _folder: Option<TempDir>,
}

impl Unpacked {
    /// The folder, absolute.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The shared library of a model for this machine, absolute.
    ///
    /// # Errors
    ///
    /// If there is none: the error tells the machines there are binaries for. If the model identifier is no plain name.
    pub fn binary_path(&self, model_identifier: &str, version: FmiVersion) -> Result<PathBuf, ArchiveError> {
        let mut parts = Path::new(model_identifier).components();
        let plain = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
        if !plain || model_identifier.contains(['/', '\\', ':', '\0']) {
            return Err(self.fail(ArchiveProblem::Identifier(model_identifier.to_owned())));
        }
        let file = platform::file(model_identifier);
        let folders = platform::folders(version);
        let paths = folders.iter().map(|folder| self.root.join("binaries").join(folder).join(&file));
        paths.clone().find(|path| path.is_file()).ok_or_else(|| {
            let wanted = folders.iter().map(|folder| format!("binaries/{folder}/{file}")).collect::<Vec<_>>();
            let found = self.describe(&folders);
            self.fail(ArchiveProblem::NoBinary { wanted: wanted.join("` or `"), found })
        })
    }

    /// What there is in place of a binary for this machine, and what to do.
    fn describe(&self, folders: &[String]) -> String {
        let platforms = list(&self.root.join("binaries"));
        match folders.iter().find(|folder| platforms.contains(folder)) {
            Some(folder) => {
                let files = list(&self.root.join("binaries").join(folder)).join(", ");
                format!("binaries/{folder} has: {files}; check `modelIdentifier` in modelDescription.xml")
            }
            None if platforms.is_empty() => {
                let sources = self.root.join("sources").is_dir();
                let hint = if sources { "compile its sources" } else { "export it again with binaries" };
                format!("the FMU has no binaries: {hint}")
            }
            None => format!("the FMU runs on: {}; export it for this machine too", platforms.join(", ")),
        }
    }

    /// The path of the folder of resources with a separator at its end, as FMI 3 wants it; `None` if there is no such folder.
    #[must_use]
    pub fn resources_path(&self) -> Option<String> {
        let path = self.root.join("resources");
        path.is_dir().then(|| format!("{}{MAIN_SEPARATOR}", path.display()))
    }

    /// The URI of the folder of resources, as FMI 2 wants it, whether there is the folder or not.
    #[must_use]
    pub fn resources_uri(&self) -> String {
        let path = self.root.join("resources");
        let mut uri = String::from("file:///");
        for byte in path.as_os_str().as_encoded_bytes().iter().skip_while(|byte| **byte == b'/') {
            match *byte {
                byte if byte.is_ascii_alphanumeric() || b"-._~/:".contains(&byte) => {
                    uri.push(char::from(byte))
                }
                b'\\' if MAIN_SEPARATOR == '\\' => uri.push('/'),
                // Writing to a string does not fail.
                byte => drop(write!(uri, "%{byte:02X}")),
            }
        }
        uri
    }

    fn fail(&self, problem: ArchiveProblem) -> ArchiveError {
        ArchiveError { archive: self.archive.clone(), problem }
    }
}

/// The names in a folder, sorted; none if it cannot be read.
pub(super) fn list(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}
