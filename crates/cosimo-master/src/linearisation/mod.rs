//! The coupled model, linearised: how its subsystems and its bushings answer to loads in the current step.
//!
//! The end rows of a subsystem are affine in the impulses `X` on them,
//!
//! ```text
//!   ż₁ = ż_f + W X        z₁ = z_f + χ W X
//! ```
//!
//! exactly for affine subsystems, to first order for others.
//!
//! | where | what |
//! |---|---|
//! | `affine_model` | the affine model of a subsystem |
//! | `load_tangent` | the tangent of the loads of load ports on it |
//! | `frozen` | inverse masses that are kept from step to step |
//! | `coupling_residual` | how far affine models were from true answers |
//! | `end_rows` | end rows of the affine models |
//! | `frame` | joints between frames as they stand |

pub(crate) mod affine_model;
pub(crate) mod coupling_residual;
pub(crate) mod end_rows;
pub(crate) mod frame;
pub(crate) mod frozen;
pub(crate) mod load_tangent;

use cosimo_subsystem::LoadWeights;

use crate::motion::Motion;
use crate::topology::Topology;
use crate::topology::frame::FrameJoint;
use crate::topology::joint::Joint;
use affine_model::AffineModel;
use frame::{Frame, FrameState};

/// The affine models of all subsystems, and the bushings as they stand.
#[derive(Debug)]
pub(crate) struct Linearisation {
    /// By subsystem.
    pub(crate) models: Vec<AffineModel>,
    /// The joints between frames, in the order of `Topology::frames`.
    pub(crate) frames: Vec<FrameState>,
    /// Whether the whole model answers to loads in an affine way.
    pub(crate) is_affine: bool,
    /// The same, cluster by cluster.
    pub(crate) affine_clusters: Vec<bool>,
    /// Whether clusters with contacts count as not affine: so that steps are split at their impacts.
    splits_all: bool,
}

impl Linearisation {
    pub(crate) fn new(topology: &Topology) -> Self {
        let mut new = Self {
            models: topology.subsystems.iter().map(AffineModel::new).collect(),
            frames: vec![FrameState::default(); topology.frames.len()],
            is_affine: false,
            affine_clusters: vec![false; topology.clusters.len()],
            splits_all: false,
        };
        new.update_affinity(topology);
        new
    }

    /// Takes clusters with contacts for not affine from here on: their steps are split at impacts.
    pub(crate) fn split_all(&mut self, topology: &Topology) {
        if !std::mem::replace(&mut self.splits_all, true) {
            self.update_affinity(topology);
        }
    }

    /// Looks again which clusters are affine.
    pub(crate) fn update_affinity(&mut self, topology: &Topology) {
        for (is_affine, cluster) in self.affine_clusters.iter_mut().zip(&topology.clusters) {
            let has_loads = cluster.members.iter().any(|&i| topology.subsystems[i].is_load_source);
            let is_bushing =
                |&j: &usize| topology.joints[j].frame.as_ref().is_some_and(|frame| frame.is_compliant);
            *is_affine = !has_loads
                && (cluster.contacts.is_empty() || !self.splits_all)
                && !cluster.joints.iter().any(is_bushing)
                && cluster.members.iter().all(|&i| self.models[i].is_affine);
        }
        self.is_affine = self.affine_clusters.iter().all(|is_affine| *is_affine);
    }

    /// The linearised model of this topology.
    #[inline]
    pub(crate) fn of<'a>(&'a self, topology: &'a Topology) -> LinearisedModel<'a> {
        LinearisedModel {
            topology,
            models: &self.models,
            frames: &self.frames,
            affine_clusters: &self.affine_clusters,
        }
    }
}

/// A coupled model with its linearisation.
#[derive(Clone, Copy)]
pub(crate) struct LinearisedModel<'a> {
    pub(crate) topology: &'a Topology,
    pub(crate) models: &'a [AffineModel],
    pub(crate) frames: &'a [FrameState],
    /// Which clusters answer to loads in an affine way.
    pub(crate) affine_clusters: &'a [bool],
}

impl<'a> LinearisedModel<'a> {
    /// What there is besides if the ports of a joint are frames.
    pub(crate) fn frame(self, joint: &'a Joint) -> Option<Frame<'a>> {
        joint.frame.as_deref().map(|frame| frame.with(&self.frames[frame.index]))
    }

    /// Adds the couple that a bushing gives side b, besides its moment, to the loads on all rows.
    pub(crate) fn add_couple(self, frame: &FrameJoint, loads: &mut [f64]) {
        let [start, end] = &self.frames[frame.index].couples;
        let (first, weights) = (frame.couple_row(), self.models[frame.carrier()].weights);
        (0..3).for_each(|k| loads[first + k] += weights.end * end[k] + weights.start * start[k]);
    }

    /// Gap of a joint in coordinate `k` at the communication point where the rows have these positions; of frames in
    /// world axes.
    pub(crate) fn present_gap(&self, joint: &Joint, k: usize, positions: &[f64]) -> f64 {
        match &joint.frame {
            None => joint.gap(k, positions),
            Some(frame) => self.frames[frame.index].gap[k],
        }
    }

    /// Gap of a joint in coordinate `k` at the end of the step with these end rows; of frames in world axes.
    pub(crate) fn end_gap(&self, joint: &Joint, k: usize, end_positions: &[f64]) -> f64 {
        match &joint.frame {
            None => joint.gap(k, end_positions),
            Some(frame) => frame.with(&self.frames[frame.index]).end_gap(end_positions)[k],
        }
    }

    /// Gap of a joint in coordinate `k` as its equation takes it: of a bushing the difference of the rows, beyond which stands its excess.
    pub(crate) fn gap_in_equation(&self, joint: &Joint, k: usize, positions: &[f64]) -> f64 {
        if joint.law.passes_impulses() { self.end_gap(joint, k, positions) } else { joint.gap(k, positions) }
    }

    /// Force of a compliant joint in coordinate `k`, `k g + d ġ` (N), or that of a bushing; `None` of others.
    pub(crate) fn spring_force(&self, joint: &Joint, k: usize, rows: Motion<'_>) -> Option<f64> {
        match &joint.frame {
            Some(frame) if frame.is_compliant => Some(self.frames[frame.index].force[k]),
            Some(_) => None,
            None => joint.spring_force(k, rows),
        }
    }
}

/// Whether a time integration with these weights acts by the mean of a load over a step of size `h` (s).
pub(crate) fn takes_means(weights: LoadWeights, h: f64) -> bool {
    (weights.end + weights.start - h).abs() < 1e-12 * h
}

/// Mean over the step of a force that is the impulse `X` for a time integration with these weights.
pub(crate) fn mean_force(impulse: f64, start: f64, weights: LoadWeights, h: f64) -> f64 {
    if takes_means(weights, h) { impulse / h } else { 0.5 * (start + impulse / weights.end) }
}
