//! Interfaces between all ports that patterns match.

use super::{mistakes, model};

/// Two masses of three coordinates with a port each, and one of all, joined by what `between` says.
fn masses(between: &str) -> String {
    let mass = |name: &str, ports: [&str; 3]| {
        let ports: String = ports
            .iter()
            .enumerate()
            .map(|(k, port)| format!("{{ name = \"{port}\", coordinates = [{k}] }}, "))
            .collect();
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"linear\"\nmass = [1.0, 1.0, 1.0]\nport = [{ports}{{ name = \"all\", coordinates = [0, 1, 2] }}]\n"
        )
    };
    let (left, right) = (mass("left", ["a_0", "a_1", "b"]), mass("right", ["c_0", "c_1", "c_2"]));
    format!(
        "schema = 1\ntime = {{ end = 1.0, step = 0.1 }}\n{left}{right}\
         [[interface]]\nname = \"joint\"\nbetween = {between}\nlaw = \"compliant\"\nstiffness = 10.0\n"
    )
}

#[test]
fn a_pattern_stands_for_an_interface_a_port() {
    let model = model(&masses("[\"left.a_*\", \"right.c_*\"]").replace("\"c_2\"", "\"d\""));
    let found: Vec<_> =
        model.interfaces.iter().map(|own| (own.name.as_str(), own.between.map(|side| side.port))).collect();
    assert_eq!(found, [("joint_0", [0, 0]), ("joint_1", [1, 1])]);
    let (again, _) = cosimo_model::read_model("again.toml", &model.to_toml(), &[]).unwrap();
    assert_eq!(again, model);
    model.build().unwrap();
}

#[test]
fn patterns_that_do_not_fit_are_named() {
    for (between, expected) in [
        (
            "[\"left.a_*\", \"right.c_*\"]",
            "the patterns match different numbers of ports: `left.a_*` 2, `right.c_*` 3",
        ),
        ("[\"left.x*\", \"right.c_*\"]", "matches no port of subsystem `left`"),
        ("[\"left.al*\", \"right.c_0*\"]", "the ports differ in size: `left.all` has 3 coordinates"),
        ("[\"left.*\", \"right.*\"]", "matches ports of different sizes"),
        ("[\"lft.*\", \"right.*\"]", "did you mean `left`?"),
    ] {
        let found = mistakes(&masses(between)).to_string();
        assert!(found.contains(expected), "`{expected}` is not in\n{found}");
    }
}
