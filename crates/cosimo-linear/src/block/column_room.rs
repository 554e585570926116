//! Room for right-hand sides that are solved together.

use super::kernels::{LANES, Lanes};
use super::pattern::BlockPattern;

/// Room for the right-hand sides that are solved together.
#[derive(Debug, Default)]
pub(super) struct Columns {
    pub(super) unknowns: Vec<Lanes>,
    pub(super) own: Vec<Lanes>,
    /// Unknowns of the rest.
    pub(super) rest: Vec<Lanes>,
}

impl Columns {
    /// Allocates what the pattern asks for, once.
    pub(super) fn fit(&mut self, pattern: &BlockPattern) {
        if self.unknowns.len() == pattern.dimension() {
            return;
        }
        let largest = pattern.condensed.iter().map(|block| block.size).max().unwrap_or(0);
        let rest: usize = pattern.rest.iter().map(|column| column.size).sum();
        self.unknowns = vec![[0.0; LANES]; pattern.dimension()];
        self.own = vec![[0.0; LANES]; largest];
        self.rest = vec![[0.0; LANES]; rest];
    }
}
