//! Cost of spatial mechanisms: `cargo bench -p cosimo-multibody --bench mechanisms`; with `-- peers` only what
//! `peers.py` beside it compares.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a table for people")]

#[path = "../tests/suite/mechanisms/mod.rs"]
mod mechanisms;

use std::time::Instant;

use cosimo_multibody::spatial::SpatialModel;
use cosimo_smooth::dae::{DaeSettings, ErrorControl, Formulation, Method, TangentPolicy};
use mechanisms::{chain, hinges, n_four_bar, start};

const RULE: Method = Method::GeneralizedAlpha { spectral_radius: 0.8 };

fn settings(tangent: TangentPolicy) -> DaeSettings {
    DaeSettings { formulation: Formulation::Position, tangent, tolerance: 1e-8, ..DaeSettings::default() }
}

/// Milliseconds an iteration in the fastest of some steps of a swinging chain, and iterations per step.
fn iteration(n: usize, tangent: TangentPolicy) -> (f64, f64) {
    let mut solver = start(hinges(chain(n), n), RULE, settings(tangent));
    let steps = (100_000 / n).clamp(10, 500);
    let (mut best, mut iterations) = (f64::INFINITY, 0);
    for step in 0..steps + 3 {
        let begun = Instant::now();
        let done = solver.step(1e-3).unwrap().iterations;
        let spent = begun.elapsed().as_secs_f64() * 1e3 / done as f64;
        if step >= 3 {
            best = best.min(spent);
            iterations += done;
        }
    }
    (best, iterations as f64 / steps as f64)
}

/// Microseconds of the fastest of 500 steps of 2 ms.
fn four_bar_step(n: usize) -> f64 {
    let mut solver = start(n_four_bar(n), RULE, settings(TangentPolicy::Modified));
    (0..500).fold(f64::INFINITY, |best, _| {
        let begun = Instant::now();
        solver.step(2e-3).unwrap();
        best.min(begun.elapsed().as_secs_f64() * 1e6)
    })
}

/// Errors of the angles of Andrews' mechanism at 30 ms, and seconds spent, against the step.
fn andrews_table() {
    println!("Andrews, rule, formulation | step (µs) | error (rad) | spent (s)");
    for (name, method, formulation) in [
        ("generalized-α 0.8, index 3", RULE, Formulation::Position),
        ("two-step 0.6, index 3", Method::Multistep { spectral_radius: 0.6 }, Formulation::Position),
        ("generalized-α 0.8, PV", RULE, Formulation::PositionVelocity),
        ("generalized-α 0.8, PVA", RULE, Formulation::PositionVelocityAcceleration),
        ("BDF 4, index 3", Method::Bdf { order: 4 }, Formulation::Position),
        ("BDF 5, index 3", Method::Bdf { order: 5 }, Formulation::Position),
        ("BDF 5, PVA", Method::Bdf { order: 5 }, Formulation::PositionVelocityAcceleration),
    ] {
        for micro in [40.0, 20.0, 10.0, 5.0, 2.5] {
            let settings = DaeSettings { formulation, tolerance: 1e-12, ..DaeSettings::default() };
            let mut solver = start(mechanisms::andrews::model(), method, settings);
            let begun = Instant::now();
            let outcome = solver.advance_to(0.03, micro * 1e-6);
            let spent = begun.elapsed().as_secs_f64();
            let error =
                outcome.map_or(f64::NAN, |_| mechanisms::andrews::error_at_the_end(&solver.state().q));
            println!("{name} | {micro} | {error:.1e} | {spent:.2}");
        }
    }
}

/// The same against the tolerance, with orders and steps by the error.
fn andrews_tolerances() {
    println!("Andrews, formulation | tolerance | steps | error (rad) | spent (s)");
    for formulation in [Formulation::PositionVelocity, Formulation::PositionVelocityAcceleration] {
        for digits in 6..=12 {
            let settings = DaeSettings { formulation, tolerance: 1e-13, ..DaeSettings::default() };
            let method = Method::AdaptiveBdf { largest_order: 5 };
            let mut solver = start(mechanisms::andrews::model(), method, settings);
            let mut control = ErrorControl::new(0.1_f64.powi(digits)).unwrap();
            let begun = Instant::now();
            let steps = solver.advance_within(0.03, &mut control).unwrap();
            let spent = begun.elapsed().as_secs_f64();
            let error = mechanisms::andrews::error_at_the_end(&solver.state().q);
            println!("{formulation:?} | 1e-{digits} | {steps} | {error:.1e} | {spent:.2}");
        }
    }
}

/// Integrates to `end` (s) with steps of `micro` (µs): prints the name, the step, the fewest seconds of three runs and what
/// `outcome` makes of the positions.
fn peer(
    name: &str,
    model: &dyn Fn() -> SpatialModel,
    (end, micro): (f64, f64),
    outcome: &dyn Fn(&[f64]) -> Vec<f64>,
) {
    let mut least = f64::INFINITY;
    let mut found = Vec::new();
    for _ in 0..3 {
        let settings = DaeSettings { tolerance: 1e-10, ..settings(TangentPolicy::Frozen) };
        let mut solver = start(model(), RULE, settings);
        let begun = Instant::now();
        solver.advance_to(end, micro * 1e-6).unwrap();
        least = least.min(begun.elapsed().as_secs_f64());
        found = outcome(&solver.state().q);
    }
    let found: Vec<String> = found.iter().map(|x| format!("{x:.12}")).collect();
    println!("{name} | {micro} | {least:.5} | {}", found.join(" | "));
}

/// Angles about z of the first bodies.
fn angles(q: &[f64], bodies: usize) -> Vec<f64> {
    q.chunks(7).take(bodies).map(|q| 2.0 * q[6].atan2(q[3])).collect()
}

/// Centre of mass of the last body.
fn tip(q: &[f64]) -> Vec<f64> {
    q[q.len() - 7..q.len() - 4].to_vec()
}

fn peers() {
    for micro in [20.0, 10.0, 5.0] {
        peer("Andrews", &mechanisms::andrews::model, (0.03, micro), &|q| angles(q, 7));
    }
    for n in [1, 10, 40] {
        peer(&format!("N-four-bar {n}"), &|| n_four_bar(n), (1.0, 2000.0), &|q| angles(q, 1));
    }
    for n in [10, 100] {
        // The short steps are the reference of the long ones.
        for micro in [1000.0, 250.0] {
            peer(&format!("chain {n}"), &|| hinges(chain(n), n), (0.2, micro), &tip);
        }
    }
}

fn main() {
    if std::env::args().any(|argument| argument == "peers") {
        return peers();
    }
    println!("chain with revolutes | fresh (ms) | iterations | frozen (ms) | iterations");
    for n in [10, 100, 1000, 10_000] {
        let ((fresh, some), (frozen, more)) =
            (iteration(n, TangentPolicy::Full), iteration(n, TangentPolicy::Frozen));
        println!("{n:>20} | {fresh:>10.4} | {some:>10.2} | {frozen:>11.4} | {more:>10.2}");
    }
    println!("N-four-bar in space | µs a step of 2 ms");
    for n in [1, 10, 40] {
        println!("{n:>19} | {:>9.1}", four_bar_step(n));
    }
    andrews_table();
    andrews_tolerances();
}
