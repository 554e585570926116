//! The condensed interface: interface matrix, effective mass at the contacts, and what a contact impulse does to
//! every subsystem. Everything is kept cluster by cluster; a cluster none of whose inverse masses has changed keeps its
//! factorisation.
//!
//! With the interface equations of all joints of a cluster, `A x = r + E P`, the contact impulses `P` see the
//! subsystems through
//!
//! ```text
//!   W_c = W_HH − Eᵀ A⁻¹ E
//! ```
//!
//! | where | what |
//! |---|---|
//! | `equations` | the interface equations of one cluster |
//! | `interface_matrix`, `sparse_matrix` | the matrix `A`: dense, or by blocks |
//! | `relaxation` | by how much joints are relaxed where they hold something twice |
//! | `contact_matrices` | the effective mass `W_c` at the contacts, and their loads on everything |
//! | `impact_matrices` | what impulses inside a step see of Tikhonov joints |
//! | `unknowns` | the unknowns without contact impulses |
//! | `singular`, `redundant` | interfaces without a solution, and with many |

pub(crate) mod contact_matrices;
pub(crate) mod equations;
mod impact_matrices;
pub(crate) mod interface_matrix;
pub(crate) mod redundant;
mod relaxation;
pub(crate) mod singular;
mod sparse_matrix;
mod unknowns;

use crate::StepError;
use crate::laws::coordinate::JointCoordinate;
use crate::laws::coordinate_law::{CoordinateLaw, CoordinateLaws};
use crate::laws::equation::InterfaceRow;
use crate::linearisation::LinearisedModel;
use crate::motion::Motion;
use crate::time::part::Mode;
use crate::topology::joint::Joint;
use crate::topology::{Cluster, Topology};
use contact_matrices::ContactMatrices;
use equations::Equations;
use impact_matrices::ImpactMatrices;
use interface_matrix::{Decisions, InterfaceMatrix};
use singular::singular_interface;

/// Matrices of the condensed interface problem, with their buffers.
#[derive(Debug)]
pub(crate) struct Condensation {
    /// The interface equations, by joint.
    pub(crate) rows: Vec<InterfaceRow>,
    /// The coordinates of all joints, joint by joint.
    pub(crate) coordinates: Vec<JointCoordinate>,
    /// Their laws.
    laws: CoordinateLaws,
    /// The joints whose coordinates are coupled.
    pub(crate) coupled: Vec<usize>,
    clusters: Vec<CondensedCluster>,
    mode: Mode,
    /// Whether any cluster is stale.
    is_stale: bool,
    /// Joints found redundant since that was last asked, cluster by cluster.
    redundant: Vec<Vec<usize>>,
    /// Number of refreshes so far: whoever keeps matrices made of the same inverse masses sees that they are old.
    pub(crate) revision: u64,
}

#[derive(Debug)]
struct CondensedCluster {
    matrix: InterfaceMatrix,
    contacts: ContactMatrices,
    /// What impacts see, where it is not the same.
    impacts: Option<Box<ImpactMatrices>>,
    is_stale: bool,
}

impl CondensedCluster {
    fn new(topology: &Topology, cluster: &Cluster) -> Self {
        Self {
            matrix: InterfaceMatrix::new(cluster),
            contacts: ContactMatrices::new(cluster),
            impacts: ImpactMatrices::of(topology, cluster),
            is_stale: true,
        }
    }
}

impl Condensation {
    pub(crate) fn new(topology: &Topology) -> Self {
        let mut laws = CoordinateLaws::with_room(topology.coordinates);
        let mut coordinates = Vec::with_capacity(topology.coordinates);
        for (j, joint) in topology.joints.iter().enumerate() {
            coordinates.extend(JointCoordinate::of_joint(j, joint, &mut laws));
        }
        let is_coupled = |j: &usize| {
            coordinates[topology.joints[*j].coordinates()].iter().any(|coordinate| !coordinate.is_single)
        };
        Self {
            rows: topology.joints.iter().map(InterfaceRow::new).collect(),
            coupled: (0..topology.joints.len()).filter(is_coupled).collect(),
            coordinates,
            laws,
            clusters: topology
                .clusters
                .iter()
                .map(|cluster| CondensedCluster::new(topology, cluster))
                .collect(),
            mode: Mode::Instant,
            is_stale: true,
            redundant: Vec::new(),
            revision: 0,
        }
    }

    /// Notes whether an inverse mass in this cluster has changed.
    pub(crate) fn note(&mut self, cluster: usize, has_changed: bool) {
        if has_changed {
            self.clusters[cluster].is_stale = true;
            self.is_stale = true;
        }
    }

