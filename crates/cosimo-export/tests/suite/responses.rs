//! Derivatives of units against differences of their steps.

use cosimo_fmi_export::{Change, ExportedUnit, Step, Value};

use crate::Driven;

/// Two masses, of which the first has the open port, joined by these keys of an interface.
fn pair(joint: &str, solver: [&str; 2]) -> String {
    let mass = |name: &str, solver: &str, mass: f64, more: &str| {
        format!(
            "[[subsystem]]\nname = \"{name}\"\nkind = \"linear\"\nsolver = \"{solver}\"\nmass = [{mass}]\nstiffness = [300.0]\n\
             damping = [2.0]\n[[subsystem.port]]\nname = \"tip\"\ncoordinates = [0]\n{more}"
        )
    };
    let open = "[[subsystem.port]]\nname = \"open\"\ncoordinates = [0]\n";
    format!(
        "schema = 1\ntime = {{ end = 1.0, step = 1e-2 }}\n{}{}[[interface]]\nname = \"j\"\nbetween = [\"a.tip\", \"b.tip\"]\n{joint}\n",
        mass("a", solver[0], 2.0, open),
        mass("b", solver[1], 5.0, "")
    )
}

/// A rigid body in space with a frame that is off its centre, joined to a second one.
const BODIES: &str = r#"
schema = 1
time = { end = 1.0, step = 1e-2 }
[master]
tolerance = 1e-13
[[subsystem]]
name = "a"
kind = "rigid-body"
mass = 2.0
inertia = [0.1, 0.2, 0.25]
gravity = [0, 0, -9.81]
angular_velocity = [1.0, 2.0, -3.0]
[[subsystem.port]]
name = "hand"
point = [0.3, 0.1, 0]
"#;

fn contact() -> &'static str {
    r#"
schema = 1
time = { end = 3.0, step = 1e-2 }
[[subsystem]]
name = "ball"
kind = "node"
mass = 2.0
radius = 0.1
gravity = [0, 0, -9.81]
position = [0, 0, 0.1]
[[subsystem.port]]
name = "top"
direction = [0, 0, 1]
[[subsystem.plane]]
name = "floor"
normal = [0, 0, 1]
restitution = 0.5
"#
}

/// All scalars of a kind of members of the port `a.open` or so, by the ends of their names.
fn scalars(driven: &Driven, ends: &[&str]) -> Vec<u32> {
    let mut found = Vec::new();
    for variable in &driven.unit.description().variables {
        if ends.iter().any(|end| variable.name.ends_with(end)) {
            let first = driven.scalar(&variable.name);
            found.extend((0..variable.count()).map(|k| first + u32::try_from(k).unwrap()));
        }
    }
    found
}

fn numbers(driven: &mut Driven, scalars: &[u32]) -> Vec<f64> {
    let values = driven.unit.values().unwrap();
    scalars.iter().map(|scalar| values[*scalar as usize].real().unwrap()).collect()
}

/// The largest difference of a derivative from a difference of steps of size `h`, relative to the largest derivative, after `count` steps.
fn error(text: &str, h: f64, count: u32, kick: f64) -> f64 {
    let mut driven = Driven::new(text);
    let (knowns, unknowns) = (
        scalars(&driven, &[".force", ".moment"]),
        scalars(&driven, &[".position", ".velocity", ".orientation", ".angular_velocity"]),
    );
    driven.unit.set(&[Change { scalar: knowns[0], value: Value::Real(0.3) }]).unwrap();
    driven.steps(h, count);
    let start = driven.unit.save().unwrap();
    let time = driven.time;
    driven.steps(h, 1);
    let found: Vec<Vec<f64>> = knowns
        .iter()
        .map(|known| driven.unit.directional_derivative(&unknowns, &[*known], &[1.0]).unwrap())
        .collect();
    let (mut worst, mut largest) = (0.0_f64, 0.0_f64);
    for (known, found) in knowns.iter().zip(&found) {
        let ends = [kick, -kick].map(|kick| {
            driven.unit.restore(&start).unwrap();
            let force = numbers(&mut driven, &[*known])[0];
            driven.unit.set(&[Change { scalar: *known, value: Value::Real(force + kick) }]).unwrap();
            driven.unit.step(&Step { time, size: h, may_end_early: false }).unwrap();
            numbers(&mut driven, &unknowns)
        });
        for (k, found) in found.iter().enumerate() {
            let difference = (ends[0][k] - ends[1][k]) / (2.0 * kick);
            worst = worst.max((found - difference).abs());
            largest = largest.max(difference.abs());
        }
    }
    worst / largest
}

#[test]
fn derivatives_of_linear_units_are_exact_with_their_joints() {
    let joints = [
        "law = \"rigid\"",
        "law = \"compliant\"\nstiffness = 4e4\ndamping = 30.0",
        "law = \"tikhonov\"\nconstant = 1e-6",
    ];
    for joint in joints {
        for solver in
            [["theta", "theta"], ["multistep", "multistep"], ["generalized-alpha", "generalized-alpha"]]
        {
            // The first step begins anew, as those behind impacts do.
            for count in [0, 7] {
                let error = error(&pair(joint, solver), 1e-2, count, 1.0);
                assert!(error < 1e-9, "{joint}, {solver:?}, after {count} steps: {error:e}");
            }
        }
    }
}

#[test]
fn derivatives_of_several_inner_steps_and_of_unlike_rules_are_differences() {
    let joint = "law = \"rigid\"";
    for (solver, h) in [(["theta", "theta"], 3e-2), (["theta", "multistep"], 1e-2)] {
        let error = error(&pair(joint, solver), h, 5, 1.0);
        assert!(error < 1e-8, "{solver:?} at {h}: {error:e}");
    }
}

#[test]
fn derivatives_of_turning_bodies_are_those_of_their_steps() {
    let error = error(BODIES, 1e-2, 5, 1e-3);
    assert!(error < 1e-5, "{error:e}");
}

#[test]
fn a_body_that_its_own_contact_holds_does_not_answer() {
    let mut driven = Driven::new(contact());
    driven.steps(1e-2, 5);
    let force = driven.scalar("ball.top.force");
    let velocity = driven.scalar("ball.top.velocity");
    let held = driven.unit.directional_derivative(&[velocity], &[force], &[1.0]).unwrap()[0];
    assert!(held.abs() < 1e-12, "{held:e}");
    driven.set("ball.top.force", 100.0);
    driven.steps(1e-2, 2);
    let free = driven.unit.directional_derivative(&[velocity], &[force], &[1.0]).unwrap()[0];
    assert!((free - 1e-2 / 2.0).abs() < 1e-9, "{free:e}");
}
