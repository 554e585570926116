//! Conversions, whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

use cosimo_results::Results;

use crate::{Format, FormatError, figure, gltf, matlab, mcap, paraview, parquet};

/// Writes the files of a format into a folder, which is made if it does not exist. Earlier files of these names are replaced, once
/// all new ones are complete.
///
/// # Errors
/// [`FormatError`]; what was in the folder before is left as it was, except where the operating system does not let files be moved.
pub fn convert(results: &Results, format: Format, folder: &Path) -> Result<(), FormatError> {
    let part = folder.join(format!(".{format}.part"));
    fs::create_dir_all(&part).map_err(FormatError::write(&part))?;
    let written = write(results, format, &part).and_then(|()| {
        format.files().iter().try_for_each(|name| {
            let path = folder.join(name);
            replace(&part.join(name), &path).map_err(FormatError::write(&path))
        })
    });
    // What was of use has been moved out of it.
    let removed = fs::remove_dir_all(&part).map_err(FormatError::write(&part));
    written.and(removed)
}

fn write(results: &Results, format: Format, folder: &Path) -> Result<(), FormatError> {
    match format {
        Format::Parquet => parquet::write(results, folder),
        Format::Matlab => matlab::write(results, folder),
        Format::Pdf => figure::write_pdf(results, folder),
        Format::Png => figure::write_png(results, folder),
        Format::Mcap => mcap::write(results, folder),
        Format::Gltf => gltf::write(results, folder),
        Format::ParaView => paraview::write(results, folder),
    }
}

/// Moves a file, or a folder with its files, in place of another.
fn replace(new: &Path, old: &Path) -> io::Result<()> {
    if old.is_dir() {
        fs::remove_dir_all(old)?;
    }
    fs::rename(new, old)
}