    /// Notes that every inverse mass may have changed.
    pub(crate) fn note_all(&mut self) {
        self.is_stale = true;
        self.clusters.iter_mut().for_each(|cluster| cluster.is_stale = true);
    }

    /// The law of a coordinate.
    #[inline]
    pub(crate) fn law(&self, coordinate: &JointCoordinate) -> &CoordinateLaw {
        self.laws.at(coordinate.law())
    }

    /// What the first matrices of the clusters decided.
    pub(crate) fn decisions(&self) -> Vec<Decisions> {
        self.clusters.iter().map(|cluster| cluster.matrix.decisions()).collect()
    }

    /// Keeps to these decisions, one a cluster; all matrices are to be set up anew.
    pub(crate) fn decide(&mut self, decisions: &[Decisions]) {
        for (condensed, own) in self.clusters.iter_mut().zip(decisions) {
            condensed.matrix.decide(own);
        }
        self.note_all();
    }

    /// Whether the matrices do not belong to this mode and the present inverse masses.
    fn is_stale(&self, mode: Mode) -> bool {
        self.is_stale || self.mode != mode
    }

    /// Brings the interface matrix up to date if an inverse mass, a weight or the step size has changed.
    ///
    /// # Errors
    /// The interface matrix is singular in the step from this time (s).
    #[inline]
    pub(crate) fn update(
        &mut self,
        model: LinearisedModel<'_>,
        mode: Mode,
        time: f64,
    ) -> Result<(), StepError> {
        if !self.is_stale(mode) {
            return Ok(());
        }
        self.refresh(model, mode).map_err(|unknown| singular_interface(model.topology, unknown, time))
    }

    /// Sets up and factorises the interface matrices of the clusters whose inverse masses have changed.
    ///
    /// # Errors
    /// The unknown at which an interface matrix is singular.
    pub(crate) fn refresh(&mut self, model: LinearisedModel<'_>, mode: Mode) -> Result<(), usize> {
        let topology = model.topology;
        if self.mode != mode {
            self.note_all();
        }
        (self.mode, self.is_stale) = (mode, false);
        if self.laws.is_full(self.coordinates.len()) {
            self.laws.retain(self.coordinates.iter_mut().map(JointCoordinate::law_mut));
        }
        self.revision += 1;
        for (condensed, cluster) in self.clusters.iter_mut().zip(&topology.clusters) {
            if !std::mem::take(&mut condensed.is_stale) {
                continue;
            }
            for &j in &cluster.joints {
                let (joint, row) = (&topology.joints[j], &mut self.rows[j]);
                row.set(model, joint, mode);
                let coordinates = &mut self.coordinates[joint.coordinates()];
                if let Some(known) =
                    coordinates.first().map(|coordinate| self.laws.at(coordinate.law()).weights)
                {
                    let weights = known.of_row(row, joint, model.models, mode);
                    coordinates
                        .iter_mut()
                        .for_each(|coordinate| coordinate.set(row, weights, &mut self.laws));
                }
            }
            condensed.contacts.note();
            condensed.impacts.iter_mut().for_each(|impacts| impacts.contacts.note());
            let was_relaxed = condensed.matrix.is_relaxed();
            if let Err(unknown) = condensed.matrix.refresh(Equations { model, cluster, rows: &self.rows }) {
                (condensed.is_stale, self.is_stale) = (true, true);
                return Err(unknown);
            }
            if condensed.matrix.is_relaxed() && !was_relaxed {
                // Tikhonov joints share loads by their constants, and are relaxed where they pass impacts alone.
                let mut joints = condensed.matrix.redundant_joints(topology, cluster);
                joints.retain(|j| matches!(topology.joints[*j].law, crate::InterfaceLaw::Rigid));
                if joints.len() > 1 {
                    self.redundant.push(joints);
                }
            }
        }
        Ok(())
    }

