//! LU factorisation of a sparse matrix of blocks, whose pattern is symmetric, by fronts.
//!
//! Blocks are eliminated in the order of approximate minimum degree. Those with the same neighbours, or nearly so, make a
//! front: a dense matrix of its pivots and of the border that they meet,
//!
//! ```text
//!   F = ( F₁₁  F₁₂ )     P F₁₁ = L₁₁ U₁₁     L₂₁ = F₂₁ U₁₁⁻¹     U₁₂ = L₁₁⁻¹ P F₁₂     S = F₂₂ − L₂₁ U₁₂
//!       ( F₂₁  F₂₂ )
//! ```
//!
//! and `S` is added to the front where the first block of the border is eliminated. Rows are exchanged within `F₁₁`. A
//! factorisation with exchanges between all rows has to leave room for what `AᵀA` fills; this one fills what a symmetric
//! one would.
//!
//! Reference: I. S. Duff, J. K. Reid, *The multifrontal solution of indefinite sparse symmetric linear equations*, ACM
//! Trans. Math. Softw. 9 (1983) 302–325.

use std::cmp::Reverse;
use std::ops::Range;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::lu::partial_pivoting::factor::{lu_in_place, lu_in_place_scratch};
use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_unit_lower_triangular_in_place};
use faer::{Accum, MatMut, Par, Spec};

use super::condensation::minimum_degree;

/// Share of the numbers of a front that may be zeros for the sake of fewer fronts, and how many may be in any case.
const ZEROS: f64 = 0.1;
const FEW_ZEROS: usize = 1000;

/// A block of the matrix: its place in it, and among its values.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub(super) row: usize,
    pub(super) column: usize,
    pub(super) start: usize,
    pub(super) stride: usize,
}

/// A matrix of fixed pattern and its factors.
pub(super) struct Fronts {
    fronts: Vec<Front>,
    /// All fronts, by columns, one after the other.
    values: Vec<f64>,
    exchanges: Vec<u32>,
    inverse: Vec<u32>,
    memory: MemBuffer,
    /// Unknowns of the pivots of a front, as given and in the order of exchanged rows, and of its border.
    given: Vec<f64>,
    own: Vec<f64>,
    border: Vec<f64>,
}

/// A dense part of the factorisation.
#[derive(Debug)]
struct Front {
    /// Place among the values.
    start: usize,
    /// Rows of the pivots, and with the border.
    pivots: usize,
    size: usize,
    /// Unknowns, as runs of those of the matrix: pivots, then border.
    rows: Vec<Range<usize>>,
    entries: Vec<Copy>,
    /// Fronts that end in this one, and where their borders, run by run, come to lie.
    children: Vec<(usize, Vec<(usize, usize)>)>,
    /// First of its row exchanges.
    first: usize,
}

/// A block of the matrix: where it stands among its values, and in the front.
#[derive(Debug)]
struct Copy {
    start: usize,
    stride: usize,
    rows: usize,
    columns: usize,
    place: usize,
}

/// Blocks that are eliminated together, by their places in the order of elimination.
#[derive(Default)]
struct Group {
    pivots: Vec<usize>,
    border: Vec<usize>,
    /// Rows of the pivots and of the border.
    sizes: (usize, usize),
    children: Vec<usize>,
}

impl Fronts {
    /// Storage for matrices with diagonal blocks of these sizes, and these blocks that are not zero.
    pub(super) fn new(sizes: &[usize], entries: &[Entry]) -> Self {
        let (order, groups) = groups(sizes, entries);
        let firsts: Vec<usize> =
            sizes.iter().scan(0, |next, size| Some(std::mem::replace(next, *next + size))).collect();
        let mut front_of = vec![0; sizes.len()];
        for (index, group) in groups.iter().enumerate() {
            group.pivots.iter().for_each(|place| front_of[order[*place]] = index);
        }
        let mut of_front = vec![Vec::new(); groups.len()];
        for entry in entries {
            // Fronts stand in the order of elimination.
            of_front[front_of[entry.row].min(front_of[entry.column])].push(*entry);
        }
        let (mut fronts, mut start, mut first) = (Vec::<Front>::with_capacity(groups.len()), 0, 0);
        // Where the blocks of the front at hand begin in it.
        let mut offsets = vec![0; sizes.len()];
        for (group, entries) in groups.iter().zip(of_front) {
            let (mut rows, mut size) = (Vec::new(), 0);
            for block in group.pivots.iter().chain(&group.border).map(|place| order[*place]) {
                offsets[block] = size;
                size += sizes[block];
                rows.push(firsts[block]..firsts[block] + sizes[block]);
            }
            let entry = |entry: Entry| {
                let Entry { row, column, start, stride } = entry;
                let place = offsets[column] * size + offsets[row];
                Copy { start, stride, rows: sizes[row], columns: sizes[column], place }
            };
            let of_block = |place: &usize| (offsets[order[*place]], sizes[order[*place]]);
            let child = |child: &usize| (*child, runs(groups[*child].border.iter().map(of_block)));
            let (entries, children) =
                (entries.into_iter().map(entry).collect(), group.children.iter().map(child).collect());
            fronts.push(Front { start, pivots: group.sizes.0, size, rows, entries, children, first });
            start += size * size;
            first += group.sizes.0;
        }
        Self::with_fronts(fronts, start, first)
    }

