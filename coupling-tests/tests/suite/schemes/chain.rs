//! The chain of 100 masses, cut at springs and through masses.

use coupling_tests::Run;

use super::{CONDENSED, ITERATIVE, Scheme, assert_count, assert_same, constant, run, settings};

/// Jacobi and Gauss-Seidel, the latter with Aitken and IQN-ILS, and the condensed scheme.
const COLUMNS: [Scheme<'static>; 5] = [ITERATIVE[4], ITERATIVE[0], ITERATIVE[2], ITERATIVE[3], CONDENSED];
/// Mean iterations per step by column, cut at springs.
const SPRINGS: [(usize, [f64; 5]); 3] = [
    (2, [2.22, 2.08, 2.14, 1.94, 1.0]),
    (4, [3.77, 3.10, 3.18, 2.46, 1.0]),
    (10, [4.61, 3.65, 3.67, 2.70, 1.0]),
];
/// Cut through masses into halves, where `ρ` is one; `None` where the iteration diverges.
const MASSES: [(usize, [Option<f64>; 5]); 3] = [
    (2, [None, None, Some(2.88), Some(2.87), Some(1.0)]),
    (4, [None, None, Some(3.02), Some(2.96), Some(1.0)]),
    (10, [None, None, Some(3.20), Some(3.19), Some(1.0)]),
];

fn chain(scheme: Scheme<'_>, (parts, kind): (usize, &str), c: f64) -> Run {
    let mut all = settings(scheme, 400);
    all.push("time.end=0.4".to_owned());
    for part in 1..=parts {
        all.push(format!("subsystem.part{part}.position=-0.001"));
        if part > 1 {
            all.push(format!("subsystem.part{part}.solver=multistep"));
            all.extend(constant(&format!("joint{}", part - 1), c));
        }
    }
    run(&format!("chain/model-{parts}-{kind}.toml"), &all)
}

#[test]
fn cut_at_springs_it_takes_the_iterations_of_the_table() {
    for (parts, row) in SPRINGS {
        for (column, mean) in COLUMNS.into_iter().zip(row) {
            let run = chain(column, (parts, "springs"), 0.0);
            assert_count(&run, Some(mean), 1.05, &format!("{parts} springs, {column:?}"));
        }
    }
}

#[test]
fn cut_through_masses_it_takes_the_iterations_of_the_table() {
    for (parts, row) in MASSES {
        for (column, expected) in COLUMNS.into_iter().zip(row) {
            let run = chain(column, (parts, "masses"), 0.0);
            assert_count(&run, expected, 1.05, &format!("{parts} masses, {column:?}"));
        }
    }
    for parts in [2, 4, 10] {
        let run = chain(ITERATIVE[0], (parts, "masses"), 5e-9);
        assert_count(&run, None, 1.0, &format!("{parts} masses, c = 5e-9"));
        let found = run.report.contraction.unwrap_or(f64::NAN);
        assert!((0.99..=1.0).contains(&found), "{parts} masses: {found}");
    }
}

/// Waves reach the first cut of two after 0.5 s, of four after 0.25 s.
#[test]
fn every_column_that_converges_has_the_results_of_the_condensed_one() {
    for (parts, kind, columns) in
        [(4, "springs", &COLUMNS[..4]), (10, "springs", &COLUMNS[..4]), (10, "masses", &COLUMNS[2..4])]
    {
        let expected = chain(CONDENSED, (parts, kind), 0.0);
        for column in columns {
            let what = format!("{parts} {kind}, {column:?}");
            assert_same(&chain(*column, (parts, kind), 0.0), &expected, 1e-5, &what);
        }
    }
}
