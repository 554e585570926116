//! What algorithms carry from step to step in their work arrays: all of the storage that influences the future.

use serde::{Deserialize, Serialize};

use crate::condensation::interface_matrix::Decisions;
use crate::schemes::state::SchemeState;
use crate::state::frozen::{FrozenTangent, frozen_tangents};
use crate::storage::Storage;
use crate::topology::Topology;

/// A part of a saved state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Carried {
    /// First guesses and secants of an iterative scheme.
    scheme: Option<SchemeState>,
    /// What the first matrices decided for good: which joints are redundant, which subsystems are hubs.
    matrices: Vec<Decisions>,
    /// Inverse masses that the next steps are solved with.
    frozen: Vec<FrozenTangent>,
}

impl Carried {
    pub(super) fn of(storage: &Storage, keeps: bool) -> Self {
        Self {
            scheme: storage.iteration.as_ref().map(|scheme| scheme.state()),
            matrices: storage.condensation.decisions(),
            frozen: frozen_tangents(&storage.linearisation.models, keeps),
        }
    }

    /// What it must agree in with the storage of a model, and whether it does.
    pub(super) fn compare(&self, storage: &Storage, topology: &Topology) -> [(&'static str, bool); 3] {
        let scheme_fits = match (&storage.iteration, &self.scheme) {
            (Some(scheme), Some(saved)) => scheme.fits(saved),
            (own, other) => own.is_none() && other.is_none(),
        };
        let models = &storage.linearisation.models;
        [
            ("schemes", scheme_fits),
            ("clusters", self.matrices.len() == topology.clusters.len()),
            ("tangents", self.frozen.iter().all(|tangent| tangent.fits(models))),
        ]
    }

    /// Puts it back where it fits. Everything else in the storage is found anew.
    pub(super) fn restore(&self, storage: &mut Storage) {
        if let (Some(scheme), Some(saved)) = (&mut storage.iteration, &self.scheme) {
            scheme.restore(saved);
        }
        storage.contact_changes.clear();
        let models = &mut storage.linearisation.models;
        models.iter_mut().for_each(|model| model.revision = None);
        self.frozen.iter().for_each(|tangent| tangent.restore(models));
        storage.condensation.decide(&self.matrices);
    }
}
