//! An iterative scheme: its sweeps, its two stages, and its vectors.

use cosimo_nonsmooth::ImpactResolution;

use super::local_matrix::JointEquations;
use super::stage::Stage;
use super::state::SchemeState;
use super::sweep::Sweep;
use crate::MasterConfig;
use crate::condensation::Condensation;
use crate::contacts::locked::LockedJoints;
use crate::contacts::rows::{ContactStep, expect_stiffness};
use crate::contacts::state::ContactState;
use crate::linearisation::LinearisedModel;
use crate::rows::StepRows;
use crate::topology::Topology;

/// An iterative scheme.
#[derive(Debug)]
pub(crate) struct Iteration {
    pub(crate) sweep: Sweep,
    /// Sweeps of the current step.
    pub(crate) sweeps: u32,
    pub(crate) free: Stage,
    pub(crate) contact: Stage,
    pub(crate) candidates: Vec<bool>,
    /// Of every cluster of the model, whether its contacts matter in the current step.
    pub(crate) matters: Vec<bool>,
    /// Whether impacts pass its Tikhonov joints in the current step.
    pub(crate) rigid: Vec<bool>,
    /// What the contacts see then.
    pub(crate) locked: LockedJoints,
    pub(crate) iterate: Vec<f64>,
    pub(crate) answer: Vec<f64>,
    /// Unknowns of the free stage, to which contact impulses add.
    pub(crate) base: Vec<f64>,
    /// Forces of redundant joints that move nothing, of the last sweep, and forces that are zero.
    pub(crate) idle: [Vec<f64>; 2],
}

impl Iteration {
    pub(crate) fn new(topology: &Topology, config: &MasterConfig) -> Self {
        let sweep = Sweep::new(topology, config.scheme);
        let size = sweep.size();
        let stage = || Stage::new(config.acceleration, size, topology);
        Self {
            free: stage(),
            contact: stage(),
            candidates: vec![false; topology.contacts.len()],
            matters: vec![false; topology.clusters.len()],
            rigid: vec![false; topology.clusters.len()],
            locked: LockedJoints::default(),
            iterate: vec![0.0; size],
            answer: vec![0.0; size],
            base: vec![0.0; topology.unknowns],
            idle: [vec![0.0; topology.unknowns], vec![0.0; topology.unknowns]],
            sweep,
            sweeps: 0,
        }
    }

    /// Whether an accelerator knows anything of steps before.
    pub(crate) fn has_learnt(&self) -> bool {
        let mut clusters = self.free.clusters.iter().chain(&self.contact.clusters);
        clusters.any(|cluster| !cluster.secants().is_empty())
    }

    /// Goes back to what was known at the last step that was taken, without what accelerators have learnt.
    pub(crate) fn forget(&mut self) {
        self.free.reset();
        self.contact.reset();
    }

    /// First guess of a stage of a step of size `h` (s): what contact impulses added in the last steps, on top of the free stage; or the
    /// solutions of the last steps; or, in the first step, the forces (N) at its start.
    pub(crate) fn guess(
        &mut self,
        joints: JointEquations<'_>,
        rows: &mut StepRows,
        forces: &[f64],
        with_contacts: bool,
        h: f64,
    ) {
        let Self { sweep, free, contact, iterate, base, .. } = self;
        let unknowns = base.len();
        let stage = if with_contacts { contact } else { free };
        iterate[..unknowns].copy_from_slice(base);
        if stage.history.known == 0 && base.iter().all(|x| *x == 0.0) {
            for (joint, row) in joints.model.topology.joints.iter().zip(&joints.condensation.rows) {
                for unknown in joint.unknowns() {
                    iterate[unknown] = row.load_weight * forces[unknown];
                }
            }
        }
        stage.begin(h, &mut iterate[..unknowns]);
        sweep.guess_motions(joints, rows, iterate);
    }

