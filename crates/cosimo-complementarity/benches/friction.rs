//! Time of friction problems: the reference set at both accuracies, and piles of any size.
//!
//! `cargo bench -p cosimo-complementarity --bench friction`; Siconos' user-CPU times of the same instances stand beside.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "benches")]

#[path = "../tests/models/piles.rs"]
mod piles;

use std::io::Read;
use std::time::Instant;

use cosimo_complementarity::friction::{
    BlockMatrix, FrictionProblem, FrictionText, GaussSeidel, GaussSeidelConfig,
};

/// Instance, tolerance, and the time of Siconos 4.4's best solver (ms).
const SET: [(&str, f64, f64); 5] = [
    ("cubic_99", 1e-8, 8.3),
    ("packing_100", 1e-8, 11.0),
    ("bricks_92", 1e-8, 12.0),
    ("cubic_1000", 1e-4, 73.0),
    ("cubic_1000", 1e-8, 1238.0),
];

fn main() {
    println!("| problem | contacts | tolerance | sweeps | residual | time (ms) | Siconos (ms) | ratio |");
    println!("|---|---|---|---|---|---|---|---|");
    for (name, tolerance, siconos) in SET {
        let path = format!("{}/tests/reference/friction/{name}.txt.gz", env!("CARGO_MANIFEST_DIR"));
        let mut text = String::new();
        flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
        let text = FrictionText::parse(&text).unwrap();
        let matrix = BlockMatrix::<3>::from_triplets(text.friction.len(), text.entries).unwrap();
        let problem = FrictionProblem::new(&matrix, &text.offset, &text.friction).unwrap();
        show(name, &problem, tolerance, Some(siconos));
    }
    for side in [6, 11, 16] {
        let pile = piles::pyramid(side, side);
        let problem = FrictionProblem::new(&pile.delassus, &pile.offset, &pile.friction).unwrap();
        show("pyramid of balls", &problem, 1e-6, None);
    }
    let wall = piles::wall(5, 5, 0.0);
    let problem = FrictionProblem::new(&wall.delassus, &wall.offset, &wall.friction).unwrap();
    show("wall of bricks", &problem, 1e-6, None);
}

fn show(name: &str, problem: &FrictionProblem<'_, 3>, tolerance: f64, siconos: Option<f64>) {
    let config = GaussSeidelConfig { tolerance, ..GaussSeidelConfig::default() };
    let mut solver = GaussSeidel::new(config).unwrap();
    let run = |solver: &mut GaussSeidel| {
        let mut r = vec![0.0; 3 * problem.contacts()];
        let started = Instant::now();
        let outcome = solver.solve(problem, &mut r).unwrap();
        (1e3 * started.elapsed().as_secs_f64(), outcome)
    };
    let (mut best, outcome) = run(&mut solver);
    for _ in 0..5 {
        best = best.min(run(&mut solver).0);
    }
    let beside = siconos.map_or_else(|| "– | –".to_owned(), |s| format!("{s} | {:.1}", s / best));
    println!(
        "| {name} | {} | {tolerance:e} | {} | {:.1e} | {best:.2} | {beside} |",
        problem.contacts(),
        outcome.iterations,
        outcome.residual
    );
}
