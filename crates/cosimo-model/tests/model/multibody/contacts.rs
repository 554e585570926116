//! Unilateral contacts: read, written, refused, and what they record.

use cosimo_model::{ContactShapeSpec, Side, SubsystemKind};

use super::TEXT;
use crate::{mistakes, model};

const CONTACTS: &str = r#"
[[subsystem.sensor]]
name = "way"
type = "displacement"
bodies = ["ground", "slider"]
at = [0.5, 0, 0]
axis = [1, 0, 0]

[[subsystem.contact]]
name = "end"
type = "stop"
sensor = "way"
limit = 0.3
restitution = 0.5

[[subsystem.contact]]
name = "floor"
type = "sphere-plane"
bodies = ["ground", "bob"]
at = [[0, 0, -1], [0, 1, 0]]
axis = [0, 0, 1]
radius = 0.1
restitution = 0.2
friction = 0.4
impact_law = "moreau"
facets = 16

[[subsystem.contact]]
name = "balls"
type = "sphere-sphere"
first = { body = "slider" }
second = { body = "bob", point = [0.1, 0, 0] }
radii = [0.1, 0.2]
restitution = 0.0
friction = 0.1
"#;

#[test]
fn contacts_are_read_and_survive_writing() {
    let text = TEXT.to_owned() + CONTACTS;
    let whole = model(&text);
    assert_eq!(model(&whole.to_toml()), whole);
    let SubsystemKind::Multibody(engine) = &whole.subsystems[0].kind else { panic!("no multibody") };
    assert!(matches!(engine.contacts[1].shape, ContactShapeSpec::SpherePlane { .. }));
    assert!(matches!(engine.contacts[2].shape, ContactShapeSpec::SphereSphere { .. }));
    let ContactShapeSpec::Stop { sensor, side: Side::Upper, .. } = engine.contacts[0].shape else {
        panic!("{:?}", engine.contacts[0])
    };
    assert_eq!(engine.sensors[sensor].name, "way");
    assert_eq!(engine.contacts[1].law.facets, Some(16));
    assert!(whole.build().is_ok());
}

#[test]
fn mistakes_of_contacts_are_told() {
    for (piece, replacement, expected) in [
        ("sensor = \"way\"", "sensor = \"wya\"", "sensor of a distance, a displacement or an angle"),
        ("limit = 0.3\n", "", "limit"),
        ("limit = 0.3\n", "limit = 0.3\nfriction = 0.2\n", "friction has no effect on a stop of a sensor"),
        ("radius = 0.1\nrestitution", "radius = -0.1\nrestitution", "radius is -0.1"),
        ("radii = [0.1, 0.2]", "radii = [0.1, -0.2]", "two radii that are zero or positive"),
        ("restitution = 0.2\n", "restitution = 1.2\n", "restitution is 1.2, must be in [0, 1]"),
        ("name = \"balls\"", "name = \"bob\"", "the name `bob` is already used"),
        ("type = \"sphere-plane\"\nbodies", "type = \"sphere-plain\"\nbodies", "sphere-plane"),
    ] {
        let text = TEXT.to_owned() + &CONTACTS.replacen(piece, replacement, 1);
        let found = mistakes(&text).to_string();
        assert!(found.contains(expected), "{expected}: {found}");
    }
    let bdf = TEXT.replace(
        "{ method = \"generalized-alpha\", spectral_radius = 0.7 }",
        "{ method = \"bdf\", order = 2 }",
    );
    let found = mistakes(&(bdf + CONTACTS)).to_string();
    assert!(found.contains("loads of joints and contacts"), "{found}");
}

const BALLS: &str = r#"
[[subsystem.body]]
name = "ball"
count = [2, 1, 3]
position = [3, 0, 0]
spacing = [0.5, 0, 0.25]
mass = 1.0
inertia = [0.01, 0.01, 0.01]

[[subsystem.contact]]
name = "pair"
type = "sphere-sphere"
between = ["ball*", "ball*"]
radii = [0.1, 0.1]
restitution = 0.1

[[subsystem.contact]]
name = "crossed"
type = "sphere-sphere"
between = ["ball1", "*b"]
radii = [0.1, 0.1]
restitution = 0.1

