//! Exported units by themselves: tried out, found by the names of their ports, and what their descriptions say.

use std::path::Path;
use std::process::Command;

use cosimo_fmi::Fmu;

use super::export::{A, B, coupling, exported, forces, half, model, summary};
use super::{Scratch, assert_code, read, stderr, stdout};

const COMMAND: &str = env!("CARGO_BIN_EXE_cosimo");

#[test]
fn a_unit_with_ports_and_nothing_else_is_tried_out_and_runs_wherever_it_is() {
    for version in ["2", "3"] {
        let scratch = Scratch::with_temporary("");
        // The command that made it is gone when it runs.
        let copy = scratch.path("copied-command");
        std::fs::copy(COMMAND, &copy).unwrap();
        let unit = exported(&copy, &scratch.path(""), "a", A, version);
        std::fs::remove_file(&copy).unwrap();
        let output = scratch.cosimo(&["fmu", &format!("a{version}.fmu")]);
        assert_code(&output, 0);
        assert!(stdout(&output).contains("  1000 steps in "), "{}", stdout(&output));
        let alone = unit.split("[[subsystem.port]]").next().unwrap();
        for isolation in ["none", "process"] {
            let text = format!(
                "schema = 1\ntime = {{ end = 0.1, step = 1e-3 }}\n{alone}isolation = \"{isolation}\"\n"
            );
            std::fs::write(scratch.path("masses.toml"), text).unwrap();
            let output = scratch.cosimo(&["run", "masses.toml", "--quiet", "--force"]);
            assert_code(&output, 0);
            assert_eq!(read(&scratch.path("out/masses/results.csv")).lines().count(), 102, "{isolation}");
        }
    }
}

#[test]
fn a_port_is_found_by_its_name_alone_in_both_versions() {
    let folder = tempfile::tempdir().unwrap();
    let joint = "law = \"compliant\"\nstiffness = 1000";
    let native = model([&half("a", A), &half("b", B)], joint);
    let expected = forces(Path::new(COMMAND), folder.path(), &native);
    for version in ["2", "3"] {
        let unit = exported(Path::new(COMMAND), folder.path(), "b", B, version);
        let by_members = unit.split("name = \"tip\"").next().unwrap().to_owned();
        let text = model([&half("a", A), &format!("{by_members}name = \"s.tip\"\n")], joint);
        let found = forces(Path::new(COMMAND), folder.path(), &text.replace("\"b.tip\"", "\"b.s.tip\""));
        assert!(found.len() == expected.len());
        assert!(found.iter().zip(&expected).all(|(a, b)| (a - b).abs() < 1e-8), "FMI {version}");
    }
}

/// The modes of the joint, and solves per step.
#[test]
fn exported_halves_by_differences_and_quasi_newton_run_as_native_ones() {
    let folder = tempfile::tempdir().unwrap();
    for joint in ["law = \"compliant\"\nstiffness = 1000", "law = \"rigid\"\noffset = 0.15"] {
        let native = [half("a", A), half("b", B)];
        let short = |halves: [&str; 2]| model(halves, joint).replace("end = 0.5", "end = 0.1");
        let expected = forces(Path::new(COMMAND), folder.path(), &short([&native[0], &native[1]]));
        let scale = expected.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        for version in ["2", "3"] {
            let inner = tempfile::tempdir_in(&folder).unwrap();
            let units = [("a", A), ("b", B)]
                .map(|(name, own)| exported(Path::new(COMMAND), inner.path(), name, own, version));
            for wanted in ["differenced", "quasi-newton"] {
                let coupled = units.each_ref().map(|unit| {
                    unit.replace(
                        "[[subsystem.port]]",
                        &format!("coupling = \"{wanted}\"\n[[subsystem.port]]"),
                    )
                });
                let text =
                    short([&coupled[0], &coupled[1]]).replace("tolerance = 1e-13", "tolerance = 1e-10");
                let found = forces(Path::new(COMMAND), inner.path(), &text);
                let apart = found.iter().zip(&expected).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()));
                assert!(apart < 1e-8 * scale, "FMI {version}, {wanted}, {joint}: {apart:e} N apart");
                let summary = summary(inner.path());
                assert_eq!(coupling(&summary), [wanted, wanted], "FMI {version}, {joint}");
                let number = |key: &str| summary[key].as_f64().unwrap();
                let solves = number("master_iterations") / number("steps");
                assert!(solves < 1.05, "FMI {version}, {wanted}, {joint}: {solves} solves per step");
            }
        }
    }
}

/// A point mass in space.
fn node(name: &str, mass: f64, values: &str) -> String {
    format!(
        "[[subsystem]]\nname = \"{name}\"\nkind = \"node\"\nmass = {mass}\ngravity = [0, 0, -9.81]\n{values}\n"
    )
}

