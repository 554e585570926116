//! The problems of `tests/reference` (their README says where they come from), solved and compared.

#![expect(clippy::unwrap_used, reason = "a broken reference file must stop the test")]

use std::path::Path;

use cosimo_complementarity::{
    FischerBurmeister, FischerBurmeisterConfig, LcpMethod, LcpOutcome, LcpProblem, LcpSolver, LcpStatus,
    LemkeConfig, LemkeWorkspace, ProjectedGaussSeidel, ProjectedGaussSeidelConfig,
};
use nalgebra::{DMatrix, DVector};
use serde_json::Value;

/// Residual (no unit) that every solution has to meet.
const RESIDUAL: f64 = 1.0e-10;

/// Problems whose `z` is unique: `M` is a P-matrix, or the answer is in the data.
const UNIQUE: [&str; 11] = [
    "scalar",
    "trivial_q_pos",
    "all_zero_q",
    "degenerate_biactive",
    "wedge_005",
    "kostreva_murty_cycle",
    "lp_skew",
    "random_spd_6",
    "random_monotone_8",
    "murty_exponential_8",
    "fathi_8",
];

/// Symmetric and semidefinite: `w` is unique where `z` is not.
const UNIQUE_COMPLEMENT: [&str; 3] = ["duplicate_contact", "block_4corners", "normal_bricks_5x3"];

/// Pivots of each problem that is not answered directly. Murty's example takes the `2ⁿ` it was made for.
const PIVOTS: [(&str, usize); 12] = [
    ("infeasible_ray", 2),
    ("kostreva_murty_cycle", 4),
    ("block_4corners", 4),
    ("lp_skew", 5),
    ("random_spd_6", 3),
    ("random_monotone_8", 6),
    ("murty_exponential_8", 256),
    ("fathi_8", 2),
    ("friction_facets4_slip_on_facet", 4),
    ("friction_facets8_slip", 5),
    ("friction_facets16_stick", 4),
    ("normal_bricks_5x3", 84),
];

struct Reference {
    matrix: DMatrix<f64>,
    offset: DVector<f64>,
    solution: Option<DVector<f64>>,
}

fn vector(value: &Value) -> DVector<f64> {
    let entries = value.as_array().unwrap();
    DVector::from_iterator(entries.len(), entries.iter().map(|entry| entry.as_f64().unwrap()))
}

fn reference(name: &str) -> Reference {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference").join(name).with_extension("json");
    let table: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let offset = vector(&table["offset"]);
    let rows: Vec<_> = table["rows"].as_array().unwrap().iter().map(|row| vector(row).transpose()).collect();
    let solution = table["solution"].as_array().map(|_| vector(&table["solution"]));
    Reference { matrix: DMatrix::from_rows(&rows), offset, solution }
}

fn names() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/reference");
    let paths = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let tables = paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    let mut names: Vec<_> =
        tables.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

fn solve(reference: &Reference) -> (LcpOutcome, DVector<f64>) {
    let problem = LcpProblem::from_dense(&reference.matrix, &reference.offset).unwrap();
    let mut z = DVector::from_element(problem.dimension(), f64::NAN);
    let outcome =
        LemkeWorkspace::with_capacity(problem.dimension()).solve(problem, z.as_mut_slice()).unwrap();
    (outcome, z)
}

fn complement(reference: &Reference, z: &DVector<f64>) -> DVector<f64> {
    &reference.matrix * z + &reference.offset
}

#[test]
fn every_solvable_problem_is_solved() {
    let names = names();
    assert_eq!(names.len(), 19);
    for name in &names {
        let reference = reference(name);
        let (outcome, z) = solve(&reference);
        let Some(expected) = &reference.solution else { continue };
        let problem = LcpProblem::from_dense(&reference.matrix, &reference.offset).unwrap();
        assert!(
            problem.residual(expected.as_slice()).unwrap() <= RESIDUAL,
            "{name}: reference is no solution"
        );
        assert!(outcome.is_solved() && outcome.residual <= RESIDUAL, "{name}: {outcome:?}");
        assert!(z.iter().all(|z| *z >= 0.0), "{name}: {z}");
        if UNIQUE.contains(&name.as_str()) {
            let difference = (&z - expected).amax() / expected.amax().max(1.0e-300);
            assert!(difference <= 1.0e-14, "{name}: z differs by {difference:e}");
        }
        if UNIQUE_COMPLEMENT.contains(&name.as_str()) {
            let difference = complement(&reference, &z) - complement(&reference, expected);
            assert!(
                difference.amax() <= 1.0e-12 * reference.offset.amax(),
                "{name}: w differs by {difference}"
            );
        }
    }
}

#[test]
fn unsolvable_problem_is_a_ray() {
    let reference = reference("infeasible_ray");
    assert!(reference.solution.is_none());
    let (outcome, z) = solve(&reference);
    assert_eq!(outcome.status, LcpStatus::Ray);
    assert_eq!(outcome.residual, 1.0);
    assert_eq!(z.amax(), 0.0);
}

