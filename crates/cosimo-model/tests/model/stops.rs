//! Stops on ports of one coordinate.

use cosimo_master::NoObserver;
use cosimo_model::{LawSpec, SubsystemKind};

use super::{mistakes, model, warnings};

/// A door of 2 kg m² on a hinge about `z` that turns at 3 rad/s, and a stop on the angle.
fn door(stop: &str) -> String {
    format!(
        "schema = 1\n\
         time = {{ end = 1.0, step = 1e-2 }}\n\
         [[subsystem]]\n\
         name = \"door\"\n\
         kind = \"multibody\"\n\
         body = [{{ name = \"leaf\", mass = 1.0, inertia = [1.0, 1.0, 2.0], angular_velocity = [0, 0, 3.0] }}]\n\
         joint = [{{ name = \"hinge\", type = \"revolute\", bodies = [\"ground\", \"leaf\"], at = [0, 0, 0], axis = [0, 0, 1] }}]\n\
         sensor = [{{ name = \"angle\", type = \"angle\", first = {{ body = \"ground\", axis = [0, 0, 1], x = [1, 0, 0] }}, \
         second = {{ body = \"leaf\", axis = [0, 0, 1], x = [0.8, 0.6, 0] }} }}, \
         {{ name = \"place\", type = \"point\", body = \"leaf\" }}]\n\
         port = [{{ name = \"angle\", sensor = \"angle\" }}, {{ name = \"frame\", body = \"leaf\" }}]\n\
         [[stop]]\n\
         name = \"frame\"\n\
         {stop}\n"
    )
}

const STOP: &str = "on = \"door.angle\"\nlower = -1.0\nupper = 1.5\nrestitution = 0.5\ninertia = 1e-3";

#[test]
fn a_stop_is_a_subsystem_that_starts_where_its_port_does() {
    let model = model(&door(STOP));
    let SubsystemKind::Linear(stop) = &model.subsystems[1].kind else { panic!("{:?}", model.subsystems[1]) };
    let start = 0.6_f64.atan2(0.8);
    assert!((stop.position[0] - start).abs() < 1e-15 && (stop.velocity[0] - 3.0).abs() < 1e-15);
    assert_eq!(stop.angles, [0]);
    assert_eq!(stop.contacts.iter().map(|contact| contact.offset).collect::<Vec<_>>(), [-1.0, -1.5]);
    assert_eq!((&*model.interfaces[0].name, &model.interfaces[0].law), ("frame_joint", &LawSpec::Rigid));
    let (again, _) = cosimo_model::read_model("again.toml", &model.to_toml(), &[]).unwrap();
    assert_eq!(again, model);
}

/// The door turns freely, meets the upper limit, returns at half the speed, meets the lower one, returns at a quarter.
#[test]
fn a_coordinate_stays_between_the_limits_of_its_stop() {
    let mut master = model(&door(STOP)).build().unwrap();
    master.run(3.0, 1e-2, &mut NoObserver).unwrap();
    let start = 0.6_f64.atan2(0.8);
    let (first, second) = ((1.5 - start) / 3.0, 2.5 / 1.5);
    let angle = -1.0 + 0.75 * (3.0 - first - second);
    let found = master.subsystems()[1].rows();
    assert!((found.positions[0] - angle).abs() < 1e-9, "{} instead of {angle}", found.positions[0]);
    assert!((found.velocities[0] - 0.75).abs() < 1e-9, "{}", found.velocities[0]);
}

/// A stop has the solver that a rigid joint to its port needs.
#[test]
fn a_stop_is_stepped_as_its_port_is() {
    for (solver, rate) in [
        ("theta", 1.5),
        ("multistep", 1.5),
        ("generalized-alpha", 1.5),
        ("implicit-euler", 1.5),
        ("hht", 1.5),
    ] {
        let text = door(STOP)
            .replace("kind = \"multibody\"", &format!("kind = \"multibody\"\nsolver = \"{solver}\""));
        let mut master = model(&text).build().unwrap();
        master.run(1.0, 1e-2, &mut NoObserver).unwrap();
        let found = master.subsystems()[1].rows().velocities[0];
        assert!((found + rate).abs() < 1e-6, "{solver}: {found}");
    }
}

#[test]
fn stops_that_cannot_be_are_named() {
    for (from, to, expected) in [
        ("lower = -1.0\nupper = 1.5\n", "", "has no limit"),
        ("lower = -1.0", "lower = 2.0", "lower = 2 is not below upper = 1.5"),
        ("door.angle", "door.angel", "no port of subsystem `door` named `angel`"),
        ("door.angle", "door.frame", "a stop is on a port of one coordinate, `door.frame` is 6 coordinates"),
        ("restitution = 0.5", "restitution = 1.5", "restitution"),
        ("inertia = 1e-3", "inertia = 0.0", "inertia"),
        ("inertia = 1e-3", "", "inertia"),
        ("inertia = 1e-3", "inertia = 1e-3\nfriction = 0.1", "friction"),
    ] {
        let found = mistakes(&door(&STOP.replace(from, to))).to_string();
        assert!(found.contains(expected), "`{expected}` is not in\n{found}");
    }
}

#[test]
fn a_stop_that_is_heavy_for_its_port_is_told() {
    assert_eq!(warnings(&door(STOP)), "");
    let found = warnings(&door(&STOP.replace("inertia = 1e-3", "inertia = 0.5")));
    assert!(found.contains("stop `frame` adds 25.000 % to the inertia at its port"), "{found}");
    assert!(found.contains("give an inertia below 2.0e-2"), "{found}");
}

#[test]
fn ports_of_sensors_are_looked_up() {
    let port = "port = [{ name = \"angle\", sensor = \"angle\" }";
    for (to, expected) in [
        ("port = [{ name = \"angle\", sensor = \"angel\" }", "did you mean `angle`?"),
        (
            "port = [{ name = \"angle\", sensor = \"place\" }",
            "sensor of a distance, a displacement or an angle",
        ),
        (
            "port = [{ name = \"angle\", sensor = \"angle\", point = [0, 0, 0] }",
            "belongs to a port of a body",
        ),
    ] {
        let found = mistakes(&door(STOP).replace(port, to)).to_string();
        assert!(found.contains(expected), "`{expected}` is not in\n{found}");
    }
}
