//! Gears, cams, ropes and bearings of model files.

use cosimo_model::{Override, read_model};

use crate::{mistakes, model, warnings};

/// A motor with a gear with losses, an exact gear, a cam and its follower, a rotor in a bearing, and two weights on a rope.
const TEXT: &str = r#"
schema = 1
time = { end = 0.5, step = 1e-3 }
[[subsystem]]
name = "plant"
kind = "multibody"
gravity = [0, 0, -10]
[[subsystem.body]]
name = "motor"
mass = 1.0
inertia = [0.3, 0.3, 0.3]
[[subsystem.body]]
name = "wheel"
mass = 1.0
inertia = [2, 2, 2]
position = [1, 0, 0]
[[subsystem.body]]
name = "drum"
mass = 1.0
inertia = [0.5, 0.5, 0.5]
position = [2, 0, 0]
[[subsystem.body]]
name = "follower"
mass = 1.0
inertia = [1, 1, 1]
[[subsystem.body]]
name = "rotor"
mass = 2.0
inertia = [1, 1, 1]
angular_velocity = [0, 0, 100]
[[subsystem.body]]
name = "heavy"
mass = 3.0
inertia = [1, 1, 1]
position = [-1, 0, 2]
[[subsystem.body]]
name = "light"
mass = 2.0
inertia = [1, 1, 1]
position = [1, 0, 2]
[[subsystem.joint]]
name = "motor_axle"
type = "revolute"
bodies = ["ground", "motor"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[subsystem.joint]]
name = "wheel_axle"
type = "revolute"
bodies = ["ground", "wheel"]
at = [1, 0, 0]
axis = [0, 0, 1]
[[subsystem.joint]]
name = "drum_axle"
type = "revolute"
bodies = ["ground", "drum"]
at = [2, 0, 0]
axis = [0, 0, 1]
[[subsystem.joint]]
name = "guide"
type = "prismatic"
bodies = ["ground", "follower"]
at = [0, 0, 0]
axis = [1, 0, 0]
[[subsystem.sensor]]
name = "motor_angle"
type = "angle"
bodies = ["ground", "motor"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[subsystem.sensor]]
name = "wheel_angle"
type = "angle"
bodies = ["ground", "wheel"]
at = [1, 0, 0]
axis = [0, 0, 1]
[[subsystem.sensor]]
name = "drum_angle"
type = "angle"
bodies = ["ground", "drum"]
at = [2, 0, 0]
axis = [0, 0, 1]
[[subsystem.sensor]]
name = "lift"
type = "displacement"
bodies = ["ground", "follower"]
at = [0, 0, 0]
axis = [1, 0, 0]
[[subsystem.load]]
body = "motor"
moment_axis = [0, 0, 1]
value = 7.0
[[subsystem.gear]]
name = "stage"
sensors = ["motor_angle", "wheel_angle"]
ratio = -0.5
[[subsystem.gear]]
name = "belt"
sensors = ["wheel_angle", "drum_angle"]
ratio = 2.0
efficiency = 0.9
stiffness = 1e5
damping = 100.0
[[subsystem.gear]]
name = "eccentric"
sensors = ["wheel_angle", "lift"]
cam = { angle = [0, 1.5, 3, 4.5, 6], value = [0, 0.01, 0.02, 0.01, 0] }
[[subsystem.force]]
name = "film"
type = "bearing"
bodies = ["ground", "rotor"]
at = [0, 0, 0]
film = [
    { speed = 50, stiffness = [[5e3, 0, 0], [0, 5e3, 0], [0, 0, 5e3]], damping = [20, 20, 20] },
    { speed = 150, stiffness = [[5e3, 1800, 0], [-1800, 5e3, 0], [0, 0, 5e3]], damping = [20, 20, 20] },
]
[[subsystem.rope]]
name = "rope"
points = [
    { body = "heavy" },
    { body = "ground", point = [-1, 0, 4] },
    { body = "ground", point = [1, 0, 4] },
    { body = "light" },
]
length = 5.9976
stiffness = 1e4
damping = 20.0
"#;

