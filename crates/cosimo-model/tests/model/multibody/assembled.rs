//! What the assembled system shows before anything runs.

use super::with;
use crate::{mistakes, model, warnings};

/// A planar four-bar of revolutes in space, its last pin at this height.
fn four_bar(height: f64) -> String {
    let body = |name: &str, at: &str, mass: f64| {
        format!(
            "[[subsystem.body]]\nname = \"{name}\"\nmass = {mass}\ninertia = [0.1, 0.1, 0.1]\nposition = {at}\n"
        )
    };
    let pin = |name: &str, first: &str, second: &str| {
        format!(
            "[[subsystem.joint]]\nname = \"{name}\"\ntype = \"revolute\"\nfirst = {{ {first}, axis = [0, 1, 0] }}\n\
             second = {{ {second}, axis = [0, 1, 0] }}\n"
        )
    };
    [
        "schema = 1\ntime = { end = 0.1, step = 1e-3 }\n[[subsystem]]\nname = \"bars\"\nkind = \"multibody\"\n".to_owned(),
        body("left", "[0, 0, 0.5]", 1.0),
        body("top", "[0.5, 0, 1]", 1.0),
        body("right", "[1, 0, 0.5]", 1.0),
        pin("a", "body = \"ground\"", "body = \"left\", point = [0, 0, -0.5]"),
        pin("b", "body = \"left\", point = [0, 0, 0.5]", "body = \"top\", point = [-0.5, 0, 0]"),
        pin("c", "body = \"top\", point = [0.5, 0, 0]", "body = \"right\", point = [0, 0, 0.5]"),
        pin("d", &format!("body = \"ground\", point = [1, 0, {height}]"), "body = \"right\", point = [0, 0, -0.5]"),
    ]
    .concat()
}

#[test]
fn redundant_joints_are_named() {
    let found = warnings(&four_bar(0.0));
    assert!(
        found.contains("warning: joint `d` of subsystem `bars` is redundant: 3 of its 5 constraints follow from the other joints"),
        "{found}"
    );
    assert!(found.starts_with("model.toml:36:1: "), "{found}");
}

/// Three loops have one cause: one warning, at the first joint, with the number of the others.
#[test]
fn redundant_joints_of_several_loops_are_one_warning() {
    let loops = |text: &str, of: &str| {
        let (_, parts) = text.split_once("[[subsystem.body]]").unwrap();
        let named =
            ["left", "top", "right", "a", "b", "c", "d"].iter().fold(parts.to_owned(), |text, name| {
                text.replace(&format!("\"{name}\""), &format!("\"{name}{of}\""))
            });
        format!("[[subsystem.body]]{named}")
    };
    let one = four_bar(0.0);
    let found = warnings(&format!("{one}{}{}", loops(&one, "2"), loops(&one, "3")));
    assert_eq!(found.matches("warning:").count(), 1, "{found}");
    assert!(
        found.contains(
            "joint `d` of subsystem `bars` is redundant: 3 of its 5 constraints follow from the other joints; so do \
             constraints of 2 other joints, `d2`, `d3`, 9 in all"
        ),
        "{found}"
    );
}

#[test]
fn an_open_joint_is_named_with_what_is_left() {
    let found = mistakes(&four_bar(-0.01));
    let text = found.to_string();
    assert!(text.contains("joint `d` of subsystem `bars` is violated at the start, by 1.000e-2 m"), "{text}");
    assert!(text.contains("initial_state = \"project\""), "{text}");
    assert_eq!(found.error_count(), 1);
    let projected =
        four_bar(-0.01).replace("[[subsystem]]", "[master]\ninitial_state = \"project\"\n[[subsystem]]");
    assert!(
        warnings(&projected)
            .contains("the run starts at the next state that fits, which moves bodies by up to")
    );
}

#[test]
fn a_loop_that_cannot_be_closed_is_refused_whatever_the_start() {
    let text =
        four_bar(-3.5).replace("[[subsystem]]", "[master]\ninitial_state = \"project\"\n[[subsystem]]");
    let found = mistakes(&text).to_string();
    assert!(found.contains("joint `d` of subsystem `bars` cannot be closed: "), "{found}");
}

