//! Beams in model files: reading, writing, mistakes, and a run against closed forms.

use cosimo_master::NoObserver;

use crate::{mistakes, model};

/// A clamped beam of 1 m with unit stiffness under a tip load of 1e-4 N, at rest after a few steps of implicit Euler.
const TEXT: &str = r#"schema = 1
[time]
end = 20.0
step = 1.0
[[subsystem]]
name = "s"
kind = "multibody"
solver = "implicit-euler"
[[subsystem.beam]]
name = "rod"
length = 1.0
elements = 8
damping = 0.01
[subsystem.beam.section]
mass = 1.0
second_moment = [1e-4, 0, 0]
axial = 1e4
torsion = 0.5
bending = [1.0, 2.0]
[[subsystem.joint]]
name = "clamp"
type = "fixed"
bodies = ["ground", "rod.0"]
at = [0, 0, 0]
[[subsystem.load]]
body = "rod.8"
direction = [0, 0, 1]
time = [0.0]
value = [1e-4]
[[subsystem.sensor]]
name = "tip"
type = "point"
body = "rod.8"
"#;

/// The same section from tables, which `tables` replaces.
const TABLES: &str = r#"[subsystem.beam.tables]
chord = 0.5
inertia_floor = 1e-4
mass = """
r0_m,r1_m,mass_kg_per_m_at_r0,mass_kg_per_m_at_r1
0,1,1,1
"""
second_moment_y = """
r0_m,r1_m,inertia_kg_m_at_r0,inertia_kg_m_at_r1
0,1,0,0
"""
axial = "r0_m,r1_m,EA_N_at_r0,EA_N_at_r1\n0,1,1e4,1e4"
torsion = "r0_m,r1_m,GJ_N_m2_at_r0,GJ_N_m2_at_r1\n0,1,0.5,0.5"
bending_y = "r0_m,r1_m,EI_N_m2_at_r0,EI_N_m2_at_r1\n0,1,1,1"
bending_z = "r0_m,r1_m,EI_N_m2_at_r0,EI_N_m2_at_r1\n0,1,2,2"
centre_y = "r0_m,r1_m,cg_over_chord_at_r0,cg_over_chord_at_r1\n0,1,0,0"
"#;

fn with_tables() -> String {
    let (start, end) =
        (TEXT.find("[subsystem.beam.section]").unwrap(), TEXT.find("[[subsystem.joint]]").unwrap());
    format!("{}{TABLES}{}", &TEXT[..start], &TEXT[end..])
}

fn end_of(text: &str) -> impl Fn(&str) -> f64 + use<> {
    let model = model(text);
    let mut master = model.build().unwrap();
    master.run(model.time.end, model.time.step, &mut NoObserver).unwrap();
    let labels = master.labels();
    let mut values = vec![0.0; labels.len()];
    master.observe(&mut values).unwrap();
    move |name: &str| {
        let at = labels.iter().position(|label| label.name == name);
        values[at.unwrap_or_else(|| panic!("no {name}"))]
    }
}

#[test]
fn beams_bend_as_the_closed_form_says() {
    for text in [TEXT.to_owned(), with_tables()] {
        let value = end_of(&text);
        // P L³/3EI + P L/GA, less a quarter of an element squared of bending.
        let bent = 1e-4 * (1.0 / 3.0 - 1.0 / (12.0 * 64.0) + 1e-4);
        assert!((value("tip.z") - bent).abs() < 1e-9, "{} {bent}", value("tip.z"));
        // In the middle of the first element.
        assert!((value("rod.1.my").abs() - 1e-4 * (1.0 - 1.0 / 16.0)).abs() < 1e-9, "{}", value("rod.1.my"));
        assert!((value("rod.8.fz") - 1e-4).abs() < 1e-9 && value("rod.8.vz").abs() < 1e-9);
    }
}

#[test]
fn beams_survive_writing() {
    for text in [TEXT.to_owned(), with_tables()] {
        let first = model(&text);
        let written = first.to_toml();
        let second = model(&written);
        assert_eq!(first, second, "{written}");
        assert_eq!(written, second.to_toml());
    }
}

