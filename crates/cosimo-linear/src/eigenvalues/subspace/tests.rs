//! Operators whose eigenvalues are known: decays, vibrations, growth, repeated ones.

use super::*;

/// `A = T B T⁻¹` of a block diagonal, normal `B` and an oblique `T`; the weights `T⁻ᵀ T⁻¹` make it normal.
struct Known {
    matrix: DMatrix<f64>,
    weights: DMatrix<f64>,
    seed: u64,
}

impl Known {
    fn new(values: &[Complex<f64>]) -> Self {
        let n: usize = values.iter().map(|value| if value.im == 0.0 { 1 } else { 2 }).sum();
        let mut blocks = DMatrix::zeros(n, n);
        let mut place = 0;
        for value in values {
            blocks[(place, place)] = value.re;
            if value.im != 0.0 {
                blocks[(place, place + 1)] = value.im;
                blocks[(place + 1, place)] = -value.im;
                blocks[(place + 1, place + 1)] = value.re;
                place += 1;
            }
            place += 1;
        }
        let mut own = Self { matrix: blocks, weights: DMatrix::identity(n, n), seed: 11 };
        let turn = DMatrix::from_fn(n, n, |_, _| own.number()).qr().q();
        let scale = DVector::from_fn(n, |k, _| 1.0 + (k % 5) as f64);
        let along = DMatrix::from_diagonal(&scale) * &turn;
        let back = turn.transpose() * DMatrix::from_diagonal(&scale.map(|scale| 1.0 / scale));
        own.matrix = along * &own.matrix * &back;
        own.weights = back.transpose() * back;
        own
    }

    fn number(&mut self) -> f64 {
        self.seed = self.seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.seed >> 33) as f64 / (1_u64 << 30) as f64 - 1.0
    }
}

impl Operator for Known {
    fn dimension(&self) -> usize {
        self.matrix.nrows()
    }
    fn weigh(&self, x: &DVector<f64>) -> DVector<f64> {
        &self.weights * x
    }
    fn apply(&mut self, x: &DMatrix<f64>) -> DMatrix<f64> {
        &self.matrix * x
    }
    fn start(&mut self, columns: usize) -> DMatrix<f64> {
        DMatrix::from_fn(self.matrix.nrows(), columns, |_, _| self.number())
    }
}

fn real(value: f64) -> Complex<f64> {
    Complex::new(value, 0.0)
}

/// Every pair twice: its conjugate, of which it is the first.
fn with_conjugates(values: &[Complex<f64>]) -> Vec<Complex<f64>> {
    let own = |value: &Complex<f64>| match value.im == 0.0 {
        true => vec![*value],
        false => vec![*value, value.conj()],
    };
    values.iter().flat_map(own).collect()
}

/// Every one found is one expected, each as often; returns the size of the largest that is not found.
fn largest_left(found: &[Complex<f64>], expected: &[Complex<f64>]) -> f64 {
    let mut left = with_conjugates(expected);
    for value in found {
        let off = |other: &Complex<f64>| (other - value).norm();
        let nearest = (0..left.len()).min_by(|a, b| off(&left[*a]).total_cmp(&off(&left[*b]))).unwrap();
        let other = left.swap_remove(nearest);
        assert!((other - value).norm() <= 1e-9 * other.norm(), "{value} instead of {other}");
    }
    left.iter().map(|value| value.norm()).fold(0.0, f64::max)
}

/// Large eigenvalues of all kinds, and small ones behind them.
fn mixed(small: usize) -> Vec<Complex<f64>> {
    let mut values = vec![real(-9.0), real(-9.0), real(-9.0), real(8.0), real(-6.0), real(5.5)];
    values.extend([Complex::new(-0.2, 7.0); 3]);
    values.extend([Complex::new(0.3, 6.5), Complex::new(0.0, 5.0), Complex::new(0.0, 5.0)]);
    values.extend((0..small).map(|k| match k % 3 {
        0 => real(-3.0 * 0.97_f64.powi(k as i32)),
        1 => real(2.5 * 0.97_f64.powi(k as i32)),
        _ => Complex::new(-0.1, 3.0 * 0.97_f64.powi(k as i32)),
    }));
    values
}

#[test]
fn decays_growth_and_repeated_vibrations_are_found_as_often_as_they_are() {
    let values = mixed(250);
    for least in [1, 6, 18] {
        let mut operator = Known::new(&values);
        assert!(!needs_whole(operator.dimension(), least));
        let found = largest_eigenvalues(&mut operator, least, &|_| 0).unwrap();
        assert!(found.len() >= least && found.len() < 60, "{}", found.len());
        assert!(found.is_sorted_by(|a, b| a.norm() >= b.norm() * (1.0 - 1e-6)));
        let last = found.last().unwrap().norm();
        assert!(largest_left(&found, &values) <= last * (1.0 + 1e-6));
    }
}

#[test]
fn as_many_are_found_as_estimates_say() {
    let values = mixed(250);
    let above = |least: f64| move |all: &[Complex<f64>]| all.iter().take_while(|x| x.norm() > least).count();
    let found = largest_eigenvalues(&mut Known::new(&values), 2, &above(4.0)).unwrap();
    assert_eq!(found.len(), 18, "{found:?}");
    assert!(largest_left(&found, &values) <= 3.0 * (1.0 + 1e-6));
}

#[test]
fn of_a_small_space_all_are_found() {
    let values = mixed(30);
    let mut operator = Known::new(&values);
    assert!(needs_whole(operator.dimension(), 2));
    let found = largest_eigenvalues(&mut operator, 2, &|_| 0).unwrap();
    assert_eq!(found.len(), operator.dimension());
    assert_eq!(largest_left(&found, &values), 0.0);
}

#[test]
fn the_whole_space_is_needed_up_to_a_size_or_where_half_of_it_is_wanted() {
    assert!(needs_whole(WHOLE, 1) && !needs_whole(WHOLE + 1, 1));
    assert!(needs_whole(1000, 500) && !needs_whole(1000, 499));
}

/// Roots of one, all of the same size, none of which Krylov spaces find before the others.
#[test]
fn what_does_not_converge_ends() {
    let n = 2 * MOST_BESIDES;
    let mut operator = Known { matrix: DMatrix::zeros(n, n), weights: DMatrix::identity(n, n), seed: 3 };
    (0..n).for_each(|k| operator.matrix[((k + 1) % n, k)] = 1.0);
    assert_eq!(largest_eigenvalues(&mut operator, 2, &|_| 0), None);
}

#[test]
fn weights_that_are_not_positive_are_refused() {
    for n in [20, 200] {
        let mut operator = Known { matrix: DMatrix::identity(n, n), weights: DMatrix::zeros(n, n), seed: 3 };
        assert_eq!(largest_eigenvalues(&mut operator, 2, &|_| 0), None);
    }
}