#[test]
fn joints_that_contradict_each_other_are_named() {
    // A hinge about another axis at the same point, and a motor that turns it.
    let joint = "[[subsystem.joint]]\nname = \"wrong\"\ntype = \"angle\"\nbodies = [\"ground\", \"crank\"]\nat = [0, 0, 0]\naxis = [0, 1, 0]\nmotion = { start = 0.0, rate = 1.0 }\n\n";
    let lock = joint.replace("wrong", "lock").replace("motion = { start = 0.0, rate = 1.0 }\n", "");
    let text = with(
        "[[subsystem.force]]\nname = \"return\"",
        &format!("{lock}{joint}[[subsystem.force]]\nname = \"return\""),
    );
    let found = mistakes(&text).to_string();
    assert!(
        found.contains(
            "joint `wrong` of subsystem `engine` contradicts the other joints: its velocity is off by 1.000e0 (rad/s)"
        ),
        "{found}"
    );
}

/// A hinge of the crank of its own, with these keys of joints on it.
fn crank(joints: &[&str]) -> String {
    let joint = |text: &&str| format!("[[subsystem.joint]]\n{text}\nbodies = [\"ground\", \"crank\"]\n");
    [
        "schema = 1\ntime = { end = 1.0, step = 1e-3 }\n[[subsystem]]\nname = \"s\"\nkind = \"multibody\"\n\
         [[subsystem.body]]\nname = \"crank\"\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\nposition = [0.5, 0, 0]\n"
            .to_owned(),
        joint(&"name = \"hinge\"\ntype = \"revolute\"\nat = [0, 0, 0]\naxis = [0, 1, 0]"),
    ]
    .into_iter()
    .chain(joints.iter().map(joint))
    .collect()
}

#[test]
fn motions_that_contradict_each_other_later_are_named() {
    let turn = |name: &str, frequency: f64| {
        format!(
            "name = \"{name}\"\ntype = \"angle\"\nat = [0, 0, 0]\naxis = [0, 1, 0]\n\
             motion = {{ mean = -0.1, amplitude = 0.1, frequency = {frequency}, phase = 1.5707963267948966 }}"
        )
    };
    let found = mistakes(&crank(&[&turn("m", 5.0), &turn("m2", 7.0)]));
    let text = found.to_string();
    let apart = "joint `m2` of subsystem `s` contradicts `m`: their motions are ";
    assert!(text.contains(apart) && text.contains(" (rad) apart at t = "), "{text}");
    let line = crank(&[&turn("m", 5.0)]).lines().count() + 1;
    assert_eq!(found.iter().next().unwrap().line(), Some(line), "{text}");
    let same = warnings(&crank(&[&turn("m", 5.0), &turn("m2", 5.0)]));
    assert!(same.contains("joint `m2` of subsystem `s` is redundant: 1 of its 1"), "{same}");
}

/// Numbers come with the unit of what the joint holds.
#[test]
fn contradictions_have_the_unit_of_the_joint() {
    let found = |kind: &str, more: &str| {
        let joint = format!("name = \"b\"\ntype = \"{kind}\"\nat = [0.25, 0, 0]\n{more}");
        mistakes(&crank(&["name = \"a\"\ntype = \"fixed\"\nat = [0, 0, 0]", &joint])).to_string()
    };
    for (kind, more, unit) in [
        ("displacement", "axis = [1, 0, 0]\nspeed = 1.0", "1.000e0 (m/s)"),
        ("coordinate", "axis = [1, 0, 0]\nspeed = 1.0", "1.000e0 (m/s)"),
        ("angle", "axis = [1, 0, 0]\nspeed = 2.0", "2.000e0 (rad/s)"),
        ("dot-product", "axis = [0, 0, 1]\nx = [1, 0, 0]\nspeed = 0.5", "5.000e-1 (1/s)"),
        ("angle", "axis = [1, 0, 0]\nmotion = 0.5", "(rad) where"),
        ("displacement", "axis = [1, 0, 0]\nmotion = 0.5", "5.000e-1 (m) where"),
        ("dot-product", "axis = [0, 0, 1]\nx = [1, 0, 0]\nmotion = 0.5", "5.000e-1 (–) where"),
    ] {
        let text = found(kind, more);
        assert!(
            text.contains("joint `b` of subsystem `s` contradicts the other joints") && text.contains(unit),
            "{text}"
        );
    }
}

