//! What an iteration leaves behind in the statistics of the interfaces.

use super::cluster_stage::ClusterStage;
use crate::execution::slot::CallSlot;
use crate::linearisation::coupling_residual::CouplingResidual;
use crate::statistics::interfaces::InterfaceStatistics;
use crate::topology::Topology;
use crate::topology::joint::Side;

/// Notes the clusters whose affine models this iteration has found wrong by more than the tolerance.
pub(crate) fn note_mismatches(
    interfaces: &mut InterfaceStatistics,
    topology: &Topology,
    slots: &[CallSlot],
    iteration: u32,
    found: CouplingResidual,
) {
    let allowed = topology.config.tolerance * found.speed.max(f64::MIN_POSITIVE);
    for (layout, slot) in topology.subsystems.iter().zip(slots) {
        if !(slot.difference.size <= allowed) {
            interfaces.note_unsettled(layout.cluster, iteration);
        }
    }
}

/// Accounts for Newton's iteration that ended in agreement, with what is left at the ports of each interface.
pub(crate) fn note_agreement(
    interfaces: &mut InterfaceStatistics,
    topology: &Topology,
    slots: &[CallSlot],
    iterations: u32,
    found: CouplingResidual,
) {
    let speed = found.speed.max(f64::MIN_POSITIVE);
    interfaces.end_solve(topology, iterations, |joint| {
        let at = |side: &Side| &slots[side.subsystem].differences[side.row..side.row + joint.size];
        joint.sides.iter().flat_map(at).fold(0.0, |most: f64, found| most.max(*found)) / speed
    });
}

/// Accounts for an iteration between subsystems that ended in agreement, with the last change in the cluster of each interface
/// against the largest of its unknowns.
pub(crate) fn note_last_changes(
    interfaces: &mut InterfaceStatistics,
    topology: &Topology,
    iterations: u32,
    clusters: &[ClusterStage],
) {
    interfaces.end_solve(topology, iterations, |joint| {
        let number = topology.subsystems[joint.sides[0].subsystem].cluster;
        let own = clusters.binary_search_by_key(&number, |own| own.cluster).map(|k| &clusters[k]);
        own.map_or(0.0, |own| own.change_of(&joint.unknowns()) / own.size)
    });
}