/// Closed forms of each at the end, by three rules; the energy balance of the run shows no gain.
#[test]
fn each_does_what_it_says() {
    for solver in [
        "\"theta\"",
        "{ method = \"generalized-alpha\", spectral_radius = 0.8 }",
        "\"multistep\"",
        "{ scheme = \"nonsmooth-generalized-alpha\", smooth = \"acceleration\", spectral_radius = 0.8 }",
    ] {
        let argument = Override::parse(&format!("subsystem.plant.solver={solver}")).unwrap();
        let mut master = read_model("model.toml", TEXT, &[argument]).unwrap().0.build().unwrap();
        for _ in 0..500 {
            master.step(1e-3).unwrap();
        }
        let labels = master.labels();
        let mut values = vec![0.0; labels.len()];
        master.observe(&mut values).unwrap();
        let value = |name: &str| {
            let place = labels.iter().position(|label| label.name == name);
            values[place.unwrap_or_else(|| panic!("{name}"))]
        };
        // The follower is light: its inertia on the motor is below a thousandth. The drum is driven by the share 0.9.
        let acceleration = 7.0 / (0.3 + 0.25 * (2.0 + 4.0 * 0.5 / 0.9));
        let close = |name: &str, exact: f64, share: f64| {
            let found = value(name);
            assert!((found - exact).abs() <= share * exact.abs(), "{solver}, {name}: {found} {exact}");
        };
        close("motor.wz", 0.5 * acceleration, 3e-3);
        close("wheel_angle.angle", -0.5 * value("motor_angle.angle"), 1e-9);
        close("drum_angle.rate", 2.0 * value("wheel_angle.rate"), 1e-3);
        close("belt.load", -0.25 * acceleration * 4.0 * 0.5, 0.03);
        close("rope.tension", 24.0, 1e-4);
        close("heavy.vz", -1.0, 1e-4);
        close("light.vz", 1.0, 1e-4);
        assert!(value("lift.displacement") > 1e-4 && value("residual") < 1e-8, "{solver}");
    }
}

#[test]
fn they_are_written_as_they_are_read() {
    let read = model(TEXT);
    let text = read.to_toml();
    assert_eq!(model(&text), read, "{text}");
    assert_eq!(warnings(TEXT), "");
}

#[test]
fn names_and_units_are_those_of_what_is_built() {
    let model = model(TEXT);
    let built = model.build().unwrap();
    let labels: Vec<_> =
        built.labels().into_iter().map(|l| (format!("{}.{}", l.owner, l.name), l.unit)).collect();
    let known: Vec<_> = model.quantities().into_iter().map(|q| (q.name, q.unit)).collect();
    assert_eq!(labels, known);
}

#[track_caller]
fn assert_mistake(piece: &str, replacement: &str, expected: &str) {
    assert_eq!(TEXT.matches(piece).count(), 1, "`{piece}` must occur once");
    let found = mistakes(&TEXT.replace(piece, replacement));
    let [mistake] = found.iter().filter(|found| found.is_error()).collect::<Vec<_>>()[..] else {
        panic!("not one mistake:\n{found}")
    };
    assert!(mistake.to_string().contains(expected), "{mistake}");
    assert!(mistake.line().is_some());
}

#[test]
fn mistakes_are_found_where_they_stand() {
    let sensors = "sensors = [\"motor_angle\", \"wheel_angle\"]";
    assert_mistake(sensors, "sensors = [\"motor_angle\", \"whel_angle\"]", "whel_angle");
    assert_mistake(sensors, "sensors = [\"motor_angle\", \"motor_angle\"]", "joins a sensor to itself");
    assert_mistake(sensors, "sensors = [\"motor_angle\"]", "two sensors");
    assert_mistake("ratio = -0.5", "ratio = 0.0", "a number that is not zero");
    assert_mistake("ratio = -0.5", "ratio = -0.5\nstiffness = 3.0", "belongs to a gear with an `efficiency`");
    assert_mistake("efficiency = 0.9", "efficiency = 1.9", "in (0, 1]");
    assert_mistake(
        "value = [0, 0.01, 0.02, 0.01, 0]",
        "value = [0, 0.01, 0.02, 0.01, 1]",
        "the same value at both ends",
    );
    assert_mistake(
        "angle = [0, 1.5, 3, 4.5, 6]",
        "angle = [0, 1.5, 3, 4.5, 4]",
        "the cam of gear `eccentric`",
    );
    assert_mistake("length = 5.9976", "length = -1", "length is");
    assert_mistake("point = [1, 0, 4]", "point = [-1, 0, 4]", "coincides with the point before");
    assert_mistake("speed = 150", "speed = 15", "greater than the one before");
    assert_mistake("name = \"rope\"", "name = \"film\"", "the name `film` is already used");
    // Speeds that do not fit are told of at the gear.
    let spinning = "inertia = [0.3, 0.3, 0.3]";
    assert_mistake(spinning, "inertia = [0.3, 0.3, 0.3]\nangular_velocity = [0, 0, 2]", "gear `stage`");
}
