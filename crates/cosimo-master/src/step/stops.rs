//! Steps that stop at impacts: the velocities jump when somebody outside of the model says so.

use cosimo_nonsmooth::{Hit, ImpactResolution};
use serde::{Deserialize, Serialize};

use super::split::collide;
use super::summary::StepSummary;
use super::take_step;
use crate::{Master, StepError};

/// Impacts that a model stands before: its contacts that are hit at the present communication point.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PendingImpacts {
    hits: Vec<Hit>,
}

impl PendingImpacts {
    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hits.is_empty()
    }
}

impl Master {
    /// Whether steps can stop at impacts: the model has contacts whose impacts are resolved at their instants.
    #[must_use]
    pub fn can_stop_at_impacts(&self) -> bool {
        let mut clusters = self.topology.clusters.iter();
        clusters.any(|own| !own.contacts.is_empty() && own.impacts == ImpactResolution::SubStep)
    }

    /// Takes a macro step of size `h` (s), or of what of it lies before the next impact; then the impacts are pending, and the step that
    /// follows begins with [`pass_impacts`](Self::pass_impacts). Clusters with contacts count as not affine from here on.
    ///
    /// # Errors
    /// As [`step`](Self::step).
    pub fn step_until_impact(&mut self, h: f64) -> Result<(StepSummary, PendingImpacts), StepError> {
        let time = self.time();
        if !(h > 0.0 && h.is_finite() && time + h > time) {
            return Err(StepError::Size { time, size: h });
        }
        if !std::mem::replace(&mut self.storage.linearisation.splits_all, true) {
            self.storage.linearisation.update_affinity(&self.topology);
        }
        self.storage.stops_at_impacts = true;
        let taken = self.simulation().among_threads(|sim| take_step(sim, h));
        self.storage.stops_at_impacts = false;
        let has_stopped = std::mem::take(&mut self.storage.has_stopped);
        let hits = if has_stopped { self.storage.hits.clone() } else { Vec::new() };
        Ok((taken?, PendingImpacts { hits }))
    }

    /// Lets the velocities jump at impacts that are pending, for a model that goes on with steps of this size (s).
    ///
    /// # Errors
    /// The impacts have no solution.
    pub fn pass_impacts(&mut self, pending: &PendingImpacts, size: f64) -> Result<(), StepError> {
        let contacts = self.topology.contacts.len();
        self.storage.hits.clear();
        self.storage.hits.extend(pending.hits.iter().filter(|hit| hit.contact < contacts));
        if self.storage.hits.is_empty() {
            return Ok(());
        }
        self.storage.macro_size = size;
        self.storage.whole_step = None;
        self.simulation().among_threads(|sim| collide(sim, sim.part(size)))
    }
}
