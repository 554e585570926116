//! Mistakes that do not depend on each other are found together.

use super::{BASE, base_with, mistakes};

/// Asserts that a text has these mistakes and no others; each expected text stands in one of them.
#[track_caller]
fn assert_mistakes(text: &str, expected: &[&str]) {
    let found = mistakes(text);
    let all = found.to_string();
    for message in expected {
        assert!(all.contains(message), "`{message}` is not in\n{all}");
    }
    assert_eq!(found.error_count(), expected.len(), "{all}");
}

/// The base text with pieces replaced.
#[track_caller]
fn base_with_all(changes: &[(&str, &str)]) -> String {
    changes.iter().fold(BASE.to_owned(), |text, (piece, replacement)| {
        assert!(text.contains(piece), "`{piece}`");
        text.replacen(piece, replacement, 1)
    })
}

#[test]
fn an_unknown_port_hides_nothing_of_its_interface() {
    let interface = "law = \"compliant\"\nstiffness = 1e3";
    let wrong = "law = \"compliant\"\nstiffness = -5\ndamping = -1\noffset = [0, 0]";
    let text = base_with_all(&[
        ("\"chain.mean\"", "\"chain.maen\""),
        (interface, wrong),
        ("\"rotor.rod.angle\"", "\"rotor.rod.agle\""),
    ]);
    let expected = [
        "no port of subsystem `chain` named `maen`",
        "stiffness is -5.0 for coordinate 0",
        "damping is -1.0 for coordinate 0",
        "offset has 2 entries, must have 1",
        "no quantity `rotor.rod.agle`",
    ];
    assert_mistakes(&text, &expected);
    // Where no port is known, the numbers still are.
    let text = text.replace("\"ball.top\"", "\"bal.top\"");
    assert_mistakes(&text, &["no subsystem `bal`", expected[0], expected[1], expected[2], expected[4]]);
}

#[test]
fn a_wrong_length_hides_no_wrong_entry() {
    let text = base_with("stiffness = 1e3", "stiffness = [-5, 3]");
    assert_mistakes(&text, &["stiffness has 2 entries, must have 1", "stiffness[0] is -5.0"]);
    let text = base_with("mass = [1.0, 2.0, 3.0]", "mass = [1.0, -2.0]");
    assert_mistakes(&text, &["mass has 2 entries, must have 3", "mass[1] is -2.0, must be positive"]);
}

#[test]
fn unknown_coordinates_hide_no_wrong_entry() {
    let text = base_with_all(&[
        ("coordinates = [\"x0\", \"x1\", \"x2\"]", "coordinates = [\"x0\", \"x1\", 2]"),
        ("mass = [1.0, 2.0, 3.0]", "mass = [1.0, -2.0, 3.0]"),
    ]);
    assert_mistakes(&text, &["coordinates[2] is the integer 2", "mass[1] is -2.0, must be positive"]);
}

#[test]
fn an_unknown_law_hides_no_wrong_parameter() {
    let text = base_with_all(&[
        ("law = \"compliant\"", "law = \"complaint\""),
        ("stiffness = 1e3", "stiffness = -1e3\nconstant = 0\nstifness = 1"),
    ]);
    let expected = ["no law `complaint`", "stiffness is -1000.0", "constant is 0", "unknown key `stifness`"];
    assert_mistakes(&text, &expected);
}

#[test]
fn an_unknown_kind_hides_nothing_that_all_kinds_have() {
    let wrong =
        "kind = \"nod\"\nsolver = { method = \"theta\", theta = 2 }\nmicro_steps = 0\ncoupling = \"exct\"";
    let text = base_with("kind = \"node\"", wrong);
    let expected = [
        "no kind `nod`; the other keys of this subsystem are checked once it has one of",
        "theta is 2",
        "micro_steps is 0",
        "no coupling `exct`",
    ];
    assert_mistakes(&text, &expected);
}

#[test]
fn quantities_are_looked_up_beside_parts_whose_quantities_are_not_known() {
    let quantities = "[\"ball.*\", \"chain.x1\", \"rotor.rod.angle\", \"spring.force\", \"joint.*\"]";
    let wrong = "[\"ball.*\", \"ball.nothing\", \"chain.nothing\", \"*.nothing\", \"chian.x1\"]";
    let plot = "[\"ball.z\", \"chain.x1\"]";
    let record = [(quantities, wrong), (plot, "[]")];
    // Of `ball` nothing is known, of `chain` everything.
    let text = base_with_all(&[record[0], record[1], ("kind = \"node\"", "kind = \"nod\"")]);
    assert_mistakes(&text, &["no kind `nod`", "no quantity `chain.nothing`", "no quantity `chian.x1`"]);
    // Without its name it may be any that is not known.
    let text =
        base_with_all(&[record[0], record[1], ("name = \"ball\"", "name = 1"), ("ball.top", "ball.top")]);
    let found = mistakes(&text).to_string();
    assert!(found.contains("no quantity `chain.nothing`"), "{found}");
    assert!(!found.contains("no quantity `chian.x1`") && !found.contains("ball.nothing`"), "{found}");
}

#[test]
fn a_wrong_number_causes_no_other_mistakes() {
    let law = "restitution = 0.8";
    let text = base_with_all(&[
        (law, "restitution = 0.8\nfriction = -0.5\nfacets = 8\ntangential_restitution = 0.5"),
        ("radius = 0.25", "radius = 0.25\ninertia = -1\nangular_velocity = [0, 0, 1]"),
        ("[\"ball.*\",", "[\"ball.floor.slip_0\", \"ball.wx\", \"ball.*\","),
    ]);
    assert_mistakes(&text, &["friction is -0.5", "inertia is -1"]);
}

#[test]
fn mistakes_in_settings_of_the_master_are_found_together() {
    let wrong = "scheme = \"jacobi\"\ntolerance = \"small\"\nmax_iterations = 0\nthreads = -1\ntangent = \"forzen\"\n\
                 acceleration = { method = \"iqn-ils\", reuse = 1.5, filter = 2.0, first = 1 }\n\
                 energy_tolerence = 1\ndeadline = 0";
    let text = base_with("scheme = \"condensed\"\ntolerance = 1e-8", wrong);
    let expected = [
        "model.toml:10:13: tolerance is the string \"small\", expected a number",
        "model.toml:11:18: max_iterations is 0, must be at least 1",
        "model.toml:12:11: threads is -1, must be a whole number",
        "model.toml:13:11: no tangent `forzen`\n",
        "model.toml:14:46: acceleration.reuse is the number 1.5, expected a whole number",
        "model.toml:14:60: acceleration.filter is 2.0, must be in [0, 1)",
        "model.toml:14:65: unknown key `first` in the acceleration",
        "model.toml:15:1: unknown key `energy_tolerence` in [master]",
        "model.toml:16:12: deadline is 0, must be positive",
    ];
    assert_mistakes(&text, &expected);
}

#[test]
fn settings_that_do_not_go_together_are_told_beside_wrong_numbers() {
    let wrong = "scheme = \"jacobi\"\nimpacts = \"sub-step\"\ntangent = \"frozen\"\nthreads = 0";
    let text = base_with("scheme = \"condensed\"", wrong);
    let expected = [
        "model.toml:10:11: impacts is \"sub-step\", which scheme = \"jacobi\" cannot do",
        "model.toml:11:11: tangent is \"frozen\", but there is no tangent in scheme = \"jacobi\"",
        "model.toml:12:11: threads is 0, must be at least 1",
    ];
    assert_mistakes(&text, &expected);
}
