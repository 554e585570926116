//! Systems of FMUs (SSP): unpacked into a folder of their own, with the model file that they are.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use cosimo::fmi::ssp::System;
use cosimo::model::system_text;

use crate::args::model_name;
use crate::failure::Failure;
use crate::terminal;

/// Whether a file is a system rather than a model.
pub(crate) fn is_system(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "ssp" || ending == "ssd")
}

/// Unpacks a system into `out/NAME-system`, writes the model file there, and returns its path: the run can be resumed, and the file be changed.
pub(crate) fn unpack(path: &Path) -> Result<PathBuf, Failure> {
    let system = System::open(path).map_err(Failure::bad_input)?;
    for finding in &system.findings {
        terminal::line(&format!("warning: {}: {}", finding.place, finding.text));
    }
    let mut name = model_name(path).into_os_string();
    name.push("-system");
    let folder = Path::new("out").join(name);
    fs::create_dir_all(&folder).map_err(Failure::failed)?;
    let mut copied: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut files = Vec::new();
    for component in &system.outline.components {
        let known = copied.get(&component.source).cloned();
        let file = match known {
            Some(file) => file,
            None => copy(&component.source, &folder, copied.len())?,
        };
        copied.insert(component.source.clone(), file.clone());
        files.push(file);
    }
    let text = system_text(&system.outline, &files).map_err(Failure::bad_input)?;
    let model = folder.join("model.toml");
    if fs::read_to_string(&model).is_ok_and(|own| own != text) {
        let path = model.display();
        return Err(Failure::bad_input(format!(
            "`{path}` is another model than the system says now; run that file, or remove it to unpack the system anew"
        )));
    }
    fs::write(&model, text).map_err(Failure::failed)?;
    Ok(model)
}

/// Copies an FMU, or a folder of one, under a name that no other has.
fn copy(source: &Path, folder: &Path, number: usize) -> Result<String, Failure> {
    let name = source.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let file = format!("{number}-{name}");
    fs::copy(source, folder.join(&file)).map_err(Failure::failed)?;
    Ok(file)
}
