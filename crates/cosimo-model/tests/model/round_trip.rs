//! A model written as TOML reads back to an equal model.

use std::fs;
use std::path::{Path, PathBuf};

use cosimo_fmi::binary::Version;
use cosimo_model::{ModelSpec, read_model};

use super::{BASE, model};

#[track_caller]
fn assert_round_trip(text: &str) {
    assert_survives(&model(text));
}

#[track_caller]
fn assert_survives(first: &ModelSpec) {
    let written = first.to_toml();
    let second = model(&written);
    assert_eq!(first, &second, "{written}");
    assert_eq!(written, second.to_toml());
}

#[test]
fn every_kind_and_law_survives() {
    assert_round_trip(BASE);
    assert_round_trip(&BASE.replace("law = \"rigid\"", "law = \"tikhonov\"\nconstant = 5e-9"));
    let guarded = "max_halvings = 3\nenergy_action = \"halve\"\nenergy_limit = 0.125\n\n[record]";
    assert_round_trip(&BASE.replace("[record]", guarded));
    let checkpoint = "[checkpoint]\nevery_steps = 1000\nevery_seconds = 0.5\nkeep = 3\n\n[record]";
    assert_round_trip(&BASE.replace("[record]", checkpoint));
    assert_round_trip(&BASE.replace("title = \"Everything\"", "title = '''a \"b\" \\ c\n\td'''"));
}

/// The files in a folder.
fn files(folder: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(folder).into_iter().flatten().map(|file| file.unwrap().path())
}

#[test]
fn every_example_survives() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let all = files(&examples).flat_map(|folder| files(&folder).collect::<Vec<_>>());
    let is_model =
        |file: &PathBuf| file.extension().is_some_and(|end| end == "toml") && !file.ends_with("Cargo.toml");
    let models: Vec<_> = all.filter(is_model).collect();
    assert!(models.len() > 50, "{models:?}");
    // An example whose FMU is built by its own test has no file here.
    let is_alone =
        |text: &String| !["fmu", "model"].iter().any(|kind| text.contains(&format!("kind = \"{kind}\"")));
    for file in models {
        let text = fs::read_to_string(&file).unwrap();
        if is_alone(&text) {
            let read = read_model(&file.display().to_string(), &text, &[]);
            assert_survives(&read.unwrap_or_else(|mistakes| panic!("{mistakes}")).0);
        }
    }
}

#[test]
fn units_and_exports_survive_and_their_mistakes_are_named() {
    let Some(unit) = cosimo_fmi::test_units::build("oscillator_half", Version::Three, &[]) else { return };
    let text = format!(
        r#"schema = 1
time = {{ end = 1.0, step = 1e-3 }}
export = {{ parameters = ["half.parameters.m"], quantities = ["half.*"], ports = ["half.tip"] }}
[[subsystem]]
name = "half"
kind = "fmu"
file = "{}"
solver = {{ method = "multistep", spectral_radius = 0.5 }}
isolation = "process"
parameters = {{ m = 2.5, k = 100 }}
quantities = ["der(x)"]
[[subsystem.port]]
name = "tip"
position = "x"
velocity = ["v"]
force = "F"
"#,
        unit.fmu.display()
    );
    assert_round_trip(&text);
    for (from, to, expected) in [
        ("k = 100", "kk = 100", "no variable `kk`"),
        ("m = 2.5", "m = \"heavy\"", "is a number, not \"heavy\""),
        ("force = \"F\"", "force = \"x\"", "loads among the outputs"),
        ("oscillator_half.fmu", "nothing.fmu", "cannot be read"),
        (
            "method = \"multistep\", spectral_radius = 0.5",
            "method = \"newmark\"",
            "cannot be stepped by the solver",
        ),
        ("isolation = \"process\"", "face = \"model\"", "no face `model`"),
    ] {
        let mistakes = read_model("model.toml", &text.replace(from, to), &[]).unwrap_err().to_string();
        assert!(mistakes.contains(expected), "{mistakes}");
    }
}

