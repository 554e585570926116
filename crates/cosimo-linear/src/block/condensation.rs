//! Which blocks are condensed, that is, eliminated by themselves before the sparse factorisation, and which blocks then
//! meet.

use std::collections::BTreeSet;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;

/// Rows of all neighbours of a condensed block, at most: what it leaves behind is dense in them.
const WIDEST: usize = 48;

/// Blocks and the blocks that each meets, as elimination changes them.
pub(super) struct Condensation<'a> {
    sizes: &'a [usize],
    /// The blocks that each block meets, itself left out.
    pub(super) meets: Vec<BTreeSet<usize>>,
    /// Condensed blocks in the order of elimination, each with the blocks that it meets then.
    pub(super) condensed: Vec<(usize, Vec<usize>)>,
    pub(super) is_condensed: Vec<bool>,
}

impl<'a> Condensation<'a> {
    /// Condenses what leaves little behind: blocks in chains and trees, and few others. Of a late block all neighbours that
    /// are not late must be condensed before.
    pub(super) fn new(
        sizes: &'a [usize],
        pairs: impl Iterator<Item = (usize, usize)>,
        is_late: impl Fn(usize) -> bool,
    ) -> Self {
        let mut meets = vec![BTreeSet::new(); sizes.len()];
        for (a, b) in pairs.filter(|(a, b)| a != b) {
            meets[a].insert(b);
            meets[b].insert(a);
        }
        let (condensed, is_condensed) = (Vec::new(), vec![false; sizes.len()]);
        let mut own = Self { sizes, meets, condensed, is_condensed };
        for block in own.order().into_iter().filter(|block| !is_late(*block)) {
            own.condense(block);
        }
        for block in own.order().into_iter().filter(|block| is_late(*block)) {
            if own.meets[block].iter().all(|other| is_late(*other)) {
                own.condense(block);
            }
        }
        own
    }

    /// Approximate minimum degree among the blocks that are left.
    fn order(&self) -> Vec<usize> {
        let left: Vec<usize> = (0..self.sizes.len()).filter(|block| !self.is_condensed[*block]).collect();
        let mut number = vec![0; self.sizes.len()];
        left.iter().enumerate().for_each(|(index, block)| number[*block] = index);
        let meets = |block: &usize| self.meets[*block].iter().map(|other| number[*other]).collect();
        let meets: Vec<Vec<usize>> = left.iter().map(meets).collect();
        minimum_degree(&meets).into_iter().map(|index| left[index]).collect()
    }

    fn condense(&mut self, block: usize) {
        if self.meets[block].iter().map(|other| self.sizes[*other]).sum::<usize>() > WIDEST {
            return;
        }
        let neighbours: Vec<usize> = std::mem::take(&mut self.meets[block]).into_iter().collect();
        for &other in &neighbours {
            let own = &mut self.meets[other];
            own.remove(&block);
            own.extend(neighbours.iter().filter(|third| **third != other));
        }
        self.is_condensed[block] = true;
        self.condensed.push((block, neighbours));
    }
}

/// Approximate minimum degree: an order of elimination of blocks that meet others, each with these, ascending or not.
pub(super) fn minimum_degree(meets: &[Vec<usize>]) -> Vec<usize> {
    let (mut begins, mut indices) = (vec![0], Vec::new());
    for others in meets {
        indices.extend_from_slice(others);
        begins.push(indices.len());
    }
    let n = meets.len();
    let graph = SymbolicSparseColMatRef::new_checked(n, n, &begins, None, &indices);
    let mut order: Vec<usize> = (0..n).collect();
    let mut inverse = order.clone();
    let mut memory = MemBuffer::new(amd::order_scratch::<usize>(n, indices.len()));
    let found =
        amd::order(&mut order, &mut inverse, graph, amd::Control::default(), MemStack::new(&mut memory));
    // Any order is valid.
    if found.is_err() { (0..n).collect() } else { order }
}

#[cfg(test)]
mod tests {
    use super::Condensation;

    #[test]
    fn chains_and_trees_are_condensed_without_fill() {
        let chain: Vec<(usize, usize)> = (1..50).map(|i| (i - 1, i)).collect();
        let tree: Vec<(usize, usize)> = (1..50).map(|i| ((i - 1) / 2, i)).collect();
        for edges in [chain, tree] {
            let done = Condensation::new(&[3; 50], edges.iter().copied(), |_| false);
            let entries: usize = done.condensed.iter().map(|(_, neighbours)| neighbours.len()).sum();
            assert_eq!((done.condensed.len(), entries), (50, edges.len()));
        }
    }

    #[test]
    fn late_blocks_come_after_what_they_meet_and_stay_where_that_stays() {
        // Joints (odd) between bodies (even); body 0 has so many joints that it is not condensed.
        let chain = (1..21).map(|i| (i - 1, i));
        let star = (21..61).filter(|i| i % 2 == 1).map(|i| (0, i));
        let edges: Vec<(usize, usize)> = chain.chain(star).collect();
        let done = Condensation::new(&[6; 61], edges.iter().copied(), |i| i % 2 == 1);
        let place = |block: usize| done.condensed.iter().position(|(other, _)| *other == block);
        assert_eq!(place(0), None);
        for (a, b) in edges {
            let (body, joint) = if a % 2 == 0 { (a, b) } else { (b, a) };
            match (place(body), place(joint)) {
                (Some(body), Some(joint)) => assert!(body < joint),
                (None, joint) => assert_eq!(joint, None),
                (Some(_), None) => assert!(done.meets[joint].iter().all(|left| !done.is_condensed[*left])),
            }
        }
    }
}
