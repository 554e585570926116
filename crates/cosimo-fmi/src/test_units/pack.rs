//! The folder and the file of an FMU, kept in the build folder from one test to the next.

use super::compile::{Tools, sources};
use super::{Built, TOKEN, describe};
use crate::binary::Version;
use std::collections::hash_map::DefaultHasher;
use std::error::Error;
use std::fs::{self, File};
use std::hash::{Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The unit as built before, or newly.
pub(super) fn built(
    tools: &Tools,
    unit: &str,
    version: Version,
    defines: &[(&str, &str)],
) -> Result<Built, Box<dyn Error>> {
    let cache = cache();
    let place = cache.join(format!("{unit}-{:016x}", key(tools, unit, version, defines)?));
    let built = Built {
        version,
        identifier: unit.to_owned(),
        token: TOKEN,
        fmu: place.join(format!("{unit}.fmu")),
        folder: place.join("unpacked"),
        library: place.join("unpacked").join(library(unit, version)),
        resources: place.join("unpacked/resources"),
    };
    if !built.fmu.is_file() {
        fs::create_dir_all(&cache)?;
        let draft = tempfile::tempdir_in(&cache)?;
        make(tools, unit, version, defines, draft.path())?;
        // Another test may have been faster: its result is as good.
        if fs::rename(draft.path(), &place).is_err() && !built.fmu.is_file() {
            return Err(format!("{} cannot be made", place.display()).into());
        }
    }
    Ok(built)
}

/// The build folder of this test, or that of temporary files.
fn cache() -> PathBuf {
    let program = std::env::current_exe().unwrap_or_default();
    let target = program.ancestors().find(|folder| folder.join("CACHEDIR.TAG").is_file());
    target.map_or_else(std::env::temp_dir, Path::to_owned).join("test-units")
}

/// A number for everything that the result depends on.
fn key(tools: &Tools, unit: &str, version: Version, defines: &[(&str, &str)]) -> Result<u64, Box<dyn Error>> {
    let mut hasher = DefaultHasher::new();
    (unit, version, defines, format!("{tools:?}")).hash(&mut hasher);
    for file in ["unit.h", "face.h", "face2.h", "face3.h", "refused.h", &format!("{unit}.c")] {
        fs::read(sources().join(file))?.hash(&mut hasher);
    }
    description(unit, version, defines)?.hash(&mut hasher);
    Ok(hasher.finish())
}

fn description(unit: &str, version: Version, defines: &[(&str, &str)]) -> Result<String, Box<dyn Error>> {
    let source = fs::read_to_string(sources().join(format!("{unit}.c")))?;
    let defined = |wanted: &str| defines.iter().find(|(name, _)| *name == wanted).map(|(_, value)| *value);
    let text = describe::description(unit, &source, version, defined("NO_STATE").is_none())?;
    let variable = "canHandleVariableCommunicationStepSize=\"true\"";
    Ok(match (defined("FIXED_STEP"), version) {
        (None, _) => text,
        (Some(_), Version::Two) => text.replace(variable, &variable.replace("true", "false")),
        (Some(step), _) => {
            let fixed = format!("{} fixedInternalStepSize=\"{step}\"", variable.replace("true", "false"));
            text.replace(variable, &fixed)
        }
    })
}

/// The path of the library inside the FMU.
fn library(unit: &str, version: Version) -> String {
    use std::env::consts::{ARCH, DLL_SUFFIX, OS};
    let platform = match (version, OS) {
        (Version::Two, "linux") if ARCH == "x86_64" => "linux64".to_owned(),
        (Version::Two, "macos") => "darwin64".to_owned(),
        (_, "macos") => format!("{ARCH}-darwin"),
        _ => format!("{ARCH}-{OS}"),
    };
    format!("binaries/{platform}/{unit}{DLL_SUFFIX}")
}

fn make(
    tools: &Tools,
    unit: &str,
    version: Version,
    defines: &[(&str, &str)],
    place: &Path,
) -> Result<(), Box<dyn Error>> {
    let library = library(unit, version);
    let folder = place.join("unpacked");
    let file = folder.join(&library);
    fs::create_dir_all(folder.join("resources"))?;
    fs::create_dir_all(file.parent().ok_or("no folder")?)?;
    tools.compile(unit, version, defines, &file)?;
    fs::write(folder.join("modelDescription.xml"), description(unit, version, defines)?)?;
    fs::write(folder.join("resources/unit.txt"), unit)?;

    let mut zip = zip::ZipWriter::new(File::create(place.join(format!("{unit}.fmu")))?);
    for name in ["modelDescription.xml", &library, "resources/unit.txt"] {
        zip.start_file(name, zip::write::SimpleFileOptions::default())?;
        zip.write_all(&fs::read(folder.join(name))?)?;
    }
    zip.finish()?;
    Ok(())
}
