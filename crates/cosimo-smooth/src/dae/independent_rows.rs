//! Which rows of a redundant set are kept.

/// What is known of the rows kept of a redundant set.
///
/// Every row left out is a sum `Σ λ_k Φ_k` of the rows kept. An exchange with the row `k` makes the volume that the rows kept
/// span `|λ_k|` times as large; where rows kept come to depend on each other, coefficients grow without bound. The volume
/// is as large as exchanges make it where no coefficient exceeds one, see S. A. Goreinov and others, *How to find a good
/// submatrix*, in Matrix Methods: Theory, Algorithms, Applications, World Scientific 2010.
#[derive(Debug, Default)]
pub(super) struct IndependentRows {
    /// Whether any row is left out.
    pub(super) has_redundant: bool,
    /// Largest coefficient of a mix of the rows left out when they were chosen.
    pub(super) coefficient: f64,
    /// Factors of rows left out.
    pub(super) mix: Vec<f64>,
}

impl IndependentRows {
    /// Room for so many rows.
    pub(super) fn new(rows: usize) -> Self {
        Self { mix: vec![0.0; rows], ..Self::default() }
    }
}
