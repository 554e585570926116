//! A ball that bounces, in both faces.

use cosimo_dynamics::Theta;
use cosimo_fmi::unit::{Start, UnitOptions, Value};
use cosimo_subsystem::{MacroStep, StepLoads, Subsystem};

use crate::{VERSIONS, open};

const GRAVITY: f64 = 9.81;
const RESTITUTION: f64 = 0.7;

/// Height and velocity at `t` (s), dropped from 1 m at rest.
fn exact(mut t: f64) -> [f64; 2] {
    let (mut q, mut v) = (1.0, 0.0f64);
    loop {
        let hit = (v + (v * v + 2.0 * GRAVITY * q).sqrt()) / GRAVITY;
        if t <= hit {
            return [q + v * t - 0.5 * GRAVITY * t * t, v - GRAVITY * t];
        }
        (t, q, v) = (t - hit, 0.0, -RESTITUTION * (v - GRAVITY * hit));
    }
}

fn options() -> UnitOptions {
    let values = [("g", GRAVITY), ("e", RESTITUTION)];
    UnitOptions {
        parameters: values.map(|(name, value)| (name.to_owned(), Value::Float(value))).into(),
        ..UnitOptions::default()
    }
}

/// Steps to 1.2 s, two bounces on, and compares the outputs `h` and `v`.
fn check(mut ball: impl Subsystem, tolerance: f64) {
    let h = 0.013;
    let loads = StepLoads::zeros(0);
    for k in 0..92 {
        ball.begin(MacroStep { time: f64::from(k) * h, size: h }, &[]).unwrap();
        ball.commit(&loads).unwrap();
    }
    let names: Vec<String> = ball.description().outputs.iter().map(|output| output.name.clone()).collect();
    let mut values = vec![0.0; names.len()];
    ball.outputs(&[], &mut values).unwrap();
    for (name, expected) in ["h", "v"].into_iter().zip(exact(92.0 * h)) {
        let found = values[names.iter().position(|own| own == name).unwrap()];
        assert!((found - expected).abs() < tolerance, "{name} is {found}, not {expected}");
    }
}

#[test]
fn a_ball_in_model_exchange_bounces_as_by_its_closed_form() {
    for version in VERSIONS {
        let Some(mut fmu) = open("bouncing_ball", version, &[]) else { return };
        let rule = Box::new(Theta::default());
        check(fmu.model_exchange("ball", rule, &options(), Start::default()).unwrap(), 1e-9);
    }
}

#[test]
fn a_ball_in_co_simulation_bounces_as_by_its_closed_form() {
    for version in VERSIONS {
        let Some(mut fmu) = open("bouncing_ball", version, &[]) else { return };
        check(fmu.co_simulation("ball", &options(), Start::default()).unwrap(), 1e-9);
    }
}
