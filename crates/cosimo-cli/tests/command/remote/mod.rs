//! Runs whose subsystems are served over TCP: the same bits, also where servers, the master or the network fail, and named errors.

mod faults;
mod network;
mod offers;
mod python;
mod same_bits;
mod stations;

use std::fs;
use std::path::{Path, PathBuf};

use super::{Scratch, assert_code, read, stderr};
use stations::{Station, Stations};

/// The model of an example.
fn example(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(path)
}

/// Results and events of a run.
fn outcome(folder: &Path) -> [Vec<u8>; 2] {
    ["results.csv", "events.csv"].map(|file| fs::read(folder.join(file)).unwrap())
}

/// What comes of a model with these settings on this machine.
fn expected(scratch: &Scratch, model: &Path, sets: &[&str]) -> [Vec<u8>; 2] {
    let mut arguments = vec!["run", model.to_str().unwrap(), "--quiet", "--out", "here"];
    arguments.extend(sets.iter().flat_map(|set| ["--set", set]));
    assert_code(&scratch.cosimo(&arguments), 0);
    outcome(&scratch.path("here"))
}

#[test]
fn servers_give_the_same_bits() {
    let short = [
        ("oscillator/model.toml", "0.5"),
        ("droop-stop/model.toml", "0.05"),
        ("three-subsystems/model.toml", "0.1"),
        ("controlled-slider-crank/model.toml", "0.05"),
        ("train/model.toml", "0.05"),
        ("blade-elsewhere/model.toml", "0.02"),
    ];
    for (model, end) in short {
        let (scratch, model) = (Scratch::new(""), example(model));
        let end = format!("time.end={end}");
        let expected = expected(&scratch, &model, &[&end]);
        let stations = Stations::of(&scratch, &model, &[&end]);
        let output = stations.run(&["--quiet", "--out", "there"]);
        assert_code(&output, 0);
        assert!(outcome(&scratch.path("there")) == expected, "{}", model.display());
    }
}
