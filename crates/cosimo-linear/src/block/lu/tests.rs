use nalgebra::{DMatrix, DVector};

use super::*;

/// Blocks of different sizes joined in a ring with chords; positive definite, not symmetric.
fn example() -> (Vec<usize>, Vec<(usize, usize)>, DMatrix<f64>) {
    let sizes: Vec<usize> = (0..40).map(|i| [1, 3, 6, 3][i % 4]).collect();
    let pairs: Vec<(usize, usize)> =
        (0..40).map(|i| (i, (i + 1) % 40)).chain((0..13).map(|i| (i, 3 * i))).collect();
    let first = |block: usize| sizes[..block].iter().sum::<usize>();
    let n = first(40);
    let mut matrix = DMatrix::zeros(n, n);
    let wave = |i: usize, j: usize| ((7 * i + 3 * j) as f64).sin();
    for (a, b) in pairs.iter().copied().chain((0..40).map(|i| (i, i))) {
        for i in first(a)..first(a) + sizes[a] {
            for j in first(b)..first(b) + sizes[b] {
                (matrix[(i, j)], matrix[(j, i)]) = (wave(i, j), 1.2 * wave(i, j));
            }
        }
    }
    matrix += DMatrix::identity(n, n) * 15.0;
    (sizes, pairs, matrix)
}

fn assemble(lu: &mut BlockLu, sizes: &[usize], matrix: &DMatrix<f64>) {
    lu.clear();
    let first = |block: usize| sizes[..block].iter().sum::<usize>();
    for (a, b) in (0..sizes.len()).flat_map(|a| (0..sizes.len()).map(move |b| (a, b))) {
        let Some(position) = lu.pattern().position(a, b) else { continue };
        for (i, j) in (0..sizes[a]).flat_map(|i| (0..sizes[b]).map(move |j| (i, j))) {
            lu.add(position, (i, j), matrix[(first(a) + i, first(b) + j)]);
        }
    }
}

#[test]
fn solutions_satisfy_the_equations_at_every_factorisation() {
    let (sizes, pairs, matrix) = example();
    let mut lu = BlockLu::new(BlockPattern::new(&sizes, pairs.into_iter()));
    check_solutions(&mut lu, &sizes, &matrix);
}

fn check_solutions(lu: &mut BlockLu, sizes: &[usize], matrix: &DMatrix<f64>) {
    for factor in [1.0, -3.0] {
        let matrix = matrix * factor;
        assemble(lu, sizes, &matrix);
        lu.factorize().unwrap();
        let b = DVector::from_fn(matrix.nrows(), |i, _| (i as f64).cos());
        let mut x = b.clone();
        lu.solve(x.as_mut_slice());
        assert!((&matrix * x - b).amax() < 1e-13);
    }
}

/// Meshes whose core is too wide to be condensed, with a late block in the middle or none: by fronts, by columns, and,
/// with larger cores, by supernodes.
const CORES: [(usize, bool, bool); 4] =
    [(18, false, true), (30, false, true), (18, true, false), (30, true, true)];

fn of_core((side, is_late, _): (usize, bool, bool)) -> (BlockLu, Vec<usize>, DMatrix<f64>) {
    let (sizes, pairs, matrix) = mesh(side);
    let late = |block: usize| is_late && block == side / 2 * (side + 1);
    (BlockLu::new(BlockPattern::with_late(&sizes, pairs.into_iter(), late)), sizes, matrix)
}

#[test]
fn meshes_are_solved_however_wide_their_core_is() {
    for core in CORES {
        let (mut lu, sizes, matrix) = of_core(core);
        assert!(!lu.pattern.rest.is_empty() && !lu.pattern.condensed.is_empty());
        assert_eq!(lu.rest.together.is_some(), core.2);
        check_solutions(&mut lu, &sizes, &matrix);
    }
}

/// A row of the core without a pivot is named, whichever form the factors have.
#[test]
fn a_dependent_row_of_a_core_is_named() {
    for core in CORES {
        let (mut lu, sizes, mut matrix) = of_core(core);
        let column = lu.pattern.rest[1].first + 1;
        matrix.fill_row(column, 0.0);
        matrix.fill_column(column, 0.0);
        assemble(&mut lu, &sizes, &matrix);
        assert_eq!(lu.factorize(), Err(FactorizationError::Singular { column }));
    }
}

