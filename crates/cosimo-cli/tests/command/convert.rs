//! `cosimo convert`, and formats that a model file asks for.

use std::fs;

use crate::{MODEL, Scratch, assert_code, read, stderr};

const ALL: [&str; 9] = [
    "results.parquet",
    "events.parquet",
    "results.mat",
    "results.mcap",
    "scene.glb",
    "scene.pvd",
    "scene/bodies-000000.vtp",
    "plot.pdf",
    "plot.png",
];

fn with_formats(formats: &str) -> Scratch {
    Scratch::new(&MODEL.replacen("time =", &format!("record = {{ formats = {formats} }}\ntime ="), 1))
}

/// The beginning of a file tells what it is.
fn begins(scratch: &Scratch, name: &str, with: &[u8]) -> bool {
    fs::read(scratch.path("out/masses").join(name)).is_ok_and(|bytes| bytes.starts_with(with))
}

#[test]
fn results_are_converted_into_every_format() {
    let scratch = Scratch::new(MODEL);
    assert_code(&scratch.cosimo(&["run", "masses.toml", "-q"]), 0);
    let to = ["convert", "out/masses", "--to", "parquet,matlab,mcap,gltf,paraview,pdf,png"];
    let converted = scratch.cosimo(&to);
    assert_code(&converted, 0);
    for name in ALL {
        assert!(scratch.path("out/masses").join(name).is_file(), "{name}");
    }
    assert!(stderr(&converted).contains("results.parquet, events.parquet, results.mat"));
    assert!(begins(&scratch, "results.parquet", b"PAR1") && begins(&scratch, "plot.pdf", b"%PDF"));
    assert!(begins(&scratch, "scene.glb", b"glTF") && begins(&scratch, "plot.png", b"\x89PNG"));

    let again = scratch.cosimo(&to);
    assert_code(&again, 2);
    assert!(stderr(&again).contains("results.parquet` exists: add --force"), "{}", stderr(&again));
    assert_code(&scratch.cosimo(&[&to[..], &["--force"]].concat()), 0);
    assert_code(&scratch.cosimo(&[&to[..], &["--out", "other/place"]].concat()), 0);
    let [here, there] =
        ["out/masses", "other/place"].map(|path| fs::read(scratch.path(path).join("scene.glb")));
    assert_eq!(here.unwrap(), there.unwrap());

    // They go with the results that they were made of.
    assert_code(&scratch.cosimo(&["run", "masses.toml", "-q", "--force"]), 0);
    for name in ALL {
        assert!(!scratch.path("out/masses").join(name).exists(), "{name}");
    }
}

#[test]
fn a_run_writes_the_formats_of_its_model_also_when_it_is_resumed() {
    let scratch = with_formats("[\"parquet\", \"png\"]");
    assert_code(&scratch.cosimo(&["run", "masses.toml", "-q"]), 0);
    assert!(begins(&scratch, "events.parquet", b"PAR1") && begins(&scratch, "plot.png", b"\x89PNG"));
    assert!(scratch.result("model.toml").contains("formats = [\"parquet\", \"png\"]"));
    assert_code(&scratch.cosimo(&["run", "masses.toml", "-q", "--force"]), 0);

    // As a run leaves it that is killed before its first checkpoint.
    let path = scratch.path("out/masses");
    let summary = read(&path.join("summary.json")).replace("\"completed\"", "\"unfinished\"");
    fs::write(path.join("summary.json"), summary).unwrap();
    fs::remove_file(path.join("results.parquet")).unwrap();
    assert_code(&scratch.cosimo(&["run", "--resume", "out/masses", "-q"]), 0);
    assert!(begins(&scratch, "results.parquet", b"PAR1"));
}

#[test]
fn unknown_formats_are_told_with_the_one_that_is_meant() {
    let scratch = with_formats("[\"mcap\", \"paruqet\"]");
    let checked = scratch.cosimo(&["check", "masses.toml"]);
    assert_code(&checked, 2);
    let text = stderr(&checked);
    assert!(text.contains("no format `paruqet`") && text.contains("`parquet`"), "{text}");
    let converted = scratch.cosimo(&["convert", ".", "--to", "png,paruqet"]);
    assert_code(&converted, 2);
    assert!(stderr(&converted).contains("did you mean `parquet`"), "{}", stderr(&converted));
    let nowhere = scratch.cosimo(&["convert", ".", "--to", "png"]);
    assert_code(&nowhere, 2);
    assert!(stderr(&nowhere).contains("there are no results in `.`"), "{}", stderr(&nowhere));
}

#[test]
fn a_file_of_another_is_not_replaced_and_found_before_the_run() {
    let scratch = with_formats("[\"parquet\"]");
    assert_code(&scratch.cosimo(&["run", "masses.toml", "-q", "--set", "record.formats=[]"]), 0);
    let results = scratch.result("results.csv");
    fs::write(scratch.path("out/masses/results.parquet"), "mine").unwrap();
    let run = scratch.cosimo(&["run", "masses.toml", "-q", "--force", "--set", "time.end=0.1"]);
    assert_code(&run, 2);
    assert!(stderr(&run).contains("results.parquet` is not of an earlier run"), "{}", stderr(&run));
    assert_eq!(
        (scratch.result("results.parquet").as_str(), scratch.result("results.csv")),
        ("mine", results)
    );
    let converted = scratch.cosimo(&["convert", "out/masses", "--to", "parquet", "--force"]);
    assert_code(&converted, 2);
    assert_eq!(scratch.result("results.parquet"), "mine");
}

#[test]
fn a_conversion_that_fails_leaves_the_results_and_the_other_formats() {
    let scratch = with_formats("[\"gltf\", \"parquet\"]");
    let run = scratch.cosimo(&["run", "masses.toml", "-q", "--set", "record.frames_per_second=0"]);
    assert_code(&run, 1);
    assert!(stderr(&run).contains("there is nothing to see for gltf"), "{}", stderr(&run));
    assert_eq!(scratch.summary()["outcome"], "completed");
    assert!(begins(&scratch, "results.parquet", b"PAR1") && !begins(&scratch, "scene.glb", b""));
}
