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
