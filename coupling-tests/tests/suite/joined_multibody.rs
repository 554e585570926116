//! Multibody systems joined rigidly: reactions, starts and rest are those of one piece.

use coupling_tests::Run;

const SOLVERS: [&str; 6] = ["theta", "implicit-euler", "multistep", "generalized-alpha", "hht", "newmark"];

/// A rod of 2 kg on a hinge, its centre half a metre below, and a body of 1 kg at its lower end.
const PENDULUM: &str = r#"
[[subsystem.body]]
name = "rod"
mass = 2.0
inertia = [0.1, 0.2, 0.3]
centre_of_mass = [0, -0.5, 0]

[[subsystem.joint]]
name = "hinge"
type = "revolute"
bodies = ["ground", "rod"]
at = [0, 0, 0]
axis = [0, 0, 1]
"#;

const BOB: &str = r#"
[[subsystem.body]]
name = "bob"
mass = 1.0
inertia = [0.1, 0.1, 0.1]
position = [0, -1, 0]
"#;

/// Beginnings of a model and of its subsystems, with gravity along this direction.
fn head((end, step): (f64, f64)) -> String {
    format!("schema = 1\ntime = {{ end = {end:?}, step = {step:?} }}\n")
}

fn multibody(name: &str, (solver, gravity): (&str, [f64; 3])) -> String {
    format!(
        "[[subsystem]]\nname = \"{name}\"\nkind = \"multibody\"\nsolver = \"{solver}\"\ngravity = {gravity:?}\n"
    )
}

fn cut(solver: &str, gravity: [f64; 3], time: (f64, f64)) -> Run {
    let [upper, lower] = ["upper", "lower"].map(|name| multibody(name, (solver, gravity)));
    let text = format!(
        r#"{}{upper}{PENDULUM}
[[subsystem.port]]
name = "end"
body = "rod"
point = [0, -1, 0]
coordinates = 3
{lower}{BOB}
[[subsystem.port]]
name = "centre"
body = "bob"
coordinates = 3
[[interface]]
name = "joint"
between = ["upper.end", "lower.centre"]
law = "rigid"
"#,
        head(time)
    );
    Run::completed(&Run::text(&text, &[]))
}

fn whole(solver: &str, gravity: [f64; 3], time: (f64, f64)) -> Run {
    let text = format!(
        r#"{}{}{PENDULUM}{BOB}
[[subsystem.joint]]
name = "joint"
type = "spherical"
bodies = ["rod", "bob"]
at = [0, -1, 0]
"#,
        head(time),
        multibody("upper", (solver, gravity))
    );
    Run::completed(&Run::text(&text, &[]))
}

/// The reactions of the hinge carry the load of the interface, also where every step ends with a correction of the joint's drift.
#[test]
fn reactions_are_those_of_one_piece() {
    let (gravity, time) = ([9.81, 0.0, 0.0], (0.3, 1e-3));
    for solver in SOLVERS {
        let [cut, whole] = [cut(solver, gravity, time), whole(solver, gravity, time)];
        for quantity in ["hinge.fx", "hinge.fy"] {
            let [found, expected] = [&cut, &whole].map(|run| run.at(&format!("upper.{quantity}"), 0.3));
            assert!(expected.abs() > 20.0, "{expected} N");
            let difference = (found - expected).abs();
            assert!(difference < 0.1, "{solver}, {quantity}: {found} N instead of {expected} N");
        }
    }
}

/// Bodies that hang at rest: rules that remember accelerations start with those that the joint's force leaves.
#[test]
fn what_hangs_at_rest_pulls_with_its_weight_from_the_start() {
    for solver in SOLVERS {
        let run = cut(solver, [0.0, -9.81, 0.0], (0.05, 1e-3));
        for (quantity, expected) in [("joint.force_1", 9.81), ("upper.hinge.fy", 29.43)] {
            let found = run.column(quantity);
            // Of impulses there is none before the first step.
            for (k, force) in found.iter().enumerate().skip(1) {
                let difference = (force - expected).abs();
                assert!(difference < 1e-8, "{solver}, {quantity} of step {k}: {force} N");
            }
        }
    }
}

/// Nearly at rest a tolerance relative to the speeds is below what positions and solvers round to.
#[test]
fn what_hangs_at_rest_does_so_in_small_steps() {
    for solver in SOLVERS {
        for step in [1e-4, 1e-5, 1e-6] {
            let run = cut(solver, [0.0, -9.81, 0.0], (50.0 * step, step));
            let force = run.at("joint.force_1", 50.0 * step);
            // A speed of 1e-12 m/s, which the solvers leave, is this force over a step.
            let allowed = 1e-8 + 1e-11 / step;
            assert!((force - 9.81).abs() < allowed, "{solver}, {step} s: {force} N");
        }
    }
}

/// The mean of the reaction and the weight over a step are what changes the momentum.
#[test]
fn reactions_of_the_midpoint_rule_are_means() {
    let (gravity, step) = ([9.81, 0.0, 0.0], 2e-3);
    let text = format!("{}{}{PENDULUM}", head((0.5, step)), multibody("upper", ("theta", gravity)));
    let run = Run::completed(&Run::text(&text, &[]));
    for (axis, weight) in [("x", 2.0 * 9.81), ("y", 0.0)] {
        let column = |name: &str| run.column(&format!("upper.{name}{axis}"));
        let (speeds, forces) = (column("rod.v"), column("hinge.f"));
        for (k, speeds) in speeds.windows(2).enumerate() {
            let momentum = 2.0 * (speeds[1] - speeds[0]);
            let missing = momentum - step * (forces[k + 1] + weight);
            assert!(missing.abs() < 1e-11, "{axis} of step {k}: {missing:e} N s");
        }
    }
}
