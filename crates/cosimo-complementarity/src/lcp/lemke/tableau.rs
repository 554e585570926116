//! The tableau: pivots and the lexicographic choice of the leaving row.

use crate::{Budget, LcpProblem};

/// What counts as zero in a tableau whose entries are of order 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tolerances {
    /// Entries of the entering column up to this times the largest are not pivoted on.
    pub(super) pivot: f64,
    /// Ratios that differ by less than this tie; relative, and absolute for values near 0.
    pub(super) tie: f64,
}

/// Values below this tie by their absolute difference: they may be differences of larger ones.
const TIE_FLOOR: f64 = 1.0e-2;

/// A pivot row with fewer entries other than zero than this share of its length is subtracted by those alone.
const SPARSE: usize = 4;

/// How a run of pivots ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RunEnd {
    /// `z₀` left the basis.
    Complementary,
    /// The entering variable may grow without bound.
    Ray,
    /// The limit on pivots was met.
    PivotLimit,
    /// An entry overflowed.
    Overflow,
}

/// A run of pivots: how it ended and what it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) end: RunEnd,
    pub(super) pivots: usize,
}

/// The system `w − M z − e z₀ = q` solved for its basic variables,
///
/// ```text
///   x_B + T x_N = q̄,    T = B⁻¹N,    q̄ = B⁻¹q
/// ```
///
/// in which only the `n + 1` nonbasic columns and the right-hand side are stored: the columns of basic variables are
/// unit vectors. The column of `wⱼ`, stored or not, is column `j` of `B⁻¹`, all that the lexicographic rule needs.
///
/// Variables are numbered `wⱼ ↦ j`, `zⱼ ↦ n + j`, `z₀ ↦ 2n`.
#[derive(Debug, Clone)]
pub(super) struct Tableau {
    /// Number of unknowns `n`.
    dimension: usize,
    /// `(T, q̄)`, row after row, `n × (n + 2)`.
    entries: Vec<f64>,
    /// Variable of each row.
    basic: Vec<usize>,
    /// Variable of each column.
    nonbasic: Vec<usize>,
    /// Place of each variable: row `r` as `r`, column `c` as `n + c`.
    place: Vec<usize>,
    /// The entering column, and its place.
    entering: Vec<f64>,
    entered: usize,
    /// The pivot row.
    pivot_row: Vec<f64>,
    /// Columns in which the pivot row is not zero.
    filled: Vec<usize>,
    /// Rows that may leave.
    candidates: Vec<usize>,
}

impl Tableau {
    pub(super) fn with_capacity(capacity: usize) -> Self {
        Self {
            dimension: 0,
            entries: Vec::with_capacity(capacity * (capacity + 2)),
            basic: Vec::with_capacity(capacity),
            nonbasic: Vec::with_capacity(capacity + 1),
            place: Vec::with_capacity(2 * capacity + 1),
            entering: Vec::with_capacity(capacity),
            entered: 0,
            pivot_row: Vec::with_capacity(capacity + 2),
            filled: Vec::with_capacity(capacity + 2),
            candidates: Vec::with_capacity(capacity),
        }
    }

    /// Starts from the basis `w`: `T = (−M, −e)`, `q̄ = q`.
    pub(super) fn fill(&mut self, problem: LcpProblem<'_>) {
        let n = problem.dimension();
        self.dimension = n;
        self.entries.clear();
        for (row, offset) in problem.offset().iter().enumerate() {
            self.entries.extend(problem.matrix()[row..].iter().step_by(n).map(|entry| -entry));
            self.entries.extend([-1.0, *offset]);
        }
        self.basic.clear();
        self.basic.extend(0..n);
        self.nonbasic.clear();
        self.nonbasic.extend(n..=2 * n);
        self.place.clear();
        self.place.extend((0..n).chain(n..=2 * n));
    }

    /// Pivots until `z₀` has left, or until it cannot, or may no longer.
    pub(super) fn run(&mut self, tolerances: &Tolerances, max_pivots: usize, budget: &Budget<'_>) -> Run {
        let (n, artificial) = (self.dimension, 2 * self.dimension);
        let mut pivots = 0;
        let (mut row, mut column) = (self.first_row(), n);
        let end = loop {
            if pivots == max_pivots || budget.is_over() {
                break RunEnd::PivotLimit;
            }
            let left = self.basic[row];
            self.pivot(row, column);
            pivots += 1;
            if left == artificial {
                break RunEnd::Complementary;
            }
            let complement = if left < n { left + n } else { left - n };
            column = self.place[complement] - n;
            match self.leaving_row(column, tolerances) {
                Ok(leaving) => row = leaving,
                Err(end) => break end,
            }
        };
        Run { end, pivots }
    }

