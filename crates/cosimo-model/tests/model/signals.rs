//! Controllers, signals and their connections.

use cosimo_model::{ModelSpec, read_model};

use crate::{mistakes, model, warnings};

/// A body on a line whose motor and guide take signals, and controllers of every type.
const TEXT: &str = r#"
schema = 1
time = { end = 0.1, step = 1e-3 }

[[subsystem]]
name = "machine"
kind = "multibody"
[[subsystem.body]]
name = "wheel"
mass = 1.0
inertia = [0.1, 0.1, 0.2]
[[subsystem.body]]
name = "table"
mass = 2.0
inertia = [0.1, 0.1, 0.1]
position = [1, 0, 0]
[[subsystem.joint]]
name = "axle"
type = "revolute"
bodies = ["ground", "wheel"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[subsystem.joint]]
name = "guide"
type = "displacement"
bodies = ["ground", "table"]
at = [[0, 0, 0], [1, 0, 0]]
axis = [1, 0, 0]
motion = { signal = "place" }
[[subsystem.force]]
name = "motor"
type = "rotary-actuator"
bodies = ["ground", "wheel"]
at = [0, 0, 0]
axis = [0, 0, 1]
signal = "torque"
hold = "held"
[[subsystem.force]]
name = "ram"
type = "linear-actuator"
bodies = ["ground", "table"]
at = [[0, 1, 0], [1, 0, 0]]
signal = "push"
[[subsystem.load]]
body = "table"
direction = [0, 1, 0]
signal = "wind"
[[subsystem.sensor]]
name = "shaft"
type = "angle"
bodies = ["ground", "wheel"]
at = [0, 0, 0]
axis = [0, 0, 1]

[[subsystem]]
name = "speed"
kind = "controller"
type = "pid"
proportional = 2.0
derivative = 0.1
filter = 0.01
upper = 5.0
setpoint = 3.0
period = 0.004
input_unit = "rad/s"
output_unit = "N m"

[[subsystem]]
name = "mixer"
kind = "controller"
type = "state-space"
d = [[1.0], [0.5]]
input_unit = "N m"
output_unit = ["N", "N"]

[[subsystem]]
name = "lag"
kind = "controller"
type = "transfer-function"
numerator = [1.0]
denominator = [0.1, 1.0]
input_unit = "rad"
output_unit = "m"
default = 1.0

[[subsystem]]
name = "limit"
kind = "controller"
type = "limiter"
lower = -1.0
rate = 3.0
default = 0.0

[[connection]]
from = "machine.shaft.rate"
to = "speed.measurement"
[[connection]]
from = "speed.output"
to = "machine.torque"
[[connection]]
from = "speed.output"
to = "mixer.input"
[[connection]]
from = "mixer.output_0"
to = "machine.push"
[[connection]]
from = "mixer.output_1"
to = "machine.wind"
[[connection]]
from = "lag.output"
to = "machine.place"
"#;

/// The text with one piece, which occurs once, replaced.
#[track_caller]
fn with(piece: &str, replacement: &str) -> String {
    assert_eq!(TEXT.matches(piece).count(), 1, "`{piece}` must occur once");
    TEXT.replace(piece, replacement)
}

/// Asserts that a replacement gives one mistake, on the line of this text.
#[track_caller]
fn assert_mistake((piece, replacement): (&str, &str), line: &str, expected: &str) {
    let text = with(piece, replacement);
    let found = mistakes(&text);
    let [mistake] = found.iter().collect::<Vec<_>>()[..] else { panic!("not one mistake:\n{found}") };
    let number = mistake.line().unwrap();
    assert_eq!(text.lines().nth(number - 1).unwrap().trim(), line, "{mistake}");
    assert!(mistake.to_string().contains(expected), "`{expected}` is not in\n{mistake}");
}

#[test]
fn what_is_read_is_written_and_read_again() {
    let read = model(TEXT);
    assert_eq!(warnings(TEXT), "");
    assert_eq!(read.connections.len(), 6);
    let written = read.to_toml();
    let (again, _): (ModelSpec, _) =
        read_model("written.toml", &written, &[]).unwrap_or_else(|e| panic!("{e}\n{written}"));
    assert_eq!(again, read);
}

