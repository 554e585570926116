//! The rules on the undamped oscillator: coefficients, spectral radius, amplitude and phase error.
//!
//! Reference: `reference/spectra.csv`, see the README beside it. The amplification matrices here are measured: one
//! step of the rule from every unit vector of what it remembers.
#![expect(clippy::unwrap_used, reason = "test support: a failure here is a failed test")]

use std::f64::consts::TAU;

use cosimo_dynamics::rules::{Prediction, StepPlan, TwoStepCoefficients};
use cosimo_dynamics::{
    CoordinateBlock, Coordinates, GeneralizedAlpha, MotionState, Multistep, StepRule, Theta,
};
use nalgebra::{Complex, DMatrix, Schur};
use proptest::prelude::*;

/// The motion of one coordinate: position, velocity and acceleration.
fn motion(time: f64, [q, v, a]: [f64; 3]) -> MotionState {
    let one = |x| vec![x].into();
    MotionState { time, q: one(q), v: one(v), a: one(a) }
}

fn one_coordinate() -> Coordinates {
    Coordinates::new([CoordinateBlock::Flat(1)])
}

/// How many numbers of what a rule remembers are of steps, not of the motion: the size of the last one, or of points the number and the
/// age.
fn sizes(saved: &[f64]) -> usize {
    if saved.len() == 5 { 2 } else { saved.len().min(1) }
}

/// One step of size 1 of `a = −ω² q`; `y` holds the position, velocity, acceleration and the history of the rule.
fn step(rule: &mut dyn StepRule, omega: f64, y: &[f64]) -> Vec<f64> {
    let mut state = motion(0.0, [y[0], y[1], y[2]]);
    let mut saved = Vec::new();
    rule.save(&mut saved);
    let head = sizes(&saved);
    saved[head..].copy_from_slice(&y[3..]);
    assert_eq!(rule.restore(&saved), Some(saved.len()));
    let mut plan = StepPlan::zeros(1);
    plan.make_flat(rule, 1.0, state.point(), &one_coordinate());
    let StepPlan { formula, prediction: Prediction { velocity, increment }, .. } = plan;
    let stiffness = omega * omega;
    let stage = state.q[0] + formula.stage.position * increment[0];
    let u = -stiffness * stage / (1.0 + formula.stage_position() * stiffness);
    let position = state.q[0] + increment[0] + formula.end.position * u;
    let mut after = motion(1.0, [position, velocity[0] + formula.end.velocity * u, u]);
    rule.accept(1.0, state.point(), &after.a, false);
    std::mem::swap(&mut state, &mut after);
    saved.clear();
    rule.save(&mut saved);
    let mut out = vec![state.q[0], state.v[0], state.a[0]];
    out.extend(saved.iter().skip(head));
    out
}

/// Eigenvalues of the amplification matrix of a started rule.
fn roots(rule: &mut dyn StepRule, omega: f64) -> Vec<Complex<f64>> {
    let rest = motion(0.0, [0.0; 3]);
    rule.restart(&one_coordinate());
    rule.accept(1.0, rest.point(), &rest.a, false);
    let mut saved = Vec::new();
    rule.save(&mut saved);
    let n = 3 + saved.len() - sizes(&saved);
    // Balanced units: positions as ω² q and velocities as ω v. A history of two numbers is one of accelerations.
    let scale = |i: usize| match (n, i % 3) {
        (5, _) if i >= 3 => 1.0,
        (_, 0) => omega * omega,
        (_, 1) => omega,
        _ => 1.0,
    };
    let mut matrix = DMatrix::zeros(n, n);
    for j in 0..n {
        let mut unit = vec![0.0; n];
        unit[j] = 1.0 / scale(j);
        for (i, x) in step(rule, omega, &unit).iter().enumerate() {
            matrix[(i, j)] = x * scale(i);
        }
    }
    Schur::try_new(matrix, 1e-15, 10_000).unwrap().complex_eigenvalues().iter().copied().collect()
}

