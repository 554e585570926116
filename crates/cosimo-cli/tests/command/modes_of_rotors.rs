//! `cosimo modes` of rotors: names, patterns about the axis, frequencies that do not turn, damping by the air.

use std::f64::consts::{PI, TAU};
use std::fmt::Write;

use super::{Scratch, assert_code, read, stderr, stdout};

/// The hub on its shaft, driven.
const HUB: &str = r#"schema = 1
time = { end = 1.0, step = 1e-3 }
[[subsystem]]
name = "rotor"
kind = "multibody"
[[subsystem.body]]
name = "hub"
mass = 1.0
inertia = [1, 1, 1]
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
"#;

/// Rigid blades of radius 1 and mass 3, so that the moment of inertia about the hinge in the centre is one.
fn blades(count: u32, axis: impl Fn(f64, f64) -> [f64; 3]) -> String {
    let mut text = HUB.to_owned();
    for blade in 0..count {
        let azimuth = TAU * f64::from(blade) / f64::from(count);
        let (sin, cos) = azimuth.sin_cos();
        let name = blade + 1;
        let _ = write!(
            text,
            "[[subsystem.body]]\nname = \"blade_{name}\"\nmass = 3.0\ninertia = [1e-4, 0.25, 0.2501]\nposition = [{}, {}, 0]\n\
             orientation = {{ axis = [0, 0, 1], angle = {azimuth} }}\n\
             [[subsystem.joint]]\nname = \"hinge_{name}\"\ntype = \"revolute\"\nbodies = [\"hub\", \"blade_{name}\"]\n\
             at = [0, 0, 0]\naxis = {:?}\n",
            0.5 * cos,
            0.5 * sin,
            axis(sin, cos)
        );
    }
    text
}

