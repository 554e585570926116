//! The facade from outside: models of files and of parts, trajectories, runs step by step; the programs of the documentation.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail by panicking")]

mod documentation;
mod files;
mod mixed;
mod parts;
mod steps;

/// Two masses on a spring, the lower one above a floor.
const MASSES: &str = r#"
schema = 1
title = "Two masses"
time = { end = 0.5, step = 1e-3 }
[[subsystem]]
name = "lower"
kind = "node"
mass = 1.0
gravity = [0, 0, -10]
position = [0, 0, 0.5]
[[subsystem.port]]
name = "top"
direction = [0, 0, 1]
[[subsystem.plane]]
name = "floor"
normal = [0, 0, 1]
restitution = 0.8
[[subsystem]]
name = "upper"
kind = "linear"
coordinates = ["z"]
mass = [1.0]
gravity = -10.0
position = 1.0
[[subsystem.port]]
name = "foot"
coordinates = ["z"]
[[interface]]
name = "spring"
between = ["lower.top", "upper.foot"]
law = "compliant"
stiffness = 1e3
offset = -0.5
"#;

/// All values of a trajectory, bit by bit.
fn bits(trajectory: &cosimo::Trajectory) -> Vec<Vec<u64>> {
    let times = trajectory.times().iter().map(|time| time.to_bits()).collect();
    let series = trajectory.all().iter();
    let values = series.map(|own| own.values().iter().map(|value| value.to_bits()).collect());
    std::iter::once(times).chain(values).collect()
}
