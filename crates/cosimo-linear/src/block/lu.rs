//! LU factorisation of a sparse matrix of small dense blocks.

use super::column_room::Columns;
use super::kernels::{
    SMALLEST_PIVOT, divide, divide_right, factorize, raise_scales, subtract_from, subtract_product,
};
use super::scalars::Scalars;
use super::sparse_lu::SparseLu;
use super::{BlockPattern, BlockPosition};
use crate::FactorizationError;

/// LU factorisation of a block matrix of fixed pattern. Condensed blocks are eliminated one by one, densely; what is left
/// is factorised by the crate `faer`, with row exchanges.
///
/// Set up in storage that is allocated once; factors grow while the pivots that are found ask for more. Of cores that are
/// factorised by supernodes `faer` allocates the parts anew each time.
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
pub struct BlockLu {
    pub(super) pattern: BlockPattern,
    /// Of each condensed block its factors, `L D⁻¹` and `U`; then the rest by columns.
    pub(super) values: Vec<f64>,
    /// Row exchanges of all condensed blocks.
    pub(super) pivots: Vec<usize>,
    /// What each column of the diagonal blocks held before anything was eliminated; where that is nothing, the most that it
    /// held since.
    scales: Vec<f64>,
    /// Whether the diagonal block that begins in a row holds nothing before the elimination.
    is_empty: Vec<bool>,
    /// Unknowns of a condensed block.
    own: Vec<f64>,
    pub(super) rest: SparseLu,
    /// Unknowns of the rest.
    unknowns: Vec<f64>,
    /// Of many right-hand sides.
    pub(super) columns: Columns,
    /// Where all condensed blocks are numbers.
    scalars: Option<Scalars>,
}

impl BlockLu {
    /// Storage for matrices of this pattern.
    #[must_use]
    pub fn new(pattern: BlockPattern) -> Self {
        Self {
            rest: SparseLu::new(pattern.compressed_columns(), pattern.blocks_of_rest()),
            values: vec![0.0; pattern.stored()],
            pivots: vec![0; pattern.condensed.iter().map(|block| block.size).sum()],
            scales: vec![0.0; pattern.dimension()],
            is_empty: vec![false; pattern.dimension()],
            own: vec![0.0; pattern.largest_condensed()],
            columns: Columns::default(),
            unknowns: vec![0.0; pattern.size_of_rest()],
            scalars: Scalars::of(&pattern),
            pattern,
        }
    }

    /// The pattern.
    #[must_use]
    pub fn pattern(&self) -> &BlockPattern {
        &self.pattern
    }

    /// Sets the matrix to zero. Done before every assembly, since factors have replaced the condensed blocks.
    pub fn clear(&mut self) {
        self.values.fill(0.0);
    }

    /// The entries assembled, in an order of the pattern's own, until they are factorised.
    #[must_use]
    pub fn entries(&self) -> &[f64] {
        &self.values
    }

    /// Assembles the matrix of which [`entries`](Self::entries) were these.
    pub fn set_entries(&mut self, entries: &[f64]) {
        debug_assert_eq!(entries.len(), self.values.len(), "entries of the same pattern");
        self.values.copy_from_slice(entries);
    }

    /// Adds `value` to entry (row, column) of the block at `position` in this pattern.
    pub fn add(&mut self, position: BlockPosition, (row, column): (usize, usize), value: f64) {
        self.values[position.start + column * position.stride + row] += value;
    }

    /// Adds `factor` times a dense block, by columns, whose rows and columns are multiplied by `scales`, to the block at
    /// `position`.
    pub fn add_scaled_block(
        &mut self,
        position: BlockPosition,
        factor: f64,
        block: &[f64],
        [rows, columns]: [&[f64]; 2],
    ) {
        let entries = block.chunks_exact(rows.len().max(1));
        for (column, (entries, scale)) in entries.zip(columns).enumerate() {
            let own = &mut self.values[position.start + column * position.stride..];
            let factor = factor * scale;
            own.iter_mut().zip(entries.iter().zip(rows)).for_each(|(own, (x, row))| *own += factor * row * x);
        }
    }

    /// Factorises the matrix assembled since [`clear`](Self::clear).
    ///
    /// # Errors
    /// [`FactorizationError::Singular`] names the column, in the numbering of the matrix, without a usable pivot: one
    /// that is not finite or smaller than 1e-13 of what its diagonal block held in that column before the elimination; where
    /// that is a block of zeros, of the most that it held during it.
    pub fn factorize(&mut self) -> Result<(), FactorizationError> {
        self.find_scales();
        (0..self.pattern.condensed.len()).try_for_each(|index| self.condense(index))?;
        let Self { pattern, values, scales, unknowns, rest, scalars, .. } = self;
        if let Some(scalars) = scalars {
            scalars.take(&values[..pattern.first_of_rest()]);
        }
        for own in &pattern.rest {
            unknowns[own.places()].copy_from_slice(&scales[own.rows()]);
        }
        rest.factorize(&values[pattern.first_of_rest()..], unknowns).map_err(|place| {
            let column = &pattern.rest[pattern.rest.partition_point(|column| column.place <= place) - 1];
            FactorizationError::Singular { column: column.first + place - column.place }
        })
    }

