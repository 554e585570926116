//! The interface matrix of a large cluster: one block a joint, and one a hub.

use cosimo_linear::{BlockLu, BlockPattern, BlockPosition, FactorizationError};
use serde::{Deserialize, Serialize};

use super::equations::Equations;
use super::hub::LowRankFactor;
use crate::linearisation::LinearisedModel;
use crate::topology::subsystem::JoinedPort;
use crate::topology::{Cluster, Topology};

/// Joined rows above which a subsystem may be a hub.
const HUB_ROWS: usize = 24;
/// Joined rows of a hub per rank of its inverse mass, at least.
const ROWS_PER_RANK: usize = 3;

/// Interface matrix by blocks. Its pattern is found once, from the joints and from the ranks of the hubs.
#[derive(Debug)]
pub(super) struct SparseMatrix {
    lu: BlockLu,
    hubs: Vec<Hub>,
    /// Hub of each member of the cluster.
    hub_of: Vec<Option<usize>>,
    /// Whether the joints of a member meet in its response, pair by pair in the order of assembly.
    met: Vec<bool>,
    /// Positions of the blocks in the order of assembly.
    positions: Vec<BlockPosition>,
    /// Right-hand side with the unknowns of the hubs.
    extended: Vec<f64>,
}

/// A hub, as it is known before its inverse mass is factorised.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct HubSize {
    pub(crate) member: usize,
    /// Unknowns, the rank of its inverse mass at most.
    pub(crate) size: usize,
}

/// A member with so many joints that their loads meet through unknowns of their own.
#[derive(Debug)]
struct Hub {
    member: usize,
    /// Unknowns, the rank at most.
    size: usize,
    factor: LowRankFactor,
}

/// Why the matrix could not be factorised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Failure {
    /// No usable pivot at this unknown of the cluster.
    Singular(usize),
    /// The hubs do not fit: the pattern is to be found anew.
    Hubs,
    /// Joints meet that did not meet when the pattern was found.
    Pattern,
}

impl SparseMatrix {
    /// The pattern with these hubs, for the present blocks of the members' responses or, if it `is_full`, for any.
    pub(super) fn new(
        model: LinearisedModel<'_>,
        cluster: &Cluster,
        hubs: &[HubSize],
        is_full: bool,
    ) -> Self {
        let topology = model.topology;
        let hub =
            |&HubSize { member, size }: &HubSize| Hub { member, size, factor: LowRankFactor::default() };
        let hubs: Vec<Hub> = hubs.iter().map(hub).collect();
        let hub_of = hubs_of_members(cluster, &hubs);
        let mut sizes: Vec<usize> = cluster.joints.iter().map(|&j| topology.joints[j].size).collect();
        sizes.extend(hubs.iter().map(|hub| hub.size));
        let mut blocks = Vec::new();
        let mut met = Vec::new();
        let meets = |i: usize, ports: [JoinedPort; 2]| {
            met.push(is_full || do_meet(model, i, ports));
            met.last() == Some(&true)
        };
        visit_blocks((topology, cluster, &hub_of), meets, |row, column| blocks.push((row, column)));
        let pattern = BlockPattern::new(&sizes, blocks.iter().copied());
        let positions = blocks.iter().filter_map(|&(row, column)| pattern.position(row, column)).collect();
        let extended = vec![0.0; if hubs.is_empty() { 0 } else { pattern.dimension() }];
        Self { lu: BlockLu::new(pattern), hubs, hub_of, met, positions, extended }
    }

    /// The hubs.
    pub(super) fn hubs(&self) -> Vec<HubSize> {
        self.hubs.iter().map(|hub| HubSize { member: hub.member, size: hub.size }).collect()
    }

    /// Pairs of joints that meet in the response of a member.
    #[cfg(test)]
    pub(super) fn pairs(&self) -> usize {
        self.met.iter().filter(|met| **met).count()
    }

    /// Whether there are hubs.
    pub(super) fn has_hubs(&self) -> bool {
        !self.hubs.is_empty()
    }

    /// Sets up and factorises the matrix, with `extra` added to the diagonal of each joint of the cluster.
    pub(super) fn factorize(
        &mut self,
        equations: Equations<'_>,
        extra: impl Fn(usize) -> f64,
    ) -> Result<(), Failure> {
        let Equations { model, cluster, rows } = equations;
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
        for (&i, hub) in cluster.members.iter().zip(&self.hub_of) {
            match hub {
                None => blocks.add_member(equations, i)?,
                Some(number) => {
                    let hub = &mut self.hubs[*number];
                    if !hub.factor.factorize(&model.models[i].inverse_mass, hub.size) {
                        return Err(Failure::Hubs);
                    }
                    blocks.add_hub(equations, hub);
                }
            }
        }
        self.lu.factorize().map_err(|error| match error {
            FactorizationError::Singular { column } if column < cluster.unknowns.len() => {
                Failure::Singular(column)
            }
            _ if self.hubs.is_empty() => Failure::Singular(0),
            _ => Failure::Hubs,
        })
    }