/// The beam starts where its tip load bends it, and nothing moves.
#[test]
fn a_run_may_start_in_equilibrium() {
    let text = format!("{TEXT}[subsystem.equilibrium]\n")
        .replace("end = 20.0", "end = 1e-3")
        .replace("step = 1.0", "step = 1e-3");
    let value = end_of(&text);
    let bent = 1e-4 * (1.0 / 3.0 - 1.0 / (12.0 * 64.0) + 1e-4);
    assert!((value("tip.z") - bent).abs() < 1e-12 && value("tip.vz").abs() < 1e-9, "{}", value("tip.z"));
    assert_eq!(model(&model(&text).to_toml()), model(&text));
    let free = text.replacen("type = \"fixed\"", "type = \"revolute\"\naxis = [0, 1, 0]", 1);
    let error = model(&free).build().err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("no equilibrium to start in") && error.contains("`held`"), "{error}");
    let unknown = text.replace("[subsystem.equilibrium]", "[subsystem.equilibrium]\nheld = [\"tip\"]");
    assert!(mistakes(&unknown).to_string().contains("sensor of a distance, a displacement or an angle"));
}

/// A hub that a drive turns, and a blade on a flapping hinge at 0.2 m.
const TURNING: &str = r#"
schema = 1
time = { end = 0.5, step = 1e-3 }
[[subsystem]]
name = "rotor"
kind = "multibody"
gravity = [0, 0, -9.81]
[subsystem.equilibrium]
turning = [0, 0, 10]
[[subsystem.body]]
name = "hub"
mass = 2.0
inertia = [0.03, 0.03, 0.05]
[[subsystem.body]]
name = "blade"
mass = 1.5
inertia = [0.01, 0.2, 0.2]
position = [1, 0, 0]
[[subsystem.joint]]
name = "shaft"
type = "revolute"
bodies = ["ground", "hub"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[subsystem.joint]]
name = "hinge"
type = "revolute"
bodies = ["hub", "blade"]
at = [0.2, 0, 0]
axis = [0, 1, 0]
[[subsystem.joint]]
name = "drive"
type = "angle"
bodies = ["ground", "hub"]
at = [0, 0, 0]
axis = [0, 0, 1]
speed = 10
"#;

/// A drive and the steady turn of the equilibrium agree, although the bodies are given at rest. The blade hangs where the moment of
/// its weight is that of the turn, `m g r cos β = Ω² sin β (m r (e + r cos β) + (I_z − I_x) cos β)`, and stays there.
#[test]
fn equilibria_turn_with_drives() {
    let value = end_of(TURNING);
    let (mass, arm, offset, spin) = (1.5, 0.8, 0.2, 10.0_f64);
    let moment = |droop: f64| {
        let (sine, cosine) = droop.sin_cos();
        let turn = mass * arm * (offset + arm * cosine) + (0.2 - 0.01) * cosine;
        spin * spin * sine * turn - mass * 9.81 * arm * cosine
    };
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..100 {
        let middle = 0.5 * (low + high);
        if moment(middle) > 0.0 { high = middle } else { low = middle }
    }
    let found = value("blade.z") / -arm;
    assert!((found - f64::sin(low)).abs() < 1e-6, "{found} and {}", f64::sin(low));
    assert!(value("blade.vz").abs() < 1e-5, "{}", value("blade.vz"));
    let other = TURNING.replace("speed = 10", "speed = 11");
    let told = mistakes(&other).to_string();
    assert!(told.contains("joint `drive`") && told.contains("by 1.000e0 rad/s"), "{told}");
}

/// A second beam like the first, with ports at its nodes.
const LIKE: &str = r#"[[subsystem.beam]]
name = "copy"
like = "rod"
origin = [0, 1, 0]
ports = true
[[subsystem.joint]]
name = "clamp""#;