    /// Joints found redundant not yet reported to the observer, cluster by cluster.
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
    pub(crate) fn take_idle_part(&mut self, topology: &Topology, x: &mut [f64]) {
        for (condensed, cluster) in self.clusters.iter_mut().zip(&topology.clusters) {
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
    pub(crate) fn solve(&mut self, topology: &Topology, x: &mut [f64]) {
        for (condensed, cluster) in self.clusters.iter_mut().zip(&topology.clusters) {
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
        model: LinearisedModel<'_>,
        x: &[f64],
        start_forces: &[f64],
        loads: &mut [f64],
    ) {
        for coordinate in &self.coordinates {
            let (x, start) = (x[coordinate.unknown()], start_forces[coordinate.unknown()]);
            let weights = &self.law(coordinate).weights;
            loads[coordinate.row(0)] -= weights.impulse(0, x, start);
            loads[coordinate.row(1)] += weights.impulse(1, x, start);
        }
        if model.topology.frames.is_empty() || self.mode == Mode::Instant {
            return;
        }
        model.topology.bushings().for_each(|(_, frame)| model.add_couple(frame, loads));
    }

    /// Residual of the interface equations at given row positions and velocities, without unknowns; `forces` are those by which
    /// Tikhonov joints are open at the start.
    pub(crate) fn residual(
        &self,
        model: LinearisedModel<'_>,
        Motion { positions, velocities }: Motion<'_>,
        forces: &[f64],
        out: &mut [f64],
    ) {
        for coordinate in self.coordinates.iter().filter(|coordinate| coordinate.is_single) {
            let law = self.law(coordinate);
            out[coordinate.unknown()] = coordinate.residual(law, forces, Motion { positions, velocities });
        }
        for &j in &self.coupled {
            let (joint, row) = (&model.topology.joints[j], &self.rows[j]);
            for k in 0..joint.size {
                let motion = Motion { positions, velocities };
                out[joint.first + k] = coupled_residual(model, (joint, row), k, motion, forces);
            }
        }
    }

    /// Limits the contacts' matrices of a cluster to these contacts, so many, with these rows.
    pub(crate) fn select_contacts(&mut self, cluster: usize, contacts: usize, rows: &[usize]) {
        let own = &mut self.clusters[cluster];
        own.contacts.select(contacts, rows);
        own.impacts.iter_mut().for_each(|impacts| impacts.contacts.select(contacts, rows));
    }

    /// Brings the contacts' matrices of a cluster up to date. Damping inside a step matters to impacts at their instants, which a
    /// cluster that is not affine has at communication points only.
    pub(crate) fn refresh_contacts(&mut self, model: LinearisedModel<'_>, cluster: usize) {
        let is_affine = model.affine_clusters[cluster];
        let condensed = &mut self.clusters[cluster];
        let damps = self.mode != Mode::Instant && is_affine;
        let cluster = &model.topology.clusters[cluster];
        let equations = Equations { model, cluster, rows: &self.rows };
        if !is_affine {
            condensed.contacts.act_alone();
        }
        condensed.contacts.refresh(equations, &mut condensed.matrix, damps);
        if let Some(impacts) = condensed.impacts.as_mut().filter(|impacts| !impacts.contacts.is_current()) {
            impacts.refresh(model, cluster, self.mode, damps);
        }
    }

    /// The contacts' matrices of a cluster as impulses inside a step see them: with its Tikhonov joints rigid.
    pub(crate) fn impacts(&self, cluster: usize) -> &ContactMatrices {
        let own = &self.clusters[cluster];
        own.impacts.as_ref().map_or(&own.contacts, |impacts| &impacts.contacts)
    }

    /// Overwrites the right-hand side `x` of one cluster with its unknowns where its Tikhonov joints are rigid.
    pub(crate) fn solve_impacts(&mut self, cluster: usize, x: &mut [f64]) {
        let own = &mut self.clusters[cluster];
        match &mut own.impacts {
            Some(impacts) => impacts.solve(x),
            None => own.matrix.solve(x),
        }
    }

    /// Overwrites the right-hand side `x` of one cluster with its unknowns in the present mode; at an instant its Tikhonov joints are rigid.
    pub(crate) fn solve_present(&mut self, cluster: usize, x: &mut [f64]) {
        match self.mode {
            Mode::Instant => self.solve_impacts(cluster, x),
            _ => self.solve_cluster(cluster, x),
        }
    }

    /// Whether impacts see other matrices than loads do.
    pub(crate) fn has_impacts_of_their_own(&self, cluster: usize) -> bool {
        self.clusters[cluster].impacts.is_some()
    }

    /// The contacts' matrices of a cluster.
    pub(crate) fn contacts(&self, cluster: usize) -> &ContactMatrices {
        &self.clusters[cluster].contacts
    }
}

/// Residual of equation `k` of a joint whose coordinates are coupled.
#[inline]
fn coupled_residual(
    model: LinearisedModel<'_>,
    (joint, row): (&Joint, &InterfaceRow),
    k: usize,
    Motion { positions, velocities }: Motion<'_>,
    forces: &[f64],
) -> f64 {
    let mut sum = row.lag * forces[joint.first + k]
        + model.frame(joint).map_or(0.0, |frame| frame.excess(&row.scaling, k));
    for l in 0..joint.size {
        sum += row.velocity[(k, l)] * joint.difference(l, velocities);
        if row.position[(k, l)] != 0.0 {
            let gap = model.gap_in_equation(joint, l, positions);
            sum += row.position[(k, l)] * (gap - row.known_gap(forces[joint.first + l]));
        }
    }
    sum
}
