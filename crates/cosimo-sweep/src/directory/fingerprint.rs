//! Files beside the model file, by what is in them.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::Xxh3;

/// A file with a hash of what is in it; none where it could not be read.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Fingerprint {
    pub(super) path: PathBuf,
    hash: Option<u64>,
}

impl Fingerprint {
    /// That of a file, or of a folder with all that is in it, as it is now.
    pub(super) fn of(path: PathBuf) -> Self {
        let hash = hash(&path);
        Self { path, hash }
    }

    /// Whether it is so still.
    pub(super) fn is_same(&self) -> bool {
        self.hash == hash(&self.path)
    }
}

fn hash(path: &Path) -> Option<u64> {
    let mut hasher = Xxh3::new();
    feed(path, &mut hasher).ok().map(|()| hasher.digest())
}

fn feed(path: &Path, hasher: &mut Xxh3) -> io::Result<()> {
    if !path.is_dir() {
        hasher.update(&fs::read(path)?);
        return Ok(());
    }
    let mut inside = fs::read_dir(path)?.map(|own| Ok(own?.path())).collect::<io::Result<Vec<_>>>()?;
    inside.sort();
    for own in inside {
        hasher.update(own.as_os_str().as_encoded_bytes());
        feed(&own, hasher)?;
    }
    Ok(())
}
