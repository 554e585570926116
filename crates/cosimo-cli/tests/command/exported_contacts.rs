//! Exported units with contacts: the master carries them, and their impulses pass joints.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

/// A ball of 1 kg over a floor, with its port on top.
fn ball(more: &str, floor: &str) -> String {
    format!(
        "[[subsystem]]\nname = \"ball\"\nkind = \"node\"\nmass = 1.0\nradius = 0.1\ngravity = [0, 0, -9.81]\nposition = [0, 0, 1.0]\n\
         {more}\n[[subsystem.port]]\nname = \"top\"\ndirection = [0, 0, 1]\n\
         [[subsystem.plane]]\nname = \"floor\"\nnormal = [0, 0, 1]\nrestitution = 0.7\n{floor}\n"
    )
}

/// Half a kilogram a metre above the ball.
const LOAD: &str = "[[subsystem]]\nname = \"load\"\nkind = \"node\"\nmass = 0.5\nradius = 0.1\ngravity = [0, 0, -9.81]\n\
                    position = [0, 0, 2.0]\n[[subsystem.port]]\nname = \"tip\"\ndirection = [0, 0, 1]\n";

const HEAD: &str = "schema = 1\ntime = { end = 2.0, step = 1e-3 }\n";

fn joint(law: &str) -> String {
    format!(
        "[[interface]]\nname = \"j\"\nbetween = [\"ball.top\", \"load.tip\"]\nlaw = {law}\noffset = -1.0\n"
    )
}

/// The columns of the results, and what the command says.
struct Ran {
    columns: BTreeMap<String, Vec<f64>>,
    impacts: usize,
    told: String,
    /// How the first subsystem is coupled.
    coupling: String,
}

fn command(arguments: &[&str], folder: &Path) -> (bool, String) {
    let ran =
        Command::new(env!("CARGO_BIN_EXE_cosimo")).args(arguments).current_dir(folder).output().unwrap();
    (ran.status.success(), String::from_utf8_lossy(&ran.stderr).into_owned())
}

fn run(folder: &Path, subsystems: &[&str], joint: &str) -> Ran {
    run_with(folder, ("", &[]), subsystems, joint)
}

