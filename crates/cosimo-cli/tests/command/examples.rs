//! The examples run as their descriptions say.

use std::path::{Path, PathBuf};

use super::{Scratch, assert_code, read};

/// The model of an example.
fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name).join("model.toml")
}

/// Times of the impacts of an example, run with these overrides.
fn impacts(name: &str, overrides: &[&str]) -> Vec<f64> {
    let scratch = Scratch::new("");
    let model = example(name);
    let mut arguments = vec!["run", model.to_str().unwrap(), "--quiet"];
    arguments.extend(overrides.iter().flat_map(|change| ["--set", change]));
    assert_code(&scratch.cosimo(&arguments), 0);
    let events = read(&scratch.path("out").join(name).join("events.csv"));
    let impacts = events.lines().filter(|line| line.contains(",impact,"));
    impacts.map(|line| line.split(',').next().unwrap().parse().unwrap()).collect()
}

#[track_caller]
fn assert_times(found: &[f64], expected: &[f64], tolerance: f64) {
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
    }
    assert!(found.len() >= expected.len(), "{found:?}");
}

/// Exact times: free flight and contact in closed form, impacts in 60-digit arithmetic.
const OSCILLATOR: [f64; 9] = [
    0.400_249_921_923_79,
    0.458_719_095_698_248,
    0.969_382_274_542_06,
    1.031_433_223_060_405,
    1.075_366_057_322_451,
    1.569_233_712_018_32,
    1.612_067_177_260_552,
    1.638_737_824_879_992,
    1.667_591_519_828_663,
];

#[test]
fn the_oscillator_meets_the_floor_at_the_exact_times() {
    let found = impacts("oscillator", &[]);
    assert_times(&found, &OSCILLATOR, 2e-4);
    assert_eq!(found.len(), OSCILLATOR.len());
    assert_times(&impacts("oscillator", &["time.step=1e-3", "time.end=0.9"]), &OSCILLATOR[..2], 1e-4);
}

#[test]
fn the_ball_bounces_at_the_exact_times() {
    let first = 0.400_249_921_923_79;
    // Each flight lasts 0.8 times as long as the one before; the first begins at its summit.
    let exact: Vec<f64> = (0..10).map(|k| first * (1.0 + 2.0 * (4.0 - 4.0 * 0.8_f64.powi(k)))).collect();
    assert_times(&impacts("bouncing-ball", &[]), &exact, 1e-9);
}
