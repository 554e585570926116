//! An iterative scheme: its sweeps, its two stages, and its vectors.

use super::stage::Stage;
use super::state::SchemeState;
use super::sweep::Sweep;
use crate::MasterConfig;
use crate::contacts::locked::LockedJoints;
use crate::topology::Topology;

/// An iterative scheme.
#[derive(Debug)]
pub(crate) struct Iteration {
    pub(super) sweep: Sweep,
    /// Sweeps of the current step.
    pub(super) sweeps: u32,
    pub(super) free: Stage,
    pub(super) contact: Stage,
    pub(super) candidates: Vec<bool>,
    /// Of every cluster of the model, whether its contacts matter in the current step.
    pub(super) matters: Vec<bool>,
    /// Whether impacts pass its Tikhonov joints in the current step.
    pub(super) rigid: Vec<bool>,
    /// What the contacts see then.
    pub(super) locked: LockedJoints,
    pub(super) iterate: Vec<f64>,
    pub(super) answer: Vec<f64>,
    /// Unknowns of the free stage, to which contact impulses add.
    pub(super) base: Vec<f64>,
    /// Forces of redundant joints that move nothing, of the last sweep, and forces that are zero.
    pub(super) idle: [Vec<f64>; 2],
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
    pub(super) fn has_learnt(&self) -> bool {
        let mut clusters = self.free.clusters.iter().chain(&self.contact.clusters);
        clusters.any(|cluster| !cluster.secants().is_empty())
    }

    /// Leaves the clusters whose contacts do not matter as the free stage has left them.
    pub(super) fn keep_free_clusters(&mut self) {
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
