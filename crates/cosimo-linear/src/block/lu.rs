//! LU factorisation of a sparse matrix of small dense blocks.

use super::kernels::{
    divide, divide_right, factorize, subtract_from, subtract_product, subtract_transposed_from,
};
use super::{BlockPattern, BlockPosition};
use crate::FactorizationError;

/// Pivots below this share of the most that their column held before they are used are round-off.
const SMALLEST_PIVOT: f64 = 1e-13;

/// LU factorisation of a block matrix of fixed pattern, `A = L U`, without exchanges between blocks; inside a diagonal
/// block rows are exchanged. For matrices whose symmetric part is positive definite, or that are quasi-definite, no
/// other exchanges are needed; for others it may refuse a regular matrix.
///
/// Set up, factorised and solved in storage that is allocated once.
///
/// ```
/// use cosimo_linear::{BlockLu, BlockPattern};
/// // Three blocks in a row: a tridiagonal matrix.
/// let mut lu = BlockLu::new(BlockPattern::new(&[1, 1, 1], [(0, 1), (1, 2)].into_iter()));
/// lu.clear();
/// for (row, column, value) in [(0, 0, 2.0), (1, 1, 2.0), (2, 2, 2.0), (0, 1, -1.0), (1, 0, -1.0), (1, 2, -1.0), (2, 1, -1.0)] {
///     if let Some(position) = lu.pattern().position(row, column) {
///         lu.add(position, (0, 0), value);
///     }
/// }
/// lu.factorize()?;
/// let mut x = [1.0, 0.0, 1.0];
/// lu.solve(&mut x);
/// assert!(x.iter().all(|x| (x - 1.0).abs() < 1e-15));
/// # Ok::<(), cosimo_linear::FactorizationError>(())
/// ```
#[derive(Debug, Clone)]
pub struct BlockLu {
    pattern: BlockPattern,
    /// Column by column: the factors of the diagonal block, the blocks of the lower factor, and those of the upper
    /// factor's row, transposed.
    values: Vec<f64>,
    /// Place of the block of each row in the column at hand.
    lower: Vec<usize>,
    upper: Vec<usize>,
    scales: Vec<f64>,
    /// Row exchanges of all diagonal blocks, in the order of elimination.
    pivots: Vec<usize>,
    permuted: Vec<f64>,
}

impl BlockLu {
    /// Storage for matrices of this pattern.
    #[must_use]
    pub fn new(pattern: BlockPattern) -> Self {
        let largest = pattern.columns.iter().map(|column| column.size).max().unwrap_or(0);
        Self {
            values: vec![0.0; pattern.values],
            lower: vec![0; pattern.columns.len()],
            upper: vec![0; pattern.columns.len()],
            scales: vec![0.0; largest],
            pivots: vec![0; pattern.dimension()],
            permuted: vec![0.0; pattern.dimension()],
            pattern,
        }
    }

    /// The pattern.
    #[must_use]
    pub fn pattern(&self) -> &BlockPattern {
        &self.pattern
    }

    /// Sets the matrix to zero. Done before every assembly, since the factors have replaced the matrix.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// Adds `value` to entry (row, column) of the block at `position` in this pattern.
    pub fn add(&mut self, position: BlockPosition, (row, column): (usize, usize), value: f64) {
        self.values[position.entry(row, column)] += value;
    }

    /// Adds `factor` times a dense block, by columns, to the block at `position`; `rows` is its number of rows.
    pub fn add_block(&mut self, position: BlockPosition, rows: usize, factor: f64, block: &[f64]) {
        let stride = position.row_stride();
        for (column, entries) in block.chunks_exact(rows.max(1)).enumerate() {
            let own = &mut self.values[position.entry(0, column)..];
            if stride == 1 {
                own.iter_mut().zip(entries).for_each(|(own, x)| *own += factor * x);
            } else {
                own.iter_mut().step_by(stride).zip(entries).for_each(|(own, x)| *own += factor * x);
            }
        }
    }

    /// Factorises the matrix assembled since [`clear`](Self::clear), in place.
    ///
    /// # Errors
    /// [`FactorizationError::Singular`] names the column, in the numbering of the matrix, without a usable pivot: one
    /// that is not finite or smaller than 1e-13 of what its diagonal block held in that column before the elimination; where
    /// that is a block of zeros, of the most that it held during it.
    pub fn factorize(&mut self) -> Result<(), FactorizationError> {
        (0..self.pattern.columns.len()).try_for_each(|index| self.factorize_column(index))
    }

