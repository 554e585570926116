//! Mistakes that reading finds, each at its line.

use super::{assert_refused, assert_refused_at, with};
use crate::mistakes;

#[test]
fn bodies_must_be_bodies() {
    assert_refused("mass = 2.0", "mass = 0.0", "mass is 0.0, must be positive");
    assert_refused("mass = 2.0", "mass = -1", "mass is -1, must be positive");
    assert_refused("mass = 2.0", "mass = 1e-320", "mass is 1e-320, must be 2.3e-308 or more");
    assert_refused(
        "inertia = [1e-2, 1e-2, 1e-2]",
        "inertia = [1e-310, 1e-310, 1e-310]",
        "is 1e-310 kg m², must be 2.3e-308 or more",
    );
    assert_refused("mass = 2.0", "mass = inf", "mass is inf, must be finite");
    assert_refused("inertia = [1e-2, 1e-2, 1e-2]", "inertia = [0, 0, 0]", "inertia is that of no body");
    assert_refused(
        "inertia = [1e-2, 1e-2, 1e-2]",
        "inertia = [1e-2, 1e-2, -1e-2]",
        "inertia is that of no body",
    );
    assert_refused("inertia = [1e-2, 1e-2, 1e-2]", "inertia = [1e-2, 1e-2, 3e-2]", "exceeds the sum");
    assert_refused(
        "inertia = [1e-2, 1e-2, 1e-2]",
        "inertia = [1e-2, 1e-2]",
        "inertia has 2 entries, must have 3",
    );
    assert_refused(
        "position = [0.5, 0, 0]",
        "position = [0.5, nan, 0]",
        "position[1] is nan, must be finite",
    );
    assert_refused("name = \"bob\"", "name = \"ground\"", "the name `ground` stands for the world");
    assert_refused("name = \"bob\"", "name = \"rod\"", "the name `rod` is already used (line 18)");
    let twice = crate::mistakes(&with("name = \"bob\"", "name = \"pin\"")).to_string();
    assert!(twice.contains("the name `pin` is already used (line 31)"), "{twice}");
}

#[test]
fn orientations_must_be_unit_quaternions() {
    let orientation = "orientation = { axis = [0, 0, 1], angle = 1.5707963267948966 }";
    let found = mistakes(&with(orientation, "orientation = [1, 0, 0, 1]")).to_string();
    assert!(found.contains("orientation is a quaternion of length 1.414"), "{found}");
    assert!(
        found.contains("help: the rotation that it stands for is [0.70710678, 0.0, 0.0, 0.70710678]"),
        "{found}"
    );
    assert_refused(orientation, "orientation = [0, 0, 0, 0]", "of length 0, must be of length 1");
    assert_refused(
        orientation,
        "orientation = { axis = [0, 0, 0], angle = 1 }",
        "axis is [0, 0, 0], must be a direction",
    );
    assert_refused(orientation, "orientation = 1.0", "expected a unit quaternion");
    // Six digits are enough.
    crate::model(&with(orientation, "orientation = [0.707107, 0, 0, 0.707107]"));
}

#[test]
fn joints_must_join_two_bodies_that_exist() {
    let wrist = "bodies = [\"rod\", \"slider\"]";
    let found = mistakes(&with(wrist, "bodies = [\"rot\", \"slider\"]")).to_string();
    assert!(found.contains("no body `rot`") && found.contains("did you mean `rod`?"), "{found}");
    assert_refused(wrist, "bodies = [\"rod\", \"rod\"]", "bodies joins a body to itself");
    assert_refused(wrist, "bodies = [\"rod\"]", "bodies has 1 entry, must have 2");
    let second = "second = { body = \"rod\", axis = [0, 1, 0] }";
    assert_refused(
        second,
        "second = { body = \"crank\", axis = [0, 1, 0] }",
        "joint `pin` of subsystem `engine` joins a body to itself",
    );
    assert_refused(second, "second = { body = \"rod\" }", "missing key `axis` in second of joint `pin`");
    assert_refused(
        second,
        "second = { body = \"rod\", axis = [0, 1, 0], pont = [0, 0, 0] }",
        "unknown key `pont`",
    );
    assert_refused("type = \"spherical\"", "type = \"ball\"", "no type `ball`");
    assert_refused(
        "[[subsystem.joint]]\nname = \"main\"\ntype = \"revolute\"\nbodies = [\"ground\", \"crank\"]\nat = [0, 0, 0]\n",
        "[[subsystem.joint]]\nname = \"main\"\ntype = \"revolute\"\n",
        "must have either `bodies` and `at`",
    );
}

