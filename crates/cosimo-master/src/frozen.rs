//! Compliances of nonlinear subsystems that are kept from step to step: a part of the state.

use cosimo_subsystem::LoadWeights;
use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};

use crate::layout::Member;
use crate::{Master, Tangent};

/// The compliance that the next step of a subsystem is solved with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct FrozenTangent {
    subsystem: usize,
    compliance: Vec<f64>,
    /// Empty without damping.
    damped: Vec<f64>,
    /// Weights of the end, the start, the position and the damping (s).
    weights: [f64; 4],
}

impl FrozenTangent {
    fn of(subsystem: usize, member: &Member) -> Self {
        let w = member.weights;
        let weights = [w.end, w.start, w.position, w.damping];
        let [compliance, damped] = [&member.compliance, &member.damped].map(|m| m.as_slice().to_vec());
        Self { subsystem, compliance, damped, weights }
    }

    /// Whether it belongs to these subsystems.
    pub(crate) fn fits(&self, members: &[Member]) -> bool {
        let fits = |member: &Member| {
            member.compliance.len() == self.compliance.len()
                && (self.damped.is_empty() || self.damped.len() == self.compliance.len())
        };
        members.get(self.subsystem).is_some_and(fits)
    }

    /// Gives the subsystem its compliance back; a revision that no subsystem tells stands for it.
    pub(crate) fn restore(&self, members: &mut [Member]) {
        let Some(member) = members.get_mut(self.subsystem) else { return };
        member.compliance.as_mut_slice().copy_from_slice(&self.compliance);
        let r = if self.damped.is_empty() { 0 } else { member.compliance.nrows() };
        member.damped = DMatrix::from_column_slice(r, r, &self.damped);
        let [end, start, position, damping] = self.weights;
        member.weights = LoadWeights { end, start, position, damping };
        member.revision = Some(u64::MAX);
    }
}

impl Master {
    /// The compliances that are kept for the next step.
    pub(crate) fn frozen_tangents(&self) -> Vec<FrozenTangent> {
        let members = self.layout.members.iter().enumerate();
        let is_kept = |member: &Member| !member.is_affine && member.revision.is_some();
        let kept = members.filter(|(_, m)| self.config.tangent == Tangent::Frozen && is_kept(m));
        kept.map(|(i, member)| FrozenTangent::of(i, member)).collect()
    }
}
