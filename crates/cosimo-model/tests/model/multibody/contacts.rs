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
        (
            "radii = [0.1, 0.1]\nrestitution",
            "capacity = 0\nradii = [0.1, 0.1]\nrestitution",
            "capacity is 0, must be at least 1",
        ),
        (
            "radii = [0.1, 0.1]\nrestitution",
            "capacity = 9\nradii = [0, 0]\nrestitution",
            "points do not touch",
        ),
        (
            "radii = [0.1, 0.1]\nrestitution",
            "capacity = 9\nradii = [0.8, 0.1]\nrestitution",
            "one inside the other at the start",
        ),
    ] {
        let text = TEXT.to_owned() + &BALLS.replacen(piece, replacement, 1);
        assert_ne!(text, TEXT.to_owned() + BALLS);
        let found = mistakes(&text).to_string();
        assert!(found.contains(expected), "{expected}: {found}");
    }
}

/// A table of many pairs is a pool, and so is one with a capacity; it is written as it is read, and says what it shows.
#[test]
fn tables_of_many_pairs_are_pools() {
    let many = TEXT.to_owned() + &BALLS.replacen("count = [2, 1, 3]", "count = [7, 1, 3]", 1);
    let whole = model(&many);
    assert_eq!(model(&whole.to_toml()), whole);
    assert!(whole.to_toml().contains("capacity = 168"), "{}", whole.to_toml());
    let SubsystemKind::Multibody(engine) = &whole.subsystems[0].kind else { panic!("no multibody") };
    let names: Vec<&str> = engine.contacts.iter().map(|contact| contact.name.as_str()).collect();
    // 210 pairs of 21 balls; the 21 with the floor are few.
    assert!(names.contains(&"pair") && names.contains(&"floor_ball21"), "{names:?}");
    let master = whole.build().unwrap();
    let subsystem = &master.subsystems()[0];
    assert_eq!(subsystem.description().pools[0].name, "pair");
    let built: Vec<String> = master.labels().iter().map(|label| label.name.clone()).collect();
    let said = whole.subsystems[0].kind.quantities();
    for name in ["pair.near", "pair.touching", "pair.force", "floor_ball1.gap"] {
        assert!(built.iter().any(|own| own == name) && said.iter().any(|own| own.name == name), "{name}");
    }
    assert!(!built.iter().any(|own| own.starts_with("pair.1")), "{built:?}");
    let few = TEXT.to_owned() + &BALLS.replacen("second = \"ball*\"", "second = \"ball*\"\ncapacity = 6", 1);
    assert!(model(&few).to_toml().contains("capacity = 6"));
}

/// Under a scheme every pair is a contact of its own, as far as there are not too many.
#[test]
fn schemes_have_no_pools() {
    let solver = "{ method = \"generalized-alpha\", spectral_radius = 0.7 }";
    let text = |balls: &str| TEXT.replace(solver, "{ scheme = \"moreau-jean\" }") + balls;
    let found = |balls: &str| mistakes(&text(balls)).to_string();
    let many = BALLS.replacen("count = [2, 1, 3]", "count = [20, 1, 30]", 1);
    assert!(found(&many).contains("stands for more than 20000 pairs of bodies"), "{}", found(&many));
    let pool = BALLS.replacen("radii = [0.1, 0.1]", "radii = [0.1, 0.1]\ncapacity = 9", 1);
    assert!(found(&pool).contains("capacity has no effect with a scheme"), "{}", found(&pool));
}

/// What only the complete model shows, by the names of the bodies and the key.
#[test]
fn starts_of_pools_are_checked_by_name() {
    for (replacement, expected) in [
        ("capacity = 9\nradii = [0.13, 0.13]", "pair ball3 on ball1` by a penetration of 1"),
        (
            "capacity = 2\nradii = [0.12, 0.12]",
            "contact `pair` has a capacity of 2, and 4 pairs of bodies may touch",
        ),
    ] {
        let text = TEXT.to_owned() + &BALLS.replacen("radii = [0.1, 0.1]", replacement, 1);
        let found = format!("{:?}", model(&text).build().err().unwrap());
        assert!(found.contains(expected), "{expected}: {found}");
    }
}
