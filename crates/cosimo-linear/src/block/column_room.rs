//! Room for right-hand sides that are solved together.

use super::pattern::BlockPattern;

/// Room for the right-hand sides that are solved together, those of one unknown next to each other.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) unknowns: Vec<f64>,
    pub(super) own: Vec<f64>,
    /// Unknowns of the rest.
    pub(super) rest: Vec<f64>,
}

impl Columns {
    /// Allocates what the pattern asks for with so many lanes, once.
    pub(super) fn fit(&mut self, pattern: &BlockPattern, lanes: usize) {
        let largest = lanes * pattern.largest_condensed();
        if self.own.len() < largest {
            self.own.resize(largest, 0.0);
        }
        let rest = lanes * pattern.size_of_rest();
        if self.rest.len() < rest {
            self.rest.resize(rest, 0.0);
        }
    }
}
