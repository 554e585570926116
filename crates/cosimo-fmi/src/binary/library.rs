//! The loaded library of an FMU.
#![allow(unsafe_code, reason = "a foreign library is loaded and asked for its version")]

use super::environment::{Change, Guard};
use super::error::BinaryError;
use super::host::text;
use super::shared::Shared;
use super::symbols::{Call, Symbols};
use super::{v2, v3};
use std::ffi::c_char;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The version of FMI that a library follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Version {
    /// FMI 2.0 with its corrections.
    Two,
    /// FMI 3.0 with its corrections.
    Three,
}

/// The functions of one version alone.
#[derive(Debug)]
#[allow(
    clippy::large_enum_variant,
    reason = "there is one for each library, and a box would cost each call a look-up"
)]
pub(super) enum Own {
    Two(v2::Functions),
    Three(v3::Functions),
}

/// A shared library of an FMU with its functions. It stays loaded as long as an instance of it lives.
#[derive(Debug)]
pub struct Library {
    pub(super) shared: Shared,
    pub(super) own: Own,
    path: PathBuf,
    absent: Vec<&'static str>,
    changes: Vec<Change>,
    /// Last, since the functions lie in it.
    _library: libloading::Library,
}

impl Library {
    /// Loads the library at `path` and looks its functions up, plain or with the model identifier as prefix.
    ///
    /// # Errors
    /// The system cannot load it (undefined symbols are named), a required function is missing, or the library answers
    /// with another version or platform. Loading runs code of the library, which may crash the process.
    pub fn load(path: &Path, version: Version, model_identifier: &str) -> Result<Arc<Self>, BinaryError> {
        let guard = Guard::begin();
        let loaded = Self::open(path, version, model_identifier);
        let changes = guard.finish();
        let library = Arc::new(Self { changes, ..loaded? });
        library.keep_if_needed(&library.changes);
        Ok(library)
    }

    /// Never unloads a library whose signal handlers are left in force.
    pub(super) fn keep_if_needed(self: &Arc<Self>, changes: &[Change]) {
        if changes.iter().any(|change| matches!(change, Change::SignalHandler { undone: false, .. })) {
            std::mem::forget(Arc::clone(self));
        }
    }

    fn open(path: &Path, version: Version, identifier: &str) -> Result<Self, BinaryError> {
        let library = open(path)?;
        let mut symbols = Symbols { library: &library, identifier, absent: Vec::new() };
        let (shared, own) = match version {
            Version::Two => (Shared::find(&mut symbols, 0)?, Own::Two(v2::Functions::find(&mut symbols, 0)?)),
            Version::Three => {
                (Shared::find(&mut symbols, 1)?, Own::Three(v3::Functions::find(&mut symbols, 0)?))
            }
        };
        let absent = symbols.absent;
        answers(shared.version, if version == Version::Two { "2.0" } else { "3.0" })?;
        if let Own::Two(functions) = &own {
            answers(functions.types_platform, "default")?;
        }
        Ok(Self { shared, own, path: path.to_owned(), absent, changes: Vec::new(), _library: library })
    }

    /// The version of its functions.
    pub fn version(&self) -> Version {
        match self.own {
            Own::Two(_) => Version::Two,
            Own::Three(_) => Version::Three,
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Functions of the standard that are looked for and that the library lacks.
    pub fn absent(&self) -> &[&'static str] {
        &self.absent
    }

    /// What loading changed in this process.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// The functions of FMI 3, or the error that `what` do not exist.
    pub(super) fn three(&self, what: &'static str) -> Result<&v3::Functions, BinaryError> {
        match &self.own {
            Own::Three(functions) => Ok(functions),
            Own::Two(_) => Err(BinaryError::Unsupported { what }),
        }
    }
}

/// All symbols are resolved at once, and stay invisible to other libraries.
fn open(path: &Path) -> Result<libloading::Library, BinaryError> {
    use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
    // SAFETY: the code that the library runs when it is loaded is as trustworthy as the unit, which the user chose to run.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
    library.map(Into::into).map_err(|error| {
        let mut reason = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
        if reason.contains("undefined symbol: Py") || reason.contains("undefined symbol: _Py") {
            reason += "; it expects Python in this process: set LD_PRELOAD to libpython3.so, of the Python that has its packages";
        }
        BinaryError::NotLoaded { path: path.to_owned(), reason }
    })
}

/// Whether a function answers with the text expected or one that starts so (`3.0.2` for `3.0`).
fn answers(
    call: Call<unsafe extern "C" fn() -> *const c_char>,
    expected: &'static str,
) -> Result<(), BinaryError> {
    let function = call.get()?;
    // SAFETY: the function has no arguments and gives a constant text.
    let found = unsafe { text(function()) };
    if found == expected || found.strip_prefix(expected).is_some_and(|rest| rest.starts_with('.')) {
        Ok(())
    } else {
        Err(BinaryError::Incompatible { call: call.name, found, expected })
    }
}
