//! The order in which outputs are evaluated: each after those on which it depends at once.
//!
//! Outputs that depend on each other are found as the strongly connected components of the graph of dependencies.
//!
//! Reference: R. Tarjan, *Depth-first search and linear graph algorithms*, SIAM J. Comput. 1 (1972) 146–160.

/// Outputs that depend on each other at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Loop {
    /// The outputs, each after those on which it depends but for the cuts.
    pub(crate) outputs: Vec<usize>,
    /// Those whose values are unknowns: without them the others depend on each other no more.
    pub(crate) cuts: Vec<usize>,
}

/// What is evaluated at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Stage {
    /// Outputs of one subsystem.
    Outputs { subsystem: usize, outputs: Vec<usize> },
    /// A loop.
    Loop(Loop),
}

/// The stages in the order of their evaluation, from the subsystem and the sources of every output. Outputs that are not needed,
/// which are no sources, are left out.
pub(crate) fn stages(
    subsystems: &[usize],
    sources: &[&[usize]],
    is_needed: impl Fn(usize) -> bool,
) -> Vec<Stage> {
    let mut levels = vec![0; sources.len()];
    let mut found: Vec<(usize, Stage)> = Vec::new();
    for component in components(sources) {
        let before = component.iter().flat_map(|output| sources[*output]);
        let outside = before.filter(|source| !component.contains(source));
        let level = outside.map(|source| levels[*source] + 1).max().unwrap_or(0);
        component.iter().for_each(|output| levels[*output] = level);
        let first = component[0];
        if component.len() > 1 || sources[first].contains(&first) {
            found.push((level, Stage::Loop(cut(&component, sources))));
            continue;
        }
        if !is_needed(first) {
            continue;
        }
        let subsystem = subsystems[first];
        let same = found.iter_mut().find_map(|(other, stage)| match stage {
            Stage::Outputs { subsystem: own, outputs } if *other == level && *own == subsystem => {
                Some(outputs)
            }
            _ => None,
        });
        match same {
            Some(outputs) => outputs.push(first),
            None => found.push((level, Stage::Outputs { subsystem, outputs: vec![first] })),
        }
    }
    found.sort_by_key(|(level, _)| *level);
    found.into_iter().map(|(_, stage)| stage).collect()
}

/// A node on its way through the depth-first search, and how many of its sources have been looked at.
type Visit = (usize, usize);

/// Strongly connected components, each after those on which it depends, their nodes ascending.
fn components(sources: &[&[usize]]) -> Vec<Vec<usize>> {
    const NEW: usize = usize::MAX;
    let count = sources.len();
    let (mut number, mut low, mut is_open) = (vec![NEW; count], vec![0; count], vec![false; count]);
    let (mut open, mut path, mut next) = (Vec::new(), Vec::<Visit>::new(), 0);
    let mut found = Vec::new();
    for root in 0..count {
        if number[root] == NEW {
            path.push((root, 0));
        }
        while let Some((node, looked)) = path.pop() {
            if looked == 0 && number[node] == NEW {
                (number[node], low[node], is_open[node]) = (next, next, true);
                next += 1;
                open.push(node);
            }
            if let Some(&source) = sources[node].get(looked) {
                path.push((node, looked + 1));
                if number[source] == NEW {
                    path.push((source, 0));
                } else if is_open[source] {
                    low[node] = low[node].min(number[source]);
                }
                continue;
            }
            if let Some((parent, _)) = path.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == number[node] {
                let first = open.iter().position(|other| *other == node).unwrap_or(0);
                let mut component = open.split_off(first);
                component.iter().for_each(|member| is_open[*member] = false);
                component.sort_unstable();
                found.push(component);
            }
        }
    }
    found
}

/// Cuts a component where a depth-first search comes back to a node of its own path; its order is that in which nodes are left.
fn cut(component: &[usize], sources: &[&[usize]]) -> Loop {
    let place = |node: usize| component.binary_search(&node).ok();
    let (mut is_seen, mut is_on_path) = (vec![false; component.len()], vec![false; component.len()]);
    let (mut outputs, mut cuts, mut path) = (Vec::new(), Vec::new(), Vec::<Visit>::new());
    // All nodes of a component are reached from its first.
    path.push((0, 0));
    while let Some((own, looked)) = path.pop() {
        (is_seen[own], is_on_path[own]) = (true, true);
        let node = component[own];
        match sources[node].get(looked) {
            None => {
                is_on_path[own] = false;
                outputs.push(node);
            }
            Some(&source) => {
                path.push((own, looked + 1));
                let Some(other) = place(source) else { continue };
                if is_on_path[other] {
                    if !cuts.contains(&source) {
                        cuts.push(source);
                    }
                } else if !is_seen[other] {
                    path.push((other, 0));
                }
            }
        }
    }
    Loop { outputs, cuts }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outputs_follow_those_on_which_they_depend() {
        // 0 ← 1 ← 2, and 3 for itself; 1 and 3 belong to one subsystem; nobody needs 4.
        let order = stages(&[0, 1, 2, 1, 0], &[&[1], &[2], &[], &[], &[1]], |output| output < 4);
        let stage = |subsystem, outputs: &[usize]| Stage::Outputs { subsystem, outputs: outputs.to_vec() };
        assert_eq!(order, [stage(2, &[2]), stage(1, &[3]), stage(1, &[1]), stage(0, &[0])]);
    }

    #[test]
    fn loops_are_cut_where_they_close() {
        // 0 ← 1 ← 2 ← 0 with a chord 1 ← 0, fed by 3; 4 depends on the loop; 5 on itself.
        let order = stages(&[0, 1, 2, 3, 4, 5], &[&[1], &[0, 2], &[0, 3], &[], &[2], &[5]], |_| true);
        let loops: Vec<&Loop> = order
            .iter()
            .filter_map(|s| if let Stage::Loop(found) = s { Some(found) } else { None })
            .collect();
        assert_eq!(loops.len(), 2);
        assert_eq!(*loops[0], Loop { outputs: vec![5], cuts: vec![5] });
        assert_eq!(*loops[1], Loop { outputs: vec![2, 1, 0], cuts: vec![0] });
        assert_eq!(order.last(), Some(&Stage::Outputs { subsystem: 4, outputs: vec![4] }));
    }
}
