//! Angles between bodies: where they start, how far a step may change them, and what springs make of a projected start.

use cosimo_master::{Master, NoObserver};

use crate::{mistakes, model, warnings};

/// A rotor of 1 kg and 0.1 kg m² with these keys, and what follows.
fn rotor(master: &str, body: &str, text: &str) -> String {
    format!(
        "schema = 1\ntime = {{ end = 0.5, step = 1e-3 }}\n[master]\n{master}\n[[subsystem]]\nname = \"s\"\nkind = \"multibody\"\n\
         [[subsystem.body]]\nname = \"drum\"\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\n{body}\n{text}\n"
    )
}

/// Both frames along z, at the ground and on the drum.
const FRAMES: &str =
    "first = { body = \"ground\", axis = [0, 0, 1] }\nsecond = { body = \"drum\", axis = [0, 0, 1] }";

fn hinge() -> String {
    format!("[[subsystem.joint]]\nname = \"hinge\"\ntype = \"revolute\"\n{FRAMES}\n")
}

fn force(name: &str, kind: &str, keys: &str) -> String {
    format!("[[subsystem.force]]\nname = \"{name}\"\ntype = \"{kind}\"\n{FRAMES}\n{keys}\n")
}

fn sensor(keys: &str) -> String {
    format!("[[subsystem.sensor]]\nname = \"turn\"\ntype = \"angle\"\n{FRAMES}\n{keys}\n")
}

/// The master of a text after a run to this time (s) in steps of this size (s).
fn run(text: &str, end: f64, step: f64) -> Master {
    let mut master = model(text).build().unwrap();
    master.run(end, step, &mut NoObserver).unwrap();
    master
}

#[track_caller]
fn value(master: &Master, name: &str) -> f64 {
    let labels = master.labels();
    let mut values = vec![0.0; labels.len()];
    master.observe(&mut values).unwrap();
    let at = labels.iter().position(|label| label.name == name);
    values[at.unwrap_or_else(|| panic!("no {name}"))]
}

#[track_caller]
fn assert_near(found: f64, exact: f64, tolerance: f64) {
    assert!((found - exact).abs() <= tolerance, "{found} instead of {exact}");
}

/// A spring of 0.1 N m/rad on 0.1 kg m² swings with 1 rad/s about where it is free, however far that is.
#[test]
fn a_spring_is_wound_as_far_as_its_angle_says() {
    for (keys, wound, warned) in [
        ("angle = 10.0", -10.0_f64, true),
        ("angle = 10.0\nturns = 2", 4.0 * std::f64::consts::PI - 10.0, false),
        ("angle = -3.0", 3.0, false),
        ("angle = 0.0\nturns = -1", -2.0 * std::f64::consts::PI, true),
    ] {
        let text =
            rotor("", "", &(hinge() + &force("k", "torsion-spring", &format!("stiffness = 0.1\n{keys}"))));
        let master = run(&text, 0.5, 1e-3);
        assert_near(value(&master, "drum.wz"), -wound * 0.5_f64.sin(), 1e-5);
        let told = warnings(&text);
        assert_eq!(told.contains("more than half a turn"), warned, "{told}");
    }
    let told = warnings(&rotor("", "", &force("k", "torsion-spring", "stiffness = 0.1\nangle = 10.0")));
    assert!(
        told.contains("force `k` of subsystem `s` is wound by -10.000 rad at the start, more than half a turn: it starts at 0.000 rad and is free at 10.000 rad")
            && told.contains("help: turns = 2 lets it start at 12.566 rad, 2.566 rad from where it is free"),
        "{told}"
    );
    // The angle at the start is the default, with its turns.
    let text = rotor(
        "",
        "",
        &(hinge() + &force("k", "torsion-spring", "stiffness = 0.1\nturns = 3") + &sensor("turns = -2")),
    );
    assert_eq!(warnings(&text), "");
    let master = run(&text, 0.1, 1e-3);
    assert_near(value(&master, "drum.wz"), 0.0, 1e-12);
    assert_near(value(&master, "turn.angle"), -4.0 * std::f64::consts::PI, 1e-12);
}

