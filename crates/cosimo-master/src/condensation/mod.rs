//! The condensed interface: interface matrix, effective mass at the contacts, and what a contact impulse does to
//! every subsystem. Everything is kept cluster by cluster; a cluster none of whose compliances has changed keeps its
//! factorisation.
//!
//! With the interface equations of all joints of a cluster, `A x = r + E P`, the contact impulses `P` see the
//! subsystems through
//!
//! ```text
//!   W_c = W_HH − Eᵀ A⁻¹ E
//! ```

mod contact_matrices;
mod hub;
mod interface_matrix;
mod sparse_matrix;

pub(crate) use contact_matrices::ContactMatrices;
pub(crate) use interface_matrix::Decisions;
use interface_matrix::InterfaceMatrix;

use crate::Discretisation;
use crate::interface_rows::{InterfaceRow, Mode};
use crate::layout::Layout;
use crate::wire_laws::{WireLaw, WireLaws};
use crate::wires::Wire;

/// Matrices of the condensed interface problem, with their buffers.
#[derive(Debug)]
pub(crate) struct Condensation {
    /// The interface equations, by joint.
    pub(crate) rows: Vec<InterfaceRow>,
    /// The coordinates of all joints, joint by joint.
    pub(crate) wires: Vec<Wire>,
    /// Their laws.
    laws: WireLaws,
    /// The joints whose coordinates are coupled.
    pub(crate) coupled: Vec<usize>,
    clusters: Vec<CondensedCluster>,
    mode: Mode,
    /// Whether any cluster is stale.
    is_stale: bool,
    /// Joints found redundant since that was last asked, cluster by cluster.
    redundant: Vec<Vec<usize>>,
    /// Number of refreshes so far: whoever keeps matrices made of the same compliances sees that they are old.
    pub(crate) revision: u64,
}

#[derive(Debug)]
struct CondensedCluster {
    matrix: InterfaceMatrix,
    contacts: ContactMatrices,
    is_stale: bool,
}

impl Condensation {
    pub(crate) fn new(layout: &Layout) -> Self {
        let condensed = |cluster| CondensedCluster {
            matrix: InterfaceMatrix::new(cluster),
            contacts: ContactMatrices::new(cluster),
            is_stale: true,
        };
        let mut laws = WireLaws::with_room(layout.wires);
        let mut wires = Vec::with_capacity(layout.wires);
        for joint in layout.joints.iter().enumerate() {
            wires.extend(Wire::of_joint(joint, &mut laws));
        }
        let is_coupled = |j: &usize| wires[layout.joints[*j].wires()].iter().any(|wire| !wire.is_single);
        Self {
            rows: layout.joints.iter().map(InterfaceRow::new).collect(),
            coupled: (0..layout.joints.len()).filter(is_coupled).collect(),
            wires,
            laws,
            clusters: layout.clusters.iter().map(condensed).collect(),
            mode: Mode::Instant,
            is_stale: true,
            redundant: Vec::new(),
            revision: 0,
        }
    }

    /// Notes whether a compliance in this cluster has changed.
    pub(crate) fn note(&mut self, cluster: usize, has_changed: bool) {
        if has_changed {
            self.clusters[cluster].is_stale = true;
            self.is_stale = true;
        }
    }

    /// Notes that every compliance may have changed.
    pub(crate) fn note_all(&mut self) {
        self.is_stale = true;
        self.clusters.iter_mut().for_each(|cluster| cluster.is_stale = true);
    }

    /// The law of a coordinate.
    #[inline]
    pub(crate) fn law(&self, wire: &Wire) -> &WireLaw {
        self.laws.at(wire.law())
    }

    /// What the first matrices of the clusters decided.
    pub(crate) fn decisions(&self) -> Vec<Decisions> {
        self.clusters.iter().map(|cluster| cluster.matrix.decisions()).collect()
    }

