//! Short vectors that stand in place.

use cosimo_linear::InlineVector;

/// One number per coordinate, in place for points in space.
pub type CoordinateVector = InlineVector<3>;

/// One number per row, in place for two ports of points.
pub(crate) type RowVector = InlineVector<6>;
