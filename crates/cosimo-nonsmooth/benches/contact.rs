//! Time of a single contact with friction: the law alone, and the whole one-step problem of a contact that stays closed.
//!
//! `cargo bench -p cosimo-nonsmooth --bench contact`

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "benches")]

use std::hint::black_box;
use std::time::Instant;

use cosimo_complementarity::friction::solve_contact;
use cosimo_mechanics::ContactLaw;
use cosimo_nonsmooth::{ContactLaws, ContactMemory, ContactRows, ImpactResolution, OneStepProblem};
use nalgebra::{DMatrix, Matrix3, Vector3};

const ROUNDS: u32 = 2_000_000;

fn main() {
    // A sphere: the tangents answer 7/2 times as much as the normal; then a mass that couples them.
    let sphere = Matrix3::from_diagonal(&Vector3::new(1.0, 3.5, 3.5));
    let coupled = Matrix3::new(1.0, 0.3, -0.2, 0.3, 2.0, 0.4, -0.2, 0.4, 1.5);
    println!("| contact | slides (µs) | sticks (µs) | one-step problem, slides (µs) | sticks (µs) |");
    println!("|---|---|---|---|---|");
    for (name, w) in [("sphere", sphere), ("coupled", coupled)] {
        let law = |v: Vector3<f64>| time(|| _ = black_box(solve_contact(&black_box(w), &black_box(v), 0.3)));
        let [slides, sticks] = [Vector3::new(-1e-2, 1.0, 0.4), Vector3::new(-1e-2, 1e-3, 0.0)];
        println!(
            "| {name} | {:.3} | {:.3} | {:.3} | {:.3} |",
            law(slides),
            law(sticks),
            one_step(&w, slides),
            one_step(&w, sticks)
        );
    }
}

/// Best time of a call (µs).
fn time(mut call: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let started = Instant::now();
        (0..ROUNDS / 5).for_each(|_| call());
        best = best.min(1e6 * started.elapsed().as_secs_f64() / f64::from(ROUNDS / 5));
    }
    best
}

fn one_step(w: &Matrix3<f64>, end: Vector3<f64>) -> f64 {
    let laws = ContactLaws::new([(ContactLaw::with_friction(0.0, 0.3), 2)]);
    let (delassus, damped) = (DMatrix::from_column_slice(3, 3, w.as_slice()), DMatrix::zeros(0, 0));
    let mut problem = OneStepProblem::with_rows(1, 3, ImpactResolution::SubStep);
    let start = [0.0, end.y, end.z];
    let closed = ContactMemory { load: 1.0, ..ContactMemory::OPEN };
    time(|| {
        let rows = ContactRows {
            time: 0.0,
            step: 1e-3,
            macro_step: 1e-3,
            impacts: None,
            partings: None,
            impact_lead: None,
            damping_weight: 5e-4,
            position_weight: 5e-4,
            load_weight: 1e-3,
            start_gaps: &[0.0],
            start_rates: &start,
            lengths: &[],
            speeds: &[],
            end_gaps: &[-1e-5],
            end_rates: end.as_slice(),
            laws: &laws,
            delassus: (&delassus).into(),
            damped: &damped,
        };
        let mut memory = [closed];
        _ = black_box(problem.solve(black_box(&rows), &mut memory).unwrap().work);
    })
}