    /// Keeps to these decisions, one a cluster; all matrices are to be set up anew.
    pub(crate) fn decide(&mut self, layout: &Layout, decisions: &[Decisions]) {
        for ((condensed, cluster), own) in self.clusters.iter_mut().zip(&layout.clusters).zip(decisions) {
            condensed.matrix.decide(layout, cluster, own);
        }
        self.note_all();
    }

    /// Whether the matrices do not belong to this mode and the present compliances.
    pub(crate) fn is_stale(&self, mode: Mode) -> bool {
        self.is_stale || self.mode != mode
    }

    /// Sets up and factorises the interface matrices of the clusters whose compliances have changed.
    ///
    /// # Errors
    /// The unknown at which an interface matrix is singular.
    pub(crate) fn refresh(
        &mut self,
        layout: &Layout,
        mode: Mode,
        discretisation: Discretisation,
    ) -> Result<(), usize> {
        if self.mode != mode {
            self.note_all();
        }
        (self.mode, self.is_stale) = (mode, false);
        if self.laws.is_full(self.wires.len()) {
            self.laws.retain(self.wires.iter_mut().map(Wire::law_mut));
        }
        self.revision += 1;
        for (condensed, cluster) in self.clusters.iter_mut().zip(&layout.clusters) {
            if !std::mem::take(&mut condensed.is_stale) {
                continue;
            }
            for &j in &cluster.joints {
                let (joint, row) = (&layout.joints[j], &mut self.rows[j]);
                row.set(joint, &layout.members, mode, discretisation);
                let wires = &mut self.wires[joint.wires()];
                if let Some(known) = wires.first().map(|wire| self.laws.at(wire.law()).weights) {
                    let weights = known.of_row(row, (joint, &layout.members), mode);
                    wires.iter_mut().for_each(|wire| wire.set(row, weights, &mut self.laws));
                }
            }
            condensed.contacts.note();
            let was_relaxed = condensed.matrix.is_relaxed();
            if let Err(unknown) = condensed.matrix.refresh(layout, cluster, &self.rows) {
                (condensed.is_stale, self.is_stale) = (true, true);
                return Err(unknown);
            }
            if condensed.matrix.is_relaxed() && !was_relaxed {
                self.redundant.push(condensed.matrix.redundant_joints(layout, cluster));
            }
        }
        Ok(())
    }

    /// Joints found redundant that nobody was told of, cluster by cluster.
    pub(crate) fn redundant(&self) -> &[Vec<usize>] {
        &self.redundant
    }

    /// Joints found redundant since this was last asked, cluster by cluster.
    pub(crate) fn take_redundant(&mut self) -> Vec<Vec<usize>> {
        std::mem::take(&mut self.redundant)
    }

    /// Whether joints of any cluster are redundant, and therefore relaxed.
    pub(crate) fn is_any_relaxed(&self) -> bool {
        self.clusters.iter().any(|cluster| cluster.matrix.is_relaxed())
    }

    /// Overwrites unknowns with the part of them that moves nothing; zero where joints are not redundant.
    pub(crate) fn take_idle_part(&mut self, layout: &Layout, x: &mut [f64]) {
        for (condensed, cluster) in self.clusters.iter_mut().zip(&layout.clusters) {
            condensed.matrix.take_idle_part(&mut x[cluster.unknowns.clone()]);
        }
    }

    /// Overwrites a right-hand side of one cluster with the part of it that is of loads that move nothing, weighed by what relaxes the
    /// joints; zero where joints are not redundant.
    pub(crate) fn project_on_redundant(&mut self, cluster: usize, x: &mut [f64]) {
        let matrix = &mut self.clusters[cluster].matrix;
        matrix.solve_relaxed(x);
        matrix.leave_rest(x);
    }

    /// Overwrites the right-hand side `x` with the unknowns.
    pub(crate) fn solve(&mut self, layout: &Layout, x: &mut [f64]) {
        for (condensed, cluster) in self.clusters.iter_mut().zip(&layout.clusters) {
            condensed.matrix.solve(&mut x[cluster.unknowns.clone()]);
        }
    }

