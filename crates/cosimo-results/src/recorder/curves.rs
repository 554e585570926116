//! What a figure shows.

use cosimo_master::QuantityLabel;

use super::Recorder;
use crate::figure::Curve;

/// Curves of a figure nobody chose.
const DEFAULT_CURVES: usize = 6;
/// Quantities followed to find those that move.
const CANDIDATES: usize = 64;
/// Change, relative to the largest value of the figure, from which a quantity moves.
const MOVES: f64 = 1e-9;

/// What may be drawn if nothing is chosen; which of it is known at the end.
pub(super) fn candidates(columns: &[usize], labels: &[QuantityLabel]) -> Vec<usize> {
    let positions = columns.iter().copied().filter(|&index| is_position(&labels[index]));
    let positions: Vec<_> = positions.take(CANDIDATES).collect();
    if positions.is_empty() { columns.iter().copied().take(CANDIDATES).collect() } else { positions }
}

impl Recorder {
    /// The curves of the figure: those chosen, or the first that move.
    pub(super) fn curves(&self) -> Vec<Curve<'_>> {
        let drawn: Vec<usize> = match self.config.plot {
            Some(_) => (0..self.traces.len()).collect(),
            None => first_moving(&self.traces.iter().map(|(_, trace)| trace.range()).collect::<Vec<_>>()),
        };
        let drawn = drawn.into_iter().map(|place| &self.traces[place]);
        drawn.map(|(index, trace)| Curve { label: &self.labels[*index], trace }).collect()
    }
}

pub(super) fn is_position(label: &QuantityLabel) -> bool {
    let is_residual = label.name == "residual" || label.name.ends_with(".residual");
    matches!(label.unit.as_str(), "m" | "rad") && !is_residual
}

/// Places of the first ranges that are not points; the first ones if all are.
pub(super) fn first_moving(ranges: &[Option<(f64, f64)>]) -> Vec<usize> {
    let known = ranges.iter().flatten();
    let largest = known.fold(0.0_f64, |all, (low, high)| all.max(low.abs()).max(high.abs()));
    let moves = |place: &usize| ranges[*place].is_some_and(|(low, high)| high - low > MOVES * largest);
    let moving: Vec<_> = (0..ranges.len()).filter(moves).take(DEFAULT_CURVES).collect();
    if moving.is_empty() { (0..ranges.len()).take(DEFAULT_CURVES).collect() } else { moving }
}