/// The slip velocity is unique for one contact although the friction impulses on facets are not.
#[test]
fn faceted_friction_gives_the_same_impulse_in_the_plane() {
    for (name, facets) in
        [("friction_facets4_slip_on_facet", 4), ("friction_facets8_slip", 8), ("friction_facets16_stick", 16)]
    {
        let reference = reference(name);
        let (_, z) = solve(&reference);
        let impulse = |z: &DVector<f64>| {
            let angle = |k: usize| std::f64::consts::TAU * k as f64 / f64::from(facets);
            let along =
                |part: fn(f64) -> f64| (0..facets as usize).map(|k| part(angle(k)) * z[1 + k]).sum::<f64>();
            [z[0], along(f64::cos), along(f64::sin)]
        };
        let expected = impulse(reference.solution.as_ref().unwrap());
        for (found, expected) in impulse(&z).into_iter().zip(expected) {
            assert!((found - expected).abs() <= 1.0e-14 * z[0], "{name}: {found} instead of {expected}");
        }
    }
}

#[test]
fn wedge_shares_the_impulse_to_the_last_digits() {
    let matrix = DMatrix::from_row_slice(2, 2, &[1.0, 0.995, 0.995, 1.0]);
    let reference = Reference { matrix, offset: DVector::from_element(2, -3.0), solution: None };
    let (outcome, z) = solve(&reference);
    assert!(outcome.is_solved());
    assert!(z.iter().all(|z| (z * 1.995 / 3.0 - 1.0).abs() <= 1.0e-14), "{z}");
    assert_eq!(z[0], z[1]);
}

/// The pivots alone, on the same wedge three times over, so that no case of two unknowns is met.
#[test]
fn refined_solution_keeps_the_digits_of_ill_conditioned_contacts() {
    let wedge = |row: usize, column: usize| match (row / 2 == column / 2, row == column) {
        (_, true) => 1.0,
        (true, _) => 1.0 - 1.0e-9,
        _ => 0.0,
    };
    let matrix = DMatrix::from_fn(6, 6, wedge);
    let offset = DVector::from_row_slice(&[-3.0, -3.0, -2.0, -2.0, -0.7, -0.7]);
    let (outcome, z) = solve(&Reference { matrix, offset: offset.clone(), solution: None });
    assert!(outcome.is_solved() && outcome.iterations > 0);
    for (found, offset) in z.iter().zip(&offset) {
        let expected = -offset / (1.0 + (1.0 - 1.0e-9));
        assert!((found / expected - 1.0).abs() <= 1.0e-15, "{found} instead of {expected}");
    }
}

/// The number of pivots shows in review what a tolerance hides.
#[test]
fn work_done_is_known() {
    let pivots = |name| (name, solve(&reference(name)).0.iterations);
    let found = PIVOTS.map(|(name, _)| pivots(name));
    assert_eq!(found, PIVOTS);
}

#[test]
fn limit_on_pivots_is_reported() {
    let reference = reference("murty_exponential_8");
    let problem = LcpProblem::from_dense(&reference.matrix, &reference.offset).unwrap();
    let config = LemkeConfig { max_pivots: 10, ..LemkeConfig::default() };
    let mut z = [f64::NAN; 8];
    let outcome = LemkeWorkspace::with_config(8, config).unwrap().solve(problem, &mut z).unwrap();
    assert_eq!((outcome.status, outcome.iterations, outcome.residual), (LcpStatus::PivotLimit, 30, 1.0));
    assert_eq!(z, [0.0; 8]);
}

#[test]
fn the_automatic_choice_solves_what_is_solvable_and_refuses_the_rest() {
    for name in names() {
        let reference = reference(&name);
        let problem = LcpProblem::from_dense(&reference.matrix, &reference.offset).unwrap();
        let mut solver = LcpSolver::default();
        let mut z = vec![0.0; problem.dimension()];
        let outcome = solver.solve(problem, &mut z).unwrap();
        assert_eq!(outcome.residual, problem.residual(&z).unwrap(), "{name}");
        if reference.solution.is_none() {
            assert_eq!(outcome.status, LcpStatus::Ray, "{name}");
            continue;
        }
        assert!(outcome.is_solved() && outcome.residual <= RESIDUAL, "{name}: {outcome:?}");
        // From its own solution there is nothing to do.
        let again = solver.solve(problem, &mut z).unwrap();
        assert_eq!((again.iterations, solver.method()), (0, LcpMethod::Guess), "{name}");
    }
}

/// `w = −z − 1`: the zero of `w` lies at a negative `z`.
#[test]
fn a_scalar_problem_without_solution_is_refused_by_every_solver() {
    let problem = LcpProblem::new(&[-1.0], &[-1.0]).unwrap();
    let mut z = [0.0];
    let automatic = LcpSolver::default().solve(problem, &mut z).unwrap();
    assert_eq!((automatic.status, z), (LcpStatus::Ray, [0.0]));
    let newton = FischerBurmeister::new(FischerBurmeisterConfig::default()).unwrap().solve(problem, &mut z);
    assert!(!newton.unwrap().is_solved() && z[0] >= 0.0);
    let config = ProjectedGaussSeidelConfig::default();
    let sweeps = ProjectedGaussSeidel::new(config).unwrap().solve(problem, &mut z).unwrap();
    assert_eq!(sweeps.status, LcpStatus::Stalled);
}
