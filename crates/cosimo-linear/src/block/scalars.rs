//! Sweeps through condensed blocks of one number each.

use super::BlockPattern;

/// Factors of the condensed blocks where all of them, and all that they meet, are numbers: masses on a line, say. Both sweeps do
/// what those through blocks do, in the same order, without looking up how large each block is.
pub(super) struct Scalars {
    /// Row of every entry of `L` and of what it changes, in the order of elimination.
    below: Vec<(usize, usize)>,
    lower: Vec<f64>,
    /// Row of every number, and how many entries `U` has there, in the order of substitution.
    numbers: Vec<(usize, usize)>,
    pivots: Vec<f64>,
    /// Columns of the entries of `U`, number by number.
    right: Vec<usize>,
    upper: Vec<f64>,
    /// Whether every number meets the one before it alone, and they are eliminated from the last to the first: a chain.
    is_chain: bool,
}

impl Scalars {
    /// Storage for factors of this pattern; `None` where a block is larger.
    pub(super) fn of(pattern: &BlockPattern) -> Option<Self> {
        let has_larger_blocks = pattern.condensed.iter().any(|block| block.size != 1);
        if has_larger_blocks || pattern.neighbours.iter().any(|other| other.size != 1) {
            return None;
        }
        let of_block = |range: &std::ops::Range<usize>| {
            pattern.neighbours[range.clone()].iter().map(|other| other.rows().start)
        };
        let blocks = || pattern.condensed.iter();
        let below: Vec<(usize, usize)> = blocks()
            .flat_map(|block| of_block(&block.neighbours).map(move |other| (block.first, other)))
            .collect();
        let right: Vec<usize> = blocks().rev().flat_map(|block| of_block(&block.neighbours)).collect();
        let numbers: Vec<(usize, usize)> = blocks().rev().map(|block| (block.first, block.width)).collect();
        let n = pattern.dimension();
        let follows = |(k, pair): (usize, &(usize, usize))| *pair == (n - 1 - k, n - 2 - k);
        let is_chain = numbers.len() == n && below.len() + 1 == n && below.iter().enumerate().all(follows);
        Some(Self {
            is_chain,
            lower: vec![0.0; below.len()],
            upper: vec![0.0; right.len()],
            pivots: vec![0.0; numbers.len()],
            below,
            right,
            numbers,
        })
    }

    /// Takes the factors over from the values of the condensed blocks: of each the pivot, the column below, the row on its right.
    pub(super) fn take(&mut self, mut values: &[f64]) {
        let (mut lower, mut upper) = (self.lower.as_mut_slice(), self.upper.as_mut_slice());
        for ((_, width), pivot) in self.numbers.iter().zip(&mut self.pivots).rev() {
            let (own, later) = values.split_at(1 + 2 * width);
            let (below, next) = std::mem::take(&mut lower).split_at_mut(*width);
            let count = upper.len() - width;
            let (rest, right) = std::mem::take(&mut upper).split_at_mut(count);
            *pivot = own[0];
            below.copy_from_slice(&own[1..=*width]);
            right.copy_from_slice(&own[1 + width..]);
            (values, lower, upper) = (later, next, rest);
        }
    }

    /// `x ← L⁻¹ x`.
    pub(super) fn forward(&self, x: &mut [f64]) {
        if self.is_chain {
            return self.forward_along(x);
        }
        for ((row, other), factor) in self.below.iter().zip(&self.lower) {
            x[*other] -= factor * x[*row];
        }
    }

    /// `x ← U⁻¹ x`.
    pub(super) fn backward(&self, x: &mut [f64]) {
        if self.is_chain {
            return self.backward_along(x);
        }
        let (mut right, mut upper) = (self.right.as_slice(), self.upper.as_slice());
        for ((row, width), pivot) in self.numbers.iter().zip(&self.pivots) {
            let mut own = x[*row];
            for (other, factor) in right[..*width].iter().zip(&upper[..*width]) {
                own -= factor * x[*other];
            }
            x[*row] = own / pivot;
            (right, upper) = (&right[*width..], &upper[*width..]);
        }
    }

    /// [`forward`](Self::forward) along a chain.
    fn forward_along(&self, x: &mut [f64]) {
        let Some((last, others)) = x.split_last_mut() else { return };
        let mut own = *last;
        for (x, factor) in others.iter_mut().rev().zip(&self.lower) {
            *x -= factor * own;
            own = *x;
        }
    }

    /// [`backward`](Self::backward) along a chain.
    fn backward_along(&self, x: &mut [f64]) {
        let (Some((first, others)), Some((pivot, pivots))) = (x.split_first_mut(), self.pivots.split_first())
        else {
            return;
        };
        *first /= pivot;
        let mut own = *first;
        for ((x, factor), pivot) in others.iter_mut().zip(&self.upper).zip(pivots) {
            *x = (*x - factor * own) / pivot;
            own = *x;
        }
    }
}
