//! Every friction method by itself, and the automatic choice, on all instances of the repository, by both laws.
//!
//! ```console
//! cargo bench -p cosimo-complementarity --bench friction_methods                      # all: half an hour
//! cargo bench -p cosimo-complementarity --bench friction_methods -- wall automatic    # names that contain these
//! ```
//!
//! From zero impulses, to 1e-4, 1e-6 and 1e-8. A method that fails at a tolerance is not asked for a smaller one. Times are
//! processor times of the thread, the least of up to five runs; the last column is relative to the fastest method that
//! solves the instance.

#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "benches")]

#[path = "../tests/suite/models/box_of_spheres.rs"]
mod box_of_spheres;
#[path = "../tests/suite/models/piles.rs"]
mod piles;
#[path = "../tests/suite/models/spheres.rs"]
mod spheres;

use std::io::Read;
use std::time::{Duration, Instant};

use cosimo_complementarity::Budget;
use cosimo_complementarity::friction::{
    AlartCurnier, BlockMatrix, Delassus, FrictionConfig, FrictionLaw, FrictionOutcome, FrictionProblem,
    FrictionSolver, FrictionText, GaussSeidel, GaussSeidelConfig, InteriorPoint, Patches, ProjectedGradient,
    ProximalPoint, PseudoTransient,
};

const TOLERANCES: [f64; 3] = [1e-4, 1e-6, 1e-8];
/// Wall time after which a method is stopped, and the automatic choice (s).
const LONGEST: [f64; 2] = [10.0, 60.0];
/// Runs at most, and their time together after which no other begins (s).
const RUNS: usize = 5;
const ENOUGH: f64 = 0.1;

