//! Quantities along the radius.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// A linear piece of a distribution: `[r0, r1, value at r0, value at r1]`.
pub type Piece = [f64; 4];

/// A quantity along the radius: linear pieces that follow each other, with jumps between them where wanted. Before the first piece and
/// after the last it has the nearest value; without pieces it is zero.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Distribution(Vec<Piece>);

/// Why a distribution was refused.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum DistributionError {
    /// A number that is not finite.
    #[error("piece {piece} holds a number that is not finite")]
    NotFinite {
        /// The piece, counted from 0.
        piece: usize,
    },
    /// A piece that ends before it begins, or does not begin where the one before ends.
    #[error(
        "piece {piece} goes from {from} m to {to} m; pieces must follow each other outwards without gaps"
    )]
    Order {
        /// The piece, counted from 0.
        piece: usize,
        /// Its first radius (m).
        from: f64,
        /// Its last radius (m).
        to: f64,
    },
}

impl Distribution {
    /// The same value everywhere.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self(vec![[0.0, 1.0, value, value]])
    }

    /// Linear pieces that follow each other; [`check`](Self::check) says whether they do.
    #[must_use]
    pub fn new(pieces: Vec<Piece>) -> Self {
        Self(pieces)
    }

    /// The same with every value multiplied.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self(self.0.iter().map(|[from, to, a, b]| [*from, *to, a * factor, b * factor]).collect())
    }

    /// Checks that the pieces follow each other and are finite.
    ///
    /// # Errors
    /// The first piece that breaks a rule.
    pub fn check(&self) -> Result<(), DistributionError> {
        for (piece, [from, to, a, b]) in self.0.iter().enumerate() {
            if ![from, to, a, b].iter().all(|x| x.is_finite()) {
                return Err(DistributionError::NotFinite { piece });
            }
            let follows = piece == 0 || (from - self.0[piece - 1][1]).abs() <= 1e-9;
            if !(from < to && follows) {
                return Err(DistributionError::Order { piece, from: *from, to: *to });
            }
        }
        Ok(())
    }

    /// The value at a radius (m); at a jump that of the outer piece.
    #[must_use]
    pub fn at(&self, radius: f64) -> f64 {
        let Some(last) = self.0.last() else { return 0.0 };
        let [from, to, a, b] = self.0.iter().find(|piece| radius < piece[1]).unwrap_or(last);
        a + (b - a) * ((radius - from) / (to - from)).clamp(0.0, 1.0)
    }

    /// The smallest value.
    #[must_use]
    pub fn least(&self) -> f64 {
        self.0.iter().flat_map(|piece| [piece[2], piece[3]]).fold(f64::INFINITY, f64::min)
    }

    /// Radii (m) where pieces begin and end.
    pub fn breaks(&self) -> impl Iterator<Item = f64> + '_ {
        self.0.iter().flat_map(|piece| [piece[0], piece[1]])
    }
}
