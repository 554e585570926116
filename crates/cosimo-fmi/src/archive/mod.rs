//! The zip archive of an FMU, or its unpacked folder.
//!
//! [`Archive::open`] checks all entries before anything is unpacked; [`Archive::read_description`] reads the description
//! alone; [`Archive::unpack`] writes all files into a folder of its own, which is needed only to load a binary.

mod entries;
mod error;
mod platform;
mod unpacked;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use zip::ZipArchive;

use crate::description::{self, Finding, FmiVersion, ModelDescription, Place};
use entries::Entry;

pub use error::{ArchiveError, ArchiveProblem};
pub use unpacked::Unpacked;

const DESCRIPTION: &str = "modelDescription.xml";
const TERMINALS: &str = "terminalsAndIcons/terminalsAndIcons.xml";
/// Most bytes of a description: half a million variables. The parser needs some ten times that.
const MAX_DESCRIPTION: u64 = 256 << 20;

/// An FMU that is open for reading.
#[derive(Debug)]
pub struct Archive {
    name: String,
    contents: Contents,
}

enum Contents {
    Zip { zip: ZipArchive<Box<dyn Reader>>, entries: BTreeMap<String, Entry> },
    Folder(PathBuf),
}

impl std::fmt::Debug for Contents {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Zip { entries, .. } => write!(out, "Zip({} files)", entries.len()),
            Self::Folder(path) => write!(out, "Folder({})", path.display()),
        }
    }
}

trait Reader: Read + Seek + Send {}
impl<R: Read + Seek + Send> Reader for R {}

impl Archive {
    /// Opens an FMU: a zip archive, or a folder into which one was unpacked.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no FMU, or is unsafe to unpack.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ArchiveError> {
        let path = path.as_ref();
        let name = path.display().to_string();
        let named = |problem: ArchiveProblem| ArchiveError { archive: name.clone(), problem };
        if path.is_dir() {
            if !path.join(DESCRIPTION).is_file() {
                let hint = "; to open an FMU as a folder, give the one that has this file".to_owned();
                return Err(named(ArchiveProblem::Missing { file: DESCRIPTION, hint }));
            }
            let path = std::path::absolute(path).map_err(|error| named(error.into()))?;
            return Ok(Self { name, contents: Contents::Folder(path) });
        }
        let file = File::open(path).map_err(|error| named(error.into()))?;
        Self::read(BufReader::new(file), &name)
    }

    /// Opens an FMU from its bytes. `name` stands for it in errors.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is no FMU, or is unsafe to unpack.
    pub fn read(reader: impl Read + Seek + Send + 'static, name: &str) -> Result<Self, ArchiveError> {
        let named = |problem| ArchiveError { archive: name.to_owned(), problem };
        let reader: Box<dyn Reader> = Box::new(reader);
        let (zip, entries) = entries::open(reader).map_err(named)?;
        if !entries.contains_key(DESCRIPTION) {
            let inner = entries.keys().find(|path| path.ends_with("/modelDescription.xml"));
            let hint = inner.map_or_else(
                || "; this is no FMU".to_owned(),
                |path| format!(", but a `{path}`; zip what is in that folder, not the folder"),
            );
            return Err(named(ArchiveProblem::Missing { file: DESCRIPTION, hint }));
        }
        Ok(Self { name: name.to_owned(), contents: Contents::Zip { zip, entries } })
    }

    /// Reads the description, and the terminals if there are some. Terminals with a mistake are a finding: the FMU can be
    /// used without.
    ///
    /// # Errors
    ///
    /// If the description cannot be read.
    pub fn read_description(&mut self) -> Result<ModelDescription, ArchiveError> {
        self.describe().map_err(|problem| self.fail(problem))
    }

    fn describe(&mut self) -> Result<ModelDescription, ArchiveProblem> {
        let missing = ArchiveProblem::Missing { file: DESCRIPTION, hint: String::new() };
        let bytes = self.bytes(DESCRIPTION)?.ok_or(missing)?;
        let mut description = description::parse(&description::decode(&bytes, DESCRIPTION)?, DESCRIPTION)?;
        if let Some(bytes) = self.bytes(TERMINALS)? {
            let read = |text: &str| description::parse_terminals(text, TERMINALS, &description);
            match description::decode(&bytes, TERMINALS).and_then(|text| read(&text)) {
                Ok(terminals) => description.terminals = terminals,
                Err(error) => {
                    let text = format!("{}; the terminals are left out", error.problem);
                    description.findings.push(Finding { place: error.place, text });
                }
            }
        }
        if std::str::from_utf8(&bytes).is_err() {
            let place = Place { file: DESCRIPTION.to_owned(), line: 1, column: 1 };
            let text = "not encoded in UTF-8, as the standard requires; read as Latin-1".to_owned();
            description.findings.push(Finding { place, text });
        }
        Ok(description)
    }

    /// The machines that the FMU has binaries for: names of folders such as `linux64` (FMI 2) or `x86_64-linux` (FMI 3).
    #[must_use]
    pub fn platforms(&self) -> Vec<String> {
        match &self.contents {
            Contents::Folder(path) => unpacked::list(&path.join("binaries")),
            Contents::Zip { entries, .. } => {
                let inner = entries.keys().filter_map(|path| path.strip_prefix("binaries/")?.split_once('/'));
                inner.map(|(folder, _)| folder.to_owned()).collect::<BTreeSet<_>>().into_iter().collect()
            }
        }
    }

    /// Whether this machine is one of [`platforms`](Self::platforms).
    #[must_use]
    pub fn runs_here(&self, version: FmiVersion) -> bool {
        let platforms = self.platforms();
        platform::folders(version).iter().any(|folder| platforms.contains(folder))
    }

    /// Writes all files into a folder that disappears when the result is dropped. A folder is used as it is.
    ///
    /// # Errors
    ///
    /// If the archive is damaged or the files cannot be written.
    pub fn unpack(&mut self) -> Result<Unpacked, ArchiveError> {
        let unpacked = match &mut self.contents {
            Contents::Folder(path) => Ok((path.clone(), None)),
            Contents::Zip { zip, entries } => {
                unpack(zip, entries).map(|folder| (folder.path().to_owned(), Some(folder)))
            }
        };
        let (root, folder) = unpacked.map_err(|problem| self.fail(problem))?;
        Ok(Unpacked { archive: self.name.clone(), root, _folder: folder })
    }

    /// A file of the FMU, if there is one of that name.
    fn bytes(&mut self, path: &str) -> Result<Option<Vec<u8>>, ArchiveProblem> {
        let mut bytes = Vec::new();
        let limit = MAX_DESCRIPTION + 1;
        match &mut self.contents {
            Contents::Folder(folder) => match File::open(folder.join(path)) {
                Ok(file) => drop(file.take(limit).read_to_end(&mut bytes)?),
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(error.into()),
            },
            Contents::Zip { zip, entries } => {
                let Some(entry) = entries.get(path) else { return Ok(None) };
                zip.by_index(entry.index)?.take(limit).read_to_end(&mut bytes)?;
            }
        }
        if bytes.len() as u64 == limit {
            return Err(ArchiveProblem::TooMuch {
                what: "the bytes of the description",
                limit: MAX_DESCRIPTION,
            });
        }
        Ok(Some(bytes))
    }

    fn fail(&self, problem: ArchiveProblem) -> ArchiveError {
        ArchiveError { archive: self.name.clone(), problem }
    }
}

