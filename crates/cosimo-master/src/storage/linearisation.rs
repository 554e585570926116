//! The coupled model, linearised: how its subsystems and its bushings answer to loads in the current step.
//!
//! The end rows of a subsystem are affine in the impulses `X` on them,
//!
//! ```text
//!   ż₁ = ż_f + W X        z₁ = z_f + χ W X
//! ```
//!
//! exactly for affine subsystems, to first order for others.

use std::ops::Range;

use cosimo_subsystem::{LoadWeights, RowMatrix, StepResponse};

use crate::laws::frame::{Frame, FrameJoint, FrameState};
use crate::loads::tangent::LoadTangent;
use crate::motion::Motion;
use crate::topology::Topology;
use crate::topology::joint::Joint;
use crate::topology::subsystem::SubsystemLayout;

/// The affine model of a subsystem besides its free response: inverse mass and weights of its last answer.
#[derive(Debug, Clone)]
pub(crate) struct AffineModel {
    /// Its rows in the master's vectors.
    pub(crate) rows: Range<usize>,
    /// `W` (1/kg); with the tangents of loads on the subsystem `W'`, see `loads`.
    pub(crate) inverse_mass: RowMatrix,
    /// Tangents of the loads on the subsystem, where they enter.
    pub(crate) loads: Option<Box<LoadTangent>>,
    /// Damped companion of `W`; `0 × 0` without damping.
    pub(crate) damped: RowMatrix,
    /// `Y`, what moves of the end do to its positions; `0 × 0` where it is `W`.
    moves: RowMatrix,
    pub(crate) weights: LoadWeights,
    /// Revision of the answer it was taken from; none where it is to be taken anew.
    pub(crate) revision: Option<u64>,
    /// Whether the subsystem answers exactly so.
    pub(crate) is_affine: bool,
    /// Whether its inverse mass is that of differences of answers that are not affine: known to some digits.
    pub(crate) is_coarse: bool,
}

impl AffineModel {
    fn new(layout: &SubsystemLayout) -> Self {
        let (rows, is_affine) = (layout.rows.clone(), layout.is_declared_affine);
        Self {
            inverse_mass: RowMatrix::without_entries(rows.len()),
            loads: None,
            damped: RowMatrix::zeros(0),
            moves: RowMatrix::zeros(0),
            weights: LoadWeights::default(),
            revision: None,
            is_affine,
            is_coarse: false,
            rows,
        }
    }

    /// Whether tangents of loads enter it from the next step on.
    pub(crate) fn take_load_tangents(&mut self, takes: bool) {
        self.loads = takes.then(|| Box::new(LoadTangent::zeros(self.rows.len())));
        self.revision = None;
    }

    /// Takes over inverse mass and weights if they are new; says whether they are.
    pub(crate) fn take(&mut self, response: &StepResponse) -> bool {
        if self.revision == Some(response.revision) {
            return false;
        }
        self.revision = Some(response.revision);
        match &mut self.loads {
            None => self.inverse_mass.copy_from(&response.inverse_mass),
            Some(tangent) => tangent.take_own(&response.inverse_mass),
        }
        self.damped.copy_from(&response.damped_inverse_mass);
        self.moves.copy_from(&response.move_mass);
        // What loads on rows without a response do is found by evaluation alone.
        self.is_affine &=
            matches!(response.inverse_mass, RowMatrix::Dense(_)) || response.inverse_mass.has_all_rows();
        self.weights = response.weights;
        self.condense_loads();
        true
    }

    /// The same, but an inverse mass that is known is kept where it belongs to the same step size; of affine subsystems it is
    /// taken always.
    pub(crate) fn keep_or_take(&mut self, response: &StepResponse) -> bool {
        let is_plain = !self.is_affine && self.loads.is_none();
        let keeps = is_plain && self.revision.is_some() && self.weights == response.weights;
        !keeps && self.take(response)
    }

    /// Entry of `Y` (1/kg).
    pub(crate) fn move_mass(&self, row: usize, column: usize) -> f64 {
        if self.moves.is_empty() {
            self.inverse_mass.entry(row, column)
        } else {
            self.moves.entry(row, column)
        }
    }

    /// Puts the tangents of the loads into `W'`.
    pub(crate) fn condense_loads(&mut self) {
        if let Some(tangent) = &mut self.loads {
            tangent.set_rate(self.weights);
            tangent.condense(self.inverse_mass.dense_mut());
        }
    }

    /// Impulse on row `row` by the tangents of loads for these differences of the end velocities, `B δż`.
    pub(crate) fn of_velocities(&self, row: usize, difference: impl Fn(usize) -> f64) -> f64 {
        self.loads.as_ref().map_or(0.0, |tangent| {
            tangent.rate.row(row).iter().enumerate().map(|(l, rate)| rate * difference(l)).sum()
        })
    }

    /// Velocity change of row `row` of this subsystem for these loads on all rows of the master.
    pub(crate) fn answer(&self, row: usize, loads: &[f64]) -> f64 {
        self.answer_to(row, &loads[self.rows.clone()])
    }

    /// Velocity change of row `row` for these loads on the subsystem's own rows.
    pub(crate) fn answer_to(&self, row: usize, own: &[f64]) -> f64 {
        self.inverse_mass.row_product(row, own)
    }

    /// Velocity changes of all rows for these loads on them, column by column: a hub has very many.
    pub(crate) fn answer_all(&self, own: &[f64], changes: &mut [f64]) {
        self.inverse_mass.product_into(own, changes);
    }
}

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
    pub(crate) splits_all: bool,
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
        LinearisedModel { topology, models: &self.models, frames: &self.frames }
    }
}

/// A coupled model with its linearisation.
#[derive(Clone, Copy)]
pub(crate) struct LinearisedModel<'a> {
    pub(crate) topology: &'a Topology,
    pub(crate) models: &'a [AffineModel],
    pub(crate) frames: &'a [FrameState],
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