/// Two elastic stops at 0 and 4 rad; what starts at 3.5 rad lies between them.
#[test]
fn a_pair_of_stops_starts_within_its_limits() {
    let stop = |name: &str, limit: f64, side: &str, more: &str| {
        let keys = format!(
            "limit = {limit:?}\nside = \"{side}\"\nlaw = \"hertz\"\nexponent = 1\nstiffness = 1e4\n{more}"
        );
        force(name, "stop", &keys)
    };
    let pair = |lower: f64, upper: f64, more: &str| {
        hinge() + &stop("up", upper, "upper", "") + &stop("low", lower, "lower", more) + &sensor("turns = 1")
    };
    let start = |angle: f64, spin: f64| {
        format!(
            "orientation = {{ axis = [0, 0, 1], angle = {angle:?} }}\nangular_velocity = [0, 0, {spin:?}]"
        )
    };
    // It meets a stop as fast as it was, and leaves it after half a period of the stop.
    let text = rotor("", &start(3.5, 2.0), &pair(0.0, 4.0, ""));
    assert_eq!(warnings(&text), "");
    let contact = std::f64::consts::PI * (0.1_f64 / 1e4).sqrt();
    assert_near(value(&run(&text, 0.2, 1e-4), "turn.angle"), 3.9, 1e-9);
    let rebound = value(&run(&text, 0.5, 1e-4), "turn.angle");
    assert_near(rebound, 4.0 - 2.0 * (0.25 - contact), 1e-3);
    let after = value(&run(&text, 0.5 + 4.0 / 2.0, 1e-4), "drum.wz");
    assert_near(after, 2.0, 1e-3);
    // Turns that are given hold for both, and what is beyond is reported.
    let told = warnings(&rotor("", &start(3.5, 0.0), &pair(0.0, 4.0, "turns = 0")));
    assert!(
        told.contains("force `low` of subsystem `s` is passed by 2.783e0 rad at the start: it starts at -2.783 rad, its limit is 0.000 rad")
            && told.contains("help: turns = 1 lets it start at 3.500 rad, within the limits"),
        "{told}"
    );
    let none = warnings(&rotor("", &start(1.5, 0.0), &pair(0.0, 1.0, "")));
    assert!(none.contains("force `up` of subsystem `s` is passed by 5.000e-1 rad"), "{none}");
    assert!(
        none.contains("help: no whole turn starts within the limits, turns = 0 is the nearest"),
        "{none}"
    );
    // One stop alone says nothing about turns.
    let alone = warnings(&rotor("", &start(0.5, 0.0), &stop("up", 0.25, "upper", "")));
    assert!(alone.contains("help: turns = -1 lets it start at -5.783 rad, within the limits"), "{alone}");
}

/// Two rotors that spin against each other, by 2 rad a step each.
fn counter(master: &str, solver: &str, rest: &str) -> String {
    let between = "bodies = [\"drum\", \"b\"]\nat = [0, 0, 0]\naxis = [0, 0, 1]";
    let other = format!(
        "[[subsystem.body]]\nname = \"b\"\nmass = 1.0\ninertia = [0.1, 0.1, 0.1]\nangular_velocity = [0, 0, -40.0]\n\
         [[subsystem.joint]]\nname = \"g\"\ntype = \"revolute\"\n{between}\n\
         [[subsystem.sensor]]\nname = \"turn\"\ntype = \"angle\"\n{between}\n{rest}"
    );
    rotor(master, "angular_velocity = [0, 0, 40.0]", &(hinge() + &other))
        .replace("kind =", &format!("{solver}\nkind ="))
}

