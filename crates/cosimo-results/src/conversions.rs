//! Files of a directory that are made of its results.

use std::fs;
use std::path::{Path, PathBuf};

use crate::manifest;
use crate::{Overwrite, ResultDirectory, ResultsError};

impl ResultDirectory {
    /// Claims names for files that are made of a run's results, so that a later run, or the next conversion, may replace them. A
    /// name that ends in `/` is a folder with all that is in it. The directory may be another one than that of the run; it is made if
    /// it does not exist.
    ///
    /// # Errors
    /// [`ResultsError::Exists`] if one exists and `overwrite` refuses, [`ResultsError::Foreign`] if one exists that has not been
    /// claimed before, [`ResultsError::Create`] or [`ResultsError::Write`] if the operating system does not permit it.
    pub fn claim(path: &Path, names: &[&str], overwrite: Overwrite) -> Result<(), ResultsError> {
        Self::claim_from(&[], path, names, overwrite)
    }

    /// As [`claim`](Self::claim), for files that are made of the files `inputs`: these are never replaced.
    ///
    /// # Errors
    /// [`ResultsError::Input`] if one of them has a name that is to be claimed; otherwise those of `claim`.
    pub fn claim_from(
        inputs: &[PathBuf],
        path: &Path,
        names: &[&str],
        overwrite: Overwrite,
    ) -> Result<(), ResultsError> {
        fs::create_dir_all(path).map_err(|source| ResultsError::Create { path: path.to_owned(), source })?;
        if overwrite == Overwrite::Refuse
            && let Some(name) = names.iter().find(|name| path.join(name).exists())
        {
            return Err(ResultsError::Exists { path: path.join(name) });
        }
        manifest::check(path, names, inputs)?;
        let earlier = manifest::names(path);
        let new = names.iter().copied().filter(|name| !earlier.iter().any(|own| own == name));
        manifest::store(path, earlier.iter().map(String::as_str).chain(new))
    }

    /// Removes a file, or a folder with all that is in it, that has been claimed.
    pub(crate) fn remove_conversion(&self, name: &str) -> Result<(), ResultsError> {
        match name.strip_suffix('/').map(|folder| self.path().join(folder)) {
            Some(path) if path.is_dir() => {
                fs::remove_dir_all(&path).map_err(|source| ResultsError::Create { path, source })
            }
            Some(_) => Ok(()),
            None => self.remove(&self.path().join(name)),
        }
    }
}
