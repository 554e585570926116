//! Sources of signals, and functions of time of motions and loads.

use cosimo_model::{ModelSpec, Override, read_model};

use crate::{mistakes, model, warnings};

/// A mass on a line with a force from a source, and one that a motion leads; loads of other functions.
const TEXT: &str = r#"
schema = 1
time = { end = 0.5, step = 0.01 }

[[subsystem]]
name = "generator"
kind = "source"
[[subsystem.output]]
name = "force"
unit = "N"
value = { to = 6.0, at = 0.1 }
[[subsystem.output]]
name = "chirp"
value = { amplitude = 2.0, frequency = 1.0, end_frequency = 30.0, duration = 0.4, sweep = "logarithmic" }
[[subsystem.output]]
name = "ramp"
value = { start = 1.0, rate = 2.0, since = 0.2, until = 0.3 }
[[subsystem.output]]
name = "table"
value = { time = [0.0, 0.5], value = [0.0, 1.0], interpolation = "linear" }

[[subsystem]]
name = "machine"
kind = "multibody"
[[subsystem.body]]
name = "cart"
mass = 2.0
inertia = [0.1, 0.1, 0.2]
[[subsystem.body]]
name = "table"
mass = 2.0
inertia = [0.1, 0.1, 0.1]
position = [1, 0, 0]
[[subsystem.body]]
name = "stone"
mass = 3.0
inertia = [0.1, 0.1, 0.1]
position = [5, 0, 0]
[[subsystem.joint]]
name = "guide"
type = "displacement"
bodies = ["ground", "table"]
at = [[0, 0, 0], [1, 0, 0]]
axis = [1, 0, 0]
motion = { from = 1.0, to = 1.5, at = 0.1, duration = 0.2 }
[[subsystem.load]]
body = "cart"
direction = [1, 0, 0]
signal = "push"
hold = "held"
[[subsystem.load]]
body = "stone"
direction = [0, 0, 1]
value = { amplitude = 12.0, frequency = 4.0 }
[[subsystem.load]]
body = "stone"
direction = [0, 1, 0]
value = 6.0

[[connection]]
from = "generator.force"
to = "machine.push"
"#;

fn read(solver: &str) -> ModelSpec {
    let argument = format!("subsystem.machine.solver={solver}");
    let (model, _) = read_model("model.toml", TEXT, &[Override::parse(&argument).unwrap()]).unwrap();
    model
}

#[test]
fn sources_drive_loads_and_motions() {
    for solver in ["\"theta\"", "{ method = \"generalized-alpha\", spectral_radius = 1.0 }", "\"multistep\""]
    {
        let mut master = read(solver).build().unwrap();
        for _ in 0..50 {
            master.step(0.01).unwrap();
        }
        let labels = master.labels();
        let at = |name: &str| labels.iter().position(|l| format!("{}.{}", l.owner, l.name) == name).unwrap();
        let mut values = vec![0.0; labels.len()];
        master.observe(&mut values).unwrap();
        let value = |name: &str| values[at(name)];
        let kappa = 30.0_f64.ln();
        let phase = 0.4 / kappa * 29.0 + 30.0 * 0.1;
        for (name, exact, tolerance) in [
            ("generator.force", 6.0, 0.0),
            ("generator.chirp", 2.0 * phase.sin(), 1e-12),
            ("generator.ramp", 1.2, 1e-15),
            ("generator.table", 1.0, 0.0),
            // 3 m/s² from 0.1 s on: a held force is exact but for what the rule makes of its beginning.
            ("machine.cart.vx", 1.2, 0.02),
            ("machine.table.x", 1.5, 1e-9),
            ("machine.stone.y", 0.25, 1e-6),
            // 4 m/s² sin 4 t: t − sin(4 t)/4.
            ("machine.stone.z", 0.5 - 0.25 * 2.0_f64.sin(), 1e-4),
        ] {
            let found = value(name);
            assert!((found - exact).abs() <= tolerance, "{solver}, {name}: {found} {exact}");
        }
    }
}

#[test]
fn sources_are_written_as_they_are_read() {
    let read = model(TEXT);
    let text = read.to_toml();
    assert_eq!(model(&text), read, "{text}");
}

#[track_caller]
fn assert_mistake((piece, replacement): (&str, &str), place: &str, expected: &str) {
    assert_eq!(TEXT.matches(piece).count(), 1, "`{piece}` must occur once");
    let text = TEXT.replace(piece, replacement);
    let found = mistakes(&text);
    let [mistake] = found.iter().collect::<Vec<_>>()[..] else { panic!("more than one mistake:\n{found}") };
    let lines: Vec<&str> = text.lines().collect();
    let line = lines.iter().rposition(|line| line.contains(place)).unwrap() + 1;
    assert_eq!(mistake.line(), Some(line), "{mistake}");
    assert!(mistake.to_string().contains(expected), "{mistake}");
}

#[test]
fn functions_that_are_wrong_are_found_where_they_stand() {
    let chirp = "frequency = 1.0, end_frequency = 30.0, duration = 0.4,";
    assert_mistake(
        (chirp, "frequency = 0.0, end_frequency = 30.0, duration = 0.4,"),
        "frequency = 0.0",
        "positive where the sweep is logarithmic",
    );
    assert_mistake((chirp, "frequency = 1.0, end_frequency = 30.0,"), "30.0,", "missing key `duration`");
    assert_mistake((chirp, "frequency = 1.0,"), "frequency = 1.0", "belongs to a chirp");
    assert_mistake(("until = 0.3", "until = 0.1"), "until = 0.1", "no time before `since`");
    assert_mistake(("since = 0.2, until = 0.3", "until = 0.3"), "until = 0.3", "belongs to a ramp");
    assert_mistake(("at = 0.1, duration = 0.2", "at = 0.1"), "motion = {", "jumps, which no body follows");
    assert_mistake(("value = { to = 6.0, at = 0.1 }", "value = true"), "value = true", "expected a number");
    assert_mistake(
        ("value = { to = 6.0, at = 0.1 }", "value = { to = 6.0, rate = 0.1 }"),
        "rate = 0.1",
        "must have exactly one of `rate`, `amplitude`, `time`, `to`",
    );
    assert_mistake(
        ("name = \"ramp\"", "name = \"chirp\""),
        "name = \"chirp\"",
        "the name `chirp` is already used",
    );
}

#[test]
fn jumps_between_communication_points_are_warned_of() {
    assert_eq!(warnings(TEXT), "");
    let found = warnings(&TEXT.replace("to = 6.0, at = 0.1", "to = 6.0, at = 0.105"));
    assert!(found.contains("value jumps at t = 0.105 s, between communication points"), "{found}");
}

/// Sampled sines end at a rounded zero.
#[test]
fn periods_close_up_to_round_off_or_are_refused() {
    let table = |last: &str| {
        let points = format!("value = [0.0, 1.0, {last}], interpolation = \"periodic\"");
        let text = TEXT.replace(
            "time = [0.0, 0.5], value = [0.0, 1.0], interpolation = \"linear\"",
            &format!("time = [0.0, 0.25, 0.5], {points}"),
        );
        assert_ne!(text, TEXT);
        text
    };
    assert_eq!(model(&table("-2.4e-16")), model(&table("0.0")));
    for last in ["5.0", "1e-9"] {
        let told = mistakes(&table(last)).to_string();
        assert!(told.contains("the same value at both ends: found 0.0 and"), "{told}");
    }
}
