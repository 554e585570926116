//! A hub whose motion is prescribed carries a blade of another subsystem: rows that nothing moves, joined rigidly.
//!
//! Reference: the same model in one piece.

use coupling_tests::Run;

const HUB: &str = r#"
[[subsystem.body]]
name = "hub"
mass = 2.0
inertia = [0.1, 0.2, 0.3]
angular_velocity = [0, 0, 4]

[[subsystem.joint]]
name = "bearing"
type = "revolute"
bodies = ["ground", "hub"]
at = [0, 0, 0]
axis = [0, 0, 1]

[[subsystem.joint]]
name = "drive"
type = "angle"
bodies = ["ground", "hub"]
at = [0, 0, 0]
axis = [0, 0, 1]
motion = { rate = 4 }
"#;

const BLADE: &str = r#"
[[subsystem.body]]
name = "blade"
mass = 1.5
inertia = [0.01, 0.4, 0.4]
position = [1, 0, 0]
centre_of_mass = [0.8, 0, 0]
velocity = [0, 4, 0]
angular_velocity = [0, 0, 4]
"#;

/// The hub and the blade in two subsystems, by a point.
fn cut() -> String {
    format!(
        r#"schema = 1
time = {{ end = 1.0, step = 2e-3 }}
[[subsystem]]
name = "rotor"
kind = "multibody"
gravity = [0, 0, -9.81]
{HUB}
[[subsystem.port]]
name = "arm"
body = "hub"
point = [1, 0, 0]
coordinates = 3
[[subsystem]]
name = "wing"
kind = "multibody"
gravity = [0, 0, -9.81]
{BLADE}
[[subsystem.port]]
name = "root"
body = "blade"
coordinates = 3
[[interface]]
name = "hinge"
between = ["rotor.arm", "wing.root"]
law = "rigid"
"#
    )
}

fn whole() -> String {
    format!(
        r#"schema = 1
time = {{ end = 1.0, step = 2e-3 }}
[[subsystem]]
name = "rotor"
kind = "multibody"
gravity = [0, 0, -9.81]
{HUB}{BLADE}
[[subsystem.joint]]
name = "hinge"
type = "spherical"
bodies = ["hub", "blade"]
at = [1, 0, 0]
"#
    )
}

/// How far both are apart after a second with steps of this size: motions of the blade (m, m/s, rad/s), and work (J).
fn apart(step: f64) -> [f64; 2] {
    let step = format!("time.step={step:?}");
    let [cut, whole] = [cut(), whole()].map(|text| Run::completed(&Run::text(&text, &[&step])));
    // It has fallen a way, and the drive has been at work.
    assert!(whole.at("rotor.blade.z", 1.0) < -0.1 && whole.report.energy.external.abs() > 0.1);
    let of = |quantity: &str| {
        let [found, expected] = [(&cut, "wing"), (&whole, "rotor")]
            .map(|(run, subsystem)| run.at(&format!("{subsystem}.blade.{quantity}"), 1.0));
        (found - expected).abs()
    };
    let motions = ["x", "y", "z", "vx", "vy", "vz", "wx", "wy", "wz"].map(of);
    let work = cut.report.energy.external - whole.report.energy.external;
    [motions.into_iter().fold(0.0, f64::max), work.abs()]
}

/// Both keep the joint closed, each in its own way: what that changes is of the third order of the step.
#[test]
fn a_driven_hub_carries_a_blade_as_in_one_piece() {
    let [coarse, fine] = [2e-3, 1e-3].map(apart);
    assert!(coarse[0] < 1e-6 && coarse[1] < 2e-5, "{coarse:?}");
    for (coarse, fine) in coarse.iter().zip(fine) {
        assert!(*coarse > 6.0 * fine, "{coarse:e} and {fine:e}");
    }
}
