//! Accelerators on affine maps of known eigenvalues.

use nalgebra::{DMatrix, DVector, dmatrix};

use super::Accelerator;
use crate::Acceleration;

/// `H(x) = T x + b`.
struct Map {
    matrix: DMatrix<f64>,
    offset: DVector<f64>,
}

impl Map {
    /// A map with these eigenvalues, in a basis that is not orthogonal.
    fn with_eigenvalues(values: &[f64]) -> Self {
        let n = values.len();
        let basis =
            DMatrix::from_fn(n, n, |i, j| if i == j { 1.0 } else { 0.3 / (1.0 + (i + 2 * j) as f64) });
        let inverse = basis.clone().try_inverse().unwrap();
        let matrix = &basis * DMatrix::from_diagonal(&DVector::from_column_slice(values)) * inverse;
        Self { matrix, offset: DVector::from_fn(n, |i, _| 1.0 + i as f64) }
    }

    fn answer(&self, x: &[f64]) -> Vec<f64> {
        (&self.matrix * DVector::from_column_slice(x) + &self.offset).as_slice().to_vec()
    }

    fn solution(&self) -> DVector<f64> {
        let n = self.offset.len();
        (DMatrix::identity(n, n) - &self.matrix).try_inverse().unwrap() * &self.offset
    }

    /// Error, against the solution, of every iterate; the first is the start.
    fn errors(&self, accelerator: &mut Accelerator, sweeps: usize) -> Vec<f64> {
        let mut x = vec![0.0; self.offset.len()];
        let solution = self.solution();
        let error = |x: &[f64]| (DVector::from_column_slice(x) - &solution).amax() / solution.amax();
        accelerator.begin();
        let mut errors = vec![error(&x)];
        for _ in 0..sweeps {
            let answer = self.answer(&x);
            accelerator.advance(&mut x, &answer);
            errors.push(error(&x));
        }
        errors
    }
}

fn quasi_newton(size: usize) -> Accelerator {
    Accelerator::new(Acceleration::IqnIls { reuse: 8, filter: 1e-6 }, size)
}

#[test]
fn no_acceleration_multiplies_the_error_by_the_eigenvalue() {
    for value in [-0.5, 0.25, -3.0] {
        let errors = Map::with_eigenvalues(&[value]).errors(&mut Accelerator::new(Acceleration::None, 1), 5);
        for pair in errors.windows(2) {
            assert!((pair[1] / pair[0] - value.abs()).abs() < 1e-12, "{value}: {errors:?}");
        }
    }
}

#[test]
fn relaxation_multiplies_the_error_as_its_formula_says() {
    for (rho, factor) in [(0.5, 0.5), (1.67, 0.5), (5.0, 0.5), (5.0, 1.0 / 6.0), (50.0, 0.02)] {
        let map = Map::with_eigenvalues(&[-rho]);
        let errors = map.errors(&mut Accelerator::new(Acceleration::Relaxation { factor }, 1), 3);
        let expected: f64 = 1.0 - factor * (1.0 + rho);
        for pair in errors[..3].windows(2) {
            assert!((pair[1] - expected.abs() * pair[0]).abs() < 1e-12, "{rho}, {factor}: {errors:?}");
        }
    }
}

#[test]
fn aitken_is_exact_for_scalar_maps_in_two_iterations() {
    for value in [-1e4, -50.0, -2.0, -0.005, 0.9, 1.5] {
        let errors = Map::with_eigenvalues(&[value])
            .errors(&mut Accelerator::new(Acceleration::Aitken { first: 0.5 }, 1), 2);
        assert!(errors[1] > 1e-3, "{value}: the first iterate is no solution yet");
        assert!(errors[2] < 1e-11, "{value}: {errors:?}");
    }
}

#[test]
fn quasi_newton_solves_maps_of_n_unknowns_in_n_plus_one_sweeps() {
    let cases: [&[f64]; 4] =
        [&[-500.0], &[-3.0, 0.5], &[-2.0, -7.0, 0.3, 1.5], &[-20.0, -5.0, 3.0, 0.9, -0.1, 2.0]];
    for values in cases {
        let n = values.len();
        let errors = Map::with_eigenvalues(values).errors(&mut quasi_newton(n), n + 1);
        assert!(errors[n] > 1e-8, "{values:?} is solved too early to tell: {errors:?}");
        assert!(errors[n + 1] < 1e-8, "{values:?}: {errors:?}");
    }
}

#[test]
fn secants_of_former_steps_serve_until_they_are_too_old() {
    let mut map = Map::with_eigenvalues(&[-3.0, 0.5, -8.0]);
    let reuse = 2;
    let mut accelerator = Accelerator::new(Acceleration::IqnIls { reuse, filter: 1e-6 }, 3);
    map.errors(&mut accelerator, 4);
    let (x, answer) = (vec![0.0; 3], map.answer(&[0.0; 3]));
    accelerator.begin();
    accelerator.accept(&x, &answer);
    // Another right-hand side, the same matrix: one sweep is enough.
    map.offset = DVector::from_column_slice(&[-4.0, 0.5, 2.0]);
    let errors = map.errors(&mut accelerator, 1);
    assert!(errors[1] < 1e-10, "{errors:?}");
    for _ in 0..reuse {
        assert_eq!(accelerator.secants().len(), 3);
        accelerator.begin();
        accelerator.accept(&x, &map.answer(&x));
    }
    assert_eq!(accelerator.secants().len(), 0);
}