#[test]
fn keys_that_have_no_effect_are_refused() {
    let wrist = "type = \"spherical\"";
    assert_refused_at(
        1,
        wrist,
        "type = \"spherical\"\naxis = [0, 0, 1]",
        "axis has no effect on joint `wrist`",
    );
    assert_refused_at(1, wrist, "type = \"spherical\"\nmotion = 1.0", "motion belongs to joints of type");
    assert_refused_at(1, wrist, "type = \"spherical\"\nspeed = 1.0", "speed belongs to joints of type");
    let driven = "type = \"displacement\"\naxis = [0, 0, 1]\nspeed = 1.0\nmotion = 1.0";
    assert_refused_at(3, wrist, driven, "give either `motion` or `speed`");
    assert_refused_at(
        1,
        "axis = [1, 0, 0]",
        "axis = [1, 0, 0]\nx = [0.6, 0.8, 0]",
        "x is not at right angles to the axis",
    );
    assert_refused_at(
        1,
        "restitution = 0.5",
        "restitution = 0.5\ndamping = 1.0",
        "damping does not belong to law = \"flores\"",
    );
    assert_refused_at(1, "restitution = 0.5", "restitution = 0.5\nexponnt = 1.0", "unknown key `exponnt`");
}

#[test]
fn forces_must_make_sense() {
    let points = "at = [[1, 0, 0], [0.5, 0, 0]]";
    assert_refused(
        points,
        "at = [0.5, 0, 0]",
        "force `return` of subsystem `engine` joins two points that coincide",
    );
    assert_refused(points, "at = [[1, 0, 0]]", "at has 1 entry, must have 2");
    assert_refused(
        "stiffness = 100.0",
        "stiffness = -100.0",
        "stiffness is -100.0, must be zero or positive",
    );
    assert_refused("restitution = 0.5", "restitution = 0.0", "must be in (0, 1] with the law of Flores");
    assert_refused("restitution = 0.5", "restitution = 1e-320", "restitution is 1e-320, must be 2.3e-308");
    assert_refused("law = \"flores\"", "law = \"florez\"", "no law `florez`");
    let found = mistakes(&with(
        "type = \"spring\"\nbodies = [\"ground\", \"slider\"]",
        "type = \"spring\"\nbodies = [\"grond\", \"sliver\"]",
    ));
    let text = found.to_string();
    assert!(text.contains("no body `grond`") && text.contains("did you mean `ground`?"), "{text}");
    assert!(text.contains("no body `sliver`") && text.contains("did you mean `slider`?"), "{text}");
    assert_eq!(found.error_count(), 2);
}

/// A load on what does not exist is reported at its line, with the name that is near.
#[test]
fn loads_act_on_bodies_that_exist() {
    let load = "[[subsystem.load]]\nbody = \"crank\"\nmoment_axis = [0, 1, 0]";
    let on = |body: &str| load.replace("body = \"crank\"", body);
    assert_refused_at(1, load, &on("body = \"cranc\""), "no body `cranc`");
    let text = mistakes(&with(load, &on("body = \"cranc\""))).to_string();
    assert!(text.contains("help: did you mean `crank`?"), "{text}");
    let text = mistakes(&with(load, &on("body = \"wheel\""))).to_string();
    assert!(text.contains("no body `wheel`") && text.contains("help: known: `crank`"), "{text}");
    assert_refused_at(1, load, &on("body = \"ground\""), "no body `ground`");
    assert_refused(load, &on(""), "missing key `body` in load[0] of subsystem `engine`");
    let force = on("body = \"crank\"\npoint = [0, 1]").replace("moment_axis", "direction");
    assert_refused_at(2, load, &force, "point has 2 entries, must have 3");
    assert_refused_at(2, load, &on("body = \"crank\"\ncoordinate = 0"), "unknown key `coordinate`");
    assert_refused(
        load,
        &load.replace("moment_axis = [0, 1, 0]", ""),
        "missing key `direction` in load[0] of subsystem `engine`",
    );
}

#[test]
fn ports_loads_and_sensors_name_bodies_that_exist() {
    let port = "name = \"nose\"\nbody = \"slider\"";
    assert_refused_at(1, port, "name = \"nose\"\nbody = \"sliderr\"", "no body `sliderr`");
    assert_refused_at(1, port, "name = \"nose\"\nbody = \"ground\"", "no body `ground`");
    assert_refused_at(
        1,
        "moment_axis = [0, 1, 0]",
        "moment_axis = [0, 1, 0]\ndirection = [1, 0, 0]",
        "direction",
    );
    let sensor = "[[subsystem.sensor]]\nname = \"turn\"\ntype = \"angle\"\nbodies = [\"ground\", \"crank\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\n";
    assert_refused_at(3, sensor, &sensor.replace("\"crank\"", "\"cranc\""), "no body `cranc`");
    assert_refused_at(2, sensor, &sensor.replace("\"angle\"", "\"angel\""), "no type `angel`");
}