    fn factorize_column(&mut self, index: usize) -> Result<(), FactorizationError> {
        let Self { pattern, values, lower, upper, scales, pivots, .. } = self;
        let column = &pattern.columns[index];
        let size = column.size;
        for entry in &pattern.entries[column.entries.clone()] {
            (lower[entry.row], upper[entry.row]) = (entry.lower - column.start, entry.upper - column.start);
        }
        let (done, own) = values.split_at_mut(column.start);
        scales[..size].fill(0.0);
        raise_scales(scales, &own[..size * size], size);
        let is_empty = scales[..size].iter().all(|scale| *scale == 0.0);
        for left in &pattern.left[column.left.clone()] {
            let other = &pattern.columns[left.column];
            let (inner, this) = (other.size, pattern.entries[left.entry]);
            let block = |start: usize, rows: usize| start..start + rows * inner;
            let (l, u) = (&done[block(this.lower, size)], &done[block(this.upper, size)]);
            subtract_product(&mut own[..size * size], l, u, (size, size));
            if is_empty {
                raise_scales(scales, &own[..size * size], size);
            }
            for entry in &pattern.entries[left.entry + 1..other.entries.end] {
                let rows = pattern.columns[entry.row].size;
                let (a, b) = (&done[block(entry.lower, rows)], &done[block(entry.upper, rows)]);
                let (low, up) = (lower[entry.row], upper[entry.row]);
                subtract_product(&mut own[low..low + rows * size], a, u, (rows, size));
                subtract_product(&mut own[up..up + rows * size], b, l, (rows, size));
            }
        }
        let (diagonal, below) = own.split_at_mut(size * size);
        let pivots = &mut pivots[column.place..column.place + size];
        factorize(diagonal, scales, SMALLEST_PIVOT, pivots)
            .map_err(|k| FactorizationError::Singular { column: column.first + k })?;
        for entry in &pattern.entries[column.entries.clone()] {
            let rows = pattern.columns[entry.row].size;
            let start = entry.lower - column.start - size * size;
            divide_right(&mut below[start..start + rows * size], diagonal, pivots, (rows, size));
        }
        Ok(())
    }

    /// Overwrites `x` with `A⁻¹ x`.
    pub fn solve(&mut self, x: &mut [f64]) {
        debug_assert_eq!(x.len(), self.pattern.dimension(), "right-hand side has the matrix' dimension");
        let Self { pattern, values, permuted, pivots, .. } = self;
        for column in &pattern.columns {
            permuted[column.place..column.place + column.size]
                .copy_from_slice(&x[column.first..column.first + column.size]);
        }
        for column in &pattern.columns {
            let (before, after) = permuted.split_at_mut(column.place + column.size);
            let own = &before[column.place..];
            for entry in &pattern.entries[column.entries.clone()] {
                let row = &pattern.columns[entry.row];
                let start = row.place - column.place - column.size;
                let block = &values[entry.lower..entry.lower + row.size * column.size];
                subtract_from(&mut after[start..start + row.size], block, own);
            }
        }
        for column in pattern.columns.iter().rev() {
            let (before, after) = permuted.split_at_mut(column.place + column.size);
            let own = &mut before[column.place..];
            for entry in &pattern.entries[column.entries.clone()] {
                let row = &pattern.columns[entry.row];
                let start = row.place - column.place - column.size;
                let block = &values[entry.upper..entry.upper + row.size * column.size];
                subtract_transposed_from(own, block, &after[start..start + row.size]);
            }
            let factors = &values[column.start..column.start + column.size * column.size];
            divide(own, factors, &pivots[column.place..column.place + column.size]);
        }
        for column in &pattern.columns {
            x[column.first..column.first + column.size]
                .copy_from_slice(&permuted[column.place..column.place + column.size]);
        }
    }
}

/// Raises the scale of every column of a square block to its largest entry.
fn raise_scales(scales: &mut [f64], block: &[f64], size: usize) {
    for (scale, entries) in scales.iter_mut().zip(block.chunks_exact(size.max(1))) {
        *scale = entries.iter().fold(*scale, |largest, x| largest.max(x.abs()));
    }
}

#[cfg(test)]
mod tests {
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
        for factor in [1.0, -3.0] {
            let matrix = &matrix * factor;
            assemble(&mut lu, &sizes, &matrix);
            lu.factorize().unwrap();
            let b = DVector::from_fn(matrix.nrows(), |i, _| (i as f64).cos());
            let mut x = b.clone();
            lu.solve(x.as_mut_slice());
            assert!((&matrix * x - b).amax() < 1e-13);
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
}
