//! The energy balance where gaps are curved in the coordinates, or belong to planes that turn, beside interfaces.
//!
//! A load on such a gap acts along the direction that the gap has at the stage of a step, which is not its change over the
//! step. What a run gains or loses is measured from the outside, from states, events and impulses, and is to be the
//! monitor's sum; smooth motion and impacts inside steps keep energy to order two, loads of the plain problem at impacts to
//! order one.

use coupling_tests::{Measured, Run, assert_monitored_run};

/// A ladder that slides down a wall along a floor; a spring at its middle draws a mass along.
const LADDER: &str = r#"
[[subsystem]]
name = "ladder"
kind = "planar"
gravity = [0, -9.81]
[[subsystem.body]]
name = "rod"
mass = 1.0
inertia = 0.0833333
position = [0.1811788772383368, 0.46601954298361314]
angle = 1.9415926535897932
[[subsystem.contact]]
name = "floor"
body = "rod"
point = [-0.5, 0]
normal = [0, 1]
restitution = 0
[[subsystem.contact]]
name = "wall"
body = "rod"
point = [0.5, 0]
normal = [1, 0]
restitution = 0
[[subsystem.port]]
name = "middle"
body = "rod"
direction = [1, 0]
[[subsystem]]
name = "mass"
kind = "linear"
mass = [1.0]
position = 0.1811788772383368
[[subsystem.port]]
name = "port"
coordinates = [0]
[[interface]]
name = "spring"
between = ["ladder.middle", "mass.port"]
law = "compliant"
stiffness = 20.0
"#;

/// A node on a plane that turns, joined to a mass.
const TURNING_PLANE: &str = r#"
[[subsystem]]
name = "node"
kind = "node"
mass = 1.0
radius = 0.05
gravity = [0, 0, -10]
position = [0.3, 0, 0.05]
[[subsystem.plane]]
name = "plate"
normal = [0, 0, 1]
restitution = 0
angular_velocity = [0, -0.8, 0]
[[subsystem.port]]
name = "along"
direction = [1, 0, 0]
[[subsystem]]
name = "mass"
kind = "linear"
mass = [0.5]
position = 0.3
[[subsystem.port]]
name = "port"
coordinates = [0]
[[interface]]
name = "joint"
between = ["node.along", "mass.port"]
"#;

/// A rod of 1 m, hinged at its left end, level.
const HINGED: &str = r#"
kind = "planar"
gravity = [0, -9.81]
[[subsystem.body]]
name = "rod"
mass = 1.0
inertia = 0.1
position = [0.5, 0]
[[subsystem.pin]]
name = "hinge"
between = [{ body = "rod", point = [-0.5, 0] }, { body = "ground", point = [0, 0] }]
"#;

/// Such a rod falls on a stop; a spring at its tip draws a mass along.
const ON_A_STOP: &str = r#"
[[subsystem]]
name = "rod"
{HINGED}
[[subsystem.contact]]
name = "stop"
body = "rod"
point = [0.5, 0]
plane = [0, -0.8]
normal = [0, 1]
restitution = 0.6
[[subsystem.port]]
name = "tip"
body = "rod"
point = [0.5, 0]
direction = [0, 1]
[[subsystem]]
name = "mass"
kind = "linear"
mass = [1.0]
[[subsystem.port]]
name = "port"
coordinates = [0]
[[interface]]
name = "spring"
between = ["rod.tip", "mass.port"]
law = "compliant"
stiffness = 20.0
"#;

/// Three subsystems: such a rod, another one hinged to it that falls on a stop, and a mass on a spring at its end.
const THREE_MASSES: &str = r#"
[[subsystem]]
name = "upper"
{HINGED}
[[subsystem.port]]
name = "x"
body = "rod"
point = [0.5, 0]
direction = [1, 0]
[[subsystem.port]]
name = "y"
body = "rod"
point = [0.5, 0]
direction = [0, 1]
[[subsystem]]
name = "lower"
kind = "planar"
gravity = [0, -9.81]
[[subsystem.body]]
name = "rod"
mass = 0.7
inertia = 0.02
position = [1.3, 0]
[[subsystem.port]]
name = "x"
body = "rod"
point = [-0.3, 0]
direction = [1, 0]
[[subsystem.port]]
name = "y"
body = "rod"
point = [-0.3, 0]
direction = [0, 1]
[[subsystem.port]]
name = "tip"
body = "rod"
point = [0.3, 0]
direction = [0, 1]
[[subsystem.contact]]
name = "stop"
body = "rod"
point = [0.3, 0]
plane = [0, -1.2]
normal = [0, 1]
restitution = 0.6
[[subsystem]]
name = "mass"
kind = "linear"
mass = [0.4]
[[subsystem.port]]
name = "port"
coordinates = [0]
[[interface]]
name = "joint_x"
between = ["upper.x", "lower.x"]
law = "rigid"
[[interface]]
name = "joint_y"
between = ["upper.y", "lower.y"]
law = "rigid"
[[interface]]
name = "spring"
between = ["lower.tip", "mass.port"]
law = "compliant"
stiffness = 15.0
"#;

