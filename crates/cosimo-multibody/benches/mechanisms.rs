//! Cost of spatial mechanisms: `cargo bench -p cosimo-multibody --bench mechanisms`.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a table for people")]

#[path = "../tests/mechanisms/mod.rs"]
mod mechanisms;

use std::time::Instant;

use cosimo_smooth::dae::{DaeSettings, Formulation, Method, TangentPolicy};
use mechanisms::{chain, hinges, n_four_bar, start};

const RULE: Method = Method::GeneralizedAlpha { spectral_radius: 0.8 };

fn settings(tangent: TangentPolicy) -> DaeSettings {
    DaeSettings { formulation: Formulation::Position, tangent, tolerance: 1e-8, ..DaeSettings::default() }
}

/// Milliseconds an iteration and iterations a step, the best of some runs of a swinging chain.
fn iteration(n: usize, tangent: TangentPolicy) -> (f64, f64) {
    let mut solver = start(hinges(chain(n), n), RULE, settings(tangent));
    for _ in 0..3 {
        solver.step(1e-3).unwrap();
    }
    let steps = (20_000 / n).clamp(5, 200);
    let mut best = f64::INFINITY;
    let mut iterations = 0;
    for _ in 0..3 {
        let (begun, mut done) = (Instant::now(), 0);
        for _ in 0..steps {
            done += solver.step(1e-3).unwrap().iterations;
        }
        best = best.min(begun.elapsed().as_secs_f64() * 1e3 / done as f64);
        iterations = done;
    }
    (best, iterations as f64 / steps as f64)
}

fn main() {
    println!("chain with revolutes | fresh (ms) | iterations | frozen (ms) | iterations");
    for n in [10, 100, 1000, 10_000] {
        let ((fresh, some), (frozen, more)) =
            (iteration(n, TangentPolicy::Full), iteration(n, TangentPolicy::Frozen));
        println!("{n:>20} | {fresh:>10.4} | {some:>10.2} | {frozen:>11.4} | {more:>10.2}");
    }
    println!("N-four-bar in space | real time factor | µs a step");
    for n in [1, 10, 40] {
        let mut solver = start(n_four_bar(n), RULE, settings(TangentPolicy::Modified));
        let begun = Instant::now();
        let steps = solver.advance_to(1.0, 2e-3).unwrap();
        let spent = begun.elapsed().as_secs_f64();
        println!("{n:>19} | {:>16.1} | {:>9.1}", 1.0 / spent, spent * 1e6 / steps as f64);
    }
}
