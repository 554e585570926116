//! `cosimo modes`.

use std::f64::consts::TAU;
use std::fs;

use super::{MODEL, Scratch, assert_code, read, stderr, stdout};

/// A uniform cantilever of length, mass per length and flapwise stiffness one, clamped on the hub's axis; stiff chordwise.
const CANTILEVER: &str = r#"
schema = 1
time = { end = 1.0, step = 1e-3 }
[[subsystem]]
name = "blade"
kind = "multibody"
gravity = [0, -1, 0]
[[subsystem.body]]
name = "hub"
mass = 1.0
inertia = [1, 1, 1]
[[subsystem.beam]]
name = "beam"
length = 1.0
elements = ELEMENTS
[subsystem.beam.section]
mass = 1.0
second_moment = [1e-6, 0, 0]
axial = 1e6
torsion = 0.5
bending = [1.0, 100.0]
[[subsystem.joint]]
name = "shaft"
type = "revolute"
bodies = ["ground", "hub"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[subsystem.joint]]
name = "drive"
type = "angle"
bodies = ["ground", "hub"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[subsystem.joint]]
name = "root"
type = "fixed"
bodies = ["hub", "beam.0"]
at = [0, 0, 0]
[[subsystem.port]]
name = "tip"
body = "beam.1"
"#;