fn radius(rule: &mut dyn StepRule, omega: f64) -> f64 {
    roots(rule, omega).iter().fold(0.0, |m, z| m.max(z.norm()))
}

/// Amplitude and phase error of the root closest to the exact solution `exp(iω)`.
fn accuracy(rule: &mut dyn StepRule, omega: f64) -> (f64, f64) {
    let exact = Complex::new(0.0, omega).exp();
    let roots = roots(rule, omega);
    let principal = roots.iter().min_by(|a, b| (*a - exact).norm().total_cmp(&(*b - exact).norm())).unwrap();
    (1.0 - principal.norm(), 1.0 - principal.arg() / omega)
}

fn rule(column: &str) -> Option<Box<dyn StepRule>> {
    let parameter = || column.split("rho").nth(1).unwrap().parse().unwrap();
    match column {
        "crank_nicolson" => Some(Box::new(Theta::default())),
        c if c.starts_with("multistep") => Some(Box::new(Multistep::new(parameter()).unwrap())),
        c if c.starts_with("genalpha") => Some(Box::new(GeneralizedAlpha::new(parameter()).unwrap())),
        _ => None,
    }
}

#[test]
fn spectral_radii_are_those_of_the_reference() {
    let mut reader = csv::Reader::from_path("tests/reference/spectra.csv").unwrap();
    let header = reader.headers().unwrap().clone();
    let mut compared = 0;
    for record in reader.records() {
        let record: Vec<f64> = record.unwrap().iter().map(|x| x.parse().unwrap()).collect();
        for (name, expected) in header.iter().zip(&record) {
            let Some(mut rule) = name.strip_suffix("_radius").and_then(rule) else { continue };
            let found = radius(rule.as_mut(), TAU * record[0]);
            // Near double roots the eigenvalues of either computation are good to the square root of round-off.
            assert!((found - expected).abs() < 2e-6, "{name} at h/T = {}: {found} for {expected}", record[0]);
            compared += 1;
        }
    }
    assert!(compared >= 33 * 7, "{compared} values compared");
}

#[test]
fn amplitude_and_phase_errors_are_those_of_the_reference() {
    let mut reader = csv::Reader::from_path("tests/reference/spectra.csv").unwrap();
    let header = reader.headers().unwrap().clone();
    for record in reader.records() {
        let record: Vec<f64> = record.unwrap().iter().map(|x| x.parse().unwrap()).collect();
        // Beyond a quarter step per period roots come close to each other.
        if record[0] > 0.21 {
            continue;
        }
        for (i, name) in header.iter().enumerate() {
            let Some(mut rule) = name.strip_suffix("_amp_err").and_then(rule) else { continue };
            let (amplitude, phase) = accuracy(rule.as_mut(), TAU * record[0]);
            assert!((amplitude - record[i]).abs() < 1e-9, "{name} at {}: {amplitude}", record[0]);
            assert!((phase - record[i + 1]).abs() < 1e-9, "{name} at {}: phase {phase}", record[0]);
        }
    }
}

#[test]
fn errors_at_ten_steps_a_period_are_the_published_ones() {
    let mut rules: [(Box<dyn StepRule>, f64, f64); 3] = [
        (Box::new(Multistep::new(0.6).unwrap()), 5.256e-4, 0.0365),
        (Box::new(GeneralizedAlpha::new(0.6).unwrap()), 1.017e-3, 0.0390),
        (Box::new(Theta::default()), 0.0, 0.0311),
    ];
    for (rule, amplitude, phase) in &mut rules {
        let found = accuracy(rule.as_mut(), TAU * 0.1);
        assert!((found.0 - *amplitude).abs() < 5e-7, "{}: amplitude error {}", rule.name(), found.0);
        assert!((found.1 - *phase).abs() < 5e-5, "{}: phase error {}", rule.name(), found.1);
    }
}

