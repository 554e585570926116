//! What one iteration of a step hands to that of the next: first guesses, and what the accelerator knows.

use super::cluster_stage::{ClusterStage, Iterate};
use super::state::StageState;
use crate::Acceleration;
use crate::topology::Topology;

/// What one stage of a step hands to the same stage of the next.
#[derive(Debug)]
pub(crate) struct Stage {
    /// The clusters with joints.
    pub(crate) clusters: Vec<ClusterStage>,
    pub(crate) history: StageState,
    /// The cluster of each contact among them, where it has joints.
    cluster_of: Vec<Option<usize>>,
}

impl Stage {
    /// A stage of iterates of length `size`.
    pub(crate) fn new(acceleration: Acceleration, size: usize, topology: &Topology) -> Self {
        let (unknowns, contacts) = (topology.unknowns, topology.contacts.len());
        let mut clusters = Vec::new();
        let mut cluster_of = vec![None; contacts];
        for (number, cluster) in topology.clusters.iter().enumerate().filter(|(_, c)| !c.unknowns.is_empty())
        {
            cluster_of[cluster.contacts.clone()].fill(Some(clusters.len()));
            let own = cluster.unknowns.clone();
            clusters.push(ClusterStage::new(acceleration, number, own, unknowns, size));
        }
        Self {
            clusters,
            history: StageState {
                solutions: [vec![0.0; unknowns], vec![0.0; unknowns]],
                loaded: vec![false; contacts],
                ..StageState::default()
            },
            cluster_of,
        }
    }

    pub(crate) fn state(&self) -> StageState {
        let secants = self.clusters.iter().map(|cluster| cluster.secants().to_vec()).collect();
        StageState { secants, ..self.history.clone() }
    }

    pub(crate) fn fits(&self, state: &StageState) -> bool {
        let own = &self.history;
        let lengths = |state: &StageState| [0, 1].map(|k: usize| state.solutions[k].len());
        lengths(own) == lengths(state)
            && own.loaded.len() == state.loaded.len()
            && self.clusters.len() == state.secants.len()
            && self.clusters.iter().zip(&state.secants).all(|(cluster, secants)| cluster.fits(secants))
    }

    pub(crate) fn restore(&mut self, state: &StageState) {
        self.clusters.iter_mut().zip(&state.secants).for_each(|(cluster, secants)| cluster.restore(secants));
        self.history.clone_from(state);
        self.history.secants.clear();
    }

    /// Forgets what the accelerators know of their maps.
    pub(crate) fn reset(&mut self) {
        self.clusters.iter_mut().for_each(ClusterStage::reset);
    }

    /// Begins a step of size `h`: adds to `guess` what the last steps let expect.
    pub(crate) fn begin(&mut self, h: f64, guess: &mut [f64]) {
        let StageState { solutions: [last, older], known, step, .. } = &self.history;
        let is_same = h.to_bits() == step.to_bits();
        for (k, x) in guess.iter_mut().enumerate() {
            *x += match known {
                0 => 0.0,
                _ if !is_same => last[k] * h / step,
                1 => last[k],
                _ => 2.0 * last[k] - older[k],
            };
        }
        if !is_same {
            self.reset();
        }
        self.clusters.iter_mut().for_each(ClusterStage::begin);
    }

    /// Takes an iterate and its answer cluster by cluster; those that agree already stay as they are. Tells whether any
    /// diverges. Unknowns of the free stage, `base`, and those of the step before count for the size of a cluster's.
    pub(crate) fn take(&mut self, iterate: &[f64], answer: &[f64], base: &[f64]) -> bool {
        let last = &self.history.solutions[0];
        let mut diverges = false;
        for cluster in self.clusters.iter_mut().filter(|cluster| !cluster.is_settled) {
            let known = [answer, base, last].into_iter().flat_map(|all| &all[cluster.unknowns.clone()]);
            let size = known.fold(f64::MIN_POSITIVE, |most, x| most.max(x.abs()));
            diverges |= cluster.take(Iterate { x: iterate, answer }, size);
        }
        diverges
    }

    /// The cluster that is farthest from agreement.
    pub(crate) fn worst(&self) -> Option<&ClusterStage> {
        let unsettled = self.clusters.iter().filter(|cluster| !cluster.is_settled);
        // Not a number is larger than any.
        let unsettled =
            unsettled.max_by(|a, b| a.corrections.residual.abs().total_cmp(&b.corrections.residual.abs()));
        unsettled.or_else(|| self.clusters.iter().max_by_key(|cluster| cluster.corrections.count))
    }

    /// Contraction of the cluster that agreed last, or is farthest from it, where there is one.
    pub(crate) fn contraction(&self) -> f64 {
        self.worst().map_or(f64::NAN, |own| own.corrections.contraction())
    }

    /// Ends a step of size `h` with a solution.
    pub(crate) fn end(&mut self, h: f64, solution: impl Iterator<Item = f64>) {
        let history = &mut self.history;
        let is_same = h.to_bits() == history.step.to_bits();
        history.known = if is_same { (history.known + 1).min(2) } else { 1 };
        history.step = h;
        history.solutions.swap(0, 1);
        history.solutions[0].iter_mut().zip(solution).for_each(|(last, x)| *last = x);
    }

    /// Notes which contacts carry an impulse; their clusters forget the map of another contact status.
    pub(crate) fn note_contacts(&mut self, impulses: impl Iterator<Item = (usize, f64)>) {
        for (contact, impulse) in impulses {
            let loaded = &mut self.history.loaded[contact];
            let is_other = *loaded != (impulse > 0.0);
            *loaded = impulse > 0.0;
            if let Some(cluster) = self.cluster_of[contact].filter(|_| is_other) {
                self.clusters[cluster].has_switched = true;
            }
        }
        self.clusters.iter_mut().for_each(ClusterStage::forget_if_switched);
    }
}
