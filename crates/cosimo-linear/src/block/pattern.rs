//! Which blocks of a matrix are not zero, and where they are kept.

use std::ops::Range;

use super::condensation::Condensation;
use super::fronts::Entry;

/// Pattern of a block matrix: which diagonal blocks there are, which blocks meet, and which of them are condensed, that is,
/// eliminated one by one before the sparse factorisation of the rest. Found once.
#[derive(Debug, Clone)]
pub struct BlockPattern {
    places: Vec<Place>,
    /// Condensed blocks in the order of elimination.
    pub(super) condensed: Vec<Condensed>,
    pub(super) neighbours: Vec<Neighbour>,
    /// Where the block of each pair of neighbours of a condensed block stands, column by column.
    pub(super) cliques: Vec<BlockPosition>,
    pub(super) rest: Vec<Column>,
    /// The blocks of all columns of the rest, each column's by rows ascending: index of the row and offset in the column.
    rows: Vec<(usize, usize)>,
    /// Numbers in all blocks.
    values: usize,
    dimension: usize,
    has_late_rest: bool,
}

#[derive(Debug, Clone, Copy)]
enum Place {
    Condensed(usize),
    Rest(usize),
}

/// A condensed block `D` with the blocks below and right of it, `L` and `U`, one after the other among the values.
#[derive(Debug, Clone)]
pub(super) struct Condensed {
    /// First row in the numbering of the matrix.
    pub(super) first: usize,
    pub(super) size: usize,
    /// Rows of all neighbours.
    pub(super) width: usize,
    /// Place of `D` among the values, and of its row exchanges among those of all.
    pub(super) start: usize,
    pub(super) pivots: usize,
    pub(super) neighbours: Range<usize>,
    /// Its first pair among the cliques.
    pub(super) clique: usize,
}

impl Condensed {
    /// Its rows in the numbering of the matrix.
    pub(super) fn rows(&self) -> Range<usize> {
        self.first..self.first + self.size
    }

    pub(super) fn diagonal(&self) -> Range<usize> {
        self.start..self.start + self.size * self.size
    }

    pub(super) fn lower(&self) -> Range<usize> {
        let start = self.diagonal().end;
        start..start + self.width * self.size
    }

    pub(super) fn upper(&self) -> Range<usize> {
        let start = self.lower().end;
        start..start + self.width * self.size
    }
}

/// A block that a condensed one meets when it is eliminated.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neighbour {
    block: usize,
    /// First row in the numbering of the matrix.
    first: usize,
    pub(super) size: usize,
    /// First of its rows among those of all neighbours.
    offset: usize,
}

impl Neighbour {
    /// Its rows in the numbering of the matrix.
    pub(super) fn rows(&self) -> Range<usize> {
        self.first..self.first + self.size
    }

    /// Its block among those of a condensed one of this size, below or right of it.
    pub(super) fn block_of(&self, size: usize) -> Range<usize> {
        self.offset * size..(self.offset + self.size) * size
    }
}

/// A block column of the rest.
#[derive(Debug, Clone)]
pub(super) struct Column {
    pub(super) size: usize,
    /// First row in the numbering of the matrix, and in that of the rest.
    pub(super) first: usize,
    pub(super) place: usize,
    /// Place among the values, that of the diagonal block, and rows that are not zero.
    pub(super) start: usize,
    pub(super) diagonal: usize,
    pub(super) height: usize,
    blocks: Range<usize>,
}

impl Column {
    /// Its rows in the numbering of the matrix.
    pub(super) fn rows(&self) -> Range<usize> {
        self.first..self.first + self.size
    }

    /// Its rows in the numbering of the rest.
    pub(super) fn places(&self) -> Range<usize> {
        self.place..self.place + self.size
    }
}

/// Place of a block of the matrix among the values; its columns stand at a fixed distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockPosition {
    pub(super) start: usize,
    pub(super) stride: usize,
}

