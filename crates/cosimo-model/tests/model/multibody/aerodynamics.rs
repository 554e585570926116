//! The air on a rotor in a multibody system: reading, writing, mistakes, a run.

use cosimo_model::SubsystemKind;

use crate::{mistakes, model};

/// A rigid blade of two rods on a driven hub: stations on bodies, by a list of frames.
const TEXT: &str = r#"schema = 1
[time]
end = 0.02
step = 1e-3
[[subsystem]]
name = "rotor"
kind = "multibody"
[[subsystem.body]]
name = "hub"
mass = 10.0
inertia = [1.0, 1.0, 1.0]
angular_velocity = [0, 0, 30]
[[subsystem.body]]
name = "rod"
mass = 10.0
inertia = [0.1, 8.0, 8.0]
position = [1.5, 0, 0]
velocity = [0, 45, 0]
angular_velocity = [0, 0, 30]
[[subsystem.joint]]
name = "shaft"
type = "revolute"
bodies = ["ground", "hub"]
at = [0, 0, 0]
axis = [0, 0, 1]
[[subsystem.joint]]
name = "flap"
type = "revolute"
bodies = ["hub", "rod"]
at = [0, 0, 0]
axis = [0, 1, 0]
[subsystem.aerodynamics]
hub = "hub"
frames = [[{ body = "rod", point = [-1, 0, 0], orientation = { axis = [1, 0, 0], angle = 0.1 } }, { body = "rod", point = [1.5, 0, 0], orientation = { axis = [1, 0, 0], angle = 0.1 } }]]
blades = 1
radius = 3.0
nominal_speed = 30.0
records_sections = true
[subsystem.aerodynamics.blade]
stations = [0.5, 3.0]
span = [0.5, 3.0]
chord = [[0.5, 3.0, 0.2, 0.2]]
airfoils = [{ from = 0.5, to = 3.0, airfoil = { kind = "naca0012" } }]
"#;

#[test]
fn the_air_survives_writing_and_shows_its_quantities() {
    let first = model(TEXT);
    let written = first.to_toml();
    assert_eq!(model(&written), first, "{written}");
    crate::building::assert_labels_are_the_quantities(&first);
    let names: Vec<String> = first.quantities().into_iter().map(|own| own.name).collect();
    for name in ["rotor.air.thrust", "rotor.air.inflow", "rotor.air.blade_1.alpha_2"] {
        assert!(names.iter().any(|own| own == name), "{names:?}");
    }
}

/// A pattern stands for the bodies that it matches, in their order.
#[test]
fn patterns_of_bodies_are_frames() {
    let frames = TEXT.lines().find(|line| line.starts_with("frames")).unwrap();
    let text = TEXT.replace(frames, "frames = [\"*u*\"]").replace("name = \"rod\"", "name = \"rud\"");
    let text = text.replace("\"hub\", \"rod\"", "\"hub\", \"rud\"");
    let found = model(&text);
    let SubsystemKind::Multibody(system) = &found.subsystems[0].kind else { panic!("no multibody") };
    let air = system.aerodynamics.as_ref().unwrap();
    let bodies: Vec<usize> = air.frames().blades[0].iter().map(|frame| frame.body).collect();
    assert_eq!((bodies, air.name()), (vec![0, 1], "air"));
}

/// The blade is lifted: thrust, and a flap that would not be without the air.
#[test]
fn the_air_lifts_the_blade() {
    let found = model(TEXT);
    let mut master = found.build().unwrap();
    master.run(0.02, 1e-3, &mut cosimo_master::NoObserver).unwrap();
    let mut values = vec![0.0; master.labels().len()];
    master.observe(&mut values).unwrap();
    let value = |name: &str| {
        let found = master.labels().iter().position(|label| label.name == name);
        values[found.unwrap()]
    };
    // ½ ρ c 2π (0.1 rad) Ω² ∫ r² dr without inflow and flap, which lessen it.
    let most = 0.5 * 1.225 * 0.2 * 2.0 * std::f64::consts::PI * 0.1 * 900.0 * (27.0 - 0.125) / 3.0;
    assert!((0.3..1.0).contains(&(value("air.thrust") / most)), "{} of {most} N", value("air.thrust"));
    assert!(value("rod.z") > 1e-3 && value("air.inflow") > 0.0);
}

