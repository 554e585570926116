//! Which blocks of a matrix and of its factors are not zero.

use super::elimination::Elimination;

/// Pattern of a block matrix and of its LU factors: which diagonal blocks there are, which blocks meet, and in what
/// order they are eliminated. Found once; every matrix of the pattern is then factorised without searching.
#[derive(Debug, Clone)]
pub struct BlockPattern {
    /// Columns in the order of elimination.
    pub(super) columns: Vec<Column>,
    /// Column of each block.
    order: Vec<usize>,
    pub(super) entries: Vec<Entry>,
    /// Blocks left of the diagonal, row by row.
    pub(super) left: Vec<Left>,
    /// Numbers in all blocks.
    pub(super) values: usize,
    dimension: usize,
}

/// A column of the lower factor; with it, transposed, the row of the upper one.
#[derive(Debug, Clone, Default)]
pub(super) struct Column {
    /// Size of the diagonal block.
    pub(super) size: usize,
    /// First row in the numbering of the matrix, and in that of the elimination.
    pub(super) first: usize,
    pub(super) place: usize,
    /// Place of the diagonal block among the values; its blocks follow.
    pub(super) start: usize,
    /// Its blocks below the diagonal among the entries.
    pub(super) entries: std::ops::Range<usize>,
    /// Its blocks left of the diagonal.
    pub(super) left: std::ops::Range<usize>,
}

/// A block below the diagonal, with its transposed counterpart.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    /// Column of the same index as its row.
    pub(super) row: usize,
    /// Places of the blocks of both factors among the values.
    pub(super) lower: usize,
    pub(super) upper: usize,
}

/// A block of an earlier column in the row of this one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Left {
    pub(super) column: usize,
    pub(super) entry: usize,
}

/// Place of a block of the matrix in the storage of its factors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockPosition {
    start: usize,
    row_stride: usize,
    column_stride: usize,
}

impl BlockPosition {
    /// Places from one row to the next.
    pub(super) fn row_stride(self) -> usize {
        self.row_stride
    }

    /// Place of entry (`row`, `column`) of the block.
    pub(super) fn entry(self, row: usize, column: usize) -> usize {
        self.start + row * self.row_stride + column * self.column_stride
    }
}

impl BlockPattern {
    /// The pattern of a matrix with diagonal blocks of these sizes, where the blocks of the given pairs meet.
    #[must_use]
    pub fn new(sizes: &[usize], pairs: impl Iterator<Item = (usize, usize)>) -> Self {
        Self::with_late(sizes, pairs, |_| false)
    }

    /// The same, where every block of which `is_late` is eliminated after all blocks that it meets and that are not
    /// late.
    ///
    /// A saddle point `[H, Φᵀ; Φ, 0]` needs no exchanges between blocks if those of the constraints are late: where
    /// they are eliminated, `−Φ H⁻¹ Φᵀ` of complete rows of `Φ` stands in place of the zeros.
    #[must_use]
    pub fn with_late(
        sizes: &[usize],
        pairs: impl Iterator<Item = (usize, usize)>,
        is_late: impl Fn(usize) -> bool,
    ) -> Self {
        let eliminated = Elimination::new(sizes, pairs).with_late(is_late).run();
        let mut order = vec![0; sizes.len()];
        eliminated.iter().enumerate().for_each(|(column, (block, _))| order[*block] = column);
        let firsts: Vec<usize> =
            sizes.iter().scan(0, |next, size| Some(std::mem::replace(next, *next + size))).collect();
        let mut pattern = Self {
            columns: Vec::with_capacity(sizes.len()),
            entries: Vec::new(),
            left: Vec::new(),
            values: 0,
            dimension: sizes.iter().sum(),
            order,
        };
        let mut place = 0;
        for (block, neighbours) in &eliminated {
            pattern.add_column((sizes, *block), neighbours, (firsts[*block], place));
            place += sizes[*block];
        }
        pattern.find_left_blocks();
        pattern
    }

    fn add_column(
        &mut self,
        (sizes, block): (&[usize], usize),
        neighbours: &[usize],
        (first, place): (usize, usize),
    ) {
        let size = sizes[block];
        let mut rows: Vec<(usize, usize)> = neighbours.iter().map(|&i| (self.order[i], sizes[i])).collect();
        rows.sort_unstable();
        let (start, entry) = (self.values, self.entries.len());
        let below: usize = rows.iter().map(|(_, rows)| rows * size).sum();
        let mut lower = start + size * size;
        for (row, rows) in rows {
            self.entries.push(Entry { row, lower, upper: lower + below });
            lower += rows * size;
        }
        self.values = lower + below;
        let (entries, left) = (entry..self.entries.len(), 0..0);
        self.columns.push(Column { size, first, place, start, entries, left });
    }

    /// Lists, for every row, the blocks left of the diagonal, by columns ascending.
    fn find_left_blocks(&mut self) {
        let mut counts = vec![0; self.columns.len() + 1];
        self.entries.iter().for_each(|entry| counts[entry.row + 1] += 1);
        for row in 0..self.columns.len() {
            counts[row + 1] += counts[row];
        }
        self.left = vec![Left { column: 0, entry: 0 }; self.entries.len()];
        let mut next = counts.clone();
        for column in 0..self.columns.len() {
            for entry in self.columns[column].entries.clone() {
                let row = self.entries[entry].row;
                self.left[next[row]] = Left { column, entry };
                next[row] += 1;
            }
        }
        for (row, column) in self.columns.iter_mut().enumerate() {
            column.left = counts[row]..counts[row + 1];
        }
    }

    /// Where the block in the row of block `row` and the column of block `column` stands; `None` if they do not meet.
    #[must_use]
    pub fn position(&self, row: usize, column: usize) -> Option<BlockPosition> {
        let (r, c) = (*self.order.get(row)?, *self.order.get(column)?);
        let (early, late) = (&self.columns[r.min(c)], r.max(c));
        if r == c {
            return Some(BlockPosition { start: early.start, row_stride: 1, column_stride: early.size });
        }
        let entries = &self.entries[early.entries.clone()];
        let entry = entries[entries.binary_search_by_key(&late, |entry| entry.row).ok()?];
        let stride = self.columns[late].size;
        Some(if r > c {
            BlockPosition { start: entry.lower, row_stride: 1, column_stride: stride }
        } else {
            // Blocks of the upper factor are stored transposed.
            BlockPosition { start: entry.upper, row_stride: stride, column_stride: 1 }
        })
    }

    /// Number of rows of the matrix.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Numbers stored for a matrix of this pattern and its factors.
    #[must_use]
    pub fn stored(&self) -> usize {
        self.values
    }
}
