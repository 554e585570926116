//! The coupling schemes between a node by the θ rule and smooth parts by the multistep rule: contraction, iterations, where they diverge; and
//! one solution for all of them.
//!
//! References: the contraction in closed form, `ρ = W_a / (W_b + c/h²)`, what follows from it and from the forces of the condensed scheme for the
//! number of iterations (`droop_stop` one level up), and event-driven solutions. Tables of iterations are those of `docs/benchmarks/schemes.md`.

#![expect(clippy::unwrap_used, reason = "tests")]

mod accuracy;
mod bits;
mod blade;
mod chain;
mod droop_stop;
mod exact;
mod results;

use cosimo::master::Outcome;
use cosimo::model::ModelSpec;
use coupling_tests::Run;

/// A scheme and its acceleration, as the model file names them.
type Scheme<'a> = (&'a str, &'a str);

const CONDENSED: Scheme<'static> = ("condensed", "none");
/// Every iterative scheme with every acceleration.
const ITERATIVE: [Scheme<'static>; 8] = [
    ("gauss-seidel", "none"),
    ("gauss-seidel", "relaxation"),
    ("gauss-seidel", "aitken"),
    ("gauss-seidel", "iqn-ils"),
    ("jacobi", "none"),
    ("jacobi", "relaxation"),
    ("jacobi", "aitken"),
    ("jacobi", "iqn-ils"),
];

/// `b₁` of the multistep rule of spectral radius 0.6, for a step of 1e-4 s.
const B1: f64 = 1e-4 * (0.5 + 0.16 / (2.0 * 3.84));

/// Contraction at a node of mass `m` (kg) on a model of inverse mass `w` (1/kg) and a constant `c` (m/N); `h = 1e-4` s.
fn rho(m: f64, w: f64, c: f64) -> f64 {
    1.0 / m / (w + c / 1e-8)
}

/// Settings of a scheme, with a tolerance of 1e-6.
fn settings((scheme, acceleration): Scheme<'_>, limit: u32) -> Vec<String> {
    vec![
        format!("master.scheme={scheme}"),
        format!("master.acceleration={acceleration}"),
        format!("master.max_iterations={limit}"),
        "master.impacts=plain".to_owned(),
        "master.tolerance=1e-6".to_owned(),
    ]
}

/// Settings of a Tikhonov joint with the constant `c` (m/N), if it is not zero.
fn constant(joint: &str, c: f64) -> Vec<String> {
    if c == 0.0 {
        return Vec::new();
    }
    vec![format!("interface.{joint}.law=tikhonov"), format!("interface.{joint}.constant={c:e}")]
}

/// Runs `examples/<model>` with these settings as far as it comes.
fn run(model: &str, overrides: &[String]) -> Run {
    Run::of(&spec(model, overrides))
}

fn spec(model: &str, overrides: &[String]) -> ModelSpec {
    Run::model(model, &overrides.iter().map(String::as_str).collect::<Vec<_>>())
}

/// Asserts this mean number of iterations per step, within a factor; none where they do not agree, and steps are solved at once.
#[track_caller]
fn assert_count(run: &Run, expected: Option<f64>, within: f64, what: &str) {
    let report = &run.report;
    assert_eq!(report.outcome, Outcome::Completed, "{what}");
    let at_once = report.solved_at_once;
    assert_eq!(
        at_once > 0,
        expected.is_none(),
        "{what}: {at_once} steps solved at once, expected {expected:?}"
    );
    if let Some(mean) = expected {
        let found = report.master_iterations_per_step();
        let ratio = found / mean;
        assert!((1.0 / within..=within).contains(&ratio), "{what}: {found} iterations per step, not {mean}");
    }
}

/// Largest difference of any quantity, against the largest value of its kind (the part of the name after the dot, without
/// digits), and the quantity.
fn deviation(found: &Run, expected: &Run) -> (f64, String) {
    let kind =
        |label: &str| label.split('.').next_back().map(|n| n.trim_end_matches(char::is_numeric).to_owned());
    let mut worst = (0.0, String::new());
    // Not compared: what an iteration took and left, whether a contact is closed, and residuals of a subsystem's own constraints, which are round-off.
    let is_result =
        |label: &&String| !["residual", "iterations", "created", "status"].iter().any(|n| label.contains(n));
    for label in expected.labels().iter().filter(is_result) {
        let alike = expected.labels().iter().filter(|other| kind(other) == kind(label));
        let size = alike.flat_map(|other| expected.column(other)).fold(0.0_f64, |size, x| size.max(x.abs()));
        let (a, b) = (found.column(label), expected.column(label));
        assert_eq!(a.len(), b.len(), "{label}");
        let difference = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        if difference > worst.0 * size {
            worst = (difference / size, label.clone());
        }
    }
    worst
}

#[track_caller]
fn assert_same(found: &Run, expected: &Run, within: f64, what: &str) {
    let (worst, label) = deviation(found, expected);
    assert!(worst <= within, "{what}: {label} differs by {worst:e} of its size");
}