#[test]
fn mistakes_are_told() {
    let refused = |piece: &str, replacement: &str, expected: &str| {
        assert_eq!(TEXT.matches(piece).count(), 1, "`{piece}` must occur once");
        let found = mistakes(&TEXT.replace(piece, replacement)).to_string();
        assert!(found.contains(expected), "`{expected}` is not in\n{found}");
    };
    refused("hub = \"hub\"\n", "", "hub");
    refused("hub = \"hub\"\n", "hub = \"hob\"\n", "did you mean `hub`");
    refused("hub = \"hub\"\n", "hub = \"ground\"\n", "ground");
    refused("frames = [[", "frames = [\"blade*\", [", "matches no body");
    refused("frames = [[", "frames = [\"rod\", [", "one for every blade");
    refused("frames = [[", "frames = [[\"hub\", ", "that of its stations");
    refused("records_sections = true", "record_sections = true", "did you mean `records_sections`");
    refused("radius = 3.0", "radius = -3.0", "radius");
    refused("span = [0.5, 3.0]", "span = [0.5, 4.0]", "span");
    refused("name = \"flap\"", "name = \"air\"", "air");
}

/// Tables within tables name all the keys that they lack, where they stand.
#[test]
fn missing_keys_of_nested_tables_are_named_together() {
    let text = TEXT
        .replace("blades = 1\nradius = 3.0\n", "")
        .replace("span = [0.5, 3.0]\nchord = [[0.5, 3.0, 0.2, 0.2]]\n", "")
        .replace("{ kind = \"naca0012\" }", "{ kind = \"thin\" }")
        .replace(
            "records_sections = true",
            "wind = { kind = \"sum\", winds = [{ kind = \"uniform\", velocity = [0, 0, 8] }, { kind = \"gust\", start = 7.0 }] }",
        );
    let found = mistakes(&text).to_string();
    for (expected, at) in [
        ("missing key `blades` in [aerodynamics]", "[subsystem.aerodynamics]"),
        ("missing key `radius` in [aerodynamics]", "[subsystem.aerodynamics]"),
        ("wind.winds[1] lacks keys `peak` and `duration`", "wind ="),
        ("blade lacks keys `span` and `chord`", "[subsystem.aerodynamics.blade]"),
        ("blade.airfoils[0].airfoil lacks key `lift_slope`", "airfoils ="),
    ] {
        let line = text.lines().position(|line| line.starts_with(at)).unwrap() + 1;
        let is_told = |told: &str| told.contains(&format!(":{line}:")) && told.contains(expected);
        assert!(found.lines().any(is_told), "`{expected}` in line {line} is not in\n{found}");
    }
}

/// The same rotor, turned as a whole so that `z` is where `x`, `y` or `−x` was: the air does the same, without a `reference`.
#[test]
fn a_rotor_about_any_axis_runs_by_default() {
    use nalgebra::{UnitQuaternion, Vector3};
    let thrust = |axis: [f64; 3], angle: f64| {
        let axis = Vector3::from(axis).normalize();
        let turn = UnitQuaternion::from_scaled_axis(axis * angle);
        let turned = |displacement: [f64; 3]| {
            let x = turn * Vector3::from(displacement);
            format!("[{:?}, {:?}, {:?}]", x.x, x.y, x.z)
        };
        let orientation = format!(
            "orientation = {{ axis = [{:?}, {:?}, {:?}], angle = {angle:?} }}\n",
            axis.x, axis.y, axis.z
        );
        let text = TEXT
            .replace(
                "angular_velocity = [0, 0, 30]",
                &format!("{orientation}angular_velocity = {}", turned([0.0, 0.0, 30.0])),
            )
            .replace("position = [1.5, 0, 0]", &format!("position = {}", turned([1.5, 0.0, 0.0])))
            .replace("\nvelocity = [0, 45, 0]", &format!("\nvelocity = {}", turned([0.0, 45.0, 0.0])))
            .replace("\naxis = [0, 0, 1]", &format!("\naxis = {}", turned([0.0, 0.0, 1.0])))
            .replace("\naxis = [0, 1, 0]", &format!("\naxis = {}", turned([0.0, 1.0, 0.0])));
        let (_, value) = crate::building::run(&model(&text));
        [value("rotor.air.thrust"), value("rotor.air.torque"), value("rotor.air.inflow")]
    };
    let upright = thrust([0.0, 0.0, 1.0], 0.0);
    assert!(upright[0].abs() > 1.0);
    for (axis, angle) in [
        ([1.0, 1.0, 1.0], 2.0943951023931953),
        ([1.0, 0.0, 0.0], -std::f64::consts::FRAC_PI_2),
        ([0.0, 1.0, 0.0], -std::f64::consts::FRAC_PI_2),
        ([0.3, -1.0, 0.2], 3.0),
    ] {
        for (found, expected) in thrust(axis, angle).into_iter().zip(upright) {
            assert!((found / expected - 1.0).abs() < 1e-6, "{axis:?}: {found} {expected}");
        }
    }
}
