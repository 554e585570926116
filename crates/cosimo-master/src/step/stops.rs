//! Steps that stop at impacts: the velocities jump when somebody outside of the model says so.

use cosimo_nonsmooth::{Hit, ImpactResolution};
use serde::{Deserialize, Serialize};

use super::split::collide;
use super::take_step;
use crate::StepError;
use crate::simulation::Simulation;
use crate::statistics::summary::StepSummary;
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
    sim: &mut Simulation,
    h: f64,
) -> Result<(StepSummary, PendingImpacts), StepError> {
    sim.linearisation.split_all(&sim.topology);
    sim.progress.stops_at_impacts = true;
    let taken = take_step(sim, h);
    sim.progress.stops_at_impacts = false;
    let has_stopped = std::mem::take(&mut sim.progress.has_stopped);
    let hits = if has_stopped { sim.contacts.hits.clone() } else { Vec::new() };
    Ok((taken?, PendingImpacts { hits }))
}

/// Lets the velocities jump at impacts that are pending, for a model that goes on with steps of this size (s).
pub(crate) fn pass_pending(
    sim: &mut Simulation,
    pending: &PendingImpacts,
    size: f64,
) -> Result<(), StepError> {
    let (contacts, hits) = (sim.topology.contacts.len(), &mut sim.contacts.hits);
    hits.clear();
    hits.extend(pending.hits.iter().filter(|hit| hit.contact < contacts));
    if hits.is_empty() {
        return Ok(());
    }
    sim.progress.macro_size = size;
    sim.progress.whole_step = None;
    sim.progress.begins_anew = true;
    let part = sim.progress.part(sim.clock.now, size);
    collide(sim, part)
}