/// Unpacks a zip archive of whatever purpose into a folder that disappears with the result. Refuses more than `limit` bytes;
/// what is left of them is in `limit` after that.
pub(crate) fn unpack_file(path: &Path, limit: &mut u64) -> Result<tempfile::TempDir, ArchiveProblem> {
    let reader: Box<dyn Reader> = Box::new(BufReader::new(File::open(path)?));
    let (mut zip, entries) = entries::open(reader)?;
    let total = entries.values().map(|entry| entry.size).fold(0, u64::saturating_add);
    let what = "the unpacked bytes";
    *limit = limit.checked_sub(total).ok_or(ArchiveProblem::TooMuch { what, limit: *limit })?;
    unpack(&mut zip, &entries)
}

fn unpack(
    zip: &mut ZipArchive<Box<dyn Reader>>,
    entries: &BTreeMap<String, Entry>,
) -> Result<tempfile::TempDir, ArchiveProblem> {
    let folder = tempfile::Builder::new().prefix("unpacked-").tempdir()?;
    for (path, entry) in entries {
        let failed = |error| ArchiveProblem::Unpack { entry: path.clone(), error };
        let target = folder.path().join(path);
        if entry.folder {
            fs::create_dir_all(&target).map_err(failed)?;
            continue;
        }
        if let Some(parent) = target.parent() {
            fs::create_dir_all(parent).map_err(failed)?;
        }
        let mut file = File::create_new(&target).map_err(failed)?;
        // One byte more than declared is enough to see that there are more.
        let mut contents = zip.by_index(entry.index)?.take(entry.size.saturating_add(1));
        if io::copy(&mut contents, &mut file).map_err(failed)? != entry.size {
            return Err(ArchiveProblem::Size(path.clone()));
        }
        #[cfg(unix)]
        if entry.executable {
            use std::os::unix::fs::PermissionsExt;
            file.set_permissions(fs::Permissions::from_mode(0o755)).map_err(failed)?;
        }
    }
    Ok(folder)
}
