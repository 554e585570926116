//! The saddle point of a dynamic stiffness and the constraints, sparse.

use cosimo_linear::{SparseLu, SparseNumber};
use nalgebra::{ComplexField, DMatrix, DVector};

use super::constraints::Constraints;
use super::matrices::Entry;

/// Passes of the scaling by the largest entry of every row.
const PASSES: usize = 4;

/// Factors of
///
/// ```text
///   [ A   Φᵀ  B ]
///   [ Φ   0   0 ]
///   [ Bᵀ  0   0 ]
/// ```
///
/// in which rows and columns are scaled alike so that the largest entry of each is one, and no unit matters.
#[derive(Debug)]
pub(super) struct Saddle<T> {
    factors: SparseLu<T>,
    scales: Vec<f64>,
    n: usize,
}

impl<T: SparseNumber + ComplexField<RealField = f64>> Saddle<T> {
    /// `None` of a matrix that is singular.
    pub(super) fn new(
        mut entries: Vec<Entry<T>>,
        constraints: &Constraints,
        border: &DMatrix<f64>,
    ) -> Option<Self> {
        let (n, m) = (border.nrows(), constraints.kept.len());
        let number = |x: f64| <T as ComplexField>::from_real(x);
        for (i, j, x) in &constraints.entries {
            entries.push((n + i, *j, number(*x)));
            entries.push((*j, n + i, number(*x)));
        }
        for (column, own) in border.column_iter().enumerate() {
            let at = n + m + column;
            for (row, x) in own.iter().enumerate().filter(|(_, x)| **x != 0.0) {
                entries.push((row, at, number(*x)));
                entries.push((at, row, number(*x)));
            }
        }
        let size = n + m + border.ncols();
        let scales = scales(size, &entries);
        for (i, j, x) in &mut entries {
            *x = <T as ComplexField>::scale(x.clone(), scales[*i] * scales[*j]);
        }
        let factors = SparseLu::new(size, &entries).ok()?;
        Some(Self { factors, scales, n })
    }

    /// The increment and the multipliers of the rows kept, for forces and rows; those that are not given are zero.
    pub(super) fn solve(&self, forces: &DVector<T>, rows: &[T]) -> [DVector<T>; 2] {
        let zero = <T as ComplexField>::from_real(0.0);
        let mut x = vec![zero; self.scales.len()];
        x[..self.n].clone_from_slice(forces.as_slice());
        x[self.n..self.n + rows.len()].clone_from_slice(rows);
        self.scale(&mut x);
        self.factors.solve(&mut x);
        self.scale(&mut x);
        let multipliers = DVector::from_column_slice(&x[self.n..]);
        [DVector::from_column_slice(&x[..self.n]), multipliers]
    }

    /// The increment for forces alone.
    pub(super) fn increment(&self, forces: &DVector<T>) -> DVector<T> {
        let [y, _] = self.solve(forces, &[]);
        y
    }

    /// How much longer the scaled solution of a right-hand side in general position is: at least about one over the smallest singular value.
    pub(super) fn growth(&self) -> f64 {
        let start = |k: usize| <T as ComplexField>::from_real(1.0 + (1.7 * k as f64).sin());
        let mut x: Vec<T> = (0..self.scales.len()).map(start).collect();
        self.factors.solve(&mut x);
        let size = |x: &T| <T as ComplexField>::modulus(x.clone());
        let largest = x.iter().map(size).fold(0.0, f64::max);
        if x.iter().all(|x| size(x).is_finite()) { largest } else { f64::INFINITY }
    }

    fn scale(&self, x: &mut [T]) {
        for (x, scale) in x.iter_mut().zip(&self.scales) {
            *x = <T as ComplexField>::scale(x.clone(), *scale);
        }
    }
}

/// Scales in which the largest entry of every row is one; rows without entries keep theirs.
fn scales<T: ComplexField<RealField = f64>>(size: usize, entries: &[Entry<T>]) -> Vec<f64> {
    let sizes: Vec<Entry<f64>> = entries.iter().map(|(i, j, x)| (*i, *j, x.clone().modulus())).collect();
    let mut scales = vec![1.0; size];
    for _ in 0..PASSES {
        let mut largest = vec![0.0_f64; size];
        for (i, j, x) in &sizes {
            let own = x * scales[*i] * scales[*j];
            largest[*i] = largest[*i].max(own);
            largest[*j] = largest[*j].max(own);
        }
        for (scale, largest) in scales.iter_mut().zip(largest) {
            let next = *scale / largest.sqrt();
            *scale = if next.is_normal() { next } else { *scale };
        }
    }
    scales
}
