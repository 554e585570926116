//! What an iteration leaves behind in the statistics of the interfaces.

use std::ops::Range;

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

    /// Notes the clusters in which this iteration has changed an unknown by more than the tolerance of the largest.
    pub(crate) fn note_changes(&mut self, iteration: u32, (iterate, answer): (&[f64], &[f64]), largest: f64) {
        let allowed = self.config.tolerance * largest;
        for (number, cluster) in self.layout.clusters.iter().enumerate() {
            let change = change_of(&cluster.unknowns, self.layout.unknowns, (iterate, answer));
            if !(change <= allowed) {
                self.counters.interfaces.note_unsettled(number, iteration);
            }
        }
    }

    /// Books an iteration between subsystems that ended in agreement, with the last change of each interface against
    /// the largest unknown.
    pub(crate) fn note_last_changes(
        &mut self,
        iterations: u32,
        (iterate, answer): (&[f64], &[f64]),
        largest: f64,
    ) {
        let layout = &self.layout;
        self.counters.interfaces.end_solve(layout, iterations, |joint| {
            let change = change_of(&joint.unknowns(), layout.unknowns, (iterate, answer));
            change / largest.max(f64::MIN_POSITIVE)
        });
    }
}

/// Largest change of these unknowns, as forces and, where they are iterated, as motions. Iterates have `count` forces.
fn change_of(unknowns: &Range<usize>, count: usize, (iterate, answer): (&[f64], &[f64])) -> f64 {
    let change = |most: f64, k: usize| {
        let change = (answer[k] - iterate[k]).abs();
        if change.is_nan() || change > most { change } else { most }
    };
    let forces = unknowns.clone().fold(0.0, change);
    if iterate.len() == count {
        return forces;
    }
    unknowns.clone().map(|k| k + count).fold(forces, change)
}