    /// The indices `i` with `zᵢ` in the basis, increasing.
    pub(super) fn active(&self) -> impl Iterator<Item = usize> + '_ {
        let n = self.dimension;
        (0..n).filter(move |index| self.place[n + index] < n)
    }

    /// The basic `zᵢ` with their values.
    pub(super) fn nonzeros(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let n = self.dimension;
        self.active().map(move |index| (index, self.entry(self.place[n + index], n + 1)))
    }

    /// Along the ray that a run has ended on, the `zᵢ` that grow, and how fast.
    pub(super) fn ray(&self) -> impl Iterator<Item = (usize, f64)> + '_ {
        let n = self.dimension;
        let entering = self.nonbasic[self.entered];
        let own = (n..2 * n).contains(&entering).then(|| (entering - n, 1.0));
        let basic = self.active().map(move |index| (index, -self.entering[self.place[n + index]]));
        basic.chain(own).filter(|(_, speed)| *speed > 0.0)
    }

    /// The row in which `z₀` enters: lexicographic minimum of `(q, I)`, that is the last of the most negative `qᵢ`.
    fn first_row(&self) -> usize {
        let offset = |row| self.entry(row, self.dimension + 1);
        (1..self.dimension).fold(0, |least, row| if offset(row) <= offset(least) { row } else { least })
    }

    #[inline]
    fn entry(&self, row: usize, column: usize) -> f64 {
        self.entries[row * (self.dimension + 2) + column]
    }

    /// The row to leave for the nonbasic `column`: among those with `aᵢ > 0` the lexicographic minimum of
    /// `(q̄, B⁻¹)ᵢ / aᵢ`; `z₀` if it is among the first ties, because that ends the run.
    fn leaving_row(&mut self, column: usize, tolerances: &Tolerances) -> Result<usize, RunEnd> {
        let n = self.dimension;
        self.entered = column;
        self.entering.clear();
        self.entering.extend(self.entries[column..].iter().step_by(n + 2));
        let largest = self.entering.iter().fold(0.0_f64, |largest, entry| largest.max(entry.abs()));
        // The sum, unlike the maximum, shows a NaN.
        if !self.entering.iter().sum::<f64>().is_finite() {
            return Err(RunEnd::Overflow);
        }
        let zero = tolerances.pivot * largest;
        self.candidates.clear();
        self.candidates.extend((0..n).filter(|row| self.entering[*row] > zero));

        self.keep_least(n + 1, tolerances.tie);
        let artificial = self.place[2 * n];
        if self.candidates.contains(&artificial) {
            return Ok(artificial);
        }
        for slack in 0..n {
            if self.candidates.len() <= 1 {
                break;
            }
            match self.place[slack] {
                // A unit vector: the ratio of its row is positive, those of all others are 0.
                row if row < n => self.candidates.retain(|candidate| *candidate != row),
                place => self.keep_least(place - n, tolerances.tie),
            }
        }
        // Rows of B⁻¹ are independent: more than one row is left only if the tolerance blurs them.
        let larger =
            |best: usize, row: usize| if self.entering[row] > self.entering[best] { row } else { best };
        self.candidates.iter().copied().reduce(larger).ok_or(RunEnd::Ray)
    }

    /// Keeps the candidates whose ratio in `column` is least.
    fn keep_least(&mut self, column: usize, tie: f64) {
        let (stride, entries, entering) = (self.dimension + 2, &self.entries, &self.entering);
        let value = |row: usize| entries[row * stride + column];
        let ratios = self.candidates.iter().map(|row| value(*row) / entering[*row]);
        let least = ratios.fold(f64::INFINITY, f64::min);
        self.candidates.retain(|row| {
            let (value, bound) = (value(*row), least * entering[*row]);
            value / entering[*row] <= least
                || value - bound <= tie * (value.abs() + bound.abs()).max(TIE_FLOOR)
        });
    }

    /// Exchanges the variables of `row` and `column`. Rows without an entry in `column` stay as they are; of the others only
    /// the columns in which the pivot row has entries are touched, where those are few: the bits are the same.
    fn pivot(&mut self, row: usize, column: usize) {
        let stride = self.dimension + 2;
        let start = row * stride;
        self.pivot_row.clear();
        self.pivot_row.extend_from_slice(&self.entries[start..start + stride]);
        let pivot = self.pivot_row[column];
        self.filled.clear();
        self.filled.extend((0..stride).filter(|k| self.pivot_row[*k] != 0.0));
        let is_sparse = SPARSE * self.filled.len() < stride;
        for (index, entries) in self.entries.chunks_exact_mut(stride).enumerate() {
            if index == row {
                continue;
            }
            // The quotient first: equal rows have the quotient 1 and cancel exactly.
            let factor = entries[column] / pivot;
            if factor != 0.0 {
                if is_sparse {
                    self.filled.iter().for_each(|&k| entries[k] -= factor * self.pivot_row[k]);
                } else {
                    entries.iter_mut().zip(&self.pivot_row).for_each(|(entry, row)| *entry -= factor * row);
                }
                entries[column] = -factor;
            }
        }
        let pivoted = &mut self.entries[start..start + stride];
        pivoted.iter_mut().for_each(|entry| *entry /= pivot);
        pivoted[column] = 1.0 / pivot;

        std::mem::swap(&mut self.basic[row], &mut self.nonbasic[column]);
        self.place[self.basic[row]] = row;
        self.place[self.nonbasic[column]] = self.dimension + column;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: Tolerances = Tolerances { pivot: 0.0, tie: 0.0 };

    fn run(matrix: &[f64], offset: &[f64]) -> (Run, Vec<(usize, f64)>) {
        let mut tableau = Tableau::with_capacity(0);
        tableau.fill(LcpProblem::new(matrix, offset).unwrap());
        let run = tableau.run(&EXACT, 100, &Budget::default());
        (run, tableau.nonzeros().collect())
    }

    #[test]
    fn pivot_undoes_itself() {
        let mut tableau = Tableau::with_capacity(2);
        tableau.fill(LcpProblem::new(&[2.0, 1.0, 4.0, -8.0], &[-1.0, 0.5]).unwrap());
        let start = tableau.clone();
        tableau.pivot(0, 0);
        assert_eq!((&tableau.basic[..], &tableau.nonbasic[..]), (&[2, 1][..], &[0, 3, 4][..]));
        assert_eq!(tableau.nonzeros().collect::<Vec<_>>(), [(0, 0.5)]);
        tableau.pivot(0, 0);
        assert_eq!(tableau.entries, start.entries);
        assert_eq!(tableau.place, start.place);
    }

    /// Unknowns in pairs that do not meet: rows of few entries, whose pivots must do what the formula says.
    #[test]
    fn pivots_on_rows_of_few_entries_are_those_of_the_formula() {
        let n = 40;
        let entry = |row: usize, column: usize| {
            if row / 2 == column / 2 { 1.0 + 0.1 * (3 * row + column) as f64 } else { 0.0 }
        };
        let matrix: Vec<f64> = (0..n * n).map(|k| entry(k % n, k / n)).collect();
        let offset: Vec<f64> = (0..n).map(|i| -1.0 - i as f64).collect();
        let mut tableau = Tableau::with_capacity(n);
        tableau.fill(LcpProblem::new(&matrix, &offset).unwrap());
        for (row, column) in [(3, n), (8, 9), (9, 8), (3, 2)] {
            let before = tableau.entries.clone();
            let old = |i: usize, j: usize| before[i * (n + 2) + j];
            tableau.pivot(row, column);
            for (i, j) in (0..n).flat_map(|i| (0..n + 2).map(move |j| (i, j))) {
                let expected = match (i == row, j == column) {
                    (true, true) => 1.0 / old(row, column),
                    (true, false) => old(row, j) / old(row, column),
                    (false, true) => -(old(i, column) / old(row, column)),
                    (false, false) => old(i, j) - old(i, column) / old(row, column) * old(row, j),
                };
                assert_eq!(tableau.entry(i, j), expected, "{row} {column}: {i} {j}");
            }
        }
    }

    #[test]
    fn equal_rows_tie_exactly_and_end() {
        // One contact five times, with numbers that do not fit binary fractions.
        let (run, nonzeros) = run(&[0.1; 25], &[-0.3; 5]);
        assert_eq!(run, Run { end: RunEnd::Complementary, pivots: 2 });
        assert_eq!(nonzeros, [(4, 0.3 / 0.1)]);
    }

    #[test]
    fn unbounded_column_is_a_ray() {
        assert_eq!(run(&[0.0, 0.0, 0.0, 1.0], &[-1.0, -1.0]).0.end, RunEnd::Ray);
        assert_eq!(run(&[1.0, -1.0, -1.0, 1.0], &[-1.0, -1.0]).0.end, RunEnd::Ray);
    }

    #[test]
    fn first_row_is_the_last_of_the_least() {
        let mut tableau = Tableau::with_capacity(3);
        tableau.fill(LcpProblem::new(&[0.0; 9], &[-1.0, -1.0, 0.0]).unwrap());
        assert_eq!(tableau.first_row(), 1);
    }
}
