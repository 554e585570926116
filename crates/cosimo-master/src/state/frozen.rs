//! Compliances of nonlinear subsystems that are kept from step to step: a part of the state.

use cosimo_subsystem::LoadWeights;
use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};

use crate::Tangent;
use crate::storage::linearisation::AffineModel;

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
    fn of(subsystem: usize, model: &AffineModel) -> Self {
        let w = model.weights;
        let weights = [w.end, w.start, w.position, w.damping];
        let [compliance, damped] = [&model.compliance, &model.damped].map(|m| m.as_slice().to_vec());
        Self { subsystem, compliance, damped, weights }
    }

    /// Whether it belongs to these subsystems.
    pub(crate) fn fits(&self, models: &[AffineModel]) -> bool {
        let fits = |model: &AffineModel| {
            model.compliance.len() == self.compliance.len()
                && (self.damped.is_empty() || self.damped.len() == self.compliance.len())
        };
        models.get(self.subsystem).is_some_and(fits)
    }

    /// Gives the subsystem its compliance back; a revision that no subsystem tells stands for it.
    pub(crate) fn restore(&self, models: &mut [AffineModel]) {
        let Some(model) = models.get_mut(self.subsystem) else { return };
        model.compliance.as_mut_slice().copy_from_slice(&self.compliance);
        let r = if self.damped.is_empty() { 0 } else { model.compliance.nrows() };
        model.damped = DMatrix::from_column_slice(r, r, &self.damped);
        let [end, start, position, damping] = self.weights;
        model.weights = LoadWeights { end, start, position, damping };
        model.revision = Some(u64::MAX);
    }
}

/// The compliances that are kept for the next step.
pub(crate) fn frozen_tangents(models: &[AffineModel], tangent: Tangent) -> Vec<FrozenTangent> {
    let is_kept = |model: &AffineModel| !model.is_affine && model.loads.is_none() && model.revision.is_some();
    let kept = models.iter().enumerate().filter(|(_, model)| tangent == Tangent::Frozen && is_kept(model));
    kept.map(|(i, model)| FrozenTangent::of(i, model)).collect()
}
