//! What stands in a placed instance goes with it, in every axis, or is refused by name.

use nalgebra::{UnitQuaternion, Vector3};

use super::{mistakes, model};

/// The head of a model, with what `place` says of its one instance.
fn instance(template: &str, place: &str) -> String {
    format!(
        "schema = 1\ntime = {{ end = 0.5, step = 1e-3 }}\n[[template]]\nname = \"t\"\n{template}\n[[subsystem]]\nname = \"s\"\n\
         kind = \"multibody\"\n[[subsystem.instance]]\ntemplate = \"t\"\n{place}\n"
    )
}

/// Mirrors, turns, and both.
fn places() -> Vec<(String, Vector3<f64>, UnitQuaternion<f64>)> {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(0.3, 0.5, -0.7));
    let written = format!("orientation = [{:?}, {:?}, {:?}, {:?}]", turn.w, turn.i, turn.j, turn.k);
    let mut places = Vec::new();
    for (mirror, signs) in [
        ("", [1.0, 1.0, 1.0]),
        ("mirror = \"x\"\n", [-1.0, 1.0, 1.0]),
        ("mirror = \"y\"\n", [1.0, -1.0, 1.0]),
        ("mirror = \"z\"\n", [1.0, 1.0, -1.0]),
    ] {
        places.push((mirror.to_owned(), signs.into(), UnitQuaternion::identity()));
        places.push((format!("{mirror}{written}"), signs.into(), turn));
    }
    places
}

/// A point `s.mark` moves as its image under every placement, and the quantities of these names are the same.
fn assert_goes_with(template: &str, same: &[&str]) {
    let run = |place: &str| {
        let (_, of) = super::building::run(&model(&instance(template, place)));
        let mark = Vector3::from(["x", "y", "z"].map(|axis| of(&format!("s.mark.{axis}"))));
        (mark, same.iter().map(|name| of(name)).collect::<Vec<_>>())
    };
    let (mark, numbers) = run("");
    for (place, signs, turn) in places() {
        let (found, own) = run(&place);
        let expected = turn * mark.component_mul(&signs);
        assert!((found - expected).norm() < 1e-9, "{place}: {found} {expected}");
        for ((name, own), number) in same.iter().zip(own).zip(&numbers) {
            assert!((own - number).abs() < 1e-9, "{place}: {name} is {own}, {number} in place");
        }
    }
}

/// A body with a mark.
const BODY: &str = r#"
[[template.body]]
name = "m"
mass = 1.0
inertia = [1, 2, 2.5]
velocity = [1, 0.5, -0.3]
angular_velocity = [0.3, 0.2, -0.1]
[[template.sensor]]
name = "mark"
type = "point"
body = "m"
point = [0.1, 0.2, 0.3]
"#;

#[test]
fn frames_whose_first_axis_is_not_given_go_with_their_instance() {
    for axis in ["", "axis = [1, 2, 0.5]"] {
        assert_goes_with(
            &format!(
                "{BODY}[[template.force]]\nname = \"k\"\ntype = \"bushing\"\nbodies = [\"ground\", \"m\"]\nat = [0, 0, 0]\n{axis}\n\
                 stiffness = [100, 10, 1, 1, 2, 3]\n"
            ),
            &[],
        );
    }
}

