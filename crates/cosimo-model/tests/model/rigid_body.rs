//! Rigid bodies in space.

use cosimo_model::{BodyPortShape, MatrixSpec, SubsystemKind};

use crate::{mistakes, model};

const TEXT: &str = r#"
schema = 1
time = { end = 0.1, step = 1e-2 }

[[subsystem]]
name = "rotor"
kind = "rigid-body"
mass = 2.0
inertia = [0.1, 0.2, 0.25]
orientation = [2, 0, 0, 0]
angular_velocity = [0, 0, 5]

[[subsystem.port]]
name = "hub"
point = [0, 0, 0.5]

[[subsystem.port]]
name = "tip"
coordinates = 3

[[subsystem.port]]
name = "side"
direction = [0, 3, 4]

[[subsystem]]
name = "disc"
kind = "rigid-body"
mass = 1.0
inertia = [[0.1, 0.01, 0], [0.01, 0.1, 0], [0, 0, 0.15]]
position = [0, 0, 0.5]
angular_velocity = [0, 0, 5]

[[interface]]
name = "shaft"
between = ["rotor.hub", "disc.centre"]
law = "rigid"
"#;

fn refused(old: &str, new: &str) -> String {
    assert!(TEXT.contains(old), "{old}");
    mistakes(&TEXT.replacen(old, new, 1)).to_string()
}

#[test]
fn bodies_are_read_printed_and_built() {
    let spec = model(TEXT);
    let SubsystemKind::RigidBody(rotor) = &spec.subsystems[0].kind else {
        panic!("{:?}", spec.subsystems[0])
    };
    assert_eq!(rotor.inertia, MatrixSpec::Diagonal(vec![0.1, 0.2, 0.25]));
    assert_eq!(rotor.ports[0].shape, BodyPortShape::Frame([1.0, 0.0, 0.0, 0.0]));
    assert_eq!(rotor.ports[1].shape, BodyPortShape::Point);
    assert_eq!(rotor.ports[2].shape, BodyPortShape::Along([0.0, 3.0, 4.0]));
    assert_eq!(model(&spec.to_toml()), spec);
    let mut master = spec.build().unwrap();
    let names: Vec<_> = spec.quantities().into_iter().map(|q| (q.name, q.unit.to_owned())).collect();
    let labels = master.labels();
    let found: Vec<_> = labels.iter().map(|l| (format!("{}.{}", l.owner, l.name), l.unit.clone())).collect();
    assert_eq!(found, names);
    (0..10).for_each(|_| assert!(master.step(1e-2).is_ok()));
    let orientation = master.subsystems()[1].rows().orientations[0];
    assert!((orientation.angle() - 0.5).abs() < 1e-6, "{orientation}");
}

#[test]
fn mistakes_in_bodies_are_found() {
    for (old, new, expected) in [
        ("[0.1, 0.2, 0.25]", "[0.1, 0.2, 0.35]", "exceeds the sum"),
        ("orientation = [2, 0, 0, 0]", "orientation = [0, 0, 0, 0]", "not all zero"),
        ("orientation = [2, 0, 0, 0]", "solver = \"multistep\"", "cannot be stepped by the solver"),
        ("orientation = [2, 0, 0, 0]", "solver = { theta = 0.7 }", "cannot be stepped by the solver"),
        ("coordinates = 3", "coordinates = 2", "3 or 6"),
        ("coordinates = 3", "coordinates = 3\norientation = [1, 0, 0, 0]", "this one has 3"),
        ("law = \"rigid\"", "law = \"rigid\"\noffset = [0.1, 0, 0, 0, 0, 0]", "do not coincide"),
    ] {
        let text = refused(old, new);
        assert!(text.contains(expected), "{new}: {text}");
    }
}
