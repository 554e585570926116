//! Order of elimination by minimum degree, in the quotient graph.
//!
//! An eliminated node stands for the clique of its neighbours, an *element*; elements that meet a node eliminated later
//! are absorbed by the new one, so that the graph never grows. Ties are broken by the index: the order depends on the
//! graph alone.
//!
//! Reference: P. Amestoy, T. Davis, I. Duff, *An approximate minimum degree ordering algorithm*, SIAM J. Matrix Anal.
//! Appl. 17, 1996.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Neighbours above which a degree is bounded instead of counted.
const COUNTED: usize = 1000;

/// Eliminates the nodes of a graph.
pub(super) struct Elimination {
    weights: Vec<usize>,
    /// Neighbours that no element tells of.
    adjacent: Vec<Vec<usize>>,
    /// Elements that a node belongs to.
    elements: Vec<Vec<usize>>,
    /// Nodes of the element that an eliminated node stands for; empty once absorbed.
    nodes: Vec<Vec<usize>>,
    degrees: Vec<usize>,
    is_eliminated: Vec<bool>,
    marks: Vec<usize>,
    mark: usize,
    /// Nodes that a late node waits for, counted; and the late nodes that wait for each node.
    pending: Vec<usize>,
    waiting: Vec<Vec<usize>>,
    /// What breaks ties: the index; of a late node, that of the last node that it waits for, so that it follows soon.
    places: Vec<usize>,
}

impl Elimination {
    /// A graph of nodes with weights and edges between different nodes; edges may be given twice.
    pub(super) fn new(weights: &[usize], edges: impl Iterator<Item = (usize, usize)>) -> Self {
        let count = weights.len();
        let mut adjacent = vec![Vec::new(); count];
        for (a, b) in edges.filter(|(a, b)| a != b) {
            adjacent[a].push(b);
            adjacent[b].push(a);
        }
        for list in &mut adjacent {
            list.sort_unstable();
            list.dedup();
        }
        Self {
            degrees: adjacent.iter().map(|list| list.iter().map(|&i| weights[i]).sum()).collect(),
            weights: weights.to_vec(),
            adjacent,
            elements: vec![Vec::new(); count],
            nodes: vec![Vec::new(); count],
            is_eliminated: vec![false; count],
            marks: vec![0; count],
            mark: 0,
            pending: vec![0; count],
            waiting: vec![Vec::new(); count],
            places: (0..count).collect(),
        }
    }

    /// Lets each node of which `is_late` wait for all its neighbours that are not late.
    pub(super) fn with_late(mut self, is_late: impl Fn(usize) -> bool) -> Self {
        for late in (0..self.weights.len()).filter(|i| is_late(*i)) {
            for &other in self.adjacent[late].iter().filter(|i| !is_late(**i)) {
                self.pending[late] += 1;
                self.waiting[other].push(late);
                self.places[late] = other;
            }
        }
        self
    }

    /// Eliminates all nodes. Gives, in the order of elimination, each node and its neighbours at that time.
    pub(super) fn run(mut self) -> Vec<(usize, Vec<usize>)> {
        let ready = self.degrees.iter().enumerate().filter(|(i, _)| self.pending[*i] == 0);
        let mut queue: BinaryHeap<_> = ready.map(|(i, &d)| Reverse((d, self.places[i], i))).collect();
        let mut order = Vec::with_capacity(self.weights.len());
        while let Some(Reverse((degree, _, node))) = queue.pop() {
            if self.is_eliminated[node] || degree != self.degrees[node] {
                continue;
            }
            let neighbours = self.eliminate(node);
            for late in std::mem::take(&mut self.waiting[node]) {
                self.pending[late] -= 1;
            }
            for &i in neighbours.iter().filter(|i| self.pending[**i] == 0) {
                queue.push(Reverse((self.degrees[i], self.places[i], i)));
            }
            order.push((node, neighbours));
        }
        order
    }