#[test]
fn spectral_radius_at_infinity_is_the_parameter() {
    for rho in [0.0, 0.3, 0.6, 0.82, 1.0] {
        let rules: [Box<dyn StepRule>; 2] =
            [Box::new(Multistep::new(rho).unwrap()), Box::new(GeneralizedAlpha::new(rho).unwrap())];
        for mut rule in rules {
            // The double (triple) root splits with the square (cubic) root of the distance from infinity.
            let (near, far) = (radius(rule.as_mut(), 1e6), radius(rule.as_mut(), 1e9));
            assert!((near - rho).abs() < 2e-3, "{} {rho}: {near} at 1e6", rule.name());
            assert!((far - rho).abs() < 1e-4, "{} {rho}: {far} at 1e9", rule.name());
        }
    }
}

#[test]
fn no_motion_grows_at_any_frequency() {
    for rho in [0.0, 0.3, 0.6, 0.82, 1.0] {
        for k in -20..=60 {
            let omega = 10.0_f64.powf(f64::from(k) / 10.0);
            let multistep = radius(&mut Multistep::new(rho).unwrap(), omega);
            let alpha = radius(&mut GeneralizedAlpha::new(rho).unwrap(), omega);
            assert!(multistep.max(alpha) < 1.0 + 1e-7, "ρ = {rho}, ωh = {omega}: {multistep}, {alpha}");
        }
    }
}

#[test]
fn zero_radius_is_the_backward_differentiation_formula() {
    // Two-step BDF at step ratio w: (1 + 2w)/(1 + w) x₁ − (1 + w) x₀ + w²/(1 + w) x₋₁ = h ẋ₁.
    for w in [0.5, 1.0, 1.5] {
        let found = TwoStepCoefficients::new(0.0, w * 1e-3, 1e-3);
        let scale = (1.0 + w) / (1.0 + 2.0 * w);
        let expected = [(1.0 + w) * scale, -w * w / (1.0 + w) * scale, w * 1e-3 * scale];
        for (a, b) in [found.value[0], found.value[1], found.rate[0]].iter().zip(expected) {
            assert!((a - b).abs() < 1e-15 * (1.0 + b.abs()), "{a} for {b} at ratio {w}");
        }
        assert!(found.rate[1].abs() < 1e-18 && found.rate[2].abs() < 1e-18);
    }
}

#[test]
fn parameters_outside_their_range_are_refused() {
    for rho in [-0.1, 1.1, f64::NAN] {
        assert!(Multistep::new(rho).is_err() && GeneralizedAlpha::new(rho).is_err());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Constants, lines and parabolas are integrated exactly whatever the step ratio: order two.
    #[test]
    fn coefficients_satisfy_the_order_conditions(rho in 0.0..=1.0, ratio in 0.2..5.0, previous in 1e-4..1.0) {
        let h = ratio * previous;
        let TwoStepCoefficients { value: [a0, a_1], rate: [b1, b0, b_1] } =
            TwoStepCoefficients::new(rho, h, previous);
        prop_assert!((a0 + a_1 - 1.0).abs() < 1e-12);
        prop_assert!((b1 + b0 + b_1 - (h + a_1 * previous)).abs() < 1e-12 * previous);
        prop_assert!((2.0 * (b1 * h - b_1 * previous) - (h * h - a_1 * previous * previous)).abs()
            < 1e-12 * previous * previous);
    }

    /// At infinite frequency the characteristic polynomial has the double root `−ρ` whatever the step ratio.
    #[test]
    fn both_roots_at_infinity_are_the_parameter(rho in 0.0..=1.0, ratio in 0.2..5.0, previous in 1e-4..1.0) {
        let [b1, b0, b_1] = TwoStepCoefficients::new(rho, ratio * previous, previous).rate;
        prop_assert!((b0 - 2.0 * rho * b1).abs() < 1e-12 * b1);
        prop_assert!((b_1 - rho * rho * b1).abs() < 1e-12 * b1);
    }
}