/// A point-like bob of 2 kg on a rod of 0.5 m without mass, with friction in the hinge.
const PENDULUM: &str = r#"
schema = 1
time = { end = 1.0, step = 1e-3 }
[[subsystem]]
name = "pendulum"
kind = "multibody"
gravity = [0, 0, -10]
[[subsystem.body]]
name = "bob"
mass = 2.0
inertia = [1e-9, 1e-9, 1e-9]
position = [0, 0, -0.5]
[[subsystem.joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "bob"]
at = [0, 0, 0]
axis = [0, 1, 0]
[[subsystem.force]]
name = "friction"
type = "torsion-spring"
bodies = ["ground", "bob"]
at = [0, 0, 0]
axis = [0, 1, 0]
stiffness = 0.0
damping = 0.4
"#;

/// The rows of a table of modes, without its header.
fn rows(text: &str) -> Vec<Vec<f64>> {
    let cells = |line: &str| line.split(',').map(|cell| cell.parse().unwrap()).collect();
    text.lines().skip(1).map(cells).collect()
}

/// Circular frequencies at a speed of which most of the kinetic energy is along `z`.
fn flap(rows: &[Vec<f64>], speed: f64) -> Vec<f64> {
    let own = rows.iter().filter(|row| row[0] == speed && row[9] > 0.5);
    own.map(|row| TAU * row[3]).collect()
}

/// Southwell's stiffening at the dimensionless speed 12, extrapolated from two meshes, by the command's tables alone.
#[test]
fn a_turning_cantilever_has_the_frequencies_of_the_power_series() {
    let on = |elements: u32| {
        let scratch = Scratch::new(&CANTILEVER.replace("ELEMENTS", &elements.to_string()));
        let arguments = ["modes", "masses.toml", "--at", "0,4,8,12", "--count", "6", "--out", "found"];
        let output = scratch.cosimo(&arguments);
        assert_code(&output, 0);
        for note in
            ["`drive` follows the turn", "gravity across the axis", "loads of 1 port and 0 inputs are zero"]
        {
            assert!(stderr(&output).contains(note), "{}", stderr(&output));
        }
        let fan = read(&scratch.path("found/fan.svg"));
        assert!(fan.contains("speed [rad/s]") && fan.contains("1/rev"));
        assert!(read(&scratch.path("found/shapes.svg")).contains("mode 1"));
        let rows = rows(&read(&scratch.path("found/modes.csv")));
        // The first flap mode is one track at all speeds.
        let first: Vec<f64> = rows.iter().filter(|row| row[2] == 1.0).map(|row| row[0]).collect();
        assert_eq!(first, [0.0, 4.0, 8.0, 12.0]);
        assert!(rows.iter().all(|row| row[4].abs() < 1e-6), "nothing damps");
        flap(&rows, 12.0)
    };
    let (coarse, fine) = (on(8), on(16));
    for (mode, exact) in [13.1702, 37.6031].into_iter().enumerate() {
        let found = fine[mode] + (fine[mode] - coarse[mode]) / 3.0;
        assert!((found / exact - 1.0).abs() < 1e-3, "{found} instead of {exact}");
    }
}

#[test]
fn a_pendulum_at_rest_swings_as_the_closed_form_says() {
    let scratch = Scratch::new(PENDULUM);
    let output = scratch.cosimo(&["modes", "masses.toml", "--out", "found"]);
    assert_code(&output, 0);
    assert!(stdout(&output).contains("at rest"), "{}", stdout(&output));
    let rows = rows(&read(&scratch.path("found/modes.csv")));
    assert_eq!(rows.len(), 1);
    // m l² ϑ̈ + c ϑ̇ + m g l ϑ = 0.
    let (natural, decay) = ((10.0_f64 / 0.5).sqrt(), 0.4 / (2.0 * 2.0 * 0.25));
    let damped = (natural * natural - decay * decay).sqrt();
    assert!((TAU * rows[0][3] / damped - 1.0).abs() < 1e-7, "{rows:?}");
    assert!((rows[0][4] - decay / natural).abs() < 1e-7, "{rows:?}");
    assert!(!scratch.path("found/fan.svg").exists());
}

#[test]
fn files_are_not_replaced_without_force() {
    let scratch = Scratch::new(PENDULUM);
    let arguments = ["modes", "masses.toml", "--out", "found"];
    assert_code(&scratch.cosimo(&arguments), 0);
    let refused = scratch.cosimo(&arguments);
    assert_code(&refused, 2);
    assert!(stderr(&refused).contains("add --force"), "{}", stderr(&refused));
    assert_code(&scratch.cosimo(&[&arguments[..], &["--force"]].concat()), 0);
}

#[test]
fn what_has_no_modes_is_refused_by_name() {
    let refused = |model: &str, arguments: &[&str], code: i32, expected: &str| {
        let scratch = Scratch::new(model);
        let output = scratch.cosimo(&[&["modes", "masses.toml"], arguments].concat());
        assert_code(&output, code);
        assert_eq!(stdout(&output), "");
        assert!(stderr(&output).contains(expected), "{}", stderr(&output));
    };
    refused(MODEL, &[], 2, "no multibody subsystem");
    let second = PENDULUM[PENDULUM.find("[[subsystem]]").unwrap()..].replace("\"pendulum\"", "\"other\"");
    let two = format!("{PENDULUM}{second}");
    refused(&two, &[], 2, "choose one of `pendulum`, `other` with --subsystem");
    refused(&two, &["--subsystem", "third"], 2, "no multibody subsystem `third`");
    refused(PENDULUM, &["--axis", "0,0,0"], 2, "not all zero");
    // A hinge across the axis of the turn.
    refused(PENDULUM, &["--at", "3"], 1, "`pendulum` at 3 rad/s: `hinge` does not allow to turn steadily");
    // A spring to a fixed point beside the axis.
    let spring =
        "type = \"spring\"\nfirst = { body = \"ground\", point = [2, 0, 0] }\nsecond = { body = \"beam.1\" }";
    let held = CANTILEVER.replace("ELEMENTS", "2")
        + &format!("[[subsystem.force]]\nname = \"tie\"\n{spring}\nstiffness = 1.0\n");
    refused(&held, &["--at", "3"], 1, "the turn is not steady");
}

/// The blade of the example against frequencies of transfer matrices and of Euler-Bernoulli beams.
#[test]
fn the_blade_of_the_example_has_the_frequencies_of_the_table() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let table = fs::read_to_string(format!("{root}/coupling-tests/reference/puma/frequencies.csv")).unwrap();
    let model = format!("{root}/examples/puma-blade/model.toml");
    let scratch = Scratch::new("");
    let arguments = ["modes", &model, "--at", "28.002062518997", "--count", "8", "--out", "found"];
    assert_code(&scratch.cosimo(&arguments), 0);
    let rows = rows(&read(&scratch.path("found/modes.csv")));
    for (kind, share) in [("flap_hinged", 9), ("lag", 8), ("torsion", 10)] {
        let prefix = format!("100,{kind},");
        let expected = table.lines().find_map(|line| line.strip_prefix(&prefix)).unwrap();
        let expected = expected.split(',').filter(|cell| !cell.is_empty());
        let found: Vec<f64> = rows.iter().filter(|row| row[share] > 0.5).map(|row| row[3]).collect();
        for (mode, hertz) in expected.map(|cell| cell.parse::<f64>().unwrap()).enumerate() {
            assert!((found[mode] / hertz - 1.0).abs() < 0.005, "{kind} {mode}: {found:?} instead of {hertz}");
        }
    }
}