impl BlockPattern {
    /// The pattern of a matrix with diagonal blocks of these sizes, where the blocks of the given pairs meet. For matrices
    /// whose symmetric part is positive definite, or that are quasi-definite: blocks are condensed without exchanges
    /// between them.
    #[must_use]
    pub fn new(sizes: &[usize], pairs: impl Iterator<Item = (usize, usize)>) -> Self {
        Self::with_late(sizes, pairs, |_| false)
    }

    /// The same, where a block of which `is_late` is condensed after all blocks that it meets and that are not late, or
    /// not at all.
    ///
    /// A saddle point `[H, Φᵀ; Φ, 0]` needs no exchanges between blocks if those of the constraints are late: where they
    /// are eliminated, `−Φ H⁻¹ Φᵀ` of complete rows of `Φ` stands in place of the zeros.
    #[must_use]
    pub fn with_late(
        sizes: &[usize],
        pairs: impl Iterator<Item = (usize, usize)>,
        is_late: impl Fn(usize) -> bool,
    ) -> Self {
        let condensation = Condensation::new(sizes, pairs, &is_late);
        let mut pattern = Self {
            places: vec![Place::Rest(0); sizes.len()],
            condensed: Vec::with_capacity(condensation.condensed.len()),
            neighbours: Vec::new(),
            cliques: Vec::new(),
            rest: Vec::new(),
            rows: Vec::new(),
            values: 0,
            dimension: sizes.iter().sum(),
            has_late_rest: (0..sizes.len()).any(|block| is_late(block) && !condensation.is_condensed[block]),
        };
        let firsts: Vec<usize> =
            sizes.iter().scan(0, |next, size| Some(std::mem::replace(next, *next + size))).collect();
        pattern.add_condensed((sizes, &firsts), &condensation);
        pattern.add_rest((sizes, &firsts), &condensation);
        pattern.find_cliques();
        pattern
    }

    fn add_condensed(&mut self, (sizes, firsts): (&[usize], &[usize]), found: &Condensation<'_>) {
        let (mut pivots, mut clique) = (0, 0);
        for (index, (block, others)) in found.condensed.iter().enumerate() {
            self.places[*block] = Place::Condensed(index);
            let (begin, size) = (self.neighbours.len(), sizes[*block]);
            let mut width = 0;
            for &other in others {
                let (first, size) = (firsts[other], sizes[other]);
                self.neighbours.push(Neighbour { block: other, first, size, offset: width });
                width += size;
            }
            let (start, neighbours, first) = (self.values, begin..self.neighbours.len(), firsts[*block]);
            self.condensed.push(Condensed { first, size, width, start, pivots, neighbours, clique });
            self.values += size * (size + 2 * width);
            pivots += size;
            clique += others.len() * others.len();
        }
    }

    fn add_rest(&mut self, (sizes, firsts): (&[usize], &[usize]), found: &Condensation<'_>) {
        let left: Vec<usize> = (0..sizes.len()).filter(|block| !found.is_condensed[*block]).collect();
        let mut index_of = vec![0; sizes.len()];
        for (index, &block) in left.iter().enumerate() {
            self.places[block] = Place::Rest(index);
            index_of[block] = index;
        }
        let mut place = 0;
        for &block in &left {
            let (begin, size) = (self.rows.len(), sizes[block]);
            let others = &found.meets[block];
            let (mut height, mut diagonal) = (0, self.values);
            for &other in others.range(..block).chain([&block]).chain(others.range(block..)) {
                if other == block {
                    diagonal += height;
                }
                self.rows.push((index_of[other], height));
                height += sizes[other];
            }
            let (start, blocks, first) = (self.values, begin..self.rows.len(), firsts[block]);
            self.rest.push(Column { size, first, place, start, diagonal, height, blocks });
            self.values += height * size;
            place += size;
        }
    }

    fn find_cliques(&mut self) {
        let positions = self.condensed.iter().flat_map(|block| {
            let own = &self.neighbours[block.neighbours.clone()];
            let pairs = own.iter().flat_map(|column| own.iter().map(|row| (row.block, column.block)));
            pairs.filter_map(|(row, column)| self.position(row, column))
        });
        self.cliques = positions.collect();
    }

