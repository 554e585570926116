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
    let cells = |line: &str| line.split(',').map(|cell| cell.parse().unwrap_or(f64::NAN)).collect();
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

/// Bodies on torsion springs of their own about `y`, all at one place: `ω = √(k/I)`, repeated as often as springs are alike. Those
/// whose spring is zero are free.
fn springs(stiffness: &[f64]) -> String {
    let mut text = "schema = 1\ntime = { end = 1.0, step = 1e-3 }\n[[subsystem]]\nname = \"many\"\nkind = \"multibody\"\n".to_owned();
    for (k, stiffness) in stiffness.iter().enumerate() {
        text += &format!("[[subsystem.body]]\nname = \"b{k}\"\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\n");
        let place = format!("bodies = [\"ground\", \"b{k}\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n");
        text += &format!("[[subsystem.joint]]\nname = \"j{k}\"\ntype = \"revolute\"\n{place}");
        if *stiffness > 0.0 {
            text += &format!(
                "[[subsystem.force]]\nname = \"f{k}\"\ntype = \"torsion-spring\"\n{place}stiffness = {stiffness}\n"
            );
        }
    }
    text
}

#[test]
fn no_mode_is_lost_however_often_frequencies_repeat() {
    for (count, multiplicity, free) in
        [(2, 2, 0), (7, 7, 0), (12, 3, 1), (40, 2, 0), (60, 20, 5), (90, 45, 2)]
    {
        let omega = |k: usize| 10.0 * (1 + k / multiplicity) as f64;
        let stiffness = |k: usize| if k < count { 0.1 * omega(k).powi(2) } else { 0.0 };
        let all: Vec<f64> = (0..count + free).map(stiffness).collect();
        let scratch = Scratch::new(&springs(&all));
        let output =
            scratch.cosimo(&["modes", "masses.toml", "--count", &count.to_string(), "--out", "found"]);
        assert_code(&output, 0);
        let rows = rows(&read(&scratch.path("found/modes.csv")));
        assert_eq!(rows.len(), count);
        for (k, row) in rows.iter().enumerate() {
            assert!((TAU * row[3] / omega(k) - 1.0).abs() < 1e-9, "{} instead of {}", TAU * row[3], omega(k));
            assert!(row[4].abs() < 1e-9, "nothing damps");
        }
        let text = stdout(&output);
        assert_eq!(text.matches("nothing holds body `b").count(), free, "{text}");
        assert_eq!(text.matches("about its y").count(), free, "{text}");
    }
}

/// A disc on the end of a shaft without mass: `(K − ω² M + ω Ω G) (x, φ) = 0` with the beam's `K`, in axes that do not turn.
fn overhung_disc(elements: u32, shaft: &str) -> String {
    format!(
        "schema = 1\ntime = {{ end = 0.01, step = 1e-3 }}\n[[subsystem]]\nname = \"r\"\nkind = \"multibody\"\n\
         [[subsystem.body]]\nname = \"hub\"\nmass = 1.0\ninertia = [1, 1, 1]\n\
         [[subsystem.body]]\nname = \"disc\"\nmass = 8.0\ninertia = [0.05, 0.05, 0.1]\nposition = [0, 0, 0.6]\n\
         [[subsystem.beam]]\nname = \"s\"\norientation = {{ axis = [0, 1, 0], angle = -1.5707963267948966 }}\nlength = 0.6\n\
         elements = {elements}\n[subsystem.beam.section]\nmass = 1e-4\nsecond_moment = [1e-8, 1e-8, 0]\naxial = 1e9\ntorsion = 1e6\n\
         bending = [2000.0, 2000.0]\n\
         [[subsystem.joint]]\nname = \"root\"\ntype = \"fixed\"\nbodies = [\"hub\", \"s.0\"]\nat = [0, 0, 0]\n\
         [[subsystem.joint]]\nname = \"tip\"\ntype = \"fixed\"\nbodies = [\"disc\", \"s.{elements}\"]\nat = [0, 0, 0.6]\n\
         [[subsystem.joint]]\nname = \"shaft\"\ntype = \"revolute\"\nbodies = [\"ground\", \"hub\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\n{shaft}"
    )
}