    fn find_scales(&mut self) {
        let Self { pattern, values, scales, is_empty, .. } = self;
        scales.fill(0.0);
        let diagonals = pattern.condensed.iter().map(|block| (block.rows(), block.start, block.size));
        let of_rest = pattern.rest.iter().map(|column| (column.rows(), column.diagonal, column.height));
        for (rows, start, stride) in diagonals.chain(of_rest) {
            let (first, own) = (rows.start, &mut scales[rows]);
            raise_scales(own, &values[start..], stride);
            is_empty[first] = own.iter().all(|scale| *scale == 0.0);
        }
    }

    /// Factorises `D`, replaces `L` by `L D⁻¹` and subtracts `L D⁻¹ U` from the blocks of its neighbours.
    fn condense(&mut self, index: usize) -> Result<(), FactorizationError> {
        let Self { pattern, values, pivots, scales, is_empty, .. } = self;
        let block = &pattern.condensed[index];
        let (size, end) = (block.size, block.upper().end);
        let (own, later) = values.split_at_mut(end);
        let (factors, coupling) = own[block.start..].split_at_mut(size * size);
        let (lower, upper) = coupling.split_at_mut(block.width * size);
        let pivots = &mut pivots[block.pivots..block.pivots + size];
        factorize(factors, &scales[block.rows()], SMALLEST_PIVOT, pivots)
            .map_err(|k| FactorizationError::Singular { column: block.first + k })?;
        let neighbours = &pattern.neighbours[block.neighbours.clone()];
        for row in neighbours {
            divide_right(&mut lower[row.block_of(size)], factors, pivots, (row.size, size));
        }
        let mut positions = pattern.cliques[block.clique..].iter();
        for column in neighbours {
            let right = &upper[column.block_of(size)];
            for (row, position) in neighbours.iter().zip(&mut positions) {
                let below = &lower[row.block_of(size)];
                let target = &mut later[position.start - end..];
                subtract_product(target, position.stride, below, right, (row.size, size));
            }
        }
        let diagonals = pattern.cliques[block.clique..].iter().step_by(neighbours.len() + 1);
        for (other, position) in
            neighbours.iter().zip(diagonals).filter(|(other, _)| is_empty[other.rows().start])
        {
            raise_scales(&mut scales[other.rows()], &later[position.start - end..], position.stride);
        }
        Ok(())
    }

    /// Overwrites `x` with `A⁻¹ x`.
    pub fn solve(&mut self, x: &mut [f64]) {
        debug_assert_eq!(x.len(), self.pattern.dimension(), "right-hand side has the matrix' dimension");
        self.forward(x);
        self.solve_rest(x);
        self.backward(x);
    }

    /// `x ← L⁻¹ x` through the condensed blocks.
    fn forward(&mut self, x: &mut [f64]) {
        let Self { pattern, values, own, scalars, .. } = self;
        if let Some(scalars) = scalars {
            return scalars.forward(x);
        }
        for block in &pattern.condensed {
            let (lower, own) = (&values[block.lower()], &mut own[..block.size]);
            own.copy_from_slice(&x[block.rows()]);
            for other in &pattern.neighbours[block.neighbours.clone()] {
                subtract_from(&mut x[other.rows()], &lower[other.block_of(block.size)], own);
            }
        }
    }

    fn solve_rest(&mut self, x: &mut [f64]) {
        let Self { pattern, rest, unknowns, .. } = self;
        if pattern.rest.is_empty() {
            return;
        }
        for own in &pattern.rest {
            unknowns[own.places()].copy_from_slice(&x[own.rows()]);
        }
        rest.solve(unknowns);
        for own in &pattern.rest {
            x[own.rows()].copy_from_slice(&unknowns[own.places()]);
        }
    }

    /// `x ← U⁻¹ x` through the condensed blocks.
    fn backward(&mut self, x: &mut [f64]) {
        let Self { pattern, values, pivots, own, scalars, .. } = self;
        if let Some(scalars) = scalars {
            return scalars.backward(x);
        }
        for block in pattern.condensed.iter().rev() {
            let (upper, own) = (&values[block.upper()], &mut own[..block.size]);
            own.copy_from_slice(&x[block.rows()]);
            for other in &pattern.neighbours[block.neighbours.clone()] {
                subtract_from(own, &upper[other.block_of(block.size)], &x[other.rows()]);
            }
            divide(own, &values[block.diagonal()], &pivots[block.pivots..block.pivots + block.size]);
            x[block.rows()].copy_from_slice(own);
        }
    }
}

impl std::fmt::Debug for BlockLu {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BlockLu").field("dimension", &self.pattern.dimension()).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