    /// Decides which contacts may carry impulses in a part of a step.
    pub(crate) fn choose_candidates(
        &mut self,
        contacts: &mut ContactState,
        step: ContactStep<'_>,
        condensation: &mut Condensation,
        resolution: ImpactResolution,
    ) {
        let topology = step.model.topology;
        for (number, cluster) in topology.clusters.iter().enumerate() {
            let seen = step.rows_of(number, condensation);
            let memory = &mut contacts.memory[cluster.contacts.clone()];
            let candidates = resolution.candidates(&seen, memory);
            for (c, candidate) in self.candidates[cluster.contacts.clone()].iter_mut().enumerate() {
                *candidate = candidates.has(c);
            }
            self.matters[number] = resolution.is_needed(&seen, memory);
            self.rigid[number] = self.matters[number] && seen.impacts.is_some() && seen.is_any_hit(memory);
            // Stiffness follows from matrices that sweeps need for nothing else.
            let passes = |j: &usize| topology.joints[*j].law.passes_impulses();
            if self.matters[number] && !cluster.contacts.is_empty() && !cluster.joints.iter().any(passes) {
                condensation.refresh_contacts(step.model, number);
                expect_stiffness(memory, condensation.contacts(number));
            }
        }
    }

    /// The rates at the start as the contacts see them: where impacts pass Tikhonov joints, with those rigid.
    pub(crate) fn see_rates_before(
        &mut self,
        model: LinearisedModel<'_>,
        condensation: &mut Condensation,
        rows: &mut StepRows,
    ) {
        rows.rates_before.copy_from_slice(&rows.start_rates);
        let clusters = model.topology.clusters.iter().zip(&self.rigid).enumerate();
        for (number, (cluster, _)) in clusters.filter(|(_, (_, is_rigid))| **is_rigid) {
            let own = cluster.contact_rows.clone();
            condensation.refresh_contacts(model, number);
            self.locked.see_start(model, (condensation, number), rows, &rows.start_rates[own.clone()]);
            rows.rates_before[own].copy_from_slice(&self.locked.rates[0]);
        }
    }

    /// Notes what impacts have passed through joints that give way to loads.
    pub(crate) fn note_impact_unknowns(&self, topology: &Topology, rows: &mut StepRows) {
        let clusters = topology.clusters.iter().zip(&self.rigid).filter(|(_, is_rigid)| **is_rigid);
        for k in clusters.flat_map(|(cluster, _)| cluster.unknowns.clone()) {
            rows.impact_unknowns[k] = rows.unknowns[k] - self.base[k];
        }
        rows.has_impact_unknowns = true;
    }

    /// Takes from the forces found what moves nothing in the whole model: sweeps would carry it to and fro without end. What is left
    /// are the forces of the condensed scheme.
    pub(crate) fn take_idle_part(&mut self, topology: &Topology, condensation: &mut Condensation) {
        if !condensation.is_any_relaxed() {
            return;
        }
        let (idle, answer) = (&mut self.idle[0], &mut self.answer[..self.base.len()]);
        idle.copy_from_slice(answer);
        condensation.take_idle_part(topology, idle);
        answer.iter_mut().zip(idle).for_each(|(x, idle)| *x -= *idle);
    }

    /// Takes the same from the loads that the last sweep has left.
    pub(crate) fn unload_idle_part(&mut self, joints: JointEquations<'_>, rows: &mut StepRows) {
        if !joints.condensation.is_any_relaxed() {
            return;
        }
        let [idle, no_forces] = &mut self.idle;
        idle.iter_mut().for_each(|idle| *idle = -*idle);
        joints.condensation.add_joint_loads(joints.model, idle, no_forces, &mut rows.loads);
    }

    /// Leaves the clusters whose contacts do not matter as the free stage has left them.
    pub(crate) fn keep_free_clusters(&mut self) {
        for (own, free) in self.contact.clusters.iter_mut().zip(&self.free.clusters) {
            if !self.matters[own.cluster] {
                own.keep(free, &mut self.iterate);
            }
        }
    }

    pub(crate) fn state(&self) -> SchemeState {
        SchemeState { free: self.free.state(), contact: self.contact.state() }
    }

    /// Whether the state is one of this model and scheme.
    pub(crate) fn fits(&self, state: &SchemeState) -> bool {
        self.free.fits(&state.free) && self.contact.fits(&state.contact)
    }

    /// Goes on from a state that fits.
    pub(crate) fn restore(&mut self, state: &SchemeState) {
        self.free.restore(&state.free);
        self.contact.restore(&state.contact);
    }
}
