//! What tests over networks and on ranks share.

use std::fs;
use std::path::{Path, PathBuf};

use cosimo::model::{Override, read_model, read_text};

/// Steps of every example.
const STEPS: f64 = 300.0;

/// The first steps of an example.
pub struct FirstSteps {
    /// Its model file.
    pub model: PathBuf,
    /// The setting that ends the run after them.
    pub end: String,
    /// Subsystems that the file names: stops stand for others.
    pub subsystems: Vec<String>,
}

/// The models of all examples but those that need a unit, or a program in another language.
pub fn examples() -> Vec<FirstSteps> {
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
    let (text, name) = (read_text(&model).unwrap(), model.to_str().unwrap().to_owned());
    let (spec, _) = read_model(&name, &text, &[]).unwrap();
    let is_named = |subsystem: &String| {
        let set = Override::parse(&format!("subsystem.{subsystem}.remote={{ tcp = 'a:1' }}")).unwrap();
        read_model(&name, &text, &[set]).is_ok()
    };
    let subsystems = spec.subsystems.into_iter().map(|own| own.name).filter(is_named).collect();
    let end = format!("time.end={:?}", spec.time.end.min(spec.time.start + STEPS * spec.time.step));
    FirstSteps { model, end, subsystems }
}