#[test]
fn signals_of_the_model_are_those_of_what_is_built() {
    let model = model(TEXT);
    let mut built = model.build().unwrap();
    for (spec, subsystem) in model.subsystems.iter().zip(built.subsystems()) {
        let description = subsystem.description();
        let name_and_unit = |name: &str, unit: &str| (name.to_owned(), unit.to_owned());
        let inputs: Vec<_> = description.inputs.iter().map(|s| name_and_unit(&s.name, &s.unit)).collect();
        let outputs: Vec<_> = description.outputs.iter().map(|s| name_and_unit(&s.name, &s.unit)).collect();
        assert_eq!(
            spec.kind.inputs().iter().map(|s| name_and_unit(&s.name, &s.unit)).collect::<Vec<_>>(),
            inputs
        );
        assert_eq!(
            spec.kind.outputs().iter().map(|s| name_and_unit(&s.name, &s.unit)).collect::<Vec<_>>(),
            outputs
        );
    }
    let labels: Vec<_> =
        built.labels().into_iter().map(|l| (format!("{}.{}", l.owner, l.name), l.unit)).collect();
    let known: Vec<_> = model.quantities().into_iter().map(|q| (q.name, q.unit)).collect();
    assert_eq!(labels, known);
    built.step(1e-3).unwrap();
}

#[test]
fn a_motion_follows_its_signal_from_where_it_stands() {
    // The lag starts at zero, the table at 1 m: the first steps lead it there, then it follows u = 1 − exp(−t / 0.1).
    let mut master = model(TEXT).build().unwrap();
    for _ in 0..100 {
        master.step(1e-3).unwrap();
    }
    let labels = master.labels();
    let at = |name: &str| labels.iter().position(|l| format!("{}.{}", l.owner, l.name) == name).unwrap();
    let mut values = vec![0.0; labels.len()];
    master.observe(&mut values).unwrap();
    let u = |t: f64| 1.0 - (-t / 0.1).exp();
    // At the end of a step it has come to where the line through the two communication points before leads.
    let (rate, place) = ((u(0.099) - u(0.098)) / 1e-3, 2.0 * u(0.099) - u(0.098));
    for (name, exact) in [("lag.output", u(0.1)), ("machine.table.x", place), ("machine.table.vx", rate)] {
        assert!((values[at(name)] - exact).abs() < 1e-8, "{name}: {} {exact}", values[at(name)]);
    }
    assert!(values[at("machine.residual")] < 1e-9, "{}", values[at("machine.residual")]);
}

#[test]
fn connections_that_cannot_be_made_are_found_where_they_stand() {
    let last = ("from = \"lag.output\"", "from = \"lag.outptu\"");
    assert_mistake(last, "from = \"lag.outptu\"", "no output `lag.outptu`");
    assert_mistake(
        ("to = \"machine.place\"", "to = \"machine.palce\""),
        "to = \"machine.palce\"",
        "machine.place",
    );
    assert_mistake(
        ("from = \"lag.output\"", "from = \"limit.output\""),
        "to = \"machine.place\"",
        "output `limit.output` is in no unit, input `machine.place` takes `m`",
    );
    assert_mistake(
        ("to = \"machine.wind\"", "to = \"machine.push\""),
        "to = \"machine.push\"",
        "connected already (line",
    );
    let unconnected = "[[connection]]\nfrom = \"mixer.output_1\"\nto = \"machine.wind\"\n";
    assert_mistake((unconnected, ""), "[[subsystem]]", "input `machine.wind` is not connected");
    assert_mistake(("from = \"lag.output\"\n", ""), "[[connection]]", "missing key `from`");
}

