//! Time of friction problems: the reference set at both accuracies, and piles of any size.
//!
//! `cargo bench -p cosimo-complementarity --bench friction`; Siconos' user-CPU times of the same instances stand beside.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "benches")]

#[path = "../tests/suite/models/piles.rs"]
mod piles;

use std::io::Read;
use std::time::Instant;

use cosimo_complementarity::friction::{
    BlockMatrix, Delassus, FrictionProblem, FrictionSolver, FrictionText, GaussSeidel, GaussSeidelConfig,
    SweepOrder,
};

/// Instance, tolerance, and the time of Siconos 4.4's best solver (ms).
const SET: [(&str, f64, f64); 8] = [
    ("cubic_99", 1e-4, f64::NAN),
    ("cubic_99", 1e-8, 8.3),
    ("packing_100", 1e-4, f64::NAN),
    ("packing_100", 1e-8, 11.0),
    ("bricks_92", 1e-4, f64::NAN),
    ("bricks_92", 1e-8, 12.0),
    ("cubic_1000", 1e-4, 73.0),
    ("cubic_1000", 1e-8, 1238.0),
];

fn main() {
    println!(
        "| problem | contacts | tolerance | method | iterations | residual | time (ms) | Siconos (ms) | ratio |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, tolerance, siconos) in SET {
        let path = format!("{}/tests/reference/friction/{name}.txt.gz", env!("CARGO_MANIFEST_DIR"));
        let mut text = String::new();
        flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
        let text = FrictionText::parse(&text).unwrap();
        let matrix = BlockMatrix::<3>::from_triplets(text.friction.len(), text.entries).unwrap();
        let problem = FrictionProblem::new(&matrix, &text.offset, &text.friction).unwrap();
        show((name, 5), &problem, tolerance, Some(siconos).filter(|ms| ms.is_finite()));
    }
    for side in [6, 8, 10, 12] {
        of_pile("packing", &piles::packing(side));
    }
    for (courses, bricks) in [(7, 8), (13, 13), (25, 26), (35, 36)] {
        of_pile("wall, shaken", &piles::wall(courses, bricks, 0.3));
        of_pile("wall, tipping", &piles::wall(courses, bricks, 2.0));
    }
    for seed in [1, 2, 3] {
        of_matrix("careless wall, a matrix", &piles::careless_wall(25, 26, 0.3, seed));
        of_matrix("the same, tipping", &piles::careless_wall(25, 26, 2.0, seed));
    }
    for side in [4, 6] {
        of_pile("pyramid of balls", &piles::pyramid(side, side));
    }
    threads();
    one_contact();
}

/// A hundred sweeps by colours over the largest packing, by one thread and by two.
fn threads() {
    let pile = piles::packing(14);
    let problem = FrictionProblem::new(&pile.delassus, &pile.offset, &pile.friction).unwrap();
    println!("\n| sweeps over {} contacts | time of one (ms) |\n|---|---|", problem.contacts());
    for (name, order, threads) in [
        ("as given", SweepOrder::Given, 1),
        ("coloured, 1 thread", SweepOrder::Coloured, 1),
        ("coloured, 2 threads", SweepOrder::Coloured, 2),
    ] {
        let config = GaussSeidelConfig { tolerance: 1e-12, max_sweeps: 100, window: 0, order };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut r = vec![0.0; pile.offset.len()];
        let started = Instant::now();
        let _ = pool.install(|| GaussSeidel::new(config).unwrap().solve(&problem, &mut r)).unwrap();
        println!("| {name} | {:.2} |", 10.0 * started.elapsed().as_secs_f64());
    }
}

fn of_pile(name: &str, pile: &piles::Pile) {
    let problem = FrictionProblem::new(&pile.delassus, &pile.offset, &pile.friction).unwrap();
    show((name, 1), &problem, 1e-6, None);
}

/// The same without the bodies.
fn of_matrix(name: &str, pile: &piles::Pile) {
    let matrix = pile.delassus.to_blocks();
    let problem = FrictionProblem::new(&matrix, &pile.offset, &pile.friction).unwrap();
    show((name, 1), &problem, 1e-6, None);
}

/// A single contact, sliding and sticking by turns.
fn one_contact() {
    let mass = BlockMatrix::<3>::from_dense(&nalgebra::DMatrix::identity(3, 3)).unwrap();
    let friction = [0.5];
    let mut solver = FrictionSolver::new(1e-8).unwrap();
    let count = 1_000_000;
    let started = Instant::now();
    for k in 0..count {
        let offset = [-1.0, if k % 2 == 0 { 2.0 } else { 0.2 }, 0.1];
        let problem = FrictionProblem::new(&mass, &offset, &friction).unwrap();
        let mut r = [0.0; 3];
        assert!(solver.solve(&problem, std::hint::black_box(&mut r)).unwrap().is_solved());
    }
    println!("\none contact: {:.3} µs", 1e6 * started.elapsed().as_secs_f64() / f64::from(count));
}

fn show(
    (name, repeats): (&str, usize),
    problem: &FrictionProblem<'_, 3>,
    tolerance: f64,
    siconos: Option<f64>,
) {
    let mut solver = FrictionSolver::new(tolerance).unwrap();
    let run = |solver: &mut FrictionSolver| {
        let mut r = vec![0.0; 3 * problem.contacts()];
        let started = Instant::now();
        let outcome = solver.solve(problem, &mut r).unwrap();
        (1e3 * started.elapsed().as_secs_f64(), outcome)
    };
    let (mut best, outcome) = run(&mut solver);
    for _ in 1..repeats {
        best = best.min(run(&mut solver).0);
    }
    let beside = siconos.map_or_else(|| "– | –".to_owned(), |s| format!("{s} | {:.1}", s / best));
    println!(
        "| {name} | {} | {tolerance:e} | {:?} | {} | {:.1e} | {best:.2} | {beside} |",
        problem.contacts(),
        solver.method(),
        outcome.iterations,
        outcome.residual
    );
}