/// With further keys of the master, and further arguments of the command.
fn run_with(folder: &Path, (keys, more): (&str, &[&str]), subsystems: &[&str], joint: &str) -> Ran {
    let head = format!("{HEAD}[master]\ntolerance = 1e-13\n{keys}\n[record]\nquantities = [\"*\"]\n");
    let text = format!("{head}{}{joint}", subsystems.concat());
    std::fs::write(folder.join("run.toml"), text).unwrap();
    let arguments = [&["run", "run.toml", "-q", "--force", "--out", "out"], more].concat();
    let (succeeds, told) = command(&arguments, folder);
    assert!(succeeds, "{told}");
    let mut reader = csv::Reader::from_path(folder.join("out/results.csv")).unwrap();
    let names: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let mut columns: BTreeMap<String, Vec<f64>> =
        names.iter().map(|name| (name.clone(), Vec::new())).collect();
    for row in reader.records() {
        for (name, value) in names.iter().zip(&row.unwrap()) {
            columns.get_mut(name).unwrap().push(value.parse().unwrap_or(0.0));
        }
    }
    let events = std::fs::read_to_string(folder.join("out/events.csv")).unwrap();
    let summary = std::fs::read_to_string(folder.join("out/summary.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let coupling = summary["subsystems"][0]["coupling"].as_str().unwrap().to_owned();
    Ran { columns, impacts: events.matches("impact").count(), told, coupling }
}

/// Exports a subsystem; the unit as a subsystem of this name, whose port is called as that of the subsystem.
fn exported(folder: &Path, (name, subsystem): (&str, &str), version: &str, keys: &str) -> String {
    let port = if name == "ball" { "top" } else { "tip" };
    std::fs::write(folder.join("own.toml"), format!("{HEAD}{subsystem}")).unwrap();
    let file = format!("{name}{version}.fmu");
    let (succeeds, told) =
        command(&["export", "own.toml", "--fmu", &file, "--version", version, "--force"], folder);
    assert!(succeeds, "{told}");
    let members =
        ["position", "velocity", "force"].map(|member| format!("{member} = \"{name}.{port}.{member}\"\n"));
    // Impulses are those of the terminal of the name.
    let (called, members) = if version == "3" {
        (format!("{name}.{port}"), String::new())
    } else {
        (port.to_owned(), members.concat())
    };
    let ports = if version == "3" {
        String::new()
    } else {
        format!("[[subsystem.port]]\nname = \"{called}\"\n{members}")
    };
    format!(
        "[[subsystem]]\nname = \"{name}\"\nkind = \"fmu\"\nfile = \"{file}\"\nquantities = [\"*.position\", \"*.velocity\"]\n{keys}\n{ports}"
    )
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
}

/// The joint between the units of these names of ports.
fn between(ball: &str, load: &str, law: &str) -> String {
    joint(law).replace("ball.top", ball).replace("load.tip", load)
}

#[test]
fn a_bouncing_unit_moves_what_is_joined_rigidly_as_the_uncut_model_does() {
    let folder = tempfile::tempdir().unwrap();
    let uncut = ball("", "").replace("mass = 1.0", "mass = 1.5");
    let expected = run(folder.path(), &[&uncut], "");
    assert!(expected.impacts > 2);
    let unit = exported(folder.path(), ("ball", &ball("", "")), "3", "");
    let load = exported(folder.path(), ("load", LOAD), "3", "");
    for (own, name) in [(LOAD, "load.tip"), (&load, "load.load.tip")] {
        let found = run(folder.path(), &[&unit, own], &between("ball.ball.top", name, "\"rigid\""));
        assert!(!found.told.contains("warning"), "{}", found.told);
        assert_eq!((found.impacts, found.coupling.as_str()), (expected.impacts, "exact"), "{name}");
        for (column, reference) in
            [("ball.ball.top.position", "ball.z"), ("ball.ball.top.velocity", "ball.vz")]
        {
            let apart = apart(&found.columns[column], &expected.columns[reference]);
            assert!(apart < 1e-10, "{name}: {column} is {apart:e} off");
        }
        assert!(found.columns["j.gap"].iter().all(|gap| gap.abs() < 1e-10));
    }
}

#[test]
fn a_unit_by_itself_runs_as_its_model_with_its_contacts_carried_and_kept() {
    let folder = tempfile::tempdir().unwrap();
    for (more, floor) in
        [("velocity = [1, 0, 0]", "friction = 0.3"), ("", ""), ("position = [0, 0, 0.1]", "")]
    {
        let own = if more.starts_with("position") {
            ball("", floor).replace("position = [0, 0, 1.0]", more)
        } else {
            ball(more, floor)
        };
        let expected = run(folder.path(), &[&own], "");
        let unit = exported(folder.path(), ("ball", &own), "3", "");
        let found = run(folder.path(), &[&unit], "");
        let gap = apart(&found.columns["ball.ball.floor.gap"], &expected.columns["ball.floor.gap"]);
        let force = apart(&found.columns["ball.ball.floor.force"], &expected.columns["ball.floor.force"]);
        assert!(gap < 1e-10 && force < 1e-8, "{more}: gap {gap:e}, force {force:e}");
        assert_eq!(found.impacts, expected.impacts, "{more}");
        if floor.is_empty() {
            let kept = unit.replace("kind = \"fmu\"", "kind = \"fmu\"\ncontacts = \"unit\"");
            let found = run(folder.path(), &[&kept], "");
            let position = apart(&found.columns["ball.ball.top.position"], &expected.columns["ball.z"]);
            assert!(position < 1e-10, "{more}: {position:e}");
        } else {
            let slips = ["0", "1"].map(|k| &found.columns[&format!("ball.ball.floor.slip_{k}")]);
            let speed: Vec<f64> = slips[0].iter().zip(slips[1]).map(|(a, b)| a.hypot(*b)).collect();
            let apart = apart(&speed, &expected.columns["ball.vx"]);
            assert!(apart < 1e-10, "{apart:e}");
        }
    }
}

#[test]
fn a_unit_without_ports_runs_as_its_model() {
    let folder = tempfile::tempdir().unwrap();
    let port = "[[subsystem.port]]\nname = \"top\"\ndirection = [0, 0, 1]\n";
    for (more, floor) in [("velocity = [1, 0, 0]", "friction = 0.3"), ("", "")] {
        let own = ball(more, floor).replace(port, "port = []\n");
        let expected = run(folder.path(), &[&own], "");
        assert!(expected.impacts > 2);
        let unit = exported(folder.path(), ("ball", &own), "3", "");
        let unit = unit.replace("quantities = [\"*.position\", \"*.velocity\"]", "");
        let found = run(folder.path(), &[&unit], "");
        let gap = apart(&found.columns["ball.ball.floor.gap"], &expected.columns["ball.floor.gap"]);
        assert!(gap < 1e-10, "{more}: {gap:e}");
        assert_eq!(found.impacts, expected.impacts, "{more}");
    }
}

#[test]
fn contacts_that_a_unit_keeps_are_refused_at_rigid_joints_unless_they_are_captured() {
    let folder = tempfile::tempdir().unwrap();
    let own = ball("", "");
    let kept = exported(folder.path(), ("ball", &own), "3", "contacts = \"unit\"");
    let old = exported(folder.path(), ("ball", &own), "2", "");
    for (unit, port) in [(&kept, "ball.ball.top"), (&old, "ball.top")] {
        let text = format!("{HEAD}{unit}{LOAD}{}", between(port, "load.tip", "\"rigid\""));
        std::fs::write(folder.path().join("run.toml"), text).unwrap();
        let (succeeds, told) = command(&["check", "run.toml"], folder.path());
        assert!(!succeeds && told.contains("keep their impulses to themselves"), "{told}");
    }
    let refused = |text: String, what: &str| {
        std::fs::write(folder.path().join("run.toml"), text).unwrap();
        let (succeeds, told) = command(&["check", "run.toml"], folder.path());
        assert!(!succeeds && told.contains(what), "{told}");
    };
    let stop =
        "[[stop]]\nname = \"s\"\non = \"ball.ball.top\"\ninertia = 0.01\nupper = 2.0\nrestitution = 0.5\n";
    refused(format!("{HEAD}{kept}{stop}"), "stop `s` is joined rigidly");
    let wanted = kept.replace("\"unit\"", "\"master\"");
    let renamed = format!(
        "{wanted}[[subsystem.port]]\nname = \"top\"\nposition = \"ball.top.position\"\nvelocity = \"ball.top.velocity\"\nforce = \"ball.top.force\"\n"
    );
    refused(format!("{HEAD}{renamed}"), "cannot carry the contacts");
    // The plain problem makes momenta of them, which rigid joints pass on.
    let plain = format!("[master]\nimpacts = \"plain\"\n{own}");
    let unit = exported(folder.path(), ("ball", &plain), "2", "");
    let found = run(folder.path(), &[&unit, LOAD], &between("ball.top", "load.tip", "\"rigid\""));
    let expected = run_with(folder.path(), ("impacts = \"plain\"", &[]), &[&own, LOAD], &joint("\"rigid\""));
    let apart = apart(&found.columns["load.z"], &expected.columns["load.z"]);
    assert!(apart < 1e-4, "{apart:e}");
    let tikhonov = between("ball.top", "load.tip", "\"tikhonov\"\nconstant = 1e-7");
    refused(format!("{HEAD}{unit}{LOAD}{tikhonov}"), "is tikhonov");
}

/// FMUs tell no energies: what round-off does to a spring between them is not created.
#[test]
fn round_off_between_units_in_free_fall_is_no_energy() {
    let folder = tempfile::tempdir().unwrap();
    let units = [("ball", ball("", "")), ("load", LOAD.to_owned())]
        .map(|(name, own)| exported(folder.path(), (name, &own), "3", ""));
    let joint = between("ball.ball.top", "load.load.tip", "\"compliant\"\nstiffness = 2000");
    for end in ["time.end=0.01", "time.end=0.4"] {
        let found = run_with(folder.path(), ("", &["--set", end]), &[&units[0], &units[1]], &joint);
        assert!(!found.told.contains("warning"), "{}", found.told);
    }
}

#[test]
fn inner_steps_that_change_their_number_are_answered_for() {
    let folder = tempfile::tempdir().unwrap();
    let own = ball("solver = \"multistep\"", "");
    let unit = exported(folder.path(), ("ball", &own), "3", "");
    let joint = between("ball.ball.top", "load.tip", "\"compliant\"\nstiffness = 500\ndamping = 1");
    let coarse =
        |unit: &str| run_with(folder.path(), ("", &["--set", "time.step=3e-3"]), &[unit, LOAD], &joint);
    let found = coarse(&unit.replace("kind = \"fmu\"", "kind = \"fmu\"\ncoupling = \"auto\""));
    let differenced = coarse(&unit.replace("kind = \"fmu\"", "kind = \"fmu\"\ncoupling = \"differenced\""));
    assert_eq!([found.coupling.as_str(), &differenced.coupling], ["exact", "differenced"]);
    let apart = apart(&found.columns["load.z"], &differenced.columns["load.z"]);
    assert!(apart < 1e-6, "{apart:e}");
}

/// Another host, by the convention: `exported_in_fmpy.py`.
#[test]
fn fmpy_handles_the_events_of_an_exported_ball_and_strikes_it() {
    if !super::examples::python_has("fmpy") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for version in ["2", "3"] {
        exported(folder.path(), ("ball", &ball("", "")), version, "");
    }
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/command/exported_in_fmpy.py");
    let ran = Command::new("python3").arg(script).current_dir(folder.path()).output().unwrap();
    let [out, err] = [ran.stdout, ran.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(ran.status.success() && out.contains("as expected"), "{out}\n{err}");
}

#[test]
fn exported_units_keep_the_contract_of_subsystems() {
    use cosimo_fmi::unit::{Start, UnitOptions};
    use cosimo_subsystem::conformance::{Check, Conformance};

    let folder = tempfile::tempdir().unwrap();
    exported(folder.path(), ("ball", &ball("velocity = [1, 0, 0]", "friction = 0.3")), "3", "");
    let make = || {
        let mut fmu = cosimo_fmi::Fmu::open(folder.path().join("ball3.fmu")).unwrap();
        let start = Start { step: Some(1e-3), ..Start::default() };
        fmu.co_simulation("ball", &UnitOptions::default(), start).unwrap()
    };
    let suite = Conformance::new(make).step(1e-3).steps(3);
    suite.skip(Check::Shift, "FMI has no way to move a unit between steps").check().assert_passed();
}