const DRIVE: &str = "[[subsystem.joint]]\nname = \"drive\"\ntype = \"angle\"\nbodies = [\"ground\", \"hub\"]\nat = [0, 0, 0]\n\
                     axis = [0, 0, 1]\nspeed = 0.0\n";

/// `det(K − ω² M + ω Ω G)` of the disc for a whirl of the frequency `ω` (rad/s).
fn whirl(omega: f64, speed: f64) -> f64 {
    let (length, bending) = (0.6_f64, 2000.0);
    let beam = bending / length.powi(3);
    let along = 12.0 * beam - 8.0 * omega * omega;
    let across = -6.0 * beam * length;
    let turn = 4.0 * beam * length * length - 0.05 * omega * omega + 0.1 * omega * speed;
    along * turn - across * across
}

/// Driven or free, at rest and turning, whatever the mesh: the two bending modes come twice, and whirl as the closed form says.
#[test]
fn an_overhung_disc_whirls_as_the_closed_form_says() {
    for (elements, shaft) in [(12, DRIVE), (17, DRIVE), (24, DRIVE), (24, ""), (30, ""), (13, "")] {
        let scratch = Scratch::new(&overhung_disc(elements, shaft));
        let arguments = ["modes", "masses.toml", "--at", "0,10,30", "--count", "4", "--out", "found"];
        let output = scratch.cosimo(&arguments);
        assert_code(&output, 0);
        let rows = rows(&read(&scratch.path("found/modes.csv")));
        assert_eq!(rows.len(), 12);
        for row in &rows {
            let (speed, found) = (row[0], TAU * row[3]);
            // In turning axes a whirl with or against the turn differs from that at rest by the speed.
            let is_root = |omega: f64| whirl(0.995 * omega, speed) * whirl(1.005 * omega, speed) < 0.0;
            assert!(
                is_root(found + speed) || is_root(speed - found),
                "{elements} elements: {found} at {speed}"
            );
        }
        // In axes that do not turn: forward whirls faster than at rest, backward slower.
        let text = read(&scratch.path("found/modes.csv"));
        for (row, line) in rows.iter().zip(text.lines().skip(1)).filter(|(row, _)| row[0] > 0.0) {
            let (speed, fixed) = (row[0], TAU * row[14]);
            let signed = if line.ends_with("forward") { fixed } else { -fixed };
            let is_near = whirl(0.995 * signed, speed) * whirl(1.005 * signed, speed) < 0.0;
            assert!(is_near && (line.ends_with("forward") || line.ends_with("backward")), "{line}");
        }
        for at_rest in [[0, 1], [2, 3]].map(|pair| pair.map(|k| rows[k][3])) {
            assert!((at_rest[0] / at_rest[1] - 1.0).abs() < 1e-6, "{at_rest:?}");
        }
        assert!((TAU * rows[0][3] - 57.79).abs() < 0.1 && (TAU * rows[2][3] - 526.5).abs() < 3.0);
        let named = stdout(&output).matches("nothing holds body `hub` about its z").count();
        assert_eq!(named, if shaft.is_empty() { 3 } else { 0 }, "{}", stdout(&output));
    }
}

/// Shafts with mass, whose bending modes are double: they end, whatever the mesh.
#[test]
fn double_modes_of_a_heavy_shaft_are_pairs() {
    for (elements, mass, moment) in [(24, "1", "1e-6"), (30, "0.5", "1e-5")] {
        let text = overhung_disc(elements, DRIVE)
            .replace(
                "mass = 1e-4\nsecond_moment = [1e-8, 1e-8, 0]",
                &format!("mass = {mass}\nsecond_moment = [{moment}, {moment}, 0]"),
            )
            .replace("axial = 1e9", "axial = 1e8");
        let scratch = Scratch::new(&text);
        assert_code(&scratch.cosimo(&["modes", "masses.toml", "--out", "found"]), 0);
        let rows = rows(&read(&scratch.path("found/modes.csv")));
        assert_eq!(rows.len(), 10);
        for pair in [[0, 1], [2, 3], [4, 5], [8, 9]].map(|pair| pair.map(|k| rows[k][3])) {
            assert!((pair[0] / pair[1] - 1.0).abs() < 1e-6, "{pair:?}");
        }
        // Rayleigh: a quarter of the shaft (33/140) moves with the disc.
        let with_shaft = 57.79 * (8.0_f64 / (8.0 + 33.0 / 140.0 * 0.6 * mass.parse::<f64>().unwrap())).sqrt();
        assert!((TAU * rows[0][3] / with_shaft - 1.0).abs() < 3e-3, "{} {with_shaft}", TAU * rows[0][3]);
    }
}

