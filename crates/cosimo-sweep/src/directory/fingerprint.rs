//! Files beside the model file, by what is in them.

use std::path::PathBuf;

use cosimo_model::file_hash;
use serde::{Deserialize, Serialize};

/// A file with a hash of what is in it; none where it could not be read.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Fingerprint {
    pub(super) path: PathBuf,
    hash: Option<u64>,
}

impl Fingerprint {
    /// That of a file, or of a folder with all that is in it, as it is now.
    pub(super) fn of(path: PathBuf) -> Self {
        let hash = file_hash(&path);
        Self { path, hash }
    }

    /// Whether it is so still.
    pub(super) fn is_same(&self) -> bool {
        self.hash == file_hash(&self.path)
    }
}