    /// Eliminates a node and brings the degrees of its neighbours up to date.
    fn eliminate(&mut self, node: usize) -> Vec<usize> {
        self.is_eliminated[node] = true;
        let neighbours = self.neighbours(node);
        for element in std::mem::take(&mut self.elements[node]) {
            self.nodes[element] = Vec::new();
        }
        self.adjacent[node] = Vec::new();
        self.nodes[node].clone_from(&neighbours);
        // `neighbours` has marked all of them.
        let mark = self.mark;
        for &i in &neighbours {
            let Self { adjacent, elements, nodes, marks, .. } = self;
            if neighbours.len() > 1 {
                adjacent[i].retain(|&k| k != node && marks[k] != mark);
            }
            elements[i].retain(|&e| !nodes[e].is_empty());
            elements[i].push(node);
        }
        let weight: usize = neighbours.iter().map(|&i| self.weights[i]).sum();
        for &i in &neighbours {
            let clique = weight - self.weights[i];
            self.degrees[i] = if self.is_countable(i) {
                self.neighbours(i).iter().map(|&k| self.weights[k]).sum()
            } else {
                self.degrees[i].saturating_sub(self.weights[node]) + clique
            };
        }
        neighbours
    }

    fn is_countable(&self, node: usize) -> bool {
        let elements = self.elements[node].iter().map(|&e| self.nodes[e].len());
        self.adjacent[node].len() + elements.sum::<usize>() <= COUNTED
    }

    /// The nodes not yet eliminated that meet this one, each marked.
    fn neighbours(&mut self, node: usize) -> Vec<usize> {
        self.mark += 1;
        let Self { adjacent, elements, nodes, is_eliminated, marks, mark, .. } = self;
        let mut found = Vec::new();
        let lists = elements[node].iter().map(|&e| &nodes[e]);
        for &i in lists.chain([&adjacent[node]]).flatten() {
            if i != node && !is_eliminated[i] && marks[i] != *mark {
                marks[i] = *mark;
                found.push(i);
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::Elimination;

    fn fill(count: usize, edges: &[(usize, usize)]) -> usize {
        let order = Elimination::new(&vec![1; count], edges.iter().copied()).run();
        assert_eq!(order.len(), count);
        order.iter().map(|(_, neighbours)| neighbours.len()).sum::<usize>() - edges.len()
    }

    #[test]
    fn trees_fill_nothing_and_a_cycle_little() {
        let chain: Vec<_> = (1..50).map(|i| (i - 1, i)).collect();
        let star: Vec<_> = (1..50).map(|i| (0, i)).collect();
        let cycle: Vec<_> = (0..50).map(|i| (i, (i + 1) % 50)).collect();
        assert_eq!((fill(50, &chain), fill(50, &star), fill(50, &cycle)), (0, 0, 47));
    }

    #[test]
    fn late_nodes_come_after_what_they_meet() {
        // Joints (odd) between bodies (even): every joint of the chain has fewer neighbours than the body in the star.
        let chain = (1..21).map(|i| (i - 1, i)).chain([(3, 8), (5, 14)]);
        let order = Elimination::new(&[1; 21], chain.clone()).with_late(|i| i % 2 == 1).run();
        assert_eq!(order.len(), 21);
        let place = |node: usize| order.iter().position(|(i, _)| *i == node);
        for (a, b) in chain {
            let (body, joint) = if a % 2 == 0 { (a, b) } else { (b, a) };
            assert!(place(body) < place(joint), "{body} {joint}");
        }
    }

    #[test]
    fn a_grid_fills_less_than_its_band() {
        let n = 30;
        let right = (0..n * n).filter(|i| i % n + 1 < n).map(|i| (i, i + 1));
        let down = (0..n * (n - 1)).map(|i| (i, i + n));
        let edges: Vec<_> = right.chain(down).collect();
        assert!(fill(n * n, &edges) < n * n * n / 3, "{}", fill(n * n, &edges));
    }
}
