//! Dense square matrices whose size changes from use to use.

use nalgebra::{DMatrix, Dyn, VecStorage};

/// Makes `matrix` the zero matrix of dimension `n`. Storage is kept: a matrix that has been as large before allocates nothing.
pub fn set_square_zeros(matrix: &mut DMatrix<f64>, n: usize) {
    if matrix.shape() == (n, n) {
        return matrix.fill(0.0);
    }
    let mut values: Vec<f64> = std::mem::take(matrix).data.into();
    values.clear();
    values.resize(n * n, 0.0);
    *matrix = DMatrix::from_data(VecStorage::new(Dyn(n), Dyn(n), values));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_takes_any_size_in_turn() {
        let mut matrix = DMatrix::zeros(0, 0);
        for n in [2, 3, 0, 1, 3] {
            set_square_zeros(&mut matrix, n);
            assert_eq!(matrix, DMatrix::zeros(n, n));
            matrix.fill(1.0);
        }
    }
}