    /// Where the block in the row of block `row` and the column of block `column` stands; `None` if they do not meet.
    #[must_use]
    pub fn position(&self, row: usize, column: usize) -> Option<BlockPosition> {
        match (*self.places.get(row)?, *self.places.get(column)?) {
            (Place::Rest(row), Place::Rest(column)) => self.in_rest(row, column),
            (Place::Condensed(own), _) if row == column => {
                let block = &self.condensed[own];
                Some(BlockPosition { start: block.start, stride: block.size })
            }
            (Place::Condensed(own), Place::Condensed(other)) if own > other => self.below(row, other),
            (Place::Condensed(own), _) => self.right(own, column),
            (Place::Rest(_), Place::Condensed(own)) => self.below(row, own),
        }
    }

    /// The block of `L` in this row.
    fn below(&self, row: usize, own: usize) -> Option<BlockPosition> {
        let (block, other) = (&self.condensed[own], self.neighbour(own, row)?);
        let start = block.lower().start + other.block_of(block.size).start;
        Some(BlockPosition { start, stride: other.size })
    }

    /// The block of `U` in this column.
    fn right(&self, own: usize, column: usize) -> Option<BlockPosition> {
        let (block, other) = (&self.condensed[own], self.neighbour(own, column)?);
        let start = block.upper().start + other.block_of(block.size).start;
        Some(BlockPosition { start, stride: block.size })
    }

    fn neighbour(&self, own: usize, other: usize) -> Option<&Neighbour> {
        let own = &self.neighbours[self.condensed[own].neighbours.clone()];
        own.binary_search_by_key(&other, |neighbour| neighbour.block).ok().map(|found| &own[found])
    }

    fn in_rest(&self, row: usize, column: usize) -> Option<BlockPosition> {
        let column = &self.rest[column];
        let rows = &self.rows[column.blocks.clone()];
        let found = rows.binary_search_by_key(&row, |(row, _)| *row).ok()?;
        Some(BlockPosition { start: column.start + rows[found].1, stride: column.height })
    }

    /// Sizes of the diagonal blocks of the rest, and its blocks, their places counted from the first number of the rest; none
    /// where the rest has late blocks, which need exchanges.
    pub(super) fn blocks_of_rest(&self) -> Option<(Vec<usize>, Vec<Entry>)> {
        if self.has_late_rest {
            return None;
        }
        let begin = self.first_of_rest();
        let of_column = |(column, own): (usize, &Column)| {
            let (start, stride) = (own.start - begin, own.height);
            self.rows[own.blocks.clone()]
                .iter()
                .map(move |(row, offset)| Entry { row: *row, column, start: start + offset, stride })
                .collect::<Vec<_>>()
        };
        let entries = self.rest.iter().enumerate().flat_map(of_column).collect();
        Some((self.rest.iter().map(|column| column.size).collect(), entries))
    }

    /// Where each column of the rest begins among its row indices, and these.
    pub(super) fn compressed_columns(&self) -> (Vec<u32>, Vec<u32>) {
        let (mut begins, mut indices) = (vec![0], Vec::new());
        for column in &self.rest {
            for _ in 0..column.size {
                for row in self.rows[column.blocks.clone()].iter().map(|(row, _)| &self.rest[*row]) {
                    indices.extend((row.place..row.place + row.size).map(|row| row as u32));
                }
                begins.push(indices.len() as u32);
            }
        }
        (begins, indices)
    }

    /// Size of the largest condensed block.
    pub(super) fn largest_condensed(&self) -> usize {
        self.condensed.iter().map(|block| block.size).max().unwrap_or(0)
    }

    /// Unknowns of the rest.
    pub(super) fn size_of_rest(&self) -> usize {
        self.rest.iter().map(|column| column.size).sum()
    }

    /// Where the numbers of the rest begin among the values.
    pub(super) fn first_of_rest(&self) -> usize {
        self.rest.first().map_or(self.values, |column| column.start)
    }

    /// Number of rows of the matrix.
    #[must_use]
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// Numbers stored for a matrix of this pattern, without the factors of the rest.
    #[must_use]
    pub fn stored(&self) -> usize {
        self.values
    }
}