[[subsystem.contact]]
name = "floor"
type = "sphere-plane"
first = { body = "ground", point = [0, 0, -1], axis = [0, 0, 1] }
second = "ball*"
radius = 0.1
restitution = 0.3
friction = 0.2
"#;

/// A table of bodies and tables of contacts stand for what they say, one by one, and are written so.
#[test]
fn arrays_and_patterns_stand_for_many() {
    let whole = model(&(TEXT.to_owned() + BALLS));
    assert_eq!(model(&whole.to_toml()), whole);
    assert!(whole.build().is_ok());
    let SubsystemKind::Multibody(engine) = &whole.subsystems[0].kind else { panic!("no multibody") };
    let balls: Vec<_> = engine.bodies.iter().filter(|body| body.name.starts_with("ball")).collect();
    let place = |name: &str| balls.iter().find(|ball| ball.name == name).unwrap().position;
    assert_eq!(balls.len(), 6);
    assert_eq!((place("ball1"), place("ball2")), ([3.0, 0.0, 0.0], [3.5, 0.0, 0.0]));
    assert_eq!((place("ball3"), place("ball6")), ([3.0, 0.0, 0.25], [3.5, 0.0, 0.5]));
    let called = |prefix: &str| -> Vec<&str> {
        let names = engine.contacts.iter().map(|contact| contact.name.as_str());
        names.filter(|name| name.starts_with(prefix)).collect()
    };
    // Every pair once.
    assert_eq!(called("pair_").len(), 15);
    assert!(called("pair_").contains(&"pair_ball2_ball5") && !called("pair_").contains(&"pair_ball5_ball2"));
    assert_eq!(called("crossed_"), ["crossed_ball1_bob"]);
    assert_eq!(called("floor_").len(), 6);
}

/// The scatter of an array depends on the seed, and is no larger than it says.
#[test]
fn bodies_are_scattered_by_their_seed() {
    let places = |seed: u32| -> Vec<[f64; 3]> {
        let scattered = format!("spacing = [0.5, 0, 0.25]\nscatter = 0.01\nseed = {seed}\n");
        let text = TEXT.to_owned() + &BALLS.replacen("spacing = [0.5, 0, 0.25]\n", &scattered, 1);
        let whole = model(&text);
        let SubsystemKind::Multibody(engine) = &whole.subsystems[0].kind else { panic!("no multibody") };
        let balls = engine.bodies.iter().filter(|body| body.name.starts_with("ball"));
        balls.map(|ball| ball.position).collect()
    };
    assert_eq!(places(1), places(1));
    assert_ne!(places(1), places(2));
    for (k, [x, y, z]) in places(1).into_iter().enumerate() {
        let moved = [x - 3.0 - 0.5 * (k % 2) as f64, y, z - 0.25 * (k / 2) as f64];
        assert!(moved.iter().all(|moved| *moved != 0.0 && moved.abs() <= 0.01), "{moved:?}");
    }
}

#[test]
fn mistakes_of_arrays_and_patterns_are_told() {
    for (piece, replacement, expected) in [
        ("count = [2, 1, 3]\n", "", "spacing has no effect on a single body"),
        ("count = [2, 1, 3]", "count = [2, 0, 3]", "must be that of 1 to 10000 bodies"),
        ("count = [2, 1, 3]", "count = [2, 3]", "the numbers along x, y and z"),
        ("spacing = [0.5, 0, 0.25]\n", "", "spacing"),
        ("between = [\"ball*\", \"ball*\"]", "between = [\"ball*\", \"bale*\"]", "no body `bale*`"),
        ("between = [\"ball*\", \"ball*\"]", "between = [\"ball*\"]", "two patterns of bodies"),
        ("between = [\"ball1\", \"*b\"]", "between = [\"ball1\", \"ball1\"]", "joins a body to itself alone"),
        ("second = \"ball*\"", "second = \"wall*\"", "no body `wall*`"),
        ("name = \"pair\"", "name = \"bob\"", "the name `bob` is already used"),
        ("count = [2, 1, 3]", "count = [20, 1, 30]", "stands for more than 20000 pairs of bodies"),
    ] {
        let text = TEXT.to_owned() + &BALLS.replacen(piece, replacement, 1);
        assert_ne!(text, TEXT.to_owned() + BALLS);
        let found = mistakes(&text).to_string();
        assert!(found.contains(expected), "{expected}: {found}");
    }
}