    /// Storage for these fronts, of so many numbers and pivots.
    fn with_fronts(fronts: Vec<Front>, numbers: usize, count: usize) -> Self {
        let most = |of: fn(&Front) -> usize| fronts.iter().map(of).max().unwrap_or(0);
        let (pivots, border) = (most(|front| front.pivots), most(|front| front.size - front.pivots));
        let scratch = lu_in_place_scratch::<u32, f64>(pivots, pivots, Par::Seq, Spec::default());
        Self {
            values: vec![0.0; numbers],
            exchanges: vec![0; count],
            inverse: vec![0; pivots],
            memory: MemBuffer::new(scratch),
            given: vec![0.0; pivots],
            own: vec![0.0; pivots],
            border: vec![0.0; border],
            fronts,
        }
    }

    /// Factorises the matrix of these values.
    pub(super) fn factorize(&mut self, values: &[f64]) {
        let Self { fronts, values: all, exchanges, inverse, memory, own, .. } = self;
        for front in &*fronts {
            let (before, matrix) = all.split_at_mut(front.start);
            let matrix = &mut matrix[..front.size * front.size];
            matrix.fill(0.0);
            for block in &front.entries {
                for column in 0..block.columns {
                    let from = block.start + column * block.stride;
                    let to = block.place + column * front.size;
                    matrix[to..to + block.rows].copy_from_slice(&values[from..from + block.rows]);
                }
            }
            for (child, runs) in &front.children {
                add_border(matrix, front.size, &fronts[*child], before, runs);
            }
            let exchanges = &mut exchanges[front.first..front.first + front.pivots];
            eliminate(matrix, front, exchanges, &mut inverse[..front.pivots], memory, own);
        }
    }

    /// Overwrites `x` with `A⁻¹ x`.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        let Self { fronts, values, exchanges, given, own, border, .. } = self;
        for front in &*fronts {
            let matrix = &values[front.start..front.start + front.size * front.size];
            let (own, border) = (&mut own[..front.pivots], &mut border[..front.size - front.pivots]);
            front.gather(x, border, given);
            let exchanges = &exchanges[front.first..front.first + front.pivots];
            own.iter_mut().zip(exchanges).for_each(|(own, row)| *own = given[*row as usize]);
            for k in 0..front.pivots {
                let (head, below) = own.split_at_mut(k + 1);
                let column = &matrix[k * front.size + k + 1..(k + 1) * front.size];
                let (within, beyond) = column.split_at(below.len());
                below.iter_mut().zip(within).for_each(|(x, l)| *x -= l * head[k]);
                border.iter_mut().zip(beyond).for_each(|(x, l)| *x -= l * head[k]);
            }
            front.scatter(x, border, own);
        }
        for front in fronts.iter().rev() {
            let matrix = &values[front.start..front.start + front.size * front.size];
            let (own, border) = (&mut own[..front.pivots], &mut border[..front.size - front.pivots]);
            front.gather(x, border, own);
            for (column, x) in matrix[front.pivots * front.size..].chunks_exact(front.size).zip(&*border) {
                own.iter_mut().zip(column).for_each(|(own, u)| *own -= u * x);
            }
            for k in (0..front.pivots).rev() {
                let (before, last) = own[..=k].split_at_mut(k);
                let column = &matrix[k * front.size..];
                last[0] /= column[k];
                before.iter_mut().zip(column).for_each(|(x, u)| *x -= u * last[0]);
            }
            front.scatter(x, border, own);
        }
    }
}

impl Front {
    /// Takes the unknowns of the pivots and of the border out of those of the matrix.
    fn gather(&self, x: &[f64], border: &mut [f64], own: &mut [f64]) {
        let mut next = 0;
        for rows in &self.rows {
            let target =
                if next < self.pivots { &mut own[next..] } else { &mut border[next - self.pivots..] };
            target[..rows.len()].copy_from_slice(&x[rows.clone()]);
            next += rows.len();
        }
    }

