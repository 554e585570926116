//! What is in files, in short.

use std::fs;
use std::io;
use std::path::Path;

use xxhash_rust::xxh3::Xxh3;

/// A hash of what is in a file, or in a folder with all that is in it, whatever its name; none where it cannot be read.
#[must_use]
pub fn file_hash(path: &Path) -> Option<u64> {
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
        hasher.update(own.file_name().unwrap_or_default().as_encoded_bytes());
        feed(&own, hasher)?;
    }
    Ok(())
}
