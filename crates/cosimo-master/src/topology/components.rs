//! Connected components of a graph.

/// Label of the connected component of each of `count` nodes. Components are numbered in the order of their first node.
pub(crate) fn components(count: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut parent: Vec<usize> = (0..count).collect();
    for (a, b) in edges {
        let (a, b) = (root(&mut parent, a), root(&mut parent, b));
        // The smaller index is the root, so that a root comes before all that it stands for.
        parent[a.max(b)] = a.min(b);
    }
    let mut labels = vec![0; count];
    let mut next = 0;
    for node in 0..count {
        let root = root(&mut parent, node);
        if root == node {
            labels[node] = next;
            next += 1;
        } else {
            labels[node] = labels[root];
        }
    }
    labels
}

/// The root of a node, halving the path to it.
fn root(parent: &mut [usize], mut node: usize) -> usize {
    while parent[node] != node {
        parent[node] = parent[parent[node]];
        node = parent[node];
    }
    node
}

#[cfg(test)]
mod tests {
    use super::components;

    #[test]
    fn components_are_numbered_by_their_first_node() {
        let edges = [(5, 1), (2, 4), (4, 5)];
        assert_eq!(components(7, edges.into_iter()), [0, 1, 1, 2, 1, 1, 3]);
        assert_eq!(components(3, std::iter::empty()), [0, 1, 2]);
    }
}
