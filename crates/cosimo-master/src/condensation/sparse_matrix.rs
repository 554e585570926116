//! The interface matrix of a large cluster: one block per joint.

use cosimo_linear::{BlockLu, BlockPattern, BlockPosition, FactorizationError};

use super::equations::Equations;
use crate::linearisation::LinearisedModel;
use crate::topology::subsystem::JoinedPort;
use crate::topology::{Cluster, Topology};

/// Interface matrix by blocks. Its pattern is found once, from the joints.
#[derive(Debug)]
pub(super) struct SparseMatrix {
    lu: BlockLu,
    /// Whether the joints of a member meet in its response, pair by pair in the order of assembly.
    met: Vec<bool>,
    /// Positions of the blocks in the order of assembly.
    positions: Vec<BlockPosition>,
}

/// Why the matrix could not be factorised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// No usable pivot at this unknown of the cluster.
    Singular(usize),
    /// Joints meet that did not meet when the pattern was found.
    Pattern,
}

impl SparseMatrix {
    /// The pattern for the present blocks of the members' responses or, if it `is_full`, for any.
    pub(super) fn new(model: LinearisedModel<'_>, cluster: &Cluster, is_full: bool) -> Self {
        let topology = model.topology;
        let sizes: Vec<usize> = cluster.joints.iter().map(|&j| topology.joints[j].size).collect();
        let mut blocks = Vec::new();
        let mut met = Vec::new();
        let meets = |i: usize, ports: [JoinedPort; 2]| {
            met.push(is_full || do_meet(model, i, ports));
            met.last() == Some(&true)
        };
        visit_blocks((topology, cluster), meets, |row, column| blocks.push((row, column)));
        let pattern = BlockPattern::new(&sizes, blocks.iter().copied());
        let positions = blocks.iter().filter_map(|&(row, column)| pattern.position(row, column)).collect();
        Self { lu: BlockLu::new(pattern), met, positions }
    }

    /// Pairs of joints that meet in the response of a member.
    #[cfg(test)]
    pub(super) fn pairs(&self) -> usize {
        self.met.iter().filter(|met| **met).count()
    }

    /// Sets up and factorises the matrix, with `extra` added to the diagonal of each joint of the cluster.
    pub(super) fn factorize(
        &mut self,
        equations: Equations<'_>,
        extra: impl Fn(usize) -> f64,
    ) -> Result<(), Failure> {
        let Equations { cluster, rows, .. } = equations;
        self.lu.clear();
        let mut blocks =
            Assembly { lu: &mut self.lu, positions: self.positions.iter(), met: self.met.iter(), at: None };
        for &j in &cluster.joints {
            let (relaxation, extra) = (&rows[j].relaxation, extra(j));
            blocks.next();
            for (a, b) in square(relaxation.nrows()) {
                blocks.add((a, b), relaxation[(a, b)] + if a == b { extra } else { 0.0 });
            }
        }
        for &i in &cluster.members {
            blocks.add_member(equations, i)?;
        }
        self.lu.factorize().map_err(|error| match error {
            FactorizationError::Singular { column } => Failure::Singular(column),
            _ => Failure::Singular(0),
        })
    }

    /// Overwrites `x` with `A⁻¹ x`.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        self.lu.solve(x);
    }
}

/// The blocks in the order in which [`SparseMatrix::factorize`] fills them.
fn visit_blocks(
    (topology, cluster): (&Topology, &Cluster),
    mut meets: impl FnMut(usize, [JoinedPort; 2]) -> bool,
    mut visit: impl FnMut(usize, usize),
) {
    (0..cluster.joints.len()).for_each(|block| visit(block, block));
    let block_of = |j: usize| cluster.joints.binary_search(&j).unwrap_or_default();
    for &i in &cluster.members {
        let ports = &topology.subsystems[i].joints;
        for column in ports {
            let met = ports.iter().filter(|row| meets(i, [**row, *column]));
            met.for_each(|row| visit(block_of(row.joint), block_of(column.joint)));
        }
    }
}

/// Whether rows of two joined ports of a member meet in its response.
fn do_meet(model: LinearisedModel<'_>, member: usize, ports: [JoinedPort; 2]) -> bool {
    let [a, b] = ports.map(|port| {
        let joint = &model.topology.joints[port.joint];
        let first = joint.sides[port.side].row;
        first..first + joint.size
    });
    model.models[member].inverse_mass.couples(a, b)
}

/// Fills the blocks of the matrix one after the other.
struct Assembly<'a> {
    lu: &'a mut BlockLu,
    positions: std::slice::Iter<'a, BlockPosition>,
    met: std::slice::Iter<'a, bool>,
    /// Position of the current block.
    at: Option<BlockPosition>,
}

impl Assembly<'_> {
    /// Goes on to the next block.
    fn next(&mut self) {
        self.at = self.positions.next().copied();
    }

    /// Adds to an entry of the current block.
    fn add(&mut self, entry: (usize, usize), value: f64) {
        if let Some(position) = self.at {
            self.lu.add(position, entry, value);
        }
    }

    /// `s (Q χ + V) W s ρ` for all pairs of joints of a member that meet in its response.
    fn add_member(&mut self, Equations { model, rows, .. }: Equations<'_>, i: usize) -> Result<(), Failure> {
        let (joints, ports) = (&model.topology.joints, &model.topology.subsystems[i].joints);
        let (chi, w) = (model.models[i].weights.position, &model.models[i].inverse_mass);
        for of_load in ports {
            let k = of_load.joint;
            let (own_k, factor) = (&joints[k].sides[of_load.side], rows[k].share[of_load.side]);
            for of_row in ports {
                if self.met.next() == Some(&false) {
                    if do_meet(model, i, [*of_row, *of_load]) {
                        return Err(Failure::Pattern);
                    }
                    continue;
                }
                let j = of_row.joint;
                let own_j = &joints[j].sides[of_row.side];
                let sign = own_j.sign * own_k.sign * factor;
                let (m, n) = (joints[j].size, joints[k].size);
                self.next();
                for (b, a) in (0..n).flat_map(|b| (0..m).map(move |a| (b, a))) {
                    let answer = |l: usize| rows[j].answer(chi, a, l) * w[(own_j.row + l, own_k.row + b)];
                    self.add((a, b), sign * (0..m).map(answer).sum::<f64>());
                }
            }
        }
        Ok(())
    }
}

fn square(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |a| (0..n).map(move |b| (a, b)))
}
