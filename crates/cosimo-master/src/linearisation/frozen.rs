//! Inverse masses of nonlinear subsystems that are kept from step to step: a part of the state.

use cosimo_subsystem::{LoadWeights, RowMatrix};
use serde::{Deserialize, Serialize};

use crate::linearisation::affine_model::AffineModel;

/// The inverse mass that the next step of a subsystem is solved with.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct FrozenTangent {
    subsystem: usize,
    inverse_mass: RowMatrix,
    damped: RowMatrix,
    weights: LoadWeights,
}

impl FrozenTangent {
    fn of(subsystem: usize, model: &AffineModel) -> Self {
        let (inverse_mass, damped) = (model.inverse_mass.clone(), model.damped.clone());
        Self { subsystem, inverse_mass, damped, weights: model.weights }
    }

    /// Whether it belongs to these subsystems.
    pub(crate) fn fits(&self, models: &[AffineModel]) -> bool {
        let fits = |model: &AffineModel| {
            let shape = (model.rows.len(), model.rows.len());
            self.inverse_mass.shape() == shape && (self.damped.is_empty() || self.damped.shape() == shape)
        };
        models.get(self.subsystem).is_some_and(fits)
    }

    /// Gives the subsystem its inverse mass back; a revision that no subsystem reports stands for it.
    pub(crate) fn restore(&self, models: &mut [AffineModel]) {
        let Some(model) = models.get_mut(self.subsystem) else { return };
        model.inverse_mass.copy_from(&self.inverse_mass);
        model.damped.copy_from(&self.damped);
        model.weights = self.weights;
        model.revision = Some(u64::MAX);
    }
}

/// The inverse masses that are kept for the next step.
pub(crate) fn frozen_tangents(models: &[AffineModel], keeps: bool) -> Vec<FrozenTangent> {
    let is_kept = |model: &AffineModel| !model.is_affine && model.loads.is_none() && model.revision.is_some();
    let kept = models.iter().enumerate().filter(|(_, model)| keeps && is_kept(model));
    kept.map(|(i, model)| FrozenTangent::of(i, model)).collect()
}