#[test]
fn a_free_shaft_that_is_driven_is_refused_by_name() {
    let load = "[[subsystem.load]]\nbody = \"hub\"\nmoment_axis = [0, 0, 1]\ntime = [0]\nvalue = [3]\n";
    let scratch = Scratch::new(&overhung_disc(12, load));
    let output = scratch.cosimo(&["modes", "masses.toml"]);
    assert_code(&output, 1);
    let errors = stderr(&output);
    assert!(errors.contains("nothing holds body `hub` about its z, and 14 others with it"), "{errors}");
    assert!(errors.contains("forces of 3.000e0 N or N m drive it"), "{errors}");
}

/// Three blades that flap and lag on springs of their own: flap stiffens by the turn, `ω² = ω₀² + Ω²`, lag in its centre does not, and
/// the curves cross. Every track stays on its curve.
#[test]
fn tracks_stay_on_their_curves_where_these_cross() {
    let mut text = "schema = 1\ntime = { end = 1.0, step = 1e-3 }\n[[subsystem]]\nname = \"rotor\"\nkind = \"multibody\"\n\
        [[subsystem.body]]\nname = \"hub\"\nmass = 1.0\ninertia = [1, 1, 1]\n[[subsystem.joint]]\nname = \"shaft\"\ntype = \"revolute\"\n\
        bodies = [\"ground\", \"hub\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]\n"
        .to_owned();
    text += DRIVE;
    let own = [10.0_f64, 14.0, 20.0];
    for blade in 0..3 {
        let (sin, cos) = (TAU * f64::from(blade) / 3.0).sin_cos();
        for (kind, axis, omega) in [
            ("flap", [-sin, cos, 0.0], own[0]),
            ("high", [-sin, cos, 0.0], own[1]),
            ("lag", [0.0, 0.0, 1.0], own[2]),
        ] {
            let place = format!("bodies = [\"hub\", \"{kind}{blade}\"]\nat = [0, 0, 0]\naxis = {axis:?}\n");
            text += &format!(
                "[[subsystem.body]]\nname = \"{kind}{blade}\"\nmass = 4.0\ninertia = [1e-9, 1e-9, 1e-9]\nposition = [{}, {}, 0]\n\
                 [[subsystem.joint]]\nname = \"j{kind}{blade}\"\ntype = \"revolute\"\n{place}\
                 [[subsystem.force]]\nname = \"f{kind}{blade}\"\ntype = \"torsion-spring\"\n{place}stiffness = {}\n",
                0.5 * cos,
                0.5 * sin,
                omega * omega
            );
        }
    }
    let scratch = Scratch::new(&text);
    let speeds = "0,3,6,9,12,15,18,21,24,27,30";
    let output = scratch.cosimo(&["modes", "masses.toml", "--at", speeds, "--count", "9", "--out", "found"]);
    assert_code(&output, 0);
    let rows = rows(&read(&scratch.path("found/modes.csv")));
    assert_eq!(rows.len(), 99);
    for track in 1..=9 {
        let of_track: Vec<_> = rows.iter().filter(|row| row[2] == f64::from(track)).collect();
        assert_eq!(of_track.len(), 11, "track {track} is whole");
        let curve = |kind: usize, speed: f64| own[kind].hypot(if kind < 2 { speed } else { 0.0 });
        let is_on = |kind: &usize| {
            of_track.iter().all(|row| (TAU * row[3] / curve(*kind, row[0]) - 1.0).abs() < 1e-5)
        };
        assert!((0..3).any(|kind| is_on(&kind)), "track {track} leaves its curve: {of_track:?}");
    }
}
