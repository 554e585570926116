//! The name of a model.

use std::path::{Path, PathBuf};

/// The name of a model: that of the file, of its folder if the file is called `model.toml` or `SystemStructure.ssd`.
pub(crate) fn model_name(path: &Path) -> PathBuf {
    let stem = path.file_stem().map(PathBuf::from).unwrap_or_default();
    if !["model", "SystemStructure"].map(Path::new).contains(&stem.as_path()) {
        return stem;
    }
    let folder = path.canonicalize().ok().and_then(|path| Some(PathBuf::from(path.parent()?.file_name()?)));
    folder.unwrap_or(stem)
}