#[test]
fn steps_that_turn_bodies_too_far_apart_are_shortened_or_refused() {
    let spring = "[[subsystem.force]]\nname = \"k\"\ntype = \"torsion-spring\"\nbodies = [\"drum\", \"b\"]\n\
                  at = [0, 0, 0]\naxis = [0, 0, 1]\nstiffness = 0.01";
    let mut master = model(&counter("", "", spring)).build().unwrap();
    let error = master.run(1.0, 0.05, &mut NoObserver).unwrap_err();
    let mut text = String::new();
    let mut source: Option<&dyn std::error::Error> = Some(&error);
    while let Some(error) = source {
        text += &format!("{error}\n");
        source = error.source();
    }
    assert!(
        text.contains("the angle of force `k` changes by 4.0") && text.contains("use a smaller step"),
        "{text}"
    );
    // φ̈ = −2 k/J φ between free rotors.
    let omega = (2.0_f64 * 0.01 / 0.1).sqrt();
    let halved = run(&counter("max_halvings = 2", "", spring), 1.0, 0.05);
    assert_near(value(&halved, "turn.angle"), -80.0 / omega * omega.sin(), 1e-2);
    let controlled = run(&counter("", "solver = \"adaptive-bdf\"", ""), 5.0, 0.5);
    assert_near(value(&controlled, "turn.angle"), -400.0, 1e-5);
}

/// A bushing goes on beyond half a turn: 4 sin t.
#[test]
fn a_bushing_winds_beyond_half_a_turn() {
    let bushing = "[[subsystem.force]]\nname = \"b\"\ntype = \"bushing\"\nbodies = [\"ground\", \"drum\"]\nat = [0, 0, 0]\n\
                   stiffness = [0, 0, 0, 0, 0, 0.1]\n";
    let text = rotor("", "angular_velocity = [0, 0, 4.0]", &(hinge() + bushing + &sensor("")));
    assert_near(value(&run(&text, 3.0, 1e-3), "turn.angle"), 4.0 * 3.0_f64.sin(), 1e-5);
}

/// Springs without a length or an angle are free where the projected start is, not at the guess.
#[test]
fn springs_are_free_at_the_projected_start() {
    let hinge = "[[subsystem.joint]]\nname = \"h\"\ntype = \"revolute\"\nfirst = { body = \"ground\", axis = [0, 1, 0] }\n\
                 second = { body = \"drum\", axis = [0, 1, 0] }\n";
    let spring = "[[subsystem.force]]\nname = \"k\"\ntype = \"spring\"\nfirst = { body = \"ground\", point = [0, 0, -3] }\n\
                  second = { body = \"drum\", point = [0.5, 0, -1.0] }\nstiffness = 1000.0\n";
    let torsion = "[[subsystem.force]]\nname = \"t\"\ntype = \"torsion-spring\"\nfirst = { body = \"ground\", axis = [0, 1, 0] }\n\
                   second = { body = \"drum\", axis = [0, 1, 0] }\nstiffness = 100.0\n";
    let held = "[[subsystem.joint]]\nname = \"a\"\ntype = \"angle\"\nfirst = { body = \"ground\", axis = [0, 1, 0] }\n\
                second = { body = \"drum\", axis = [0, 1, 0] }\nmotion = 0.5\n";
    let body = "position = [0.1, 0, 0.2]\ncentre_of_mass = [0, 0, -1]";
    for rest in [spring.to_owned(), torsion.to_owned() + held] {
        let text = rotor("initial_state = \"project\"", body, &(hinge.to_owned() + &rest));
        let master = run(&text, 0.01, 1e-3);
        for reaction in ["drum.wy", "h.fx", "h.fz", "h.my"] {
            assert_near(value(&master, reaction), 0.0, 1e-8);
        }
        assert_near(value(&master, "drum.wy"), 0.0, 1e-10);
    }
}

/// Interfaces move the start too.
#[test]
fn springs_are_free_where_interfaces_let_them_start() {
    let spring = "[[subsystem.force]]\nname = \"k\"\ntype = \"spring\"\nfirst = { body = \"ground\", point = [-2, 0, 0] }\n\
                  second = { body = \"drum\" }\nstiffness = 1000.0\n\
                  [[subsystem.port]]\nname = \"p\"\nbody = \"drum\"\ncoordinates = 3\n\
                  [[subsystem]]\nname = \"n\"\nkind = \"node\"\nmass = 1.0\nposition = [0.5, 0, 0]\n\
                  [[interface]]\nname = \"i\"\nbetween = [\"s.p\", \"n.PORT\"]\nlaw = \"rigid\"\n";
    let text = rotor("initial_state = \"project\"", "", &spring.replace("PORT", "centre"));
    let master = run(&text, 0.1, 1e-3);
    assert_near(value(&master, "drum.x"), 0.25, 1e-8);
    assert_near(value(&master, "drum.vx"), 0.0, 1e-8);
}

