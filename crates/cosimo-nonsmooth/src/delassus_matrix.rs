//! The Delassus operator of the contact rows, dense or sparse.

use std::ops::Index;

use nalgebra::DMatrix;

/// The Delassus operator by its rows that are not zero: of contacts that meet few others.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct SparseDelassus {
    /// Where the entries of each row begin, and where those of the last one end.
    starts: Vec<usize>,
    /// Columns of the entries, ascending in each row.
    columns: Vec<usize>,
    values: Vec<f64>,
}

impl SparseDelassus {
    /// Forgets all rows.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.columns.clear();
        self.values.clear();
    }

    /// Adds a row, by its columns, ascending, and entries.
    pub fn push_row(&mut self, entries: impl Iterator<Item = (usize, f64)>) {
        for (column, value) in entries {
            self.columns.push(column);
            self.values.push(value);
        }
        self.starts.push(self.columns.len());
    }

    /// Columns and values of the entries of a row.
    fn row(&self, row: usize) -> (&[usize], &[f64]) {
        let range = self.starts[row]..self.starts[row + 1];
        (&self.columns[range.clone()], &self.values[range])
    }
}

/// The Delassus operator `W` of the contact rows (1/kg).
#[derive(Debug, Clone, Copy)]
pub enum DelassusMatrix<'a> {
    /// All entries.
    Dense(&'a DMatrix<f64>),
    /// Those that are not zero.
    Sparse(&'a SparseDelassus),
}

impl<'a> From<&'a DMatrix<f64>> for DelassusMatrix<'a> {
    fn from(matrix: &'a DMatrix<f64>) -> Self {
        Self::Dense(matrix)
    }
}

impl Index<(usize, usize)> for DelassusMatrix<'_> {
    type Output = f64;

    #[inline]
    fn index(&self, (row, column): (usize, usize)) -> &f64 {
        match self {
            Self::Dense(matrix) => &matrix[(row, column)],
            Self::Sparse(matrix) => {
                let (columns, values) = matrix.row(row);
                columns.binary_search(&column).map_or(&0.0, |place| &values[place])
            }
        }
    }
}

/// What impulses on rows, all or the first of them, do to the rates of rows.
pub(crate) trait EffectiveMass {
    /// The rate of a row (m/s) for a unit impulse on another.
    fn entry(&self, row: usize, column: usize) -> f64;

    /// The rows whose impulses change the rate of this one, ascending; `None` where it may be all.
    fn met_by(&self, _row: usize) -> Option<&[usize]> {
        None
    }

    /// The terms `W P` of a row, put together from `start` on.
    #[inline]
    fn fold(&self, row: usize, impulses: &[f64], start: f64, put: impl Fn(f64, f64) -> f64) -> f64 {
        match self.met_by(row) {
            None => impulses.iter().enumerate().fold(start, |sum, (k, p)| put(sum, self.entry(row, k) * p)),
            Some(met) => {
                let own = met.iter().take_while(|k| **k < impulses.len());
                own.fold(start, |sum, k| put(sum, self.entry(row, *k) * impulses[*k]))
            }
        }
    }

    /// `Σ W P` of a row.
    #[inline]
    fn product(&self, row: usize, impulses: &[f64]) -> f64 {
        self.fold(row, impulses, 0.0, |sum, term| sum + term)
    }
}

/// Entries by row and column.
impl<F: Fn(usize, usize) -> f64> EffectiveMass for F {
    #[inline]
    fn entry(&self, row: usize, column: usize) -> f64 {
        self(row, column)
    }
}

impl EffectiveMass for DelassusMatrix<'_> {
    #[inline]
    fn entry(&self, row: usize, column: usize) -> f64 {
        self[(row, column)]
    }

    fn met_by(&self, row: usize) -> Option<&[usize]> {
        match self {
            Self::Dense(_) => None,
            Self::Sparse(matrix) => Some(matrix.row(row).0),
        }
    }

    #[inline]
    fn product(&self, row: usize, impulses: &[f64]) -> f64 {
        match self {
            Self::Dense(matrix) => impulses.iter().enumerate().map(|(k, p)| matrix[(row, k)] * p).sum(),
            Self::Sparse(matrix) => {
                let (columns, values) = matrix.row(row);
                columns.iter().zip(values).filter_map(|(k, w)| Some(w * impulses.get(*k)?)).sum()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sparse operator does what the dense one with the same entries does, on all rows and on the first alone.
    #[test]
    fn forms_agree() {
        let dense = nalgebra::dmatrix![2.0, 0.0, 0.5; 0.0, 1.0, 0.0; 0.5, 0.0, 3.0];
        let mut sparse = SparseDelassus::default();
        sparse.clear();
        for row in 0..3 {
            let entries = (0..3).map(|column| (column, dense[(row, column)]));
            sparse.push_row(entries.filter(|(_, value)| *value != 0.0));
        }
        let forms = [DelassusMatrix::from(&dense), DelassusMatrix::Sparse(&sparse)];
        let impulses = [0.3, -2.0, 1.0];
        for row in 0..3 {
            for count in 2..=3 {
                let [all, own] = forms.map(|form| form.product(row, &impulses[..count]));
                assert_eq!(all, own, "row {row} of {count}");
                let [all, own] =
                    forms.map(|form| form.fold(row, &impulses[..count], 0.0, |sum, x| sum + x.abs()));
                assert_eq!(all, own, "row {row} of {count}");
            }
            assert!((0..3).all(|column| forms[0][(row, column)] == forms[1][(row, column)]));
        }
        assert_eq!(forms[1].met_by(2), Some(&[0, 2][..]));
    }
}
