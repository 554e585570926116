//! What algorithms carry from step to step in their work arrays: all of those that influences the future.

use serde::{Deserialize, Serialize};

use crate::condensation::Condensation;
use crate::condensation::interface_matrix::Decisions;
use crate::linearisation::affine_model::AffineModel;
use crate::linearisation::frozen::{FrozenTangent, frozen_tangents};
use crate::schemes::Schemes;
use crate::schemes::state::SchemeState;
use crate::topology::Topology;

/// A part of a saved state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Carried {
    /// First guesses and secants of an iterative scheme.
    scheme: Option<SchemeState>,
    /// What the first matrices decided for good: which joints are redundant.
    matrices: Vec<Decisions>,
    /// Inverse masses that the next steps are solved with.
    frozen: Vec<FrozenTangent>,
}

impl Carried {
    pub(super) fn of(schemes: &Schemes, condensation: &Condensation, models: &[AffineModel]) -> Self {
        Self {
            scheme: schemes.iteration.as_ref().map(|scheme| scheme.state()),
            matrices: condensation.decisions(),
            frozen: frozen_tangents(models, schemes.tangent.keeps()),
        }
    }

    /// What it must agree in with a model, and whether it does.
    pub(super) fn compare(
        &self,
        schemes: &Schemes,
        models: &[AffineModel],
        topology: &Topology,
    ) -> [(&'static str, bool); 3] {
        let scheme_fits = match (&schemes.iteration, &self.scheme) {
            (Some(scheme), Some(saved)) => scheme.fits(saved),
            (own, other) => own.is_none() && other.is_none(),
        };
        [
            ("schemes", scheme_fits),
            ("clusters", self.matrices.len() == topology.clusters.len()),
            ("tangents", self.frozen.iter().all(|tangent| tangent.fits(models))),
        ]
    }

    /// Puts it back where it fits. Everything else in work arrays is found anew.
    pub(super) fn restore(
        &self,
        schemes: &mut Schemes,
        condensation: &mut Condensation,
        models: &mut [AffineModel],
    ) {
        if let (Some(scheme), Some(saved)) = (&mut schemes.iteration, &self.scheme) {
            scheme.restore(saved);
        }
        models.iter_mut().for_each(|model| model.revision = None);
        self.frozen.iter().for_each(|tangent| tangent.restore(models));
        condensation.decide(&self.matrices);
    }
}
