//! Scalar rows that observe a motion and pass loads back: the coordinates of ports and the gaps of contacts.

use nalgebra::DMatrix;

use crate::{Motion, SystemError};

/// Rows `z(t, q)`, their rates and Jacobian `Z = ∂z/∂q`; a load `ℓ` on the rows acts on the system as `Zᵀ ℓ`.
///
/// Shapes: `r = rows()`, `n` coordinates. Methods write into their last argument and must not allocate.
pub trait RowMap: Send {
    /// Number of rows `r`.
    fn rows(&self) -> usize;

    /// Whether the Jacobian is the same at all times and positions.
    fn is_constant(&self) -> bool;

    /// Whether the rows move by themselves, so that time matters and not the motion alone. Default: yes, which is
    /// always safe.
    fn depends_on_time(&self) -> bool {
        true
    }

    /// The rows with constant weights that these are, if they are such. Default: they are not.
    fn as_linear(&self) -> Option<&LinearRows> {
        None
    }

    /// Writes `z(t, q)` (m, or rad), length `r`.
    fn positions(&self, t: f64, q: &[f64], out: &mut [f64]);

    /// Writes `ż = Z v + ∂z/∂t` (m/s), length `r`.
    fn velocities(&self, t: f64, q: &[f64], v: &[f64], out: &mut [f64]);

    /// Writes both, `z` and `ż`. Default: one after the other.
    fn observe(&self, Motion { t, q, v }: Motion<'_>, positions: &mut [f64], velocities: &mut [f64]) {
        self.positions(t, q, positions);
        self.velocities(t, q, v, velocities);
    }

    /// Writes the Jacobian `Z`, `r × n`, into the rows of `out` that start at `first`.
    fn jacobian(&self, t: f64, q: &[f64], first: usize, out: &mut DMatrix<f64>);

    /// Writes `∂ż/∂q`, `r × n`, into the rows of `out` that start at `first`; zero for constant rows.
    fn velocity_gradient(&self, _t: f64, _q: &[f64], _v: &[f64], first: usize, out: &mut DMatrix<f64>) {
        out.rows_mut(first, self.rows()).fill(0.0);
    }
}

/// No rows at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoRows;

impl RowMap for NoRows {
    fn rows(&self) -> usize {
        0
    }
    fn as_linear(&self) -> Option<&LinearRows> {
        static NONE: LinearRows = LinearRows(Vec::new());
        Some(&NONE)
    }
    fn depends_on_time(&self) -> bool {
        false
    }
    fn is_constant(&self) -> bool {
        true
    }
    fn positions(&self, _t: f64, _q: &[f64], _out: &mut [f64]) {}
    fn velocities(&self, _t: f64, _q: &[f64], _v: &[f64], _out: &mut [f64]) {}
    fn jacobian(&self, _t: f64, _q: &[f64], _first: usize, _out: &mut DMatrix<f64>) {}
}

/// One row `z = Σ weight · q − offset`.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LinearRow {
    /// Coordinate and weight, coordinates increasing.
    pub weights: Vec<(usize, f64)>,
    /// Offset (m).
    pub offset: f64,
}

impl LinearRow {
    /// The row that observes one coordinate.
    #[must_use]
    pub fn coordinate(index: usize) -> Self {
        Self { weights: vec![(index, 1.0)], offset: 0.0 }
    }

    /// The row with these weights, one per coordinate; exact zeros are dropped.
    #[must_use]
    pub fn dense(weights: &[f64], offset: f64) -> Self {
        let weights = weights.iter().copied().enumerate().filter(|(_, w)| *w != 0.0).collect();
        Self { weights, offset }
    }

    /// Checks the row, of a `what`, against the number of coordinates of its system.
    ///
    /// # Errors
    /// A coordinate that there is not, a weight or an offset that is not finite.
    pub fn check(&self, what: &'static str, coordinates: usize) -> Result<(), SystemError> {
        let outside = self.weights.iter().find(|(coordinate, _)| *coordinate >= coordinates);
        if let Some(&(coordinate, _)) = outside {
            return Err(SystemError::Coordinate { row: what, coordinate, coordinates });
        }
        if self.offset.is_finite() && self.weights.iter().all(|(_, weight)| weight.is_finite()) {
            return Ok(());
        }
        Err(SystemError::NotFinite { quantity: what })
    }

    /// `Σ weight · x`; of a row that was [checked](Self::check).
    #[must_use]
    pub fn dot(&self, x: &[f64]) -> f64 {
        self.weights.iter().map(|&(i, w)| w * x[i]).sum()
    }
}

/// Rows with constant weights.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LinearRows(pub Vec<LinearRow>);

impl RowMap for LinearRows {
    fn rows(&self) -> usize {
        self.0.len()
    }

    fn as_linear(&self) -> Option<&LinearRows> {
        Some(self)
    }

    fn depends_on_time(&self) -> bool {
        false
    }

    fn is_constant(&self) -> bool {
        true
    }

    fn positions(&self, _t: f64, q: &[f64], out: &mut [f64]) {
        for (z, row) in out.iter_mut().zip(&self.0) {
            *z = row.dot(q) - row.offset;
        }
    }

    fn velocities(&self, _t: f64, _q: &[f64], v: &[f64], out: &mut [f64]) {
        for (z, row) in out.iter_mut().zip(&self.0) {
            *z = row.dot(v);
        }
    }

    fn observe(&self, Motion { q, v, .. }: Motion<'_>, positions: &mut [f64], velocities: &mut [f64]) {
        for ((z, rate), row) in positions.iter_mut().zip(velocities).zip(&self.0) {
            let (mut position, mut velocity) = (0.0, 0.0);
            for &(i, w) in &row.weights {
                position += w * q[i];
                velocity += w * v[i];
            }
            (*z, *rate) = (position - row.offset, velocity);
        }
    }

    fn jacobian(&self, _t: f64, _q: &[f64], first: usize, out: &mut DMatrix<f64>) {
        for (i, row) in self.0.iter().enumerate() {
            out.row_mut(first + i).fill(0.0);
            for &(j, w) in &row.weights {
                out[(first + i, j)] = w;
            }
        }
    }
}
