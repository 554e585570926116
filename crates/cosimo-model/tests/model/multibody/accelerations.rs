//! Sensors of acceleration.

use cosimo_model::{Override, read_model};

use crate::{mistakes, model};

/// A stone that falls, a block at rest on a prismatic guide that is held, a pendulum, and a disc that turns.
const TEXT: &str = r#"
schema = 1
time = { end = 0.4, step = 1e-3 }
[[subsystem]]
name = "lab"
kind = "multibody"
gravity = [0, 0, -10]
[[subsystem.body]]
name = "stone"
mass = 2.0
inertia = [1, 1, 1]
angular_velocity = [0, 0, 3]
[[subsystem.body]]
name = "block"
mass = 2.0
inertia = [1, 1, 1]
[[subsystem.body]]
name = "bob"
mass = 2.0
inertia = [1e-6, 1e-6, 1e-6]
position = [1, 0, 0]
[[subsystem.joint]]
name = "bench"
type = "fixed"
bodies = ["ground", "block"]
at = [0, 0, 0]
[[subsystem.joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "bob"]
at = [0, 0, 0]
axis = [0, 1, 0]
[[subsystem.sensor]]
name = "falling"
type = "acceleration"
body = "stone"
point = [0.5, 0, 0]
axes = "body"
proper = true
[[subsystem.sensor]]
name = "resting"
type = "acceleration"
body = "block"
proper = true
[[subsystem.sensor]]
name = "swinging"
type = "acceleration"
body = "bob"
axes = "body"
[[subsystem.sensor]]
name = "swing"
type = "angle"
bodies = ["ground", "bob"]
at = [0, 0, 0]
axis = [0, 1, 0]
"#;

/// Centripetal `ω² r` alone in free fall, `g` upwards at rest; of a pendulum `θ̇² l` towards the hinge and `g cos θ` across. Rules whose
/// accelerations are means over a step show those.
#[test]
fn accelerometers_show_the_accelerations_of_the_equations_of_motion() {
    let exact_rules =
        ["\"multistep\"", "{ method = \"generalized-alpha\", spectral_radius = 0.8 }", "\"hht\""];
    for (solver, tolerance) in exact_rules.map(|rule| (rule, 1e-9)).into_iter().chain([("\"theta\"", 2e-2)]) {
        let argument = Override::parse(&format!("subsystem.lab.solver={solver}")).unwrap();
        let mut master = read_model("model.toml", TEXT, &[argument]).unwrap().0.build().unwrap();
        for _ in 0..400 {
            master.step(1e-3).unwrap();
        }
        let labels = master.labels();
        let mut values = vec![0.0; labels.len()];
        master.observe(&mut values).unwrap();
        let value = |name: &str| values[labels.iter().position(|label| label.name == name).unwrap()];
        let (angle, rate) = (value("swing.angle"), value("swing.rate"));
        let inertia = 1.0 + 1e-6 / 2.0;
        for (name, exact) in [
            ("falling.ax", -4.5),
            ("falling.ay", 0.0),
            ("falling.az", 0.0),
            ("resting.ax", 0.0),
            ("resting.az", 10.0),
            ("swinging.ax", -rate * rate),
            ("swinging.ay", 0.0),
            ("swinging.az", -10.0 * angle.cos() / inertia),
        ] {
            let found = value(name);
            assert!((found - exact).abs() < tolerance * 10.0, "{solver}: {name} {found} {exact}");
        }
    }
}

#[test]
fn sensors_of_acceleration_are_written_and_refused() {
    let read = model(TEXT);
    assert_eq!(model(&read.to_toml()), read);
    let found = mistakes(&TEXT.replacen("proper = true", "proper = 1", 1)).to_string();
    assert!(found.contains("proper is") && found.contains("true or false"), "{found}");
    let found =
        mistakes(&format!("{TEXT}[[subsystem.port]]\nname = \"p\"\nsensor = \"resting\"\n")).to_string();
    assert!(found.contains("sensor of a distance, a displacement or an angle"), "{found}");
}

/// A ball at rest on a floor.
const RESTING: &str = r#"
schema = 1
time = { end = 0.1, step = 1e-3 }
[[subsystem]]
name = "lab"
kind = "multibody"
gravity = [0, 0, -10]
[[subsystem.body]]
name = "ball"
mass = 2.0
inertia = [1, 1, 1]
position = [0, 0, 0.1]
[[subsystem.contact]]
name = "floor"
type = "sphere-plane"
bodies = ["ground", "ball"]
at = [[0, 0, 0], [0, 0, 0.1]]
axis = [0, 0, 1]
radius = 0.1
restitution = 0.0
[[subsystem.sensor]]
name = "resting"
type = "acceleration"
body = "ball"
proper = true
"#;

#[test]
fn accelerometers_show_what_contacts_of_the_master_give() {
    for friction in ["", "friction = 0.3\n"] {
        for solver in ["multistep", "generalized-alpha", "hht", "newmark", "theta", "implicit-euler"] {
            let text = RESTING.replace("restitution = 0.0\n", &format!("restitution = 0.0\n{friction}"));
            let argument = Override::parse(&format!("subsystem.lab.solver=\"{solver}\"")).unwrap();
            let mut master = read_model("model.toml", &text, &[argument]).unwrap().0.build().unwrap();
            for _ in 0..50 {
                master.step(1e-3).unwrap();
            }
            let labels = master.labels();
            let mut values = vec![0.0; labels.len()];
            master.observe(&mut values).unwrap();
            let found = values[labels.iter().position(|label| label.name == "resting.az").unwrap()];
            assert!((found - 10.0).abs() < 1e-9, "{solver}: {found}");
        }
    }
}

/// Contacts and ports give impulses to schemes, which accelerations do not hold.
#[test]
fn accelerometers_are_refused_where_schemes_take_impulses() {
    let schemes = ["moreau-jean", "nonsmooth-generalized-alpha", "half-implicit-euler\", distance = \"0.01"];
    for scheme in schemes {
        let solver = format!("kind = \"multibody\"\nsolver = {{ scheme = \"{scheme}\" }}\n");
        let solver = solver.replace("\"0.01\"", "0.01");
        let text = RESTING.replacen("kind = \"multibody\"\n", &solver, 1);
        let found = mistakes(&text).to_string();
        assert!(found.contains("does not go with a scheme and contacts"), "{found}");
        let (before, contact) = text.split_once("[[subsystem.contact]]").unwrap();
        let (_, sensor) = contact.split_once("[[subsystem.sensor]]").unwrap();
        let free = format!("{before}[[subsystem.sensor]]{sensor}");
        model(&free);
        let with_port = format!("{free}[[subsystem.port]]\nname = \"p\"\nbody = \"ball\"\n");
        let found = mistakes(&with_port).to_string();
        assert!(found.contains("does not go with a scheme and ports"), "{found}");
    }
}