/// Sums of differences leave a motion of the whole free, which only the last pivots show.
#[test]
fn a_free_motion_of_the_whole_is_found() {
    let ring = (vec![3; 40], (0..40).map(|i| (i, (i + 1) % 40)).collect(), DMatrix::zeros(120, 120));
    for (sizes, pairs, mut matrix) in [ring, mesh(18), mesh(30)] {
        matrix.fill(0.0);
        for &(a, b) in &pairs {
            for k in 0..3 {
                let (i, j, weight) = (3 * a + k, 3 * b + k, 1.0 + 0.3 * (a as f64).sin());
                for (i, j, value) in [(i, i, weight), (j, j, weight), (i, j, -weight), (j, i, -weight)] {
                    matrix[(i, j)] += value;
                }
            }
        }
        let mut lu = BlockLu::new(BlockPattern::new(&sizes, pairs.into_iter()));
        assemble(&mut lu, &sizes, &matrix);
        assert!(matches!(lu.factorize(), Err(FactorizationError::Singular { .. })), "{}", sizes.len());
    }
}

/// Blocks of three in a square mesh; positive definite, not symmetric.
fn mesh(side: usize) -> (Vec<usize>, Vec<(usize, usize)>, DMatrix<f64>) {
    let count = side * side;
    let right = (0..count).filter(|i| i % side + 1 < side).map(|i| (i, i + 1));
    let pairs: Vec<(usize, usize)> = right.chain((side..count).map(|i| (i - side, i))).collect();
    let mut matrix = DMatrix::identity(3 * count, 3 * count) * 14.0;
    let wave = |i: usize, j: usize| ((7 * i + 3 * j) as f64).sin();
    for &(a, b) in &pairs {
        for (i, j) in (0..3).flat_map(|i| (0..3).map(move |j| (3 * a + i, 3 * b + j))) {
            (matrix[(i, j)], matrix[(j, i)]) = (wave(i, j), 1.2 * wave(i, j));
        }
    }
    (vec![3; count], pairs, matrix)
}

/// A tree with two rings, and a chain, all of single numbers, are solved to the bits of sweeps through blocks.
#[test]
fn numbers_are_solved_as_blocks_are() {
    let n = 90;
    let tree = (1..n).map(|i| ((i - 1) / 2, i)).chain([(3, 80), (17, 60)]).collect();
    let chain = (1..n).map(|i| (i - 1, i)).collect();
    // Three chains, one of them with a branch.
    let chains = (1..n).filter(|i| i % 30 != 0).map(|i| (i - 1, i)).chain([(40, 10)]).collect();
    for pairs in [tree, chain, chains] {
        let pairs: Vec<(usize, usize)> = pairs;
        let matrix = DMatrix::from_fn(n, n, |i, j| {
            let meets = pairs.contains(&(i, j)) || pairs.contains(&(j, i));
            let value = ((3 * i + j) as f64).cos();
            if i == j { 8.0 + value } else { value * f64::from(u8::from(meets)) }
        });
        let mut numbers = BlockLu::new(BlockPattern::new(&vec![1; n], pairs.iter().copied()));
        assert!(numbers.scalars.is_some());
        check_solutions(&mut numbers, &vec![1; n], &matrix);
        let mut x: Vec<f64> = (0..n).map(|i| (i as f64).cos()).collect();
        let mut y = x.clone();
        numbers.solve(&mut x);
        numbers.scalars = None;
        numbers.solve(&mut y);
        assert_eq!(x, y);
    }
}

#[test]
fn rows_are_exchanged_within_a_block() {
    let matrix = nalgebra::dmatrix![0.0, 2.0, 1.0; 3.0, 0.0, 0.0; 1.0, 0.0, 4.0];
    let mut lu = BlockLu::new(BlockPattern::new(&[2, 1], [(0, 1)].into_iter()));
    assemble(&mut lu, &[2, 1], &matrix);
    lu.factorize().unwrap();
    let mut x = [4.0, 3.0, 9.0];
    lu.solve(&mut x);
    assert_eq!(x, [1.0, 1.0, 2.0]);
}

#[test]
fn a_dependent_row_is_named() {
    let (sizes, pairs, mut matrix) = example();
    matrix.fill_row(17, 0.0);
    matrix.fill_column(17, 0.0);
    let mut lu = BlockLu::new(BlockPattern::new(&sizes, pairs.into_iter()));
    assemble(&mut lu, &sizes, &matrix);
    assert_eq!(lu.factorize(), Err(FactorizationError::Singular { column: 17 }));
    matrix[(17, 17)] = f64::NAN;
    assemble(&mut lu, &sizes, &matrix);
    assert_eq!(lu.factorize(), Err(FactorizationError::Singular { column: 17 }));
}