#[test]
fn long_lists_and_matrices_survive() {
    let text = r#"
schema = 1
[time]
end = 1e20
step = 1e10
[[subsystem]]
name = "string"
kind = "linear"
mass = { count = 40, uniform = 0.1, set = { 0 = 0.05, q39 = 0.30000000000000004 } }
elimination = { project_impulses = false }
[[subsystem.spring]]
ground = 39
stiffness = 1
damping = 3
[[subsystem.load]]
direction = { 3 = -2.5, q7 = 1e-300 }
time = [-1]
value = [123456789.123]
[[subsystem.constraint]]
name = "a"
row = { 0 = 1 }
[[subsystem.contact]]
name = "b"
row = { 0 = 1, 5 = -1 }
restitution = 1
[[subsystem.port]]
name = "three"
coordinates = [1, "q2", 3]
[[subsystem.port]]
name = "mixed"
rows = [{ 1 = 1 }, { 2 = 2 }, { 3 = 3, 4 = 1 }]
[[subsystem]]
name = "node"
kind = "node"
mass = 1
[[interface]]
name = "i"
between = ["string.three", "node.centre"]
law = "compliant"
stiffness = [[1, 0.5, 0], [0.5, 1, 0], [0, 0, 1]]
damping = [1, 2, 3]
offset = [0, 0, -0.0]
"#;
    assert_round_trip(text);
    let written = model(text).to_toml();
    assert!(written.lines().all(|line| line.len() < 120), "{written}");
    assert!(written.contains("    \"q0\", \"q1\","), "{written}");
}

#[test]
fn accelerations_round_trip() {
    for acceleration in [
        "\"none\"",
        "{ method = \"relaxation\", factor = 0.1 }",
        "{ method = \"aitken\", first = 0.125 }",
        "{ method = \"iqn-ils\", reuse = 3, filter = 0.0 }",
    ] {
        let lines = format!("scheme = \"jacobi\"\nacceleration = {acceleration}\nimpacts = \"plain\"");
        let text = BASE.replace("scheme = \"condensed\"", &lines);
        assert_round_trip(&text);
        assert!(model(&text).to_toml().contains(&format!("acceleration = {acceleration}")), "{acceleration}");
    }
}

#[test]
fn defaults_are_written_out() {
    let text =
        "schema = 1\ntime = { end = 1, step = 0.1 }\n[[subsystem]]\nname = 'a'\nkind = 'node'\nmass = 1\n";
    let expected = "\
schema = 1
title = \"\"

[time]
start = 0.0
end = 1.0
step = 0.1

[master]
scheme = \"condensed\"
acceleration = \"none\"
tangent = \"auto\"
load_tangents = \"auto\"
impacts = \"sub-step\"
contact_reach = 2.0
signal_loops = \"solve\"
tolerance = 1e-9
max_iterations = 100
max_halvings = 0
on_unsolved = \"warn\"
step_control = \"auto\"
energy_tolerance = 1e-6
error_tolerance = 1e-6
max_refinements = 10
energy_action = \"none\"
energy_limit = 0.0
initial_state = \"refuse\"
initial_tolerance = 1e-9
threads = 1
execution = \"in-thread\"
deadline = 60.0
on_loss = \"stop\"
patience = 60.0

[record]
every = 1
quantities = [\"*\"]
plot = [\"a.x\", \"a.y\", \"a.z\"]

[checkpoint]
every_steps = 0
every_seconds = 60.0
keep = 2

[[subsystem]]
name = \"a\"
kind = \"node\"
solver = { method = \"theta\", theta = 0.5 }
coupling = \"auto\"
micro_steps = 1
mass = 1.0
radius = 0.0
gravity = [0.0, 0.0, 0.0]
position = [0.0, 0.0, 0.0]
velocity = [0.0, 0.0, 0.0]
force = [0.0, 0.0, 0.0]

[[subsystem.port]]
name = \"centre\"
";
    assert_eq!(model(text).to_toml(), expected);
}
