//! Where rows are, seen from an earlier communication point.

use crate::{Description, RowState};

/// Positions of the rows `after`, with the rotations of frames counted from the orientations `before`.
pub(super) fn positions_since(description: &Description, before: &RowState, after: &RowState) -> Vec<f64> {
    let mut positions = after.positions.clone();
    for (row, place) in description.frames() {
        let (start, end) = (before.orientations[place], after.orientations[place]);
        let turned = (end * start.inverse()).scaled_axis();
        positions[row + 3..row + 6].copy_from_slice(turned.as_slice());
    }
    positions
}