/// Shows an accelerator an iterate that leaves this residual.
fn show(accelerator: &mut Accelerator, residual: [f64; 3]) {
    accelerator.advance(&mut residual.map(|r| -0.5 * r), &residual.map(|r| 0.5 * r));
}

#[test]
fn dependent_secants_are_dropped_and_the_latest_kept() {
    let mut accelerator = Accelerator::new(Acceleration::IqnIls { reuse: 8, filter: 1e-3 }, 3);
    accelerator.begin();
    // Residuals along one direction but for 1e-5 of them: a single secant.
    for residual in [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [3.0, 1e-5, 0.0]] {
        show(&mut accelerator, residual);
    }
    assert_eq!(accelerator.secants().len(), 1);
    assert_eq!(accelerator.secants()[0].residual, [2.0, 1e-5, 0.0]);
    // An independent one is taken in before it.
    show(&mut accelerator, [3.0, 1.0, 0.0]);
    assert_eq!(accelerator.secants().len(), 2);
    assert!(accelerator.secants()[0].residual[1] > 0.9);
}

#[test]
fn secants_that_leave_an_iterate_where_it_was_are_forgotten() {
    let mut accelerator = Accelerator::new(Acceleration::IqnIls { reuse: 8, filter: 1e-3 }, 3);
    accelerator.begin();
    for residual in [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [3.0, 1.0, 0.0]] {
        show(&mut accelerator, residual);
    }
    assert_eq!(accelerator.secants().len(), 2);
    // The same iterate has another answer: a relaxed step, and everything anew.
    let mut iterate = [-1.5, -0.5, 0.0];
    accelerator.advance(&mut iterate, &[1.5, 1.5, 0.0]);
    assert_eq!(accelerator.secants().len(), 0);
    assert!((iterate[0] + 1.2).abs() < 1e-15 && (iterate[1] + 0.3).abs() < 1e-15, "{iterate:?}");
}

#[test]
fn an_iteration_that_goes_on_and_on_begins_anew() {
    let mut accelerator = Accelerator::new(Acceleration::IqnIls { reuse: 8, filter: 1e-3 }, 3);
    accelerator.begin();
    let mut counts = Vec::new();
    for k in 0..60 {
        // Three directions in turn, of no map.
        let mut residual = [0.1; 3];
        residual[k % 3] = 1.0 + 0.01 * k as f64;
        show(&mut accelerator, residual);
        counts.push(accelerator.secants().len());
    }
    let anew: Vec<usize> = (1..60).filter(|k| counts[*k] == 0).collect();
    assert_eq!(anew, [23, 47], "{counts:?}");
}

#[test]
fn more_secants_than_unknowns_are_never_kept() {
    let map = Map { matrix: dmatrix![0.2, 1.0; -1.0, 0.5], offset: DVector::from_column_slice(&[1.0, 2.0]) };
    let mut accelerator = Accelerator::new(Acceleration::IqnIls { reuse: 8, filter: 0.0 }, 2);
    let errors = map.errors(&mut accelerator, 12);
    assert!(accelerator.secants().len() <= 2);
    assert!(errors[12] < 1e-12, "{errors:?}");
}

#[test]
fn reset_forgets_the_map() {
    let (map, other) = (Map::with_eigenvalues(&[-3.0, 0.5]), Map::with_eigenvalues(&[0.1, 0.2]));
    let (mut used, mut fresh) = (quasi_newton(2), quasi_newton(2));
    map.errors(&mut used, 3);
    used.reset();
    assert!(used.secants().is_empty());
    assert_eq!(other.errors(&mut used, 3), other.errors(&mut fresh, 3));
    let aitken = || Accelerator::new(Acceleration::Aitken { first: 0.5 }, 2);
    let (mut used, mut fresh) = (aitken(), aitken());
    map.errors(&mut used, 3);
    used.reset();
    assert_eq!(other.errors(&mut used, 3), other.errors(&mut fresh, 3));
}

#[test]
fn a_restored_accelerator_goes_on_with_the_same_bits() {
    let mut map = Map::with_eigenvalues(&[-3.0, 0.5, -8.0]);
    let (mut used, mut restored) = (quasi_newton(3), quasi_newton(3));
    map.errors(&mut used, 3);
    used.accept(&[1.0; 3], &map.answer(&[1.0; 3]));
    restored.restore(used.secants());
    map.offset = DVector::from_column_slice(&[3.0, -1.0, 2.0]);
    assert_eq!(map.errors(&mut used, 3), map.errors(&mut restored, 3));
}
