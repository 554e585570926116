//! The wind turbine beside momentum theory: with the induction factor `a = v/V`, `C_T = 4 a (1 − a)` and, without drag, `C_P = 4 a (1 − a)²`.

use std::f64::consts::PI;

use super::super::{Scratch, assert_code, read};
use super::{column, example};

/// `a`, `C_T` and `C_P` in steady wind at this tip speed ratio, with these overrides.
fn coefficients(tip_speed_ratio: f64, overrides: &[&str]) -> [f64; 3] {
    let scratch = Scratch::new("");
    let model = example("turbine");
    let ratio = format!("parameters.tip_speed_ratio={tip_speed_ratio}");
    // Until the inflow is steady.
    let mut arguments = vec!["run", model.to_str().unwrap(), "--quiet", "--out", "found", "--set", &ratio];
    let settings = ["parameters.gust=0", "parameters.run_up=1", "time.end=2"];
    arguments.extend(settings.iter().chain(overrides).flat_map(|change| ["--set", *change]));
    assert_code(&scratch.cosimo(&arguments), 0);
    let results = read(&scratch.path("found/results.csv"));
    let last = |name: &str| column(&results, &format!("rotor.air.{name}")).pop().unwrap();
    let (density, radius, wind) = (1.225, 1.5_f64, 8.0_f64);
    let dynamic = 0.5 * density * PI * radius.powi(2) * wind.powi(2);
    [last("inflow") / wind, last("thrust") / dynamic, -last("power") / (dynamic * wind)]
}

/// Without drag a section's force stands on its flow: what the thrust takes from the wind at the disk is the power. Blades that bend with
/// the wind also pitch as they turn, which the three-quarter chord feels.
#[test]
fn the_turbine_takes_what_momentum_theory_says() {
    let airfoil = "subsystem.rotor.aerodynamics.blade.airfoils=[{ from = 0.3, to = 1.5, airfoil = { kind = \"thin\", lift_slope = 5.7 } }]";
    for (flap, allowed) in [("8e5", 1e-3), ("800", 4e-3)] {
        for ratio in [4.0, 6.0, 8.0] {
            let [a, thrust, power] = coefficients(ratio, &[airfoil, &format!("parameters.flap={flap}")]);
            assert!(a > 0.1 && a < 0.2, "{a}");
            assert!((thrust / (4.0 * a * (1.0 - a)) - 1.0).abs() < 1e-4, "{thrust} at a = {a}");
            let ideal = 4.0 * a * (1.0 - a).powi(2);
            assert!((power / ideal - 1.0).abs() < allowed, "{power} in place of {ideal}");
        }
    }
}

/// With the drag of its airfoil it stays below, and below Betz' limit of 16/27, as the page says.
#[test]
fn the_turbine_with_drag_stays_below() {
    let page = read(&example("turbine").with_file_name("README.md"));
    for ratio in [5.0, 6.0, 7.0] {
        let [a, thrust, power] = coefficients(ratio, &[]);
        let [by_thrust, ideal] = [1.0 - a, (1.0 - a).powi(2)].map(|part| 4.0 * a * part);
        assert!((thrust / by_thrust - 1.0).abs() < 1e-4, "{thrust} at a = {a}");
        assert!(power < ideal && power > 0.85 * ideal && ideal < 16.0 / 27.0, "{power} beside {ideal}");
        let told = format!("| {ratio} | {a:.3} | {thrust:.3} | {by_thrust:.3} | {power:.3} | {ideal:.3} |");
        assert!(page.contains(&told), "{told}");
    }
}