/// A hinge whose angle counts, by frames without first axis.
const HINGE: &str = r#"
[[template.body]]
name = "m"
mass = 1.0
inertia = [1, 1, 1]
[[template.joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "m"]
at = [0, 0, 0]
axis = [0, 1, 2]
[[template.sensor]]
name = "angle"
type = "angle"
first = { body = "ground", axis = [0, 1, 2] }
second = { body = "m", axis = [0, 1, 2] }
[[template.force]]
name = "coil"
type = "torsion-spring"
first = { body = "ground", axis = [0, 1, 2] }
second = { body = "m", axis = [0, 1, 2] }
stiffness = 10.0
angle = 0.2
[[template.sensor]]
name = "mark"
type = "point"
body = "m"
point = [0.1, 0.2, 0.3]
"#;

#[test]
fn angles_start_where_they_do_in_place() {
    assert_goes_with(HINGE, &["s.angle.angle"]);
    // A fixed joint by frames holds at the start.
    let fixed = r#"
[[template.joint]]
name = "f"
type = "fixed"
first = { body = "ground", axis = [0, 1, 2] }
second = { body = "m", axis = [0, 1, 2] }
"#;
    let at_rest: Vec<&str> = BODY.lines().filter(|line| !line.contains("velocity")).collect();
    assert_goes_with(&format!("{}{fixed}", at_rest.join("\n")), &[]);
}

/// A beam with a body at its end, welded by frames without first axis.
#[test]
fn nodes_of_beams_and_bodies_have_mirrored_frames_alike() {
    for (law, joint) in
        [("force", "type = \"torsion-spring\"\nstiffness = 1.0\nangle = 0.1"), ("joint", "type = \"fixed\"")]
    {
        for axis in ["[1, 0, 0]", "[0, 0, 1]"] {
            let template = format!(
                r#"
[[template.beam]]
name = "blade"
length = 1.0
elements = 2
[template.beam.section]
mass = 1.0
second_moment = [1e-4, 1e-4, 0]
axial = 1e5
torsion = 10.0
bending = [10.0, 20.0]
[[template.joint]]
name = "root"
type = "fixed"
bodies = ["ground", "blade.0"]
at = [0, 0, 0]
[[template.body]]
name = "tip"
mass = 1.0
inertia = [1, 1, 1]
position = [1, 0, 0]
[[template.load]]
body = "tip"
direction = [0, 1, 2]
value = 0.3
[[template.{law}]]
name = "weld"
{joint}
first = {{ body = "blade.2", axis = {axis} }}
second = {{ body = "tip", axis = {axis} }}
[[template.sensor]]
name = "mark"
type = "point"
body = "blade.2"
point = [0.1, 0.2, 0.3]
"#
            );
            assert_goes_with(&template, &[]);
        }
    }
}

/// A grid of bodies, scattered, that fly.
#[test]
fn arrays_go_with_their_instance() {
    let array = BODY.replacen(
        "mass = 1.0\n",
        "mass = 1.0\ncount = [2, 2, 1]\nspacing = [0.5, 0.7, 1]\nscatter = 0.05\nposition = [0, 0, 1]\n",
        1,
    );
    assert_goes_with(&array.replace("body = \"m\"", "body = \"m4\""), &[]);
}

/// Names of members of arrays, patterns of them, and names of instances within, are those of the instance.
#[test]
fn patterns_and_members_are_those_of_the_instance() {
    let text = r#"schema = 1
time = { end = 0.01, step = 1e-3 }
[[template]]
name = "balls"
[[template.body]]
name = "ball"
count = 3
spacing = [0.3, 0, 0]
mass = 1.0
inertia = [1, 1, 1]
position = [0, 0, 1]
[[template.contact]]
name = "floor"
type = "sphere-plane"
first = { body = "ground", axis = [0, 0, 1] }
second = "PATTERN"
radius = 0.1
restitution = 0.5
[[template.sensor]]
name = "last"
type = "point"
body = "ball3"
[[template]]
name = "two"
[[template.instance]]
template = "balls"
name = "row"
count = 2
along = [0, 1, 0]
[[template.sensor]]
name = "inner"
type = "point"
body = "row2_ball1"
[[template.contact]]
name = "ceiling"
type = "sphere-plane"
first = { body = "ground", point = [0, 0, 3], axis = [0, 0, -1] }
second = "OF ALL"
radius = 0.1
restitution = 0.5
[[subsystem]]
name = "s"
kind = "multibody"
[[subsystem.body]]
name = "ball_outside"
mass = 1.0
inertia = [1, 1, 1]
position = [0, 0, 5]
[[subsystem.instance]]
template = "two"
name = "a"
[[subsystem.instance]]
template = "two"
name = "b"
position = [0, 5, 0]
"#;
    for (pattern, of_all) in [("ball*", "row*"), ("*", "*")] {
        let found = model(&text.replace("PATTERN", pattern).replace("OF ALL", of_all)).to_toml();
        // Of each of the four rows of three balls a floor, of both instances of six a ceiling; none holds the body outside.
        assert_eq!(found.matches("type = \"sphere-plane\"").count(), 24, "{pattern}: {found}");
        assert_eq!(found.matches("body = \"ball_outside\"").count(), 0, "{pattern}: {found}");
        assert!(found.contains("body = \"b_row2_ball1\""), "{found}");
        assert!(found.contains("body = \"a_row1_ball3\""), "{found}");
    }
}

/// Two nodes on a spring, and a stop below one of them.
const NODES: &str = r#"schema = 1
time = { end = 0.5, step = 1e-3 }
[[template]]
name = "t"
[[template.subsystem]]
name = "a"
kind = "node"
mass = 1
PORT
[[template.subsystem]]
name = "b"
kind = "node"
mass = 1
position = [1, 0, 0]
PART
[[instance]]
template = "t"
name = "i"
PLACE
"#;

#[test]
fn numbers_of_interfaces_and_stops_that_do_not_go_with_an_instance_are_refused() {
    let spring = |numbers: &str| {
        format!(
            "[[template.interface]]\nname = \"k\"\nbetween = [\"a.centre\", \"b.centre\"]\nlaw = \"compliant\"\n{numbers}"
        )
    };
    let stop =
        "[[template.stop]]\nname = \"stop\"\non = \"a.z\"\nlower = -1\nrestitution = 0.5\ninertia = 1e-3";
    let text = |part: &str, place: &str| {
        let port = if part == stop { "port = [{ name = \"z\", direction = [0, 0, 1] }]" } else { "" };
        NODES.replace("PORT", port).replace("PART", part).replace("PLACE", place)
    };
    let (uneven, apart) =
        (spring("stiffness = [100, 10, 10]"), spring("stiffness = 100\noffset = [1, 0, 0]"));
    let even = spring("stiffness = [10, 10, 10]\ndamping = 1");
    let turned = "orientation = { axis = [0, 0, 1], angle = 0.5 }";
    for (part, place, message) in [
        (uneven.as_str(), turned, "interface `i_k` has other numbers in other directions"),
        (&uneven, "mirror = \"x\"", "interface `i_k` has other numbers in other directions"),
        (&apart, turned, "interface `i_k` has other numbers in other directions"),
        (stop, "position = [0, 0, 2]", "stop `i_stop` has limits in space"),
    ] {
        let found = mistakes(&text(part, place)).to_string();
        assert!(found.contains(message), "{place}: {found}");
    }
    for (part, place) in
        [(uneven.as_str(), "position = [1, 2, 3]"), (&apart, ""), (&even, turned), (stop, "")]
    {
        model(&text(part, place));
    }
}

/// Two bodies joined by a bushing between frames, by axes of their own, and a contact whose facets have axes of the world.
const FRAMES: &str = r#"schema = 1
time = { end = 0.2, step = 1e-3 }
[[template]]
name = "t"
[[template.subsystem]]
name = "a"
kind = "rigid-body"
mass = 1
inertia = [0.1, 0.2, 0.25]
velocity = [1, 0.5, -0.3]
port = [{ name = "p", coordinates = 6 }]
[[template.subsystem]]
name = "b"
kind = "rigid-body"
mass = 2
inertia = [0.3, 0.2, 0.25]
angular_velocity = [1, 2, 0.5]
port = [{ name = "p", coordinates = 6 }]
[[template.interface]]
name = "k"
between = ["a.p", "b.p"]
law = "compliant"
stiffness = [100, 50, 20, 3, 2, 1]
offset = [0.1, 0.2, 0, 0, 0, 0.1]
[[instance]]
template = "t"
name = "i"
PLACE
"#;

#[test]
fn interfaces_between_frames_turn_and_are_refused_where_they_are_mirrored() {
    let end = |place: &str| {
        let (_, of) = super::building::run(&model(&FRAMES.replace("PLACE", place)));
        Vector3::from(["x", "y", "z"].map(|axis| of(&format!("i_b.{axis}"))))
    };
    let plain = end("");
    assert!(plain.norm() > 1e-3);
    for (place, signs, turn) in places() {
        if signs == Vector3::from([1.0; 3]) {
            let (found, expected) = (end(&place), turn * plain);
            assert!((found - expected).norm() < 1e-9, "{place}: {found} {expected}");
        } else {
            let found = mistakes(&FRAMES.replace("PLACE", &place)).to_string();
            assert!(
                found.contains("interface `i_k` has other numbers in other directions"),
                "{place}: {found}"
            );
        }
    }
}

#[test]
fn facets_that_would_have_to_turn_are_refused() {
    let contact = format!(
        "{BODY}[[template.contact]]\nname = \"c\"\ntype = \"sphere-plane\"\nfirst = {{ body = \"ground\", axis = [0, 0, 1] }}\n\
         second = {{ body = \"m\" }}\nrestitution = 0\nfriction = 0.3\nfacets = 4\n"
    );
    model(&instance(&contact, "position = [1, 2, 3]"));
    for place in ["mirror = \"x\"", "orientation = { axis = [0, 0, 1], angle = 0.5 }"] {
        let found = mistakes(&instance(&contact, place)).to_string();
        assert!(found.contains("facets has directions of its own"), "{place}: {found}");
    }
}

/// A controller has nothing to place; a linear subsystem would have.
#[test]
fn signals_stand_in_placed_instances() {
    let source = "[[template.subsystem]]\nname = \"drive\"\nkind = \"source\"\noutput = [{ name = \"u\", value = \"= sin(t)\" }]";
    let text =
        |part: &str| NODES.replace("PORT", "").replace("PART", part).replace("PLACE", "position = [0, 0, 2]");
    assert_eq!(model(&text(source)).subsystems.len(), 3);
    let linear = "[[template.subsystem]]\nname = \"line\"\nkind = \"linear\"\nmass = [1]";
    assert!(mistakes(&text(linear)).to_string().contains("has no place in space"));
}