fn cells(text: &str) -> Vec<Vec<String>> {
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

fn number(row: &[String], column: usize) -> f64 {
    row[column].parse().unwrap()
}

/// Blades hinged in the centre are damped by `γ Ω/16` with the Lock number `γ = ρ a c R⁴/I`. A flapped blade also pitches at the rate `Ω β`, which
/// the velocity at three quarters of the chord feels: it takes `ρ a c² R³/(12 I)` of the stiffness `Ω²`.
#[test]
fn air_damps_flapping_by_the_lock_number() {
    let (density, slope, chord, speed) = (1.2, 6.0, 0.4, 20.0);
    let frames = |blade: u32| {
        let at = |x: f64| format!("{{ body = \"blade_{blade}\", point = [{x}, 0, 0] }}");
        format!("[{}, {}, {}]", at(-0.5), at(0.0), at(0.5))
    };
    let air = format!(
        "[subsystem.aerodynamics]\nhub = \"hub\"\nframes = [{}, {}, {}]\nblades = 3\nradius = 1.0\nnominal_speed = {speed}\n\
         inflow = \"none\"\nair = {{ density = {density}, sound_speed = 1e6 }}\n\
         [subsystem.aerodynamics.blade]\nstations = [0, 0.5, 1]\nspan = [0, 1]\nchord = [[0, 1, {chord}, {chord}]]\n\
         airfoils = [{{ from = 0, to = 1, airfoil = {{ kind = \"thin\", lift_slope = {slope} }} }}]\n",
        frames(1),
        frames(2),
        frames(3)
    );
    let flapping = blades(3, |sin, cos| [-sin, cos, 0.0]);
    let scratch = Scratch::new(&format!("{flapping}{air}"));
    let at = speed.to_string();
    let output = scratch.cosimo(&["modes", "masses.toml", "--at", &at, "--count", "3", "--out", "found"]);
    assert_code(&output, 0);
    assert!(stderr(&output).contains("the air is quasi-steady"), "{}", stderr(&output));
    let rows = cells(&read(&scratch.path("found/modes.csv")));
    assert_eq!(rows.len(), 3);
    let lock = density * slope * chord;
    for row in &rows {
        let (re, im) = (number(row, 5), number(row, 6));
        assert!((-re / (lock * speed / 16.0) - 1.0).abs() < 1e-3, "{row:?}");
        let stiffness = speed * speed * (1.0 - density * slope * chord * chord / 12.0);
        assert!(((re * re + im * im) / stiffness - 1.0).abs() < 1e-3, "{row:?} instead of {stiffness}");
        assert_eq!(row[15], "flap");
        assert!((number(row, 13) - speed * 30.0 / PI).abs() < 1e-9);
    }
    // Wind across the axis is not steady.
    let windy = air.replace(
        "inflow = \"none\"",
        "inflow = \"none\"\nwind = { kind = \"uniform\", velocity = [5, 0, 0] }",
    );
    let scratch = Scratch::new(&format!("{flapping}{windy}"));
    let output = scratch.cosimo(&["modes", "masses.toml", "--at", "20,30", "--count", "3"]);
    assert_code(&output, 0);
    assert!(stderr(&output).contains("the air is left out"), "{}", stderr(&output));
    assert!(stderr(&output).contains("the air is not taken at 20, 30 rad/s: the "), "{}", stderr(&output));
}

/// Three blades that flap: one collective pattern, one with and one against the turn, which have the frequencies `ω ± Ω` from outside.
#[test]
fn patterns_of_three_blades_are_told_apart() {
    let scratch = Scratch::new(&blades(3, |sin, cos| [-sin, cos, 0.0]));
    let output = scratch.cosimo(&["modes", "masses.toml", "--at", "6,9", "--count", "3", "--out", "found"]);
    assert_code(&output, 0);
    let rows = cells(&read(&scratch.path("found/modes.csv")));
    for of_speed in rows.chunks(3) {
        let speed = number(&of_speed[0], 0) / TAU;
        for (pattern, fixed) in [("collective", speed), ("forward", 2.0 * speed), ("backward", 0.0)] {
            let own: Vec<_> = of_speed.iter().filter(|row| row[16] == pattern).collect();
            assert_eq!(own.len(), 1, "{of_speed:?}");
            assert!((number(own[0], 14) - fixed).abs() < 1e-3 * speed, "{own:?}");
        }
    }
    assert!(stdout(&output).contains("flap forward"), "{}", stdout(&output));
    let shapes = read(&scratch.path("found/shapes.svg"));
    assert!(
        shapes.contains("flap 1") && shapes.contains("flap 3") && shapes.contains("radius"),
        "blade by blade"
    );
}

/// Two blades that flap: opposite motions load the hub, with two frequencies from outside.
#[test]
fn opposite_motions_of_two_blades_are_differential() {
    let scratch = Scratch::new(&blades(2, |sin, cos| [-sin, cos, 0.0]));
    let output = scratch.cosimo(&["modes", "masses.toml", "--at", "6", "--count", "2", "--out", "found"]);
    assert_code(&output, 0);
    let rows = cells(&read(&scratch.path("found/modes.csv")));
    for (pattern, has_fixed) in [("collective", true), ("differential", false)] {
        let own: Vec<_> = rows.iter().filter(|row| row[16] == pattern).collect();
        assert_eq!(own.len(), 1, "{rows:?}");
        assert_eq!((own[0][15].as_str(), !own[0][14].is_empty()), ("flap", has_fixed));
    }
}

/// Springs about the axis: lag by name.
#[test]
fn lag_is_named() {
    let mut text = blades(4, |_, _| [0.0, 0.0, 1.0]);
    for blade in 1..=4 {
        let _ = write!(
            text,
            "[[subsystem.force]]\nname = \"spring_{blade}\"\ntype = \"torsion-spring\"\nbodies = [\"hub\", \"blade_{blade}\"]\n\
             at = [0, 0, 0]\naxis = [0, 0, 1]\nstiffness = 100.0\n"
        );
    }
    let scratch = Scratch::new(&text);
    let output = scratch.cosimo(&["modes", "masses.toml", "--at", "5", "--count", "4", "--out", "found"]);
    assert_code(&output, 0);
    let rows = cells(&read(&scratch.path("found/modes.csv")));
    let mut patterns: Vec<&str> = rows.iter().map(|row| row[16].as_str()).collect();
    patterns.sort_unstable();
    assert_eq!(patterns, ["backward", "collective", "forward", "reactionless"]);
    for row in &rows {
        assert_eq!(row[15], "lag");
        assert!((TAU * number(row, 3) / 10.0 - 1.0).abs() < 1e-3, "{row:?}");
    }
}

/// Pitt and Peters' inflow comes to rest in the uniform one.
#[test]
fn air_with_states_is_steady_in_a_turn() {
    let frames = |blade: u32| {
        let at = |x: f64| format!("{{ body = \"blade_{blade}\", point = [{x}, 0, 0] }}");
        format!("[{}, {}]", at(-0.3), at(0.5))
    };
    let found = ["uniform", "pitt-peters"].map(|inflow| {
        let air = format!(
            "[subsystem.aerodynamics]\nhub = \"hub\"\nframes = [{}, {}, {}]\nblades = 3\nradius = 1.0\nnominal_speed = 20\n\
             inflow = \"{inflow}\"\nwind = {{ kind = \"uniform\", velocity = [0, 0, 4] }}\n\
             [subsystem.aerodynamics.blade]\nstations = [0.2, 1]\nspan = [0.2, 1]\nchord = [[0.2, 1, 0.1, 0.1]]\n\
             airfoils = [{{ from = 0.2, to = 1, airfoil = {{ kind = \"thin\", lift_slope = 5.7 }} }}]\n",
            frames(1),
            frames(2),
            frames(3)
        );
        let scratch = Scratch::new(&(blades(3, |sin, cos| [-sin, cos, 0.0]) + &air));
        let output = scratch.cosimo(&["modes", "masses.toml", "--at", "20", "--count", "3", "--out", "found"]);
        assert_code(&output, 0);
        assert!(stderr(&output).contains("the air is quasi-steady"), "{}", stderr(&output));
        read(&scratch.path("found/modes.csv"))
    });
    assert_eq!(found[0], found[1]);
    assert!(number(&cells(&found[0])[0], 4) > 0.01, "{found:?}");
}

/// Three flexible blades: nine tracks, whole, each with one name, and one pattern where the rotor turns.
#[test]
fn nine_modes_of_three_blades_are_nine_tracks() {
    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/../../coupling-tests/models/three-blades.toml");
    let scratch = Scratch::new("");
    let speeds = "0,8,16,24,32,40";
    let arguments = ["modes", model, "--axis", "1,0,0", "--at", speeds, "--count", "9", "--out", "found"];
    let output = scratch.cosimo(&arguments);
    assert_code(&output, 0);
    assert!(stderr(&output).contains("the air is quasi-steady"), "{}", stderr(&output));
    let rows = cells(&read(&scratch.path("found/modes.csv")));
    assert_eq!(rows.len(), 54);
    let mut names = Vec::new();
    for track in 1..=9 {
        let own: Vec<_> = rows.iter().filter(|row| row[2] == track.to_string()).collect();
        assert_eq!(own.len(), 6, "track {track} is whole");
        let turning: Vec<_> = own.iter().filter(|row| number(row, 0) > 0.0).collect();
        assert!(turning.iter().all(|row| row[15..17] == turning[0][15..17]), "track {track}: {turning:?}");
        let frequencies: Vec<f64> = own.iter().map(|row| number(row, 3)).collect();
        assert!(frequencies.windows(2).all(|pair| pair[1] > pair[0]), "track {track}: {frequencies:?}");
        names.push(format!("{} {}", turning[0][15], turning[0][16]));
    }
    names.sort_unstable();
    let of = |kind: &str| ["backward", "collective", "forward"].map(|pattern| format!("{kind} {pattern}"));
    let [flap, lag] = [of("flap"), of("lag")];
    let expected: Vec<&String> = flap.iter().flat_map(|name| [name, name]).chain(&lag).collect();
    assert_eq!(names.iter().collect::<Vec<_>>(), expected);
    let fan = read(&scratch.path("found/fan.svg"));
    assert!(fan.contains("in axes that do not turn") && fan.contains("9: ") && !fan.contains("10: "));
}