/// A method by name, from the impulses given.
type Solve = fn(&FrictionProblem<'_, 3>, FrictionConfig, &mut [f64]) -> FrictionOutcome;

const AUTOMATIC: &str = "automatic";
/// Methods for Coulomb's law.
const COULOMB: [(&str, Solve); 7] = [
    ("sweeps", |problem, FrictionConfig { tolerance, .. }, r| {
        let config = GaussSeidelConfig { tolerance, ..GaussSeidelConfig::default() };
        GaussSeidel::new(config).unwrap().solve(problem, r).unwrap()
    }),
    ("newton", |problem, config, r| AlartCurnier::new(config).unwrap().solve(problem, r).unwrap()),
    ("interior-point", |problem, config, r| InteriorPoint::new(config).unwrap().solve(problem, r).unwrap()),
    ("proximal-point", |problem, config, r| ProximalPoint::new(config).unwrap().solve(problem, r).unwrap()),
    ("pseudo-transient", |problem, config, r| {
        PseudoTransient::new(config).unwrap().solve(problem, r).unwrap()
    }),
    ("patches", |problem, config, r| Patches::new(config).unwrap().solve(problem, r).unwrap()),
    (AUTOMATIC, |problem, config, r| {
        FrictionSolver::new(config.tolerance).unwrap().solve(problem, r).unwrap()
    }),
];
/// Methods for the associated law.
const ASSOCIATED: [(&str, Solve); 3] = [
    ("projected-gradient", |problem, config, r| {
        ProjectedGradient::new(config).unwrap().solve(problem, r).unwrap()
    }),
    ("interior-point", |problem, config, r| InteriorPoint::new(config).unwrap().solve(problem, r).unwrap()),
    (AUTOMATIC, |problem, config, r| {
        FrictionSolver::new(config.tolerance).unwrap().solve(problem, r).unwrap()
    }),
];

/// A problem with what it borrows.
struct Instance {
    name: String,
    delassus: Box<dyn Delassus<3>>,
    offset: Vec<f64>,
    friction: Vec<f64>,
}

impl Instance {
    fn of_pile(name: &str, pile: piles::Pile) -> Self {
        let (delassus, offset, friction) = (Box::new(pile.delassus), pile.offset, pile.friction);
        Self { name: format!("{name}_{}", friction.len()), delassus, offset, friction }
    }

    /// The same without the bodies.
    fn of_matrix(name: &str, pile: piles::Pile) -> Self {
        Self { delassus: Box::new(pile.delassus.to_blocks()), ..Self::of_pile(name, pile) }
    }

    fn of_text(name: &str) -> Self {
        let path = format!("{}/tests/reference/friction/{name}.txt.gz", env!("CARGO_MANIFEST_DIR"));
        let mut text = String::new();
        flate2::read::GzDecoder::new(std::fs::File::open(path).unwrap()).read_to_string(&mut text).unwrap();
        let text = FrictionText::parse(&text).unwrap();
        let matrix = BlockMatrix::<3>::from_triplets(text.friction.len(), text.entries).unwrap();
        let (delassus, offset, friction) = (Box::new(matrix), text.offset, text.friction);
        Self { name: name.to_owned(), delassus, offset, friction }
    }

    fn of_stored_spheres(name: &str) -> Self {
        let spheres = box_of_spheres::BoxOfSpheres::read(name);
        let (delassus, offset, friction) = (Box::new(spheres.delassus), spheres.offset, spheres.friction);
        Self { name: format!("spheres_{name}"), delassus, offset, friction }
    }

    fn of_stopped_spheres(friction: f64, seed: u64, steps: usize, gaps: f64) -> Self {
        let mut pile = spheres::Spheres::new(300, friction, seed);
        (0..steps).for_each(|_| pile.step());
        let stopped = pile.stopped(gaps);
        let name = format!("stopped_{friction}_{seed}_{steps}_{}", stopped.friction.len());
        let (delassus, offset, friction) = (Box::new(stopped.delassus), stopped.offset, stopped.friction);
        Self { name, delassus, offset, friction }
    }
}

/// Makes an instance of a name.
type Make = Box<dyn Fn(&str) -> Instance>;

/// All instances by name, each made when it is asked for.
fn instances() -> Vec<(&'static str, Make)> {
    let mut all: Vec<(&'static str, Make)> = Vec::new();
    for name in ["cubic_99", "cubic_1000", "packing_100", "bricks_92", "uneven_packing_72", "uneven_tower_72"]
    {
        all.push((name, Box::new(Instance::of_text)));
    }
    for (name, file) in [("spheres_716", "716"), ("spheres_801", "801"), ("spheres_2733", "2733")] {
        all.push((name, Box::new(move |_| Instance::of_stored_spheres(file))));
    }
    for (friction, seed, steps, gaps) in [
        (0.3, 1, 600, 0.2),
        (0.3, 1, 1000, 1.0),
        (0.5, 1, 1000, 0.2),
        (0.8, 1, 1000, 1.0),
        (0.8, 2, 600, 0.05),
    ] {
        let make = move |_: &str| Instance::of_stopped_spheres(friction, seed, steps, gaps);
        all.push(("stopped", Box::new(make)));
    }
    let mut add = |name: &'static str, make: Box<dyn Fn() -> piles::Pile>| {
        all.push((name, Box::new(move |name: &str| Instance::of_pile(name, make()))));
    };
    for side in [6, 8, 10, 12, 14] {
        add("packing", Box::new(move || piles::packing(side)));
    }
    for seed in [1, 2] {
        add("packing_of", Box::new(move || piles::packing_of(8, seed)));
    }
    for (side, friction) in [(8, 0.3), (8, 0.8), (9, 0.8)] {
        add("packing_at_rest", Box::new(move || piles::packing_at(side, 1, 0.0, friction)));
    }
    for (courses, bricks) in [(5, 4), (6, 6), (7, 8), (10, 10), (13, 13), (25, 26), (35, 36)] {
        add("wall_shaken", Box::new(move || piles::wall(courses, bricks, 0.3)));
        add("wall_tipping", Box::new(move || piles::wall(courses, bricks, 2.0)));
    }
    for (side, kick, friction, seed) in
        [(5, 0.01, 0.4, 1), (5, 0.01, 0.8, 1), (20, 0.01, 0.5, 1), (20, 0.1, 0.5, 1)]
    {
        add("wall_kicked", Box::new(move || piles::kicked_wall((side, side), kick, friction, seed)));
    }
    for (side, kick, friction, seed) in
        [(5, 0.01, 0.8, 7), (6, 0.01, 0.5, 18), (8, 0.02, 0.3, 2), (10, 0.01, 0.5, 1), (12, 0.01, 0.3, 1)]
    {
        let make = move || piles::kicked_wall_with_head_joints((side, side), kick, friction, seed);
        add("wall_head_joints", Box::new(make));
    }
    for side in [2, 4, 6] {
        add("pyramid", Box::new(move || piles::pyramid(side, side)));
    }
    add("pyramid_flat", Box::new(|| piles::pyramid(12, 4)));
    for (balls, ratio, friction) in [(60, 1e4, 0.5), (200, 100.0, 0.5), (200, 1e6, 0.0)] {
        add("column", Box::new(move || piles::column(balls, ratio, friction)));
    }
    for (courses, bricks, push) in [(8, 8, 0.5), (25, 26, 0.3), (25, 26, 2.0)] {
        let make =
            move |name: &str| Instance::of_matrix(name, piles::careless_wall(courses, bricks, push, 1));
        all.push(("careless_wall_matrix", Box::new(make)));
    }
    all
}

/// What a method has done, and the least of its times (ms).
struct Row {
    method: &'static str,
    tolerance: f64,
    outcome: FrictionOutcome,
    time: f64,
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_wanted = |k: usize, name: &str| wanted.get(k).is_none_or(|part| name.contains(part.as_str()));
    println!(
        "| instance | law | tolerance | method | status | iterations | residual | time (ms) | relative |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for (name, make) in instances().iter().filter(|(name, _)| is_wanted(0, name)) {
        let instance = make(name);
        for (law, methods) in [(FrictionLaw::Coulomb, &COULOMB[..]), (FrictionLaw::Associated, &ASSOCIATED)] {
            let mut rows: Vec<Row> = Vec::new();
            for (method, solve) in methods.iter().filter(|(method, _)| is_wanted(1, method)) {
                for tolerance in TOLERANCES {
                    let (outcome, time) =
                        measure((&instance, law), *solve, (tolerance, *method == AUTOMATIC));
                    rows.push(Row { method, tolerance, outcome, time });
                    if !outcome.is_solved() {
                        break;
                    }
                }
            }
            TOLERANCES.iter().for_each(|tolerance| show((&instance.name, law), *tolerance, &rows));
        }
    }
}

/// Runs from zero impulses.
fn measure(
    (instance, law): (&Instance, FrictionLaw),
    solve: Solve,
    (tolerance, is_automatic): (f64, bool),
) -> (FrictionOutcome, f64) {
    let config = FrictionConfig { tolerance, ..FrictionConfig::default() };
    let (started, mut least) = (Instant::now(), f64::INFINITY);
    for run in 1.. {
        let until = Some(Instant::now() + Duration::from_secs_f64(LONGEST[usize::from(is_automatic)]));
        let problem =
            FrictionProblem::new(&*instance.delassus, &instance.offset, &instance.friction).unwrap();
        let problem = problem.within(Budget { until, ..Budget::default() }).with_law(law);
        let mut r = vec![0.0; instance.offset.len()];
        let before = processor_time();
        let outcome = solve(&problem, config, &mut r);
        least = least.min(processor_time() - before);
        if run == RUNS || started.elapsed().as_secs_f64() > ENOUGH {
            return (outcome, least);
        }
    }
    unreachable!()
}

/// Time that this thread has had a processor (ms), as Linux counts it.
fn processor_time() -> f64 {
    // Brings the count up to date.
    std::thread::yield_now();
    let counts = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    1e-6 * counts.split_whitespace().next().unwrap().parse::<f64>().unwrap()
}

/// The rows of an instance at a tolerance, fastest first, those that fail last.
fn show((name, law): (&str, FrictionLaw), tolerance: f64, rows: &[Row]) {
    let mut rows: Vec<&Row> = rows.iter().filter(|row| row.tolerance == tolerance).collect();
    rows.sort_by(|a, b| {
        (!a.outcome.is_solved(), a.time).partial_cmp(&(!b.outcome.is_solved(), b.time)).unwrap()
    });
    let solved = rows.iter().filter(|row| row.outcome.is_solved() && row.method != AUTOMATIC);
    let best = solved.fold(f64::INFINITY, |best, row| best.min(row.time));
    for Row { method, outcome, time, .. } in rows {
        let (status, iterations, residual) = (outcome.status, outcome.iterations, outcome.residual);
        let relative = time / best;
        println!(
            "| {name} | {law:?} | {tolerance:e} | {method} | {status:?} | {iterations} | {residual:.1e} | {time:.3} | {relative:.2} |"
        );
    }
}