#[test]
fn controllers_that_cannot_be_built_are_found_where_they_stand() {
    assert_mistake(
        ("numerator = [1.0]", "numerator = [1.0, 0.0, 1.0]"),
        "numerator = [1.0, 0.0, 1.0]",
        "is not proper: its numerator is of degree 2, its denominator of degree 1",
    );
    assert_mistake(("filter = 0.01\n", ""), "[[subsystem]]", "missing key `filter`");
    assert_mistake(
        ("lower = -1.0\n", "lower = 1.0\nupper = 0.5\n"),
        "lower = 1.0",
        "`lower` is 1, must be less than `upper`",
    );
    assert_mistake(
        ("output_unit = [\"N\", \"N\"]", "output_unit = [\"N\", \"N\", \"N\"]"),
        "output_unit = [\"N\", \"N\", \"N\"]",
        "has 3 entries, must have 2",
    );
    assert_mistake(("name = \"ram\"", "name = \"torque\""), "name = \"torque\"", "already used");
    assert_mistake(
        ("motion = { signal = \"place\" }", "speed = { signal = \"place\" }"),
        "speed = { signal = \"place\" }",
        "speed cannot be a signal",
    );
    assert_mistake(
        ("numerator = [1.0]", "numerator = []"),
        "numerator = []",
        "has no entries, must have at least 1",
    );
    let found = warnings(&with("period = 0.004", "period = 0.0045"));
    assert!(found.contains("no multiple of the step"), "{found}");
}

#[test]
fn limiters_that_cannot_limit_are_found_where_they_stand() {
    let limits = "lower = -1.0\nrate = 3.0\n";
    assert_mistake((limits, ""), "[[subsystem]]", "subsystem `limit` limits nothing");
    let outside = limits.replace("rate = 3.0", "rate = 3.0\nstart = -1.5");
    assert_mistake((limits, &outside), "start = -1.5", "`start` is -1.5, must be within the limits");
    // The default start is the number next to zero within the limits.
    assert_eq!(warnings(&with(limits, "lower = 0.5\nrate = 3.0\n")), "");
}

#[test]
fn a_period_far_below_the_step_is_refused() {
    let expected = "a step of 0.001 s would take 1.0e9 samples, at most 1e5 are possible";
    assert_mistake(("period = 0.004", "period = 1e-12"), "period = 1e-12", expected);
}

#[test]
fn what_steps_by_a_rule_of_its_own_takes_neither_solver_nor_micro_steps() {
    for key in ["solver = \"theta\"", "micro_steps = 2"] {
        let expected = "does not belong to subsystem `limit`, which advances its states exactly";
        assert_mistake(("rate = 3.0", &format!("rate = 3.0\n{key}")), key, expected);
    }
}

/// A mass in a medium.
const DRAG: &str = "schema = 1\ntime = { end = 0.1, step = 1e-3 }\n\
                    [[subsystem]]\nname = \"ball\"\nkind = \"node\"\nmass = 1.0\n\
                    port = [{ name = \"top\", direction = [0, 0, 1] }]\n\
                    [[subsystem]]\nname = \"air\"\nkind = \"force-law\"\nlaw = \"quadratic-drag\"\ncoefficient = 0.2\n\
                    [[interface]]\nname = \"drag\"\nbetween = [\"ball.top\", \"air.body\"]\nlaw = \"load\"\n";

#[test]
fn force_laws_take_neither_solver_nor_micro_steps_and_must_be_joined() {
    assert_eq!(warnings(DRAG), "");
    for key in ["solver = \"theta\"", "micro_steps = 2"] {
        let found = mistakes(&DRAG.replace("coefficient", &format!("{key}\ncoefficient"))).to_string();
        assert!(
            found.starts_with("model.toml:12:") && found.contains("`air`, which steps its states"),
            "{found}"
        );
    }
    let (alone, _) = DRAG.split_once("[[interface]]").unwrap();
    let found = mistakes(alone).to_string();
    let expected = "model.toml:8:1: load port `body` of subsystem `air` is joined to nothing";
    assert!(found.starts_with(expected), "{found}");
}

#[test]
fn a_loop_of_gains_is_named_where_it_is_forbidden() {
    let text = r#"
schema = 1
time = { end = 0.1, step = 1e-3 }
master = { signal_loops = "forbid" }
[[subsystem]]
name = "a"
kind = "controller"
type = "state-space"
d = [[0.5]]
[[connection]]
from = "a.output"
to = "a.input"
"#;
    let error = model(text).build().unwrap_err().to_string();
    assert!(error.contains("`a.output`") && error.contains("signal_loops"), "{error}");
    assert!(model(&text.replace("forbid", "solve")).build().is_ok());
}