    /// Overwrites the right-hand side `x` of one cluster with its unknowns.
    pub(crate) fn solve_cluster(&mut self, cluster: usize, x: &mut [f64]) {
        self.clusters[cluster].matrix.solve(x);
    }

    /// Adds the loads of the unknowns `x` on all rows to `loads`; `start_forces` are the forces at the start.
    pub(crate) fn add_joint_loads(
        &self,
        layout: &Layout,
        x: &[f64],
        start_forces: &[f64],
        loads: &mut [f64],
    ) {
        for wire in &self.wires {
            let (x, start) = (x[wire.unknown()], start_forces[wire.unknown()]);
            let weights = &self.law(wire).weights;
            loads[wire.row(0)] -= weights.impulse(0, x, start);
            loads[wire.row(1)] += weights.impulse(1, x, start);
        }
        for &j in &layout.frames {
            let joint = &layout.joints[j];
            let couples = joint.frame.as_ref().and_then(|frame| frame.couples());
            if let (Mode::Step { .. }, Some(([start, end], first))) = (self.mode, couples) {
                let weights = layout.members[joint.sides[1].subsystem].weights;
                for k in 0..3 {
                    loads[first + k] += weights.end * end[k] + weights.start * start[k];
                }
            }
        }
    }

    /// Residual of the interface equations at given row positions and velocities, with unknowns `x`.
    pub(crate) fn residual(
        &self,
        layout: &Layout,
        (positions, velocities): (&[f64], &[f64]),
        start_positions: &[f64],
        x: Option<&[f64]>,
        out: &mut [f64],
    ) {
        for wire in self.wires.iter().filter(|wire| wire.is_single) {
            let law = self.law(wire);
            let relaxed = x.map_or(0.0, |x| law.relaxation * x[wire.unknown()]);
            out[wire.unknown()] = wire.residual(law, start_positions, (positions, velocities)) - relaxed;
        }
        for &j in &self.coupled {
            let (joint, row) = (&layout.joints[j], &self.rows[j]);
            for k in 0..joint.size {
                let mut sum = row.start_gap * joint.present_gap(k, start_positions)
                    + joint.frame.as_ref().map_or(0.0, |frame| frame.excess(row, k));
                for l in 0..joint.size {
                    sum += row.position[(k, l)] * joint.gap(l, positions)
                        + row.velocity[(k, l)] * joint.difference(l, velocities);
                    if let Some(x) = x {
                        sum -= row.relaxation[(k, l)] * x[joint.first + l];
                    }
                }
                out[joint.first + k] = sum;
            }
        }
    }

    /// Brings the contacts' matrices of a cluster up to date.
    pub(crate) fn refresh_contacts(&mut self, layout: &Layout, cluster: usize) {
        let condensed = &mut self.clusters[cluster];
        let damps = self.mode != Mode::Instant;
        let cluster = &layout.clusters[cluster];
        condensed.contacts.refresh(layout, cluster, (&self.rows, &mut condensed.matrix), damps);
    }

    /// The contacts' matrices of a cluster.
    pub(crate) fn contacts(&self, cluster: usize) -> &ContactMatrices {
        &self.clusters[cluster].contacts
    }

    /// Which equations the matrices belong to.
    pub(crate) fn mode(&self) -> Mode {
        self.mode
    }
}

/// Gives `sign · (Q χ + V) · W` for a load on one row of a subsystem, to every interface equation it takes part in.
fn add_rows_of_load(
    layout: &Layout,
    rows: &[InterfaceRow],
    subsystem: usize,
    (load_row, load): (usize, f64),
    mut add: impl FnMut(usize, f64),
) {
    let member = &layout.members[subsystem];
    for &(j, side) in &member.joints {
        let joint = &layout.joints[j];
        let own = &joint.sides[side];
        for k in 0..joint.size {
            let sum: f64 = (0..joint.size)
                .map(|l| {
                    rows[j].answer(member.weights.position, k, l) * member.compliance[(own.row + l, load_row)]
                })
                .sum();
            add(joint.first + k, own.sign * sum * load);
        }
    }
}