#[test]
fn beams_may_be_like_others_and_have_ports() {
    let text = with_tables().replacen("[[subsystem.joint]]\nname = \"clamp\"", LIKE, 1);
    let first = model(&text);
    let cosimo_model::SubsystemKind::Multibody(system) = &first.subsystems[0].kind else {
        panic!("{first:?}")
    };
    let [rod, copy] = &system.beams[..] else { panic!("{} beams", system.beams.len()) };
    assert_eq!((&rod.stations, &rod.sections, rod.damping), (&copy.stations, &copy.sections, copy.damping));
    let ports: Vec<&str> = system.ports.iter().map(|port| port.name.as_str()).collect();
    assert_eq!(ports[0], "copy_0");
    assert_eq!(ports[8], "copy_8");
    assert_eq!(model(&first.to_toml()), first);
    first.build().unwrap();
    let found = mistakes(&text.replace("like = \"rod\"", "like = \"rd\"")).to_string();
    assert!(found.contains("did you mean `rod`?"), "{found}");
    let found = mistakes(&text.replace("like = \"rod\"", "like = \"rod\"\nlength = 2.0")).to_string();
    assert!(found.contains("does not go with `like`"), "{found}");
}

/// Asserts that replacing a piece gives one mistake that holds this text, in the line that holds `line`.
#[track_caller]
fn assert_refused(text: &str, (piece, replacement): (&str, &str), line: &str, expected: &str) {
    assert_eq!(text.matches(piece).count(), 1, "`{piece}` must occur once");
    let text = text.replace(piece, replacement);
    let found = mistakes(&text);
    let [mistake] = found.iter().filter(|found| found.is_error()).collect::<Vec<_>>()[..] else {
        panic!("not one mistake:\n{found}");
    };
    assert!(mistake.to_string().contains(expected), "`{expected}` is not in\n{mistake}");
    let at = text.lines().position(|own| own.contains(line)).map(|at| at + 1);
    assert_eq!(mistake.line(), at, "{mistake}");
}

#[test]
fn mistakes_are_told_where_they_are() {
    let own = |from, to, line, expected| assert_refused(TEXT, (from, to), line, expected);
    let beam = "[[subsystem.beam]]";
    own("length = 1.0\n", "", beam, "missing key `length`");
    own(
        "length = 1.0\nelements = 8\n",
        "stations = [0, 1, 1]\n",
        "stations",
        "stations[2] is 1.0, must be greater",
    );
    own("length = 1.0\nelements = 8\n", "stations = [0]\n", "stations", "at least two stations");
    own(
        "elements = 8",
        "stations = [0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 1.0]",
        "length = 1",
        "does not go with `stations`",
    );
    own("torsion = 0.5", "torsion = 0", "torsion", "must be positive");
    own("bending = [1.0, 2.0]", "bending = [1.0, -2.0]", "bending", "must be two positive numbers");
    own("mass = 1.0", "mass = 1.0\ncentre = [0.1, 0]", beam, "negative");
    own("second_moment = [1e-4, 0, 0]", "second_moment = [0, 0, 0]", beam, "inertia floor");
    own("body = \"rod.8\"\ndirection", "body = \"rod.9\"\ndirection", "rod.9", "no body `rod.9`");
}

#[test]
fn mistakes_of_tables_are_told_where_they_are() {
    let text = with_tables();
    let own = |from, to, line, expected| assert_refused(&text, (from, to), line, expected);
    own(
        "axial = \"r0_m,r1_m,EA_N_at_r0,EA_N_at_r1\\n0,1,1e4,1e4\"",
        "",
        "[subsystem.beam.tables]",
        "missing key `axial`",
    );
    own("0,1,0.5,0.5", "0,1,0.5,x", "torsion =", "line 2, field 4: `x` is no finite number");
    own(
        "GJ_N_m2_at_r0,GJ_N_m2_at_r1",
        "GJ_N_at_r0,GJ_N_at_r1",
        "torsion =",
        "is in N, the torsional stiffness must be in N m²",
    );
    own("chord = 0.5\n", "", "centre_y =", "give the chord");
    own("chord = 0.5\n", "chord = 0.5\nshear = 1\n", "shear = 1", "shear");
}
