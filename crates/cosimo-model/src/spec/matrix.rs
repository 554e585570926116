//! Matrices and rows of weights.

use nalgebra::DMatrix;
use serde::{Serialize, Serializer};

use crate::toml::{rows, uniform};

/// A square matrix as it was written.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum MatrixSpec {
    /// The diagonal; everything else is zero.
    #[serde(serialize_with = "uniform")]
    Diagonal(Vec<f64>),
    /// All entries.
    #[serde(serialize_with = "rows")]
    Full(DMatrix<f64>),
}

impl MatrixSpec {
    /// The matrix in mirrored axes, which change the sign of every entry by a factor.
    pub(crate) fn mirrored(self, sign: impl Fn(usize, usize) -> f64) -> Self {
        match self {
            Self::Diagonal(_) => self,
            Self::Full(matrix) => Self::Full(DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| {
                sign(i, j) * matrix[(i, j)] + 0.0
            })),
        }
    }

    /// Number of rows.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Diagonal(diagonal) => diagonal.len(),
            Self::Full(full) => full.nrows(),
        }
    }

    /// The matrix with all entries, `size × size`.
    #[must_use]
    pub fn to_dense(&self) -> DMatrix<f64> {
        match self {
            Self::Diagonal(diagonal) => {
                DMatrix::from_fn(
                    diagonal.len(),
                    diagonal.len(),
                    |i, j| if i == j { diagonal[i] } else { 0.0 },
                )
            }
            Self::Full(full) => full.clone(),
        }
    }

    /// Whether it is the same in axes that are turned or mirrored: one number for each three rows.
    pub(crate) fn is_isotropic(&self) -> bool {
        let dense = self.to_dense();
        let expected = |i: usize, j: usize| if i == j { dense[(i - i % 3, i - i % 3)] } else { 0.0 };
        (0..dense.nrows()).all(|i| (0..dense.ncols()).all(|j| dense[(i, j)] == expected(i, j)))
    }

    /// Whether every entry is zero.
    #[must_use]
    pub fn is_zero(&self) -> bool {
        match self {
            Self::Diagonal(diagonal) => diagonal.iter().all(|entry| *entry == 0.0),
            Self::Full(full) => full.iter().all(|entry| *entry == 0.0),
        }
    }
}

/// One row of weights over coordinates.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RowSpec {
    /// Index of a coordinate and its weight, by increasing index; weights are not zero.
    pub entries: Vec<(usize, f64)>,
}

/// As a table of weights by the index of the coordinate.
impl Serialize for RowSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.entries.iter().map(|(index, weight)| (index.to_string(), weight)))
    }
}

impl RowSpec {
    /// Sorts the weights by coordinate, adds those of the same coordinate and drops zeros.
    pub(crate) fn new(weights: impl IntoIterator<Item = (usize, f64)>) -> Self {
        let mut sum = std::collections::BTreeMap::new();
        for (index, weight) in weights {
            *sum.entry(index).or_insert(0.0) += weight;
        }
        Self { entries: sum.into_iter().filter(|(_, weight)| *weight != 0.0).collect() }
    }

    /// A single coordinate with weight one.
    pub(crate) fn unit(index: usize) -> Self {
        Self { entries: vec![(index, 1.0)] }
    }

    /// The row of length one in the same direction; one of zeros stays.
    pub(crate) fn normalised(&self) -> Self {
        // In two goes, so that squares neither overflow nor vanish.
        let largest = self.entries.iter().fold(0.0_f64, |m, (_, weight)| m.max(weight.abs()));
        let scaled = Self::new(self.entries.iter().map(|(index, weight)| (*index, weight / largest)));
        let length = scaled.norm();
        Self::new(scaled.entries.iter().map(|(index, weight)| (*index, weight / length)))
    }

    /// Length of the row of weights.
    pub(crate) fn norm(&self) -> f64 {
        self.entries.iter().fold(0.0, |length, (_, weight)| weight.hypot(length))
    }

    /// `Σ a b` over the coordinates of both rows.
    pub(crate) fn times(&self, other: &Self) -> f64 {
        let of =
            |index: usize| other.entries.iter().find(|(other, _)| *other == index).map_or(0.0, |(_, w)| *w);
        self.entries.iter().map(|(index, weight)| weight * of(*index)).sum()
    }

    /// The row without its share along one of length one.
    pub(crate) fn minus_share(&self, unit: &Self) -> Self {
        let share = self.times(unit);
        let along = unit.entries.iter().map(|(index, weight)| (*index, -share * weight));
        Self::new(self.entries.iter().copied().chain(along))
    }

    /// The row without these coordinates.
    pub(crate) fn without(&self, coordinates: &[usize]) -> Self {
        Self::new(self.entries.iter().copied().filter(|(index, _)| !coordinates.contains(index)))
    }

    /// `Σ weight · x`; coordinates beyond the end of `x` count as zero.
    pub(crate) fn dot(&self, x: &[f64]) -> f64 {
        self.entries.iter().map(|(index, weight)| weight * x.get(*index).copied().unwrap_or_default()).sum()
    }

    /// The weights of all `count` coordinates; coordinates beyond are left out.
    #[must_use]
    pub fn to_dense(&self, count: usize) -> Vec<f64> {
        let mut dense = vec![0.0; count];
        for (index, weight) in &self.entries {
            if let Some(entry) = dense.get_mut(*index) {
                *entry = *weight;
            }
        }
        dense
    }
}
