//! A mass on a spring that grazes a stop where it turns back: every impact opens again within a step or two, and the gaps at
//! most ends of steps show nothing of it.
//!
//! Reference: closed form. Between impacts the energy stays, so that the impact speeds are `v₁ eⁿ`; the way from the stop
//! and back takes `(2π − 2 atan(v/(ω w)))/ω`.

use std::f64::consts::PI;

use cosimo::master::ContactEventKind;
use coupling_tests::Run;

const OMEGA: f64 = 2.0 * PI;
const RESTITUTION: f64 = 0.6;
/// Distance of the stop (m), of an amplitude of 1 m.
const STOP: f64 = 0.999;

/// Times (s) and speeds (m/s) of the first impacts.
fn impacts(count: usize) -> Vec<(f64, f64)> {
    let mut time = (PI - STOP.acos()) / OMEGA;
    let mut speed = OMEGA * (1.0 - STOP * STOP).sqrt();
    let mut found = Vec::new();
    for _ in 0..count {
        found.push((time, speed));
        speed *= RESTITUTION;
        time += (2.0 * PI - 2.0 * (speed / (OMEGA * STOP)).atan()) / OMEGA;
    }
    found
}

#[test]
fn impacts_that_open_again_within_a_step_keep_their_speeds() {
    let model = |h: f64| {
        format!(
            r#"
schema = 1
time = {{ end = 5.0, step = {h:?} }}

[[subsystem]]
name = "mass"
kind = "linear"
mass = [1.0]
stiffness = [[{:?}]]
position = [1.0]

[[subsystem.contact]]
name = "stop"
row = [1.0]
offset = {:?}
restitution = {RESTITUTION:?}
"#,
            OMEGA * OMEGA,
            -STOP
        )
    };
    for h in [0.02, 0.0193, 0.013, 0.011] {
        let run = Run::completed(&Run::text(&model(h), &[]));
        let found = run.events_at("mass.stop", ContactEventKind::Impact);
        for (n, (event, (time, speed))) in found.iter().zip(impacts(3)).enumerate() {
            // The midpoint rule is late by its period; a parabola misses the turning point of a cosine by 5 (ωh)⁴/384.
            let late = time * (OMEGA * h).powi(2) / 12.0;
            assert!((event.time - time - late).abs() < 0.1 * h, "h {h}: {} for {time}", event.time);
            let higher = 0.5 * (event.velocities[0].powi(2) - speed * speed) / OMEGA.powi(2);
            let missed = 5.0 / 384.0 * (OMEGA * h).powi(4);
            assert!(higher.abs() < 4.0 * (n + 1) as f64 * missed, "h {h}: {higher:e}, {missed:e}");
        }
        assert!(found.len() >= 3, "h {h}: {} impacts", found.len());
    }
}