#[test]
fn solvers_and_formulations_must_fit() {
    let solver = "solver = { method = \"generalized-alpha\", spectral_radius = 0.7 }";
    assert_refused(solver, "solver = { method = \"hht\", alpha = 0.1 }", "alpha is 0.1, must be in [-0.333");
    assert_refused(solver, "solver = \"newmarc\"", "no solver `newmarc`");
    assert_refused(
        solver,
        "solver = \"theta\"",
        "goes with formulation = \"stabilised-index-2\" or \"index-2\"",
    );
    // Without a solver it is the formulation that is wrong.
    let default = with(&format!("{solver}\nformulation = \"index-3\""), "formulation = \"index-1\"");
    let found = mistakes(&default).to_string();
    assert!(found.contains("impose velocities") && found.contains("model.toml:8:15: "), "{found}");
    assert_refused(solver, "solver = { method = \"theta\", theta = 1 }", "\"implicit-euler\" is theta = 1");
    assert_refused(solver, "solver = { method = \"implicit-euler\", order = 1 }", "unknown key `order`");
    assert_refused("formulation = \"index-3\"", "formulation = \"index-4\"", "no formulation `index-4`");
    let index_3 = format!("{solver}\nformulation = \"index-3\"");
    let adaptive = "solver = \"adaptive-bdf\"\nformulation = \"index-3\"";
    assert_refused(&index_3, adaptive, "its steps change");
    // Ports have loads, which points before the start and steps that follow the error know nothing of.
    for (method, reason) in [
        ("\"bdf\"", "points before the start"),
        ("{ method = \"bdf\", order = 5 }", "points before the start"),
        ("\"adaptive-bdf\"", "chooses its own steps"),
    ] {
        assert_refused(&index_3, &format!("solver = {method}"), reason);
    }
    let node =
        "schema=1\ntime={end=1,step=0.1}\n[[subsystem]]\nname='a'\nkind='node'\nmass=1\nsolver='hht'\n";
    assert!(mistakes(node).to_string().contains("this solver is for kind = \"multibody\""));
}

#[test]
fn parameters_of_rules_and_formulations_are_checked() {
    let solver = "solver = { method = \"generalized-alpha\", spectral_radius = 0.7 }";
    let formulation = "formulation = \"index-3\"";
    for (piece, replacement, expected) in [
        (solver, "solver = { method = \"bdf\", order = 6 }", "order is 6, must be 1, 2, 3, 4 or 5"),
        (solver, "solver = { method = \"bdf\", order = 0 }", "order is 0, must be 1, 2, 3, 4 or 5"),
        (
            solver,
            "solver = { method = \"bdf\", order = 2.5 }",
            "order is the number 2.5, expected a whole number",
        ),
        (solver, "solver = { method = \"bdf\", oder = 2 }", "unknown key `oder`"),
        (
            solver,
            "solver = { method = \"adaptive-bdf\", error_tolerance = -1e-6 }",
            "error_tolerance is -1e-6, must be positive",
        ),
        (
            solver,
            "solver = { method = \"adaptive-bdf\", largest_order = 7 }",
            "largest_order is 7, must be 1",
        ),
        (formulation, "formulation = \"index3\"", "no formulation `index3`"),
        (formulation, "formulation = \"baumgarte\"", "formulation \"baumgarte\" needs alpha and beta"),
        (
            formulation,
            "formulation = { method = \"baumgarte\", beta = 5 }",
            "missing key `alpha` in the formulation",
        ),
        (
            formulation,
            "formulation = { method = \"baumgarte\", alpha = -5, beta = 5 }",
            "alpha is -5, must be zero or positive",
        ),
        (formulation, "formulation = { method = \"index-2\", alpha = 5 }", "unknown key `alpha`"),
        (formulation, "formulation = 3", "formulation is the integer 3, expected \"index-3\" or"),
        (formulation, "newton = \"exact\"", "no newton `exact`"),
        (formulation, "max_iterations = 0", "max_iterations is 0, must be at least 1"),
        (formulation, "tolerance = -1e-9", "tolerance is -1e-9, must be positive"),
    ] {
        assert_refused(piece, replacement, expected);
    }
}

#[test]
fn all_mistakes_are_found_in_one_go() {
    let text = with("mass = 2.0", "mass = -2.0")
        .replace("bodies = [\"rod\", \"slider\"]", "bodies = [\"rod\", \"silder\"]")
        .replace("stiffness = 100.0", "stifness = 100.0")
        .replace("law = \"flores\"", "law = \"flors\"");
    let found = mistakes(&text);
    assert_eq!(found.error_count(), 5, "{found}");
}
