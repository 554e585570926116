//! Which contacts are hit in a part of a step that was just tried, and when.

use cosimo_nonsmooth::{Hit, HitKind, ImpactResolution};

use crate::contacts::near::touch_on_the_way;
use crate::execution::slot::CallSlot;
use crate::linearisation::LinearisedModel;
use crate::rows::StepRows;

/// Impacts closer than this share of the step are one; shorter parts of a step are not taken.
pub(super) const TIE: f64 = 1e-9;

/// The motion of a gap towards its impact.
#[derive(Debug, Clone, Copy)]
struct Fall {
    /// Time to the impact (s).
    time: f64,
    /// Gap rate there (m/s).
    rate: f64,
    acceleration: f64,
}

/// A part of size `size` (s), of a step of size `h` (s), that was just tried.
#[derive(Clone, Copy)]
pub(crate) struct TriedPart<'a> {
    pub(crate) model: LinearisedModel<'a>,
    pub(crate) rows: &'a StepRows,
    pub(crate) slots: &'a [CallSlot],
    /// The contacts that take part in its problem.
    pub(crate) takes_part: &'a [bool],
    pub(crate) size: f64,
    pub(crate) h: f64,
}

impl TriedPart<'_> {
    /// Time (s) from its start to its first impact. Collects the contacts that are hit then.
    pub(crate) fn next_impact(self, hits: &mut Vec<Hit>) -> Option<f64> {
        let first = self.falls().map(|(_, fall)| fall.time).fold(f64::INFINITY, f64::min);
        if !first.is_finite() {
            return None;
        }
        self.collect_hits(hits, first + TIE * self.h);
        Some(first)
    }

    /// Collects the contacts that are hit up to a time (s) from its start.
    pub(super) fn collect_hits(self, hits: &mut Vec<Hit>, until: f64) {
        hits.clear();
        for (c, Fall { rate, acceleration, .. }) in self.falls().filter(|(_, fall)| fall.time <= until) {
            let e = self.model.topology.law(c).restitution;
            hits.push(Hit::new(c, e, (rate, self.h * acceleration)));
        }
    }

    /// How many contacts are hit after the first ones.
    pub(super) fn hits_after(self, first: f64) -> usize {
        self.falls().filter(|(_, fall)| fall.time > first + TIE * self.h).count()
    }

    /// How contacts are hit, of those that are.
    fn falls(self) -> impl Iterator<Item = (usize, Fall)> {
        (0..self.model.topology.contacts.len()).filter_map(move |c| Some((c, self.fall_of(c)?)))
    }

    /// How a contact is hit.
    fn fall_of(self, c: usize) -> Option<Fall> {
        let Self {
            model: LinearisedModel { topology, affine_clusters, .. }, rows, takes_part, size, h, ..
        } = self;
        let contact = &topology.contacts[c];
        let cluster = topology.subsystems[contact.subsystem].cluster;
        if affine_clusters[cluster] || topology.clusters[cluster].impacts == ImpactResolution::Plain {
            return None;
        }
        let row = contact.global_row;
        if let Some(share) = touch_on_the_way(topology, self.slots, c) {
            // A body so fast that the ends of the step do not show it.
            let (gap, time) = (rows.start_gaps[c], share * size);
            let is_open = !rows.is_absent(c) && !takes_part[c];
            return is_open.then_some(Fall { time, rate: -gap / time, acceleration: 0.0 });
        }
        let (gap, rate) = (rows.start_gaps[c], rows.start_velocities[row]);
        let (end_gap, end_rate) = (rows.end_positions[row], rows.end_velocities[row]);
        let rounding = rows.gap_rounding(c);
        let closes = end_gap <= 0.0 && end_rate < 0.0;
        let has_crossed = end_gap < -rounding && gap > rounding;
        if rows.is_absent(c) || takes_part[c] || !(closes || has_crossed) {
            return None;
        }
        let acceleration = (end_rate - rate) / size;
        let change = h * acceleration.abs();
        // What lies on an obstacle but for round-off, and does not rise, is hit with all that does.
        let lies = gap <= rounding.max(TIE * h * change) && (-change..=TIE * change).contains(&rate);
        // A gap that is negative counts as zero.
        let gap = gap.max(0.0);
        let falls = || cosimo_nonsmooth::root_of_parabola(gap, rate, acceleration, size);
        let time = if lies { 0.0 } else { falls().unwrap_or(size * gap / (gap - end_gap)) };
        Some(Fall { time, rate: rate + time * acceleration, acceleration })
    }
}

/// Whether a contact closes at a rate that the accelerations of two steps make.
pub(super) fn is_soft(hit: &Hit) -> bool {
    hit.kind == HitKind::Touch
}
