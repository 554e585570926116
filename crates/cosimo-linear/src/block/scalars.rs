//! Sweeps through condensed blocks of one number each.

use super::BlockPattern;

/// Factors of the condensed blocks where all of them, and all that they meet, are numbers: masses on a line, say. Both sweeps do
/// what those through blocks do, in the same order, without looking up how large each block is, and along chains not even which
/// number is next.
pub(super) struct Scalars {
    /// The entries of `L` in the order of elimination: a row, and the one that it changes.
    below: Vec<(usize, usize)>,
    lower: Vec<f64>,
    /// Row of every number, and how many entries `U` has there, in the order of substitution.
    numbers: Vec<(usize, usize)>,
    pivots: Vec<f64>,
    /// Columns of the entries of `U`, number by number.
    right: Vec<usize>,
    upper: Vec<f64>,
    /// How many entries of `L`, and how many numbers, follow each other along a chain; others stand for themselves.
    falls: Vec<usize>,
    rises: Vec<usize>,
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
        let firsts = numbers.iter().scan(0, |next, (_, width)| Some(std::mem::replace(next, *next + width)));
        let firsts: Vec<usize> = firsts.collect();
        let falls = |k: usize| below[k].0 == below[k].1 + 1;
        let rises = |k: usize| numbers[k].1 == 1 && numbers[k].0 == right[firsts[k]] + 1;
        Some(Self {
            falls: stretches(below.len(), |k| falls(k - 1) && falls(k) && below[k].0 == below[k - 1].1),
            rises: stretches(numbers.len(), |k| {
                rises(k - 1) && rises(k) && numbers[k].0 == numbers[k - 1].0 + 1
            }),
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
        let (mut below, mut lower) = (self.below.as_slice(), self.lower.as_slice());
        for &count in &self.falls {
            let (these, factors) = (&below[..count], &lower[..count]);
            let (row, other) = these[0];
            if count == 1 {
                x[other] -= factors[0] * x[row];
            } else {
                let mut own = x[row];
                for (x, factor) in x[row - count..row].iter_mut().rev().zip(factors) {
                    *x -= factor * own;
                    own = *x;
                }
            }
            (below, lower) = (&below[count..], &lower[count..]);
        }
    }

    /// `x ← U⁻¹ x`.
    pub(super) fn backward(&self, x: &mut [f64]) {
        let (mut numbers, mut pivots) = (self.numbers.as_slice(), self.pivots.as_slice());
        let (mut right, mut upper) = (self.right.as_slice(), self.upper.as_slice());
        for &count in &self.rises {
            let (row, width) = numbers[0];
            let entries = if count == 1 { width } else { count };
            let (columns, factors) = (&right[..entries], &upper[..entries]);
            if count == 1 {
                let mut own = x[row];
                for (other, factor) in columns.iter().zip(factors) {
                    own -= factor * x[*other];
                }
                x[row] = own / pivots[0];
            } else {
                let mut own = x[row - 1];
                for ((x, factor), pivot) in x[row..row + count].iter_mut().zip(factors).zip(pivots) {
                    *x = (*x - factor * own) / pivot;
                    own = *x;
                }
            }
            (numbers, pivots) = (&numbers[count..], &pivots[count..]);
            (right, upper) = (&right[entries..], &upper[entries..]);
        }
    }
}

/// Lengths of the stretches of `count` things each of which goes on from the one before.
fn stretches(count: usize, goes_on: impl Fn(usize) -> bool) -> Vec<usize> {
    let mut lengths: Vec<usize> = Vec::new();
    for k in 0..count {
        match lengths.last_mut() {
            Some(length) if goes_on(k) => *length += 1,
            _ => lengths.push(1),
        }
    }
    lengths
}