#[test]
fn turns_belong_to_what_counts_them() {
    for (text, expected) in [
        (
            force("k", "bushing", "stiffness = [0, 0, 0, 0, 0, 1]\nturns = 1"),
            "turns belongs to forces of type",
        ),
        (force("k", "torsion-spring", "stiffness = 1\nturns = 1.5"), "turns"),
        (
            force("k", "torsion-spring", "stiffness = 1\nturns = 3000000000"),
            "must be a whole number from -2147483648",
        ),
        (
            sensor("").replace("\"angle\"", "\"point\"").replace(FRAMES, "body = \"drum\"\nturns = 1"),
            "turns belongs to sensors",
        ),
    ] {
        let found = mistakes(&rotor("", "", &text)).to_string();
        assert!(found.contains(expected), "{found}");
    }
}

/// An `x` along the axis has no angle about it.
#[test]
fn an_angle_to_the_axis_itself_is_refused() {
    let along = "first = { body = \"ground\", axis = [0, 0, 1] }\nsecond = { body = \"drum\", axis = [1, 0, 0], x = [0, 0, 1] }";
    let tilted = along.replace("axis = [1, 0, 0], x = [0, 0, 1]", "axis = [1, 0, 0], x = [0, 1, 1]");
    for table in [
        "[[subsystem.joint]]\nname = \"x\"\ntype = \"angle\"\nFRAMES",
        "[[subsystem.sensor]]\nname = \"x\"\ntype = \"angle\"\nFRAMES",
        "[[subsystem.force]]\nname = \"x\"\ntype = \"torsion-spring\"\nstiffness = 1\nFRAMES",
        "[[subsystem.force]]\nname = \"x\"\ntype = \"stop\"\nlimit = 1\nlaw = \"hertz\"\nstiffness = 1\nFRAMES",
    ] {
        let text = rotor("", "", &table.replace("FRAMES", along));
        let found = mistakes(&text);
        let [mistake] = found.iter().collect::<Vec<_>>()[..] else {
            panic!("more than one mistake:\n{found}")
        };
        assert!(mistake.to_string().contains("`x` of subsystem `s` has no angle at the start"), "{mistake}");
        let line = text.lines().position(|line| line.starts_with("second")).map(|at| at + 1);
        assert_eq!(mistake.line(), line, "{mistake}");
        model(&rotor("", "", &table.replace("FRAMES", &tilted)));
    }
}

#[test]
fn parallel_directions_are_not_held_by_their_cosine() {
    let joint = |x: &str, more: &str| {
        format!(
            "[[subsystem.joint]]\nname = \"d\"\ntype = \"dot-product\"\nfirst = {{ body = \"ground\", axis = [0, 0, 1], x = [1, 0, 0] }}\n\
             second = {{ body = \"drum\", axis = [0, 1, 0], x = {x} }}\n{more}"
        )
    };
    for x in ["[0, 0, 1]", "[0, 0, -1]"] {
        let found = mistakes(&rotor("", "", &joint(x, ""))).to_string();
        assert!(
            found.contains("they are parallel: it must be between −1 and 1")
                && !found.contains("change its motion"),
            "{found}"
        );
    }
    model(&rotor("", "", &joint("[1, 0, 1]", "")));
}

#[test]
fn both_ways_to_give_frames_are_one_mistake() {
    let text = rotor(
        "",
        "",
        "[[subsystem.joint]]\nname = \"x\"\ntype = \"spherical\"\nbodies = [\"ground\", \"drum\"]\n\
                              first = { body = \"ground\" }\nsecond = { body = \"drum\" }",
    );
    let found = mistakes(&text);
    assert_eq!(found.error_count(), 1, "{found}");
}