    /// Overwrites `x` with `A⁻¹ x`.
    pub(super) fn solve(&mut self, x: &mut [f64]) {
        if self.hubs.is_empty() {
            self.lu.solve(x);
            return;
        }
        let (own, hubs) = self.extended.split_at_mut(x.len());
        own.copy_from_slice(x);
        hubs.fill(0.0);
        self.lu.solve(&mut self.extended);
        x.copy_from_slice(&self.extended[..x.len()]);
    }
}

/// The blocks in the order in which [`SparseMatrix::factorize`] fills them.
fn visit_blocks(
    (topology, cluster, hub_of): (&Topology, &Cluster, &[Option<usize>]),
    mut meets: impl FnMut(usize, [JoinedPort; 2]) -> bool,
    mut visit: impl FnMut(usize, usize),
) {
    let joints = cluster.joints.len();
    (0..joints).for_each(|block| visit(block, block));
    let block_of = |j: usize| cluster.joints.binary_search(&j).unwrap_or_default();
    for (&i, hub) in cluster.members.iter().zip(hub_of) {
        let ports = &topology.subsystems[i].joints;
        if let Some(number) = hub {
            let hub = joints + number;
            visit(hub, hub);
            for block in ports.iter().map(|port| block_of(port.joint)) {
                visit(block, hub);
                visit(hub, block);
            }
        } else {
            for column in ports {
                let met = ports.iter().filter(|row| meets(i, [**row, *column]));
                met.for_each(|row| visit(block_of(row.joint), block_of(column.joint)));
            }
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

    /// The blocks of a hub: `−1`, `s (Q χ + V) L` and `s ρ Lᵀ`.
    fn add_hub(&mut self, Equations { model, rows, .. }: Equations<'_>, hub: &Hub) {
        let chi = model.models[hub.member].weights.position;
        self.next();
        (0..hub.size).for_each(|k| self.add((k, k), -1.0));
        for port in &model.topology.subsystems[hub.member].joints {
            let (joint, row) = (&model.topology.joints[port.joint], &rows[port.joint]);
            let own = &joint.sides[port.side];
            let entries = || (0..hub.size).flat_map(|k| (0..joint.size).map(move |a| (a, k)));
            self.next();
            for (a, k) in entries() {
                let answer = |l: usize| row.answer(chi, a, l) * hub.factor.entry(own.row + l, k);
                self.add((a, k), own.sign * (0..joint.size).map(answer).sum::<f64>());
            }
            self.next();
            for (a, k) in entries() {
                self.add((k, a), own.sign * row.share[port.side] * hub.factor.entry(own.row + a, k));
            }
        }
    }
}

fn square(n: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..n).flat_map(move |a| (0..n).map(move |b| (a, b)))
}

/// Members whose present inverse mass is of low rank. Without its own answer a joint must be regular by that of its other side, or
/// by its relaxation: of two hubs that are joined rigidly the second stays as it is.
pub(super) fn find_hubs(model: LinearisedModel<'_>, cluster: &Cluster) -> Vec<HubSize> {
    let mut hubs: Vec<HubSize> = Vec::new();
    let topology = model.topology;
    for &member in &cluster.members {
        let ports = &topology.subsystems[member].joints;
        let joined: usize = ports.iter().map(|port| topology.joints[port.joint].size).sum();
        if joined < HUB_ROWS {
            continue;
        }
        let meets_hub = ports.iter().any(|port| {
            let joint = &topology.joints[port.joint];
            let other = joint.sides[1 - port.side].subsystem;
            matches!(joint.law, crate::InterfaceLaw::Rigid) && hubs.iter().any(|hub| hub.member == other)
        });
        let mut factor = LowRankFactor::default();
        if !meets_hub && factor.factorize(&model.models[member].inverse_mass, joined / ROWS_PER_RANK) {
            hubs.push(HubSize { member, size: factor.rank().max(1) });
        }
    }
    hubs
}

/// The number of the hub that each member of a cluster is, if it is one.
fn hubs_of_members(cluster: &Cluster, hubs: &[Hub]) -> Vec<Option<usize>> {
    let mut hub_of = vec![None; cluster.members.len()];
    for (number, hub) in hubs.iter().enumerate() {
        let place = cluster.members.binary_search(&hub.member).unwrap_or_default();
        hub_of[place] = Some(number);
    }
    hub_of
}