    fn scatter(&self, x: &mut [f64], border: &[f64], own: &[f64]) {
        let mut next = 0;
        for rows in &self.rows {
            let source = if next < self.pivots { &own[next..] } else { &border[next - self.pivots..] };
            x[rows.clone()].copy_from_slice(&source[..rows.len()]);
            next += rows.len();
        }
    }
}

/// Offsets and lengths of blocks, those that follow each other put together.
fn runs(blocks: impl Iterator<Item = (usize, usize)>) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (offset, size) in blocks {
        match runs.last_mut() {
            Some(last) if last.0 + last.1 == offset => last.1 += size,
            _ => runs.push((offset, size)),
        }
    }
    runs
}

/// Adds what a front has left of its border.
fn add_border(matrix: &mut [f64], size: usize, child: &Front, values: &[f64], runs: &[(usize, usize)]) {
    let from = &values[child.start..child.start + child.size * child.size];
    let mut column = child.pivots;
    for &(offset, count) in runs {
        for k in 0..count {
            let source = &from[(column + k) * child.size + child.pivots..(column + k + 1) * child.size];
            let target = &mut matrix[(offset + k) * size..(offset + k + 1) * size];
            let mut row = 0;
            for &(offset, count) in runs {
                let target = &mut target[offset..offset + count];
                target.iter_mut().zip(&source[row..row + count]).for_each(|(t, s)| *t += s);
                row += count;
            }
        }
        column += count;
    }
}

/// Eliminates the pivots of a front.
fn eliminate(
    matrix: &mut [f64],
    front: &Front,
    exchanges: &mut [u32],
    inverse: &mut [u32],
    memory: &mut MemBuffer,
    own: &mut [f64],
) {
    let (size, pivots) = (front.size, front.pivots);
    let matrix = MatMut::from_column_major_slice_mut(matrix, size, size);
    let (mut corner, mut right, mut below, rest) = matrix.split_at_mut(pivots, pivots);
    let _ =
        lu_in_place(corner.as_mut(), exchanges, inverse, Par::Seq, MemStack::new(memory), Spec::default());
    let own = &mut own[..pivots];
    for column in 0..size - pivots {
        for (own, row) in own.iter_mut().zip(&*exchanges) {
            *own = right[(*row as usize, column)];
        }
        own.iter().enumerate().for_each(|(row, x)| right[(row, column)] = *x);
    }
    solve_unit_lower_triangular_in_place(corner.as_ref(), right.as_mut(), Par::Seq);
    solve_lower_triangular_in_place(corner.as_ref().transpose(), below.as_mut().transpose_mut(), Par::Seq);
    matmul(rest, Accum::Add, below.as_ref(), right.as_ref(), -1.0, Par::Seq);
}

/// The order of elimination, and the blocks that are eliminated together, by their places in it.
fn groups(sizes: &[usize], entries: &[Entry]) -> (Vec<usize>, Vec<Group>) {
    let mut meets = vec![Vec::new(); sizes.len()];
    for entry in entries.iter().filter(|entry| entry.row != entry.column) {
        meets[entry.column].push(entry.row);
    }
    let order = minimum_degree(&meets);
    let mut place_of = vec![0; sizes.len()];
    order.iter().enumerate().for_each(|(place, block)| place_of[*block] = place);
    // Of every block that is eliminated, those that it meets then; blocks whose border begins with it.
    let mut found: Vec<Group> = Vec::with_capacity(sizes.len());
    let mut ending = vec![Vec::new(); sizes.len()];
    for (place, block) in order.iter().enumerate() {
        let own = meets[*block].iter().map(|other| place_of[*other]);
        let inherited = ending[place].iter().flat_map(|child: &usize| found[*child].border.iter().copied());
        let mut border: Vec<usize> = own.chain(inherited).filter(|other| *other > place).collect();
        border.sort_unstable();
        border.dedup();
        if let Some(parent) = border.first() {
            ending[*parent].push(place);
        }
        let sizes = (sizes[*block], border.iter().map(|other| sizes[order[*other]]).sum());
        found.push(Group { pivots: vec![place], border, sizes, children: Vec::new() });
    }
    (order, merge(found))
}