#[test]
fn distances_must_stay_positive_over_the_run() {
    let rope = |motion: &str| {
        let text =
            format!("name = \"rope\"\ntype = \"distance\"\nat = [[0, 0, 1], [0, 0, 0.5]]\nmotion = {motion}");
        crank(&[&text])
            .replace(
                "type = \"revolute\"\nat = [0, 0, 0]\naxis = [0, 1, 0]",
                "type = \"spherical\"\nat = [0.5, 0, 0]",
            )
            .replace("[[subsystem]]", "[master]\ninitial_state = \"project\"\n[[subsystem]]")
    };
    for motion in [
        "{ mean = 0.5, amplitude = 0.6, frequency = 5 }",
        "{ start = 0.5, rate = -1.0 }",
        "{ time = [0, 0.2, 0.4], value = [0.5, -0.1, 1.0] }",
    ] {
        let found = mistakes(&rope(motion));
        let text = found.to_string();
        assert!(text.contains("joint `rope` of subsystem `s` prescribes what no position follows"), "{text}");
        assert!(text.contains(" at t = ") && found.iter().next().unwrap().line() == Some(18), "{text}");
    }
    warnings(&rope("{ mean = 0.5, amplitude = 0.4, frequency = 5 }"));
}

/// A hinge that is to stand half a turn on, where the sine of what it is off is zero.
#[test]
fn an_angle_half_a_turn_off_is_told_as_such() {
    let angle =
        "name = \"m\"\ntype = \"angle\"\nat = [0, 0, 0]\naxis = [0, 1, 0]\nmotion = 3.141592653589793";
    let text = mistakes(&crank(&[angle])).to_string();
    assert!(text.contains("joint `m` of subsystem `s` is violated at the start, by 3.142e0 rad"), "{text}");
    assert!(text.contains("moves bodies by up to 1.000e0 m and 3.142e0 rad"), "{text}");
}

#[test]
fn micro_steps_of_a_frame_are_refused_at_their_line() {
    let port = "[[subsystem.port]]\nname = \"p\"\nbody = \"crank\"\ncoordinates = 6\n";
    let text = crank(&[]).replace("[[subsystem.body]]", "micro_steps = 2\n[[subsystem.body]]") + port;
    let found = mistakes(&text);
    assert_eq!(found.iter().next().unwrap().line(), Some(6), "{found}");
    let text = found.to_string();
    assert!(
        text.contains("port `p` of subsystem `s` is a frame, whose rotations of 2 micro steps"),
        "{text}"
    );
}

#[test]
fn contacts_that_are_deep_at_the_start_are_told() {
    // A ball of 0.1 m whose centre is this far above the plane, under gravity.
    let ball = |height: f64, gravity: f64| {
        format!(
            "schema = 1\ntime = {{ end = 0.1, step = 1e-3 }}\n[[subsystem]]\nname = \"s\"\nkind = \"multibody\"\n\
             gravity = [0, 0, {gravity}]\n[[subsystem.body]]\nname = \"ball\"\nmass = 2.0\ninertia = [0.1, 0.1, 0.1]\n\
             position = [0, 0, {height}]\n[[subsystem.force]]\nname = \"floor\"\ntype = \"sphere-plane\"\n\
             bodies = [\"ground\", \"ball\"]\nat = [[0, 0, 0], [0, 0, {height}]]\naxis = [0, 0, 1]\nradius = 0.1\n\
             law = \"hertz\"\nstiffness = 1e5\n"
        )
    };
    // K δ^2.5/2.5 at a depth of 0.6 m.
    let deep = warnings(&ball(-0.5, -9.81));
    assert!(deep.contains("force `floor` of subsystem `s` is 6.000e-1 m deep at the start, with an elastic energy of 1.115e4 J"), "{deep}");
    assert!(deep.starts_with("model.toml:12:1: warning"), "{deep}");
    // Where it rests, K δ^1.5 = m g, and where it is apart.
    let rest = (2.0_f64 * 9.81 / 1e5).powf(2.0 / 3.0);
    assert_eq!(warnings(&ball(0.1 - rest, -9.81)), "");
    assert_eq!(warnings(&ball(0.2, 0.0)), "");
}

#[test]
fn velocities_must_fit() {
    let found = mistakes(&with("position = [0.5, 0, 0]", "position = [0.5, 0, 0]\nvelocity = [1, 0, 0.5]"));
    let text = found.to_string();
    assert!(
        text.contains("joint `wrist` of subsystem `engine` is violated at the start, by 1.000e0 m/s"),
        "{text}"
    );
    assert!(
        text.contains("joint `guide` of subsystem `engine` is violated at the start, by 5.000e-1 m/s"),
        "{text}"
    );
    assert_eq!(found.error_count(), 2);
    let tolerant = with("position = [0.5, 0, 0]", "position = [0.5, 0, 0]\nvelocity = [1e-4, 0, 0]")
        .replace("[[subsystem]]", "[master]\ninitial_tolerance = 1e-3\n[[subsystem]]");
    model(&tolerant);
}
