//! What tests over networks and on ranks share.

use std::fs;
use std::path::{Path, PathBuf};

use cosimo::model::{read_model, read_text};

/// Steps of every example.
const STEPS: f64 = 300.0;

/// The first steps of an example.
pub(crate) struct FirstSteps {
    /// Its model file.
    pub(crate) model: PathBuf,
    /// The setting that ends the run after them.
    pub(crate) end: String,
}

/// The models of all examples but those that need a unit, or a program in another language.
pub(crate) fn examples() -> Vec<FirstSteps> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = fs::read_dir(root).unwrap().map(|folder| folder.unwrap().path());
    let apart = ["fmu-controller", "python-controller", "ssp-wagons"];
    let mut models: Vec<PathBuf> = folders
        .filter(|folder| !apart.iter().any(|name| folder.ends_with(name)))
        .map(|folder| folder.join("model.toml"))
        .filter(|model| model.exists())
        .collect();
    models.sort();
    assert!(models.len() > 35, "{models:?}");
    models.into_iter().map(first_steps).collect()
}

fn first_steps(model: PathBuf) -> FirstSteps {
    let (text, name) = (read_text(&model).unwrap(), model.to_str().unwrap());
    let time = read_model(name, &text, &[]).unwrap().0.time;
    let end = format!("time.end={:?}", time.end.min(time.start + STEPS * time.step));
    FirstSteps { model, end }
}
