//! What an iteration leaves behind in the statistics of the interfaces.

use super::cluster_stage::ClusterStage;
use super::response::Mismatch;
use crate::Master;
use crate::layout::Side;

impl Master {
    /// Notes the clusters whose affine models this iteration has found wrong by more than the tolerance.
    pub(crate) fn note_mismatches(&mut self, iteration: u32, found: Mismatch) {
        if self.all_affine {
            return;
        }
        let allowed = self.config.tolerance * found.speed.max(f64::MIN_POSITIVE);
        for (member, seat) in self.layout.members.iter().zip(&self.seats) {
            if !(seat.difference.0 <= allowed) {
                self.counters.interfaces.note_unsettled(member.cluster, iteration);
            }
        }
    }

    /// Books Newton's iteration that ended in agreement, with what is left at the ports of each interface.
    pub(crate) fn note_agreement(&mut self, iterations: u32, found: Mismatch) {
        let (layout, seats) = (&self.layout, &self.seats);
        let speed = found.speed.max(f64::MIN_POSITIVE);
        self.counters.interfaces.end_solve(layout, iterations, |joint| {
            let at = |side: &Side| &seats[side.subsystem].differences[side.row..side.row + joint.size];
            joint.sides.iter().flat_map(at).fold(0.0, |most: f64, found| most.max(*found)) / speed
        });
    }

    /// Books an iteration between subsystems that ended in agreement, with the last change in the cluster of each interface
    /// against the largest of its unknowns.
    pub(crate) fn note_last_changes(&mut self, iterations: u32, clusters: &[ClusterStage]) {
        let layout = &self.layout;
        self.counters.interfaces.end_solve(layout, iterations, |joint| {
            let number = layout.members[joint.sides[0].subsystem].cluster;
            let own = clusters.binary_search_by_key(&number, |own| own.cluster).map(|k| &clusters[k]);
            own.map_or(0.0, |own| own.change_of(&joint.unknowns()) / own.size)
        });
    }
}