/// Puts groups into those where they end, where that makes few zeros; widest borders first.
fn merge(groups: Vec<Group>) -> Vec<Group> {
    let mut ending = vec![Vec::new(); groups.len()];
    let mut merged: Vec<Option<Group>> = Vec::with_capacity(groups.len());
    for (place, mut group) in groups.into_iter().enumerate() {
        let mut children: Vec<usize> = std::mem::take(&mut ending[place]);
        children.sort_by_key(|child| merged[*child].as_ref().map(|child| Reverse(child.sizes.1)));
        for index in children {
            match &mut merged[index] {
                child @ Some(_) if child.as_ref().is_some_and(|child| group.can_take(child)) => {
                    group.take(child.take().unwrap_or_default());
                }
                _ => group.children.push(index),
            }
        }
        if let Some(parent) = group.border.first() {
            ending[*parent].push(place);
        }
        merged.push(Some(group));
    }
    number(merged)
}

/// The groups numbered without those that are part of others.
fn number(merged: Vec<Option<Group>>) -> Vec<Group> {
    let count = |next: &mut usize, group: &Option<Group>| {
        Some(std::mem::replace(next, *next + usize::from(group.is_some())))
    };
    let index_of: Vec<usize> = merged.iter().scan(0, count).collect();
    let mut groups: Vec<Group> = merged.into_iter().flatten().collect();
    groups.iter_mut().flat_map(|group| &mut group.children).for_each(|child| *child = index_of[*child]);
    groups
}

impl Group {
    /// Whether the pivots of a group that ends in this one can be its own without many zeros.
    fn can_take(&self, child: &Self) -> bool {
        let size = self.sizes.0 + self.sizes.1;
        let zeros = 2 * child.sizes.0 * (size - child.sizes.1);
        let all = (size + child.sizes.0).pow(2) - self.sizes.1.pow(2);
        zeros <= FEW_ZEROS || (zeros as f64) < ZEROS * all as f64
    }

    fn take(&mut self, child: Self) {
        self.sizes.0 += child.sizes.0;
        self.pivots.splice(0..0, child.pivots);
        self.children.extend(child.children);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of two in a square mesh, by rows of the whole; `entry` gives their numbers.
    fn mesh(side: usize, entry: impl Fn(usize, usize) -> f64) -> (Vec<usize>, Vec<Entry>, Vec<f64>) {
        let count = side * side;
        let meets = |a: usize, b: usize| (a % side).abs_diff(b % side) + (a / side).abs_diff(b / side) <= 1;
        let (mut entries, mut values) = (Vec::new(), Vec::new());
        for column in 0..count {
            for row in (0..count).filter(|row| meets(*row, column)) {
                entries.push(Entry { row, column, start: values.len(), stride: 2 });
                values.extend((0..4).map(|k| entry(2 * row + k % 2, 2 * column + k / 2)));
            }
        }
        (vec![2; count], entries, values)
    }

    #[test]
    fn known_solutions_are_found() {
        for side in [1, 2, 5, 12, 30] {
            // Zeros on the diagonal: rows of a block are exchanged.
            let entry = |i: usize, j: usize| match (i / 2 == j / 2, i == j) {
                (true, true) => 0.0,
                (true, false) => 9.0,
                _ => ((7 * i + 3 * j) as f64).sin(),
            };
            let (sizes, entries, values) = mesh(side, entry);
            let mut fronts = Fronts::new(&sizes, &entries);
            let solution: Vec<f64> = (0..2 * side * side).map(|i| (i as f64).cos()).collect();
            for _ in 0..2 {
                fronts.factorize(&values);
                let mut x = vec![0.0; solution.len()];
                for Entry { row, column, start, .. } in &entries {
                    for k in 0..4 {
                        x[2 * row + k % 2] += values[start + k] * solution[2 * column + k / 2];
                    }
                }
                fronts.solve(&mut x);
                let error = x.iter().zip(&solution).fold(0.0_f64, |worst, (x, y)| worst.max((x - y).abs()));
                assert!(error < 1e-12, "{side}: {error}");
            }
        }
    }

    /// A chain has fronts of few blocks, a full matrix is one.
    #[test]
    fn fronts_are_no_larger_than_the_pattern_asks_for() {
        let entries = |count: usize, meets: fn(usize, usize) -> bool| -> Vec<Entry> {
            let all = (0..count).flat_map(|column| (0..count).map(move |row| (row, column)));
            all.filter(|(row, column)| meets(*row, *column))
                .map(|(row, column)| Entry { row, column, start: 0, stride: 6 })
                .collect()
        };
        let chain = Fronts::new(&[6; 200], &entries(200, |a, b| a.abs_diff(b) <= 1));
        assert!(chain.fronts.iter().all(|front| front.size <= 108) && chain.values.len() < 120 * 1200);
        assert_eq!(Fronts::new(&[6; 20], &entries(20, |_, _| true)).fronts.len(), 1);
    }
}
