//! Steps that stop at impacts: the velocities jump when somebody outside of the model says so.

use cosimo_nonsmooth::{Hit, ImpactResolution};
use serde::{Deserialize, Serialize};

use crate::topology::Topology;

/// Impacts that a model stands before: its contacts that are hit at the present communication point.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PendingImpacts {
    hits: Vec<Hit>,
}

impl PendingImpacts {
    /// Of these contacts that are hit.
    pub(crate) fn of(hits: &[Hit]) -> Self {
        Self { hits: hits.to_vec() }
    }

    /// Writes the contacts that are hit, of a model with so many.
    pub(crate) fn write(&self, contacts: usize, hits: &mut Vec<Hit>) {
        hits.clear();
        hits.extend(self.hits.iter().filter(|hit| hit.contact < contacts));
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.hits.is_empty()
    }
}

/// Whether the model has contacts whose impacts are resolved at their instants.
pub(crate) fn can_stop(topology: &Topology) -> bool {
    let mut clusters = topology.clusters.iter();
    clusters.any(|own| !own.contacts.is_empty() && own.impacts == ImpactResolution::SubStep)
}