#[test]
fn a_port_of_three_coordinates_is_joined_as_a_native_one() {
    const STARTS: [&str; 2] = ["position = [0.1, 0, 0]\nvelocity = [0, 0.3, 0]", "position = [0, 0.2, -0.1]"];
    let folder = tempfile::tempdir().unwrap();
    let joined = |parts: [&str; 2], end: &str| {
        format!(
            "schema = 1\ntime = {{ end = 0.3, step = 1e-3 }}\nmaster = {{ tolerance = 1e-12 }}\n{}{}[[interface]]\nname = \"j\"\n\
             between = [\"a.centre\", \"{end}\"]\nlaw = \"compliant\"\nstiffness = [900, 700, 500]\ndamping = 2.0\n",
            parts[0], parts[1]
        )
    };
    let run = |text: &str| {
        std::fs::write(folder.path().join("model.toml"), text).unwrap();
        let mut command = Command::new(COMMAND);
        let ran = command
            .args(["run", "model.toml", "-q", "--force", "--out", "out"])
            .current_dir(&folder)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
        let mut reader = csv::Reader::from_path(folder.path().join("out/results.csv")).unwrap();
        let headers = reader.headers().unwrap().clone();
        let places =
            [0, 1, 2].map(|k| headers.iter().position(|name| name == format!("j.force_{k}")).unwrap());
        let rows: Vec<[f64; 3]> = reader
            .records()
            .map(|row| row.unwrap())
            .map(|row| places.map(|k| row[k].parse().unwrap()))
            .collect();
        rows
    };
    let (a, b) = (node("a", 1.0, STARTS[0]), node("b", 2.0, STARTS[1]));
    let expected = run(&joined([&a, &b], "b.centre"));
    for version in ["2", "3"] {
        let alone = format!("schema = 1\ntime = {{ end = 1.0, step = 1e-3 }}\n{b}");
        std::fs::write(folder.path().join("b.toml"), alone).unwrap();
        let mut export = Command::new(COMMAND);
        export.args(["export", "b.toml", "--fmu", "b.fmu", "--force", "--version", version]);
        assert!(export.current_dir(&folder).output().unwrap().status.success());
        let unit = "[[subsystem]]\nname = \"b\"\nkind = \"fmu\"\nfile = \"b.fmu\"\n[[subsystem.port]]\nname = \"b.centre\"\n";
        let found = run(&joined([&a, unit], "b.b.centre"));
        let pairs = found.iter().flatten().zip(expected.iter().flatten());
        let apart = pairs.fold(0.0_f64, |most, (x, y)| most.max((x - y).abs()));
        assert!(found.len() == expected.len() && apart < 1e-8, "FMI {version}: {apart:e} N apart");
    }
}

/// Other hosts, by scripts beside this file.
#[test]
fn other_hosts_run_exported_halves() {
    for (package, script, versions) in [
        ("fmpy", "exported_half_in_fmpy.py", &["2", "3"][..]),
        ("libcosimpy", "exported_half_in_libcosim.py", &["2"]),
    ] {
        if !super::examples::python_has(package) {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let text = format!(
            "schema = 1\ntime = {{ end = 1.0, step = 1e-3 }}\nexport = {{ parameters = [\"s.stiffness\"] }}\n{}",
            half("s", B)
        );
        std::fs::write(folder.path().join("b.toml"), text).unwrap();
        for version in versions {
            let mut export = Command::new(COMMAND);
            export.args(["export", "b.toml", "--fmu", &format!("b{version}.fmu"), "--version", version]);
            assert!(export.current_dir(folder.path()).output().unwrap().status.success());
        }
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command").join(script);
        let ran = Command::new("python3").arg(script).current_dir(folder.path()).output().unwrap();
        let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        assert!(ran.status.success() && out.contains("as expected"), "{package}: {out}\n{err}");
    }
}

/// Two controllers that know nothing of each other, with all that can be shown.
const CONTROLLERS: &str = r#"
schema = 1
time = { end = 1.0, step = 1e-2 }
export = { quantities = ["*"], parameters = ["mass.stiffness", "c1.proportional", "c2.proportional"] }
[[subsystem]]
name = "c1"
kind = "controller"
type = "pid"
proportional = 4.0
[[subsystem]]
name = "c2"
kind = "controller"
type = "pid"
proportional = 3.0
input_unit = "m"
output_unit = "N"
[[subsystem]]
name = "mass"
kind = "linear"
mass = [2.0]
stiffness = [500.0]
[[subsystem.port]]
name = "tip"
coordinates = [0]
"#;

#[test]
fn the_description_names_dependencies_and_units_and_nothing_of_what_stands_outside() {
    for version in ["2", "3"] {
        let scratch = Scratch::new(CONTROLLERS);
        let output = scratch.cosimo(&["export", "masses.toml", "--fmu", "a.fmu", "--version", version]);
        assert_code(&output, 0);
        let unit = Fmu::open(scratch.path("a.fmu")).unwrap();
        let description = unit.description();
        let name = |index: usize| description.variables[index].name.as_str();
        assert!(description.variables.iter().all(|own| !own.name.contains("outside")), "{}", stderr(&output));
        let depends = |output: &str| {
            let unknown =
                description.structure.outputs.iter().find(|own| name(own.variable) == output).unwrap();
            let mut on: Vec<&str> =
                unknown.dependencies.as_ref().unwrap().iter().map(|(index, _)| name(*index)).collect();
            on.sort_unstable();
            on
        };
        assert_eq!(depends("c1.output"), ["c1.measurement", "c1.setpoint"]);
        assert_eq!(depends("c2.output"), ["c2.measurement", "c2.setpoint"]);
        for none in ["mass.q0", "mass.v_q0", "mass.tip.position"] {
            assert_eq!(depends(none), [""; 0], "{none}");
        }
        let unit_of = |wanted: &str| {
            let found = description.variables.iter().find(|own| own.name == wanted).unwrap();
            found.unit.clone().unwrap_or_default()
        };
        for (variable, unit) in [
            ("mass.tip.position", "m"),
            ("mass.tip.velocity", "m/s"),
            ("mass.tip.force", "N"),
            ("mass.q0", "m"),
            ("c2.output", "N"),
            ("c2.measurement", "m"),
            ("mass.stiffness", "N/m"),
            ("c2.proportional", "N/m"),
            ("c1.proportional", ""),
        ] {
            assert_eq!(unit_of(variable), unit, "{variable}");
        }
    }
}
