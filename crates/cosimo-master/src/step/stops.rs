//! Steps that stop at impacts: the velocities jump when somebody outside of the model says so.

use cosimo_nonsmooth::{Hit, ImpactResolution};
use serde::{Deserialize, Serialize};

use super::split::collide;
use super::summary::StepSummary;
use super::take_step;
use crate::StepError;
use crate::simulation::Simulation;
use crate::topology::Topology;

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

/// Whether the model has contacts whose impacts are resolved at their instants.
pub(crate) fn can_stop(topology: &Topology) -> bool {
    let mut clusters = topology.clusters.iter();
    clusters.any(|own| !own.contacts.is_empty() && own.impacts == ImpactResolution::SubStep)
}

/// Takes a macro step of size `h` (s), or what of it lies before the next impact.
pub(crate) fn take_step_until_impact(
    sim: &mut Simulation<'_>,
    h: f64,
) -> Result<(StepSummary, PendingImpacts), StepError> {
    if !std::mem::replace(&mut sim.storage.linearisation.splits_all, true) {
        sim.storage.linearisation.update_affinity(sim.topology);
    }
    sim.storage.stops_at_impacts = true;
    let taken = take_step(sim, h);
    sim.storage.stops_at_impacts = false;
    let has_stopped = std::mem::take(&mut sim.storage.has_stopped);
    let hits = if has_stopped { sim.storage.hits.clone() } else { Vec::new() };
    Ok((taken?, PendingImpacts { hits }))
}

/// Lets the velocities jump at impacts that are pending.
pub(crate) fn pass_pending(
    sim: &mut Simulation<'_>,
    pending: &PendingImpacts,
    size: f64,
) -> Result<(), StepError> {
    let contacts = sim.topology.contacts.len();
    sim.storage.hits.clear();
    sim.storage.hits.extend(pending.hits.iter().filter(|hit| hit.contact < contacts));
    if sim.storage.hits.is_empty() {
        return Ok(());
    }
    sim.storage.macro_size = size;
    sim.storage.whole_step = None;
    sim.state.begins_anew = true;
    collide(sim, sim.part(size))
}
