//! `cosimo export`: what is exported runs as what it was made of.

use std::path::Path;
use std::process::Command;

/// One half of a two-mass oscillator, with its port open.
pub(super) fn half(name: &str, [mass, stiffness, damping, position]: [f64; 4]) -> String {
    format!(
        "[[subsystem]]\nname = \"{name}\"\nkind = \"linear\"\nmass = [{mass}]\nstiffness = [{stiffness}]\ndamping = [{damping}]\n\
         position = {position}\n[[subsystem.port]]\nname = \"tip\"\ncoordinates = [0]\n"
    )
}

pub(super) const A: [f64; 4] = [1.0, 200.0, 0.5, 0.1];
pub(super) const B: [f64; 4] = [2.0, 500.0, 3.0, -0.05];

pub(super) fn model(halves: [&str; 2], joint: &str) -> String {
    format!(
        "schema = 1\ntime = {{ end = 0.5, step = 1e-3 }}\nmaster = {{ tolerance = 1e-13 }}\n{}\n{}\n[[interface]]\nname = \"j\"\n\
         between = [\"a.tip\", \"b.tip\"]\n{joint}\n",
        halves[0], halves[1]
    )
}

/// The forces of the joint over the run of a model.
pub(super) fn forces(command: &Path, folder: &Path, text: &str) -> Vec<f64> {
    let (file, out) = (folder.join("model.toml"), folder.join("out"));
    std::fs::write(&file, text).unwrap();
    let ran = Command::new(command)
        .arg("run")
        .arg(&file)
        .args(["-q", "--force", "--out"])
        .arg(&out)
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let mut reader = csv::Reader::from_path(out.join("results.csv")).unwrap();
    let place = reader.headers().unwrap().iter().position(|name| name == "j.force").unwrap();
    reader.records().map(|row| row.unwrap()[place].parse().unwrap()).collect()
}

/// The summary of the last run in a folder.
pub(super) fn summary(folder: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(folder.join("out/summary.json")).unwrap()).unwrap()
}

/// How its subsystems were coupled.
pub(super) fn coupling(summary: &serde_json::Value) -> Vec<&str> {
    let subsystems = summary["subsystems"].as_array().unwrap();
    subsystems.iter().map(|own| own["coupling"].as_str().unwrap()).collect()
}

/// Exports a half with a copy of the command, which knows neither this folder nor a compiler; the half as an FMU.
pub(super) fn exported(command: &Path, folder: &Path, name: &str, values: [f64; 4], version: &str) -> String {
    let (file, fmu) = (folder.join(format!("{name}.toml")), folder.join(format!("{name}{version}.fmu")));
    let head = "schema = 1\ntime = { end = 1.0, step = 1e-3 }\n";
    std::fs::write(&file, format!("{head}{}", half("s", values))).unwrap();
    let mut export = Command::new(command);
    export.arg("export").arg(&file).arg("--fmu").arg(&fmu).args(["--version", version]);
    let made = export.env_clear().current_dir(folder).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let again = export.output().unwrap();
    assert_eq!(again.status.code(), Some(2), "an FMU that exists is not replaced");
    format!(
        "[[subsystem]]\nname = \"{name}\"\nkind = \"fmu\"\nfile = \"{}\"\n[[subsystem.port]]\nname = \"tip\"\n\
         position = \"s.tip.position\"\nvelocity = \"s.tip.velocity\"\nforce = \"s.tip.force\"\n",
        fmu.display()
    )
}

#[test]
fn exported_halves_run_as_native_ones() {
    let folder = tempfile::tempdir().unwrap();
    let command = folder.path().join("copied-command");
    std::fs::copy(env!("CARGO_BIN_EXE_cosimo"), &command).unwrap();
    for joint in ["law = \"compliant\"\nstiffness = 1000", "law = \"rigid\"\noffset = 0.15"] {
        let native = [half("a", A), half("b", B)];
        let expected = forces(&command, folder.path(), &model([&native[0], &native[1]], joint));
        let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for version in ["2", "3"] {
            let inner = tempfile::tempdir_in(&folder).unwrap();
            let units = [
                exported(&command, inner.path(), "a", A, version),
                exported(&command, inner.path(), "b", B, version),
            ];
            for halves in [[&native[0], &units[1]], [&units[0], &units[1]]] {
                let found = forces(&command, inner.path(), &model(halves.map(String::as_str), joint));
                assert_eq!(found.len(), expected.len());
                let apart = found.iter().zip(&expected).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
                assert!(apart < 1e-10 * scale, "FMI {version}, {joint}: {apart:e} N apart");
                let summary = summary(inner.path());
                let modes: Vec<&str> = coupling(&summary);
                assert_eq!(modes, ["exact", "exact"], "FMI {version}, {joint}");
                let number = |key: &str| summary[key].as_f64().unwrap();
                let solves = number("master_iterations") / number("steps");
                assert!(solves < 1.01, "FMI {version}, {joint}: {solves} solves per step");
            }
        }
    }
}

#[test]
fn a_port_of_an_exported_unit_is_found_by_its_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let command = Path::new(env!("CARGO_BIN_EXE_cosimo"));
    let unit = exported(command, folder.path(), "b", B, "3");
    let by_terminal = unit.split("[[subsystem.port]]").next().unwrap().to_owned();
    let text = model([&half("a", A), &by_terminal], "law = \"compliant\"\nstiffness = 1000");
    let text = text.replace("\"b.tip\"", "\"b.s.tip\"");
    let native = model([&half("a", A), &half("b", B)], "law = \"compliant\"\nstiffness = 1000");
    let expected = forces(command, folder.path(), &native);
    let found = forces(command, folder.path(), &text);
    assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-8));
}