/// Runs a model until `end` (s) with three step sizes, half each time; the monitor's sum is the drift that is measured,
/// and the balance closes to round-off. Returns runs and drifts (J).
fn balanced(what: &str, text: &str, (end, more): (f64, &[&str])) -> Vec<(Run, f64)> {
    let of_step = |step: f64| {
        let model = format!("schema = 1\n[time]\nend = {end}\nstep = {step}\n{text}");
        let model = Run::text(&model, more);
        let (run, measured) = assert_monitored_run(&format!("{what}, {more:?}, {step} s"), &model);
        let Measured { scale, .. } = measured;
        let energy = run.report.energy;
        let left = energy.end - energy.start - energy.contact - energy.external + energy.dissipated
            - energy.monitor_sum;
        assert!(left.abs() < 1e-13 * scale.max(1.0), "{what}, {more:?}, {step} s: {left:e} J are missing");
        assert!(
            measured.drift().abs() > 1e-9 * scale,
            "{what}: a drift of {:e} J shows nothing",
            measured.drift()
        );
        (run, measured.drift())
    };
    [4e-3, 2e-3, 1e-3].map(of_step).into()
}

/// By how much half a step divides the drift, in the mean.
fn ratio(runs: &[(Run, f64)]) -> f64 {
    (runs[0].1 / runs[2].1).sqrt()
}

#[test]
fn ladder_that_slides_is_balanced() {
    let settings = [
        vec!["master.impacts=sub-step"],
        vec!["master.impacts=plain"],
        vec!["master.impacts=plain", "master.scheme=gauss-seidel", "master.tolerance=1e-12"],
    ];
    for setting in &settings {
        for end in [0.2, 0.6] {
            let runs = balanced("ladder", LADDER, (end, setting));
            let ratio = ratio(&runs);
            assert!((3.7..4.3).contains(&ratio), "until {end} s, {setting:?}: {ratio}");
        }
    }
}

#[test]
fn node_on_a_turning_plane_is_balanced() {
    let joints = [
        vec!["interface.joint.law=compliant", "interface.joint.stiffness=30"],
        vec!["interface.joint.law=rigid"],
    ];
    for joint in &joints {
        for impacts in ["master.impacts=sub-step", "master.impacts=plain"] {
            let runs =
                balanced("turning plane", TURNING_PLANE, (1.0, &[joint.as_slice(), &[impacts]].concat()));
            let ratio = ratio(&runs);
            assert!((3.9..4.1).contains(&ratio), "{joint:?}, {impacts}: {ratio}");
            for (run, _) in runs {
                assert!(run.report.energy.external > 1.0, "{:?}", run.report.energy);
                // The mean of a load works along the normal of the stage: the rule itself neither makes nor loses anything.
                let made = run.report.subsystems.iter().map(|s| s.energy_numerical.abs()).sum::<f64>();
                assert!(made < 1e-12, "{joint:?}, {impacts}: {made:e} J");
            }
        }
    }
}

#[test]
fn hinged_rod_on_a_stop_is_balanced() {
    let spring = "law = \"compliant\"\nstiffness = 20.0";
    for law in [spring, "law = \"rigid\""] {
        let text = ON_A_STOP.replace("{HINGED}", HINGED).replace(spring, law);
        for (impacts, orders) in [("sub-step", 3.2..4.8), ("plain", 1.6..2.4)] {
            let setting = format!("master.impacts={impacts}");
            let runs = balanced("hinged rod", &text, (0.9, &[&setting]));
            assert!(runs.iter().all(|(run, _)| run.report.impacts > 0));
            let ratio = ratio(&runs);
            assert!(orders.contains(&ratio), "{law}, {impacts}: {ratio}");
        }
    }
}

#[test]
fn three_masses_are_balanced() {
    for (impacts, orders) in [("sub-step", 3.2..4.8), ("plain", 1.6..2.4)] {
        let setting = format!("master.impacts={impacts}");
        let runs = balanced("three masses", &THREE_MASSES.replace("{HINGED}", HINGED), (0.8, &[&setting]));
        assert!(runs.iter().all(|(run, _)| run.report.impacts > 0));
        let ratio = ratio(&runs);
        assert!(orders.contains(&ratio), "{impacts}: {ratio}");
    }
}
